import assert from "node:assert/strict";
import { test } from "node:test";
import type { Offered, PitTable, StaffView } from "../src/api/types";
import { duration } from "../src/i18n/time";
import { type PitEntry, sortTables, waitingAt } from "../src/pit/table-order";

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

test("a hold waits for the position that the server names, and is the reader's if any of it is", () => {
  assert.equal(waitingAt(table("t", [], {}).about), null);
  const theirs = offered("ConfirmVoid", {}, false);
  assert.deepEqual(waitingAt(table("t", [theirs], {}).about), { role: "Pit Manager", clause: null, mine: false });
  assert.ok(waitingAt(table("t", [theirs, offered("EndWithdrawal")], {}).about)!.mine);
});

test("time held is told in minutes and seconds, and in hours once there are any", () => {
  assert.deepEqual([-1, 65_900, 3_723_000].map(duration), ["0:00", "1:05", "1:02:03"]);
});
