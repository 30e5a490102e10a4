import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { ShoeShown } from "../src/api/types";
import { CutBook, tooLong } from "../src/fairness/cut-book";
import { cutOf, listOf, type ShoeRecord, shuffled, verify } from "../src/fairness/shoe-record";
import { storage } from "./storage";

const read = (file: string) => JSON.parse(readFileSync(`../tests/shoe/${file}`, "utf-8")) as ShoeRecord;

for (const file of ["published.json", "published_2.json"])
  test(`a published shoe is checked as punto verify-shoe checks it: ${file}`, () => {
    const record = read(file);
    assert.deepEqual(
      verify(record, [record.cuts[0]!.list]).filter((each) => !each.holds),
      [],
    );
    const failing = (change: (record: ShoeRecord) => void, noted: string[] = []) => {
      const changed = read(file);
      change(changed);
      return verify(changed, noted)
        .filter((each) => !each.holds)
        .map((each) => each.name);
    };
    assert.deepEqual(
      failing((each) => (each.dealt[3]![1] = each.dealt[3]![1] === "As" ? "Ah" : "As")),
      ["dealt"],
    );
    assert.deepEqual(
      failing((each) => (each.secret = "00".repeat(each.secret.length / 2))),
      ["commitment", "dealt"],
    );
    assert.deepEqual(
      failing((each) => (each.secret = each.secret.slice(4))),
      ["commitment", "dealt"],
    );
    assert.deepEqual(
      failing((each) => (each.cuts[1]!.patrons[0]!.contribution = "00")),
      ["contributions", "cut", "dealt"],
    );
    assert.deepEqual(
      failing((each) => each.cuts.pop()),
      ["ending", "cut", "dealt"],
    );
    assert.deepEqual(
      failing(() => {}, ["ab".repeat(32)]),
      ["noted"],
    );
  });

test("a shoe of one format does not pass as one of the other, nor as one of a third", () => {
  const of = (format: string) => verify({ ...read("published_2.json"), format: format as ShoeRecord["format"] }, []);
  const failing = (format: string) => of(format).filter((each) => !each.holds);
  assert.deepEqual(failing("punto-shoe-2"), []);
  assert.ok(failing("punto-shoe-1").some((each) => each.name === "commitment"));
  assert.ok(failing("punto-shoe-3").some((each) => each.name === "kind"));
});

test("a shoe that nobody cut must be called that, and no other", () => {
  const cutters = (without_cut: boolean | undefined) =>
    verify({ ...read("published_2.json"), without_cut }, []).find((each) => each.name === "cutters")!.holds;
  assert.equal(cutters(false), true);
  assert.equal(cutters(true), false);
  assert.equal(cutters(undefined), false);
});

test("words that would favour a card are skipped, and a shoe whose words run out has no order", () => {
  const source = (...words: number[]) => {
    let at = 0;
    return () => words[at++] ?? null;
  };
  assert.deepEqual(shuffled(["a", "b", "c"], source(65535, 1, 1)), ["a", "c", "b"]); // 65535 favours 0 of 3
  assert.equal(shuffled(["a", "b", "c"], source(65535, 65535, 65535, 65535)), null);
  assert.equal(shuffled(["a", "b", "c"], source(0)), null);
});

function shoe(changed: Partial<ShoeShown> = {}): ShoeShown {
  return {
    shoe: "t1 1",
    format: "punto-shoe-2",
    decks: 8,
    commitment: "01".repeat(32),
    anchor: "01".repeat(32),
    list_closed: false,
    closed_list: null,
    pledged: [],
    pledges: [],
    missing: [],
    left_out: [],
    cut: null,
    deadline: null,
    ready: false,
    published: false,
    ...changed,
  };
}

