/** Names of people at the table: shown where they are known, and told apart where several share one. */
import assert from "node:assert/strict";
import test from "node:test";
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
