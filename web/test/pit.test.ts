import assert from "node:assert/strict";
import { test } from "node:test";
import type { Offered, PitTable, StaffView } from "../src/api/types";
import { waitingAt } from "../src/pit/pending-decision";
import { type PitEntry, sortTables } from "../src/pit/table-order";

function offered(command: string, values: object = {}, mine = true): Offered {
  return { command, values: values as Offered["values"], role: "Pit Manager", clause: null, mine };
}

function table(name: string, waiting: Offered[], view: Partial<StaffView>): PitEntry {
  return { about: { table: name, waiting } as unknown as PitTable, view: view as StaffView };
}

test("tables that wait for oneself come first, then others that are held, and shut ones last", () => {
  const tables = [
    table("shut", [], { phase: "shut", hold: null }),
    table("open", [], { phase: "betting", hold: null }),
    table("theirs", [offered("ConfirmVoid", {}, false)], { phase: "dealing", hold: "wrong-cards" }),
    table("mine", [offered("ConfirmVoid")], { phase: "dealing", hold: "wrong-cards" }),
  ];
  assert.deepEqual(
    sortTables(tables).map(({ about }) => about.table),
    ["mine", "theirs", "open", "shut"],
  );
});

test("what is decided by a button is told from what has to be filled in", () => {
  assert.equal(waitingAt(table("t", [], {}).about), null);
  const removal = offered("RemoveWager", { patron: "p1", position: 1, wager: "Player", amount: 500 });
  const waiting = waitingAt(table("t", [removal, offered("EndWithdrawal")], {}).about)!;
  assert.equal(waiting.form, "removal");
  assert.deepEqual(waiting.about, [removal]);
  assert.deepEqual(
    waiting.choices.map(({ order }) => order),
    [{ command: "EndWithdrawal", table: "t" }],
  );
});

test("a decision either way is offered both ways, with the values the server gave", () => {
  const ways = [offered("DecideReferral", { void: false }), offered("DecideReferral", { void: true })];
  const { choices, mine } = waitingAt(table("t", ways, {}).about)!;
  assert.ok(mine);
  assert.deepEqual(
    choices.map(({ order }) => (order as unknown as { void: boolean }).void),
    [false, true],
  );
  assert.deepEqual(
    choices.map(({ label }) => label),
    ["pit.do.DecideReferral.stands", "pit.do.DecideReferral.void"],
  );
});
