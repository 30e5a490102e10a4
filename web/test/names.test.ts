/** Names of people at the table: shown where they are known, and told apart where several share one. */
import assert from "node:assert/strict";
import test from "node:test";
import { shoeNumber } from "../src/fairness/shoe-name";
import { readingsIn } from "../src/i18n/clause-readings";
import { learnNames, patronLabels, patronName, unnamed } from "../src/steps/patron-name";

test("a person is shown by name once it is known, and by the begin of the id before", () => {
  assert.equal(patronName("pabcdefghij"), "pabcdef…");
  assert.deepEqual(unnamed(["pabcdefghij", "pabcdefghij"]), ["pabcdefghij"]);
  learnNames({ pabcdefghij: "陈先生" });
  assert.equal(patronName("pabcdefghij"), "陈先生");
  assert.deepEqual(unnamed(["pabcdefghij"]), []);
});

test("an erased name says so and still tells people apart", () => {
  learnNames({ perased2222: "" });
  assert.match(patronName("perased2222"), /perased…$/);
  assert.notEqual(patronName("perased2222"), "perased…");
});

test("people who share a name are told apart by their ids", () => {
  learnNames({ ptan2222222: "Mr. Tan", ptan3333333: "Mr. Tan", plee4444444: "Ms. Lee" });
  const labels = patronLabels(["ptan2222222", "ptan3333333", "plee4444444"]);
  assert.deepEqual(
    [...labels],
    [
      ["Mr. Tan · ptan2222222", "ptan2222222"],
      ["Mr. Tan · ptan3333333", "ptan3333333"],
      ["Ms. Lee", "plee4444444"],
    ],
  );
});

test("the readings that a clause names are found, and none of its words is lost", () => {
  const words = "One wager (R20, R70); ten with ten (R1). 每名客人各为一注（R20、R70）。R2 and (R) are words.";
  const parts = readingsIn(words);
  assert.deepEqual(
    parts.flatMap(([, codes]) => codes ?? []),
    ["R20, R70", "R1", "R20、R70"],
  );
  assert.equal(parts.map(([text, codes]) => codes ?? text).join(""), words);
});

test("a shoe is called by its number at its table", () => {
  assert.equal(shoeNumber("squeeze-baccarat", "squeeze-baccarat 12"), "12");
  assert.equal(shoeNumber("tiger", "tigers 1"), "tigers 1");
});
