import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { ShoeShown } from "../src/api/types";
import { CutBook, tooLong } from "../src/fairness/cut-book";
import { cutOf, listOf, type ShoeRecord, verify } from "../src/fairness/shoe-record";
import { storage } from "./storage";

const published = () => JSON.parse(readFileSync("../tests/shoe/published.json", "utf-8")) as ShoeRecord;

test("a published shoe is checked as punto verify-shoe checks it", () => {
  const record = published();
  assert.deepEqual(
    verify(record, [record.cuts[0]!.list]).filter((each) => !each.holds),
    [],
  );
  const failing = (change: (record: ShoeRecord) => void, noted: string[] = []) => {
    const changed = published();
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
    failing((each) => (each.secret = "00".repeat(32))),
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

function shoe(changed: Partial<ShoeShown> = {}): ShoeShown {
  return {
    shoe: "t1 1",
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
  const closed = { list_closed: true, closed_list: listOf("01".repeat(32), [ana, bo]), pledges: [ana, bo] };
  assert.equal(cutting.stage(shoe(closed)), "reveal");
  const told = cutting.reveal(shoe(closed));
  assert.deepEqual(told, { words: Buffer.from("lucky 8").toString("hex"), nonce: "05".repeat(32) });
  const all = [
    { ...ana, ...told },
    { ...bo, words: "", nonce: "09".repeat(32) },
  ];
  const done = shoe({ ...closed, pledges: all, cut: cutOf(closed.closed_list, all), ready: true });
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
  assert.equal(cutting.stage(listed([other], listOf("01".repeat(32), [other]))), "altered");
  const first = listed([ana], listOf("01".repeat(32), [ana]));
  cutting.reveal(first);
  const bo = { ...ana, patron: "bo" };
  const again = new CutBook(store, "k", "ana", (bytes) => bytes);
  assert.equal(again.stage(listed([ana, bo], listOf("01".repeat(32), [ana, bo]))), "altered");
  assert.equal(again.stage(shoe({ left_out: ["ana"] })), "none");
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
  const closed = shoe({ list_closed: true, closed_list: listOf("01".repeat(32), [ana]), pledges: [ana] });
  assert.equal(other.stage(closed), "reveal");
  const spoiled = shoe({ anchor: "02".repeat(32) });
  assert.notEqual(other.contribute(spoiled, "lucky 8"), commitment);
  assert.equal(drawn, 2);
});

test("what enters a cut is short", () => {
  assert.equal(tooLong("8".repeat(64)), false);
  assert.equal(tooLong("八".repeat(22)), true);
});
