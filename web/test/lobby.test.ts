import assert from "node:assert/strict";
import { test } from "node:test";
import type { LobbyTable } from "../src/api/types";
import { type GoodRoad, GoodRoadBook, goodRoads, runsOf, USUAL_RULES } from "../src/lobby/good-roads";
import { EVERYTHING, extended, minimumBet, ordered } from "../src/lobby/table-order";
import { storage } from "./storage";

const WINNERS: Record<string, string> = { b: "banker", p: "player", t: "tie" };
const ALL = USUAL_RULES.map((each) => ({ ...each, wanted: true, least: 3 }));

/** The good roads of rounds such as "bbtp", with how far each goes. */
function found(rounds: string, rules = ALL): string {
  const runs = runsOf([...rounds].map((each) => ({ winner: WINNERS[each]! })));
  return goodRoads(runs, rules)
    .map(({ road, length }) => `${road} ${length}`)
    .join(", ");
}

test("runs go over ties", () => {
  assert.deepEqual(runsOf([{ winner: "tie" }, { winner: "banker" }, { winner: "tie" }, { winner: "banker" }]), [
    { winner: "banker", length: 2 },
  ]);
});

test("good roads are found at the end of the shoe", () => {
  assert.equal(found(""), "");
  assert.equal(found("ppbbbbtb"), "long_banker 5");
  assert.equal(found("bbbppp"), "long_player 3");
  assert.equal(found("bbbpbpbt"), "chop 4");
  assert.equal(found("bbbppbbpp"), "double 3");
  assert.equal(found("bbbppbbppb"), "double 3", "the last one may still become two");
  assert.equal(found("bbbppbbppbbb"), "long_banker 3, banker_repeats 3", "a third one breaks it");
  assert.equal(found("pppbppbpp"), "one_two 4, player_repeats 3");
  assert.equal(found("pppbppbp"), "one_two 3", "the last run may still grow");
  assert.equal(found("pppbppbbp"), "", "two where one was due");
});

test("a patron is told of what they want, from the length they chose", () => {
  const only = (road: GoodRoad, least: number) => USUAL_RULES.map((e) => ({ ...e, wanted: e.road === road, least }));
  assert.equal(found("bbbb", only("long_banker", 4)), "long_banker 4");
  assert.equal(found("bbbb", only("long_banker", 5)), "");
  assert.equal(found("bbbb", only("chop", 2)), "");
});

test("rules are kept, and what makes no sense is not read", () => {
  const kept = storage();
  const book = new GoodRoadBook(kept, "k");
  assert.deepEqual(book.read(), USUAL_RULES);
  const changed = USUAL_RULES.map((each) => (each.road === "chop" ? { ...each, wanted: false, least: 7 } : each));
  book.write(changed);
  assert.deepEqual(book.read(), changed);
  for (const nonsense of ["{", "{}", "[null]", '[{"road":"chop","wanted":true,"least":0}]', '[{"road":"x"}]']) {
    kept.setItem("k", nonsense);
    assert.deepEqual(book.read(), USUAL_RULES, nonsense);
  }
});

const table = (name: string, minimum: number, patrons: number, streak: number): LobbyTable =>
  ({
    table: name,
    title: name,
    game: name[0],
    patrons,
    positions: 5,
    limits: { Player: { minimum, maximum: 10 * minimum }, Tie: { minimum: 2 * minimum, maximum: 3 * minimum } },
    roads: { statistics: { current_run: streak ? { winner: "banker", length: streak } : null } },
  }) as unknown as LobbyTable;
const TABLES = [table("b1", 500, 5, 1), table("a1", 1_000, 0, 6), table("a2", 200, 2, 0)];
const none = () => false;

test("tables are sorted and filtered as chosen", () => {
  const order = (choice: object, isGood = none) => ordered(TABLES, { ...EVERYTHING, ...choice }, isGood).join(" ");
  assert.equal(order({}), "b1 a1 a2");
  assert.equal(order({ sort: "minimum" }), "a2 b1 a1");
  assert.equal(order({ sort: "free" }), "a1 a2 b1");
  assert.equal(order({ sort: "streak" }), "a1 b1 a2");
  assert.equal(order({ sort: "name" }), "a1 a2 b1");
  assert.equal(order({ game: "a" }), "a1 a2");
  assert.equal(order({ freeOnly: true }), "a1 a2", "b1 is full");
  assert.equal(order({ goodOnly: true }), "");
  assert.equal(
    order({ goodOnly: true }, () => true),
    "b1 a1 a2",
  );
  assert.equal(minimumBet(TABLES[0]!), 500);
  assert.equal(minimumBet({ limits: {} } as LobbyTable), null);
});

test("as rounds go on no tile moves or leaves, and one that fits now comes last", () => {
  const choice = { ...EVERYTHING, goodOnly: true };
  const shown = ["a2"];
  assert.equal(extended(shown, TABLES, choice, none), shown);
  assert.deepEqual(
    extended(shown, TABLES, choice, (each) => each.table === "b1"),
    ["a2", "b1"],
  );
});
