import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyedWager, WagerEntry } from "../src/dealer/wager-entry";

const QUICK = { quiet: false, alone: false };
const SLOW = { quiet: true, alone: true };

function atFelt() {
  const given: KeyedWager[] = [];
  const entry = new WagerEntry((wager) => given.push(wager));
  entry.wagers = ["Player", "Banker", "Tie"];
  entry.positions = 3;
  entry.seat(1, "ann");
  entry.seat(2, "bob");
  const type = (text: string) => {
    for (const key of text) entry.key(key);
  };
  return { entry, given, type };
}

test("an amount goes to the area that was picked, and Enter to the next one", () => {
  const { entry, given, type } = atFelt();
  entry.pick({ position: 1, wager: "Banker" });
  type("150");
  entry.enter(QUICK, false);
  assert.deepEqual(entry.picked, { position: 1, wager: "Tie" });
  type("5");
  assert.deepEqual(given, [{ patron: "ann", position: 1, wager: "Banker", amount: 15_000 }]);
  entry.enter(QUICK, false);
  assert.deepEqual(entry.picked, { position: 2, wager: "Player" }, "after the last area comes the next position");
  entry.pick({ position: 2, wager: "Tie" });
  assert.deepEqual(given[1], { patron: "ann", position: 1, wager: "Tie", amount: 500 });
  assert.equal(entry.keyed.length, 2, "they are shown until they are answered");
  entry.answered(given[0]!);
  assert.deepEqual(entry.keyed, [given[1]]);
});

test("Enter pressed again and again places nothing", (at) => {
  at.mock.timers.enable({ apis: ["setTimeout"] });
  const { entry, given, type } = atFelt();
  entry.pick({ position: 1, wager: "Player" });
  type("100");
  entry.enter(QUICK, false);
  for (let press = 0; press < 20; press++) {
    at.mock.timers.tick(100);
    entry.enter(QUICK, true);
  }
  at.mock.timers.tick(5_000);
  assert.deepEqual(given, []);
  assert.equal(entry.keyed.length, 1);
  type("5");
  assert.equal(given.length, 1, "another key places what was keyed");
});

test("one Enter places the wager after a pause", (at) => {
  at.mock.timers.enable({ apis: ["setTimeout"] });
  const { entry, given, type } = atFelt();
  entry.pick({ position: 2, wager: "Player" });
  type("7.5");
  entry.enter(QUICK, false);
  at.mock.timers.tick(500);
  assert.deepEqual(given, [{ patron: "bob", position: 2, wager: "Player", amount: 750 }]);
  entry.enter(SLOW, false);
  assert.deepEqual(entry.picked, { position: 3, wager: "Player" }, "without an amount it goes to the next position");
});

test("an amount waits for its patron", () => {
  const { entry, given, type } = atFelt();
  entry.pick({ position: 3, wager: "Player" });
  type("20");
  entry.pick({ position: 1, wager: "Player" });
  assert.equal(entry.lacksPatron, true);
  assert.equal(entry.digits, "20");
  entry.seat(3, "cat");
  entry.pick({ position: 1, wager: "Player" });
  assert.deepEqual(given, [{ patron: "cat", position: 3, wager: "Player", amount: 2_000 }]);
  entry.addChip(50);
  entry.addChip(500);
  assert.equal(entry.digits, "5.50");
  entry.leave();
  assert.equal(given.length, 1);
});
