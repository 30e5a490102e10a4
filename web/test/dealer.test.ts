import assert from "node:assert/strict";
import { test } from "node:test";
import { CardKeys, cardsTyped, cardTyped, facesTyped, handsTyped } from "../src/steps/card-keys";

test("a card is keyed by its rank, then its suit", () => {
  const keys = new CardKeys();
  assert.equal(keys.key("h"), undefined, "a suit alone is nothing");
  assert.equal(keys.key("4"), null);
  assert.equal(keys.key("T"), null, "another rank takes the place of the first");
  assert.deepEqual(keys.key("d"), ["T", "d"]);
  assert.equal(keys.rank, null);
  keys.key("0");
  assert.deepEqual(keys.key("S"), ["T", "s"]);
  assert.equal(keys.key("x"), undefined);
});

test("cards are read as people write them", () => {
  assert.deepEqual(cardTyped(" 10D "), ["T", "d"]);
  assert.deepEqual(cardTyped("as"), ["A", "s"]);
  for (const wrong of ["", "1h", "4", "44h", "4x"]) assert.equal(cardTyped(wrong), null);
  assert.deepEqual(cardsTyped("4h, Td ks"), [
    ["4", "h"],
    ["T", "d"],
    ["K", "s"],
  ]);
  assert.equal(cardsTyped("4h zz"), null);
  assert.deepEqual(facesTyped("4h ? td"), [["4", "h"], null, ["T", "d"]]);
  assert.equal(facesTyped("4h zz"), null);
  assert.equal(facesTyped(" "), null);
  assert.deepEqual(handsTyped("P player, b"), ["player", "player", "banker"]);
  assert.equal(handsTyped("P tie"), null);
});