test("a patron's part in a cut: committed, the list checked, revealed, and found in the cut", () => {
  const cutting = new CutBook(storage(), "k", "ana", (bytes) => bytes.fill(5));
  assert.equal(cutting.stage(shoe()), "offered");
  const commitment = cutting.contribute(shoe(), "lucky 8");
  const bo = { patron: "bo", commitment: "77".repeat(32), words: null, nonce: null };
  const ana = { patron: "ana", commitment, words: null, nonce: null };
  assert.equal(cutting.stage(shoe({ pledges: [ana] })), "committed");
  const closed = {
    list_closed: true,
    closed_list: listOf("punto-shoe-2", "01".repeat(32), [ana, bo]),
    pledges: [ana, bo],
  };
  assert.equal(cutting.stage(shoe(closed)), "reveal");
  const told = cutting.reveal(shoe(closed));
  assert.deepEqual(told, { words: Buffer.from("lucky 8").toString("hex"), nonce: "05".repeat(32) });
  const all = [
    { ...ana, ...told },
    { ...bo, words: "", nonce: "09".repeat(32) },
  ];
  const done = shoe({ ...closed, pledges: all, cut: cutOf("punto-shoe-2", closed.closed_list, all), ready: true });
  assert.equal(cutting.stage(done), "counts");
  assert.deepEqual(cutting.noted("t1 1"), [commitment, closed.closed_list]);
});

test("nothing is revealed to a list that is not as it was told, nor to another than was noted", () => {
  const store = storage();
  const cutting = new CutBook(store, "k", "ana", (bytes) => bytes.fill(5));
  const commitment = cutting.contribute(shoe(), "");
  const ana = { patron: "ana", commitment, words: null, nonce: null };
  const listed = (pledges: ShoeShown["pledges"], closed_list: string) =>
    shoe({ list_closed: true, closed_list, pledges });
  assert.equal(cutting.stage(listed([ana], "00".repeat(32))), "altered");
  const other = { ...ana, commitment: "22".repeat(32) };
  assert.equal(cutting.stage(listed([other], listOf("punto-shoe-2", "01".repeat(32), [other]))), "altered");
  const first = listed([ana], listOf("punto-shoe-2", "01".repeat(32), [ana]));
  cutting.reveal(first);
  const bo = { ...ana, patron: "bo" };
  const again = new CutBook(store, "k", "ana", (bytes) => bytes);
  assert.equal(again.stage(listed([ana, bo], listOf("punto-shoe-2", "01".repeat(32), [ana, bo]))), "altered");
  assert.equal(again.stage(shoe({ left_out: ["ana"] })), "left_out");
});

test("whoever agrees twice, or in two windows, is committed to one contribution", () => {
  const store = storage();
  let drawn = 0;
  const window = () => new CutBook(store, "k", "ana", (bytes) => bytes.fill(++drawn));
  const [one, other] = [window(), window()];
  const commitment = one.contribute(shoe(), "lucky 8");
  assert.equal(one.contribute(shoe(), "lucky 8"), commitment);
  assert.equal(other.contribute(shoe(), "another"), commitment);
  const ana = { patron: "ana", commitment, words: null, nonce: null };
  const closed = shoe({
    list_closed: true,
    closed_list: listOf("punto-shoe-2", "01".repeat(32), [ana]),
    pledges: [ana],
  });
  assert.equal(other.stage(closed), "reveal");
  const spoiled = shoe({ anchor: "02".repeat(32) });
  assert.notEqual(other.contribute(spoiled, "lucky 8"), commitment);
  assert.equal(drawn, 2);
});

test("a patron who is not in the list learns it, unless they declined", () => {
  const book = new CutBook(storage(), "k", "ana", (bytes) => bytes.fill(5));
  const closed = { list_closed: true, closed_list: listOf("punto-shoe-2", "01".repeat(32), []) };
  assert.equal(book.stage(shoe(closed)), "left_out");
  assert.equal(book.stage(shoe({ ...closed, declined: ["ana"] })), "none");
  assert.equal(book.stage(shoe({ ...closed, published: true })), "none");
});

test("what enters a cut is short", () => {
  assert.equal(tooLong("8".repeat(64)), false);
  assert.equal(tooLong("八".repeat(22)), true);
});
