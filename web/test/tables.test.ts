import assert from "node:assert/strict";
import { test } from "node:test";
import type { PersonShown } from "../src/api/types";
import { TablesController } from "../src/seat/tables/tables-controller";
import { TestHost } from "./host";
import { answering, connected, settled, type TestSocket } from "./server";
import { storage } from "./storage";

const PATRON = { id: "p1", name: "Ann", duty: "patron" } as PersonShown;
const NAMES = ["t1", "t2", "t3", "t4", "t5"];
const SETTING = { decks: 8, stake_step: 100, positions: 7, limits: { Player: { minimum: 500, maximum: 500_000 } } };
const VIEW = { phase: "betting", round: 3, wagers: [], hands: { player: [], banker: [] }, totals: {}, winning: [] };

async function opened(names: readonly string[]) {
  answering({
    "/api/lobby": NAMES.map((table) => ({ table, game: "tiger", title: "Tiger" })),
    "/api/games/tiger": { title: "Tiger", wagers: [] },
    "/api/games/tiger/edges?decks=8": [],
    "/api/cage/mine": { holds: 0 },
    ...Object.fromEntries(NAMES.flatMap((each) => [[`/api/tables/${each}/roads`, null]])),
    ...Object.fromEntries(
      NAMES.flatMap((each) => [60, 3].map((most) => [`/api/tables/${each}/rounds?most=${most}`, []])),
    ),
  });
  const host = new TestHost();
  const { connection, socket } = connected();
  const shown: string[] = [];
  const heard: string[] = [];
  const tables = new TablesController(host, {
    connection,
    person: PATRON,
    storage: storage(),
    names,
    shown: (each) => shown.push(each.join(" ")),
    sound: (cue) => heard.push(cue),
  });
  host.connect();
  await settled();
  return { host, connection, socket, tables, shown, heard };
}

function tell(socket: TestSocket, table: string) {
  socket.tell({ type: "table", table, number: 1, view: { ...VIEW, setting: SETTING }, events: [], resync: true });
}

const names = (tables: TablesController) => tables.state.seats.map((each) => each.table).join(" ");

test("the tables of the address are shown: known ones, each once, at most four", async () => {
  const { tables, shown } = await opened(["t2", "nowhere", "t1", "t2", "t3", "t4", "t5"]);
  assert.equal(names(tables), "t2 t1 t3 t4");
  assert.equal(tables.state.active, "t2");
  assert.equal(shown.at(-1), "t2 t1 t3 t4");
  assert.deepEqual(tables.others, [], "there is no room for a fifth");
  tables.add("t5");
  assert.equal(names(tables), "t2 t1 t3 t4");
});

test("a table that is left is no longer followed, and the last one stays", async () => {
  const { tables, socket } = await opened(["t1", "t2"]);
  tables.remove("t1");
  assert.deepEqual(
    socket.said("Unsubscribe").map((each) => each.table),
    ["t1"],
  );
  assert.equal(tables.state.active, "t2");
  tables.remove("t2");
  assert.equal(names(tables), "t2");
  tables.add("t3");
  assert.equal(tables.state.active, "t3");
});

test("all tables are followed on one connection, and one chip is in hand at all of them", async () => {
  const { host, tables, socket, connection } = await opened(["t1", "t2"]);
  assert.deepEqual(
    socket.said("Subscribe").map((each) => each.table),
    ["t1", "t2"],
  );
  for (const each of ["t1", "t2"]) tell(socket, each);
  assert.equal(tables.chip, 2_500, "what the tables suggest");
  tables.pressKey("1");
  assert.deepEqual(
    tables.state.seats.map((each) => each.state.chip),
    [500, 500],
  );
  tables.add("t3");
  assert.equal(tables.active!.state.chip, 500);
  host.disconnect();
  assert.equal(socket.said("Unsubscribe").length, 3, "with the page all are left");
  connection.close();
});

test("a chip is placed at the table it is dropped on, and no bet is carried to another one", async () => {
  const { tables, socket, connection } = await opened(["t1", "t2"]);
  for (const each of ["t1", "t2"]) tell(socket, each);
  const on = (table: string) => ({ position: 1, wager: "Player", table });
  tables.drop({ amount: 500, from: null }, on("t2"));
  tables.drop({ amount: 500, from: on("t1") }, on("t2"));
  await settled();
  assert.deepEqual(
    socket.said("PlaceWager").map((each) => each.table),
    ["t2"],
  );
  assert.equal(tables.state.active, "t2");
  tables.pressKey("n");
  assert.equal(tables.state.active, "t1");
  connection.close();
});

const happened = (table: string, number: number, phase: string, name: string, body: object = {}) => ({
  type: "events",
  table,
  first: number,
  last: number,
  view: { ...VIEW, setting: SETTING, phase },
  events: [{ number, name, at: 0, position: "Dealer", body }],
});

test("the active table is heard, and of the others only a win", async () => {
  const { tables, socket, connection, heard } = await opened(["t1", "t2"]);
  for (const each of ["t1", "t2"]) tell(socket, each);
  for (const each of ["t1", "t2"]) socket.tell(happened(each, 2, "dealing", "BetsClosed"));
  assert.deepEqual(heard, ["close"]);
  tables.activate("t2");
  const won = { patron: "p1", wager: "Player", position: 1, stake: 500, returned: 1_000, result: "win" };
  socket.tell(happened("t1", 3, "idle", "RoundSettled", { round: 3, wagers: [won] }));
  assert.deepEqual(heard, ["close", "win"]);
  connection.close();
});

test("tables of one game share the patron's favourite bets", async () => {
  const { tables, socket, connection } = await opened(["t1", "t2"]);
  const laid = { patron: "p1", position: 1, wager: "Player", amount: 500 };
  for (const table of ["t1", "t2"])
    socket.tell({
      type: "table",
      table,
      number: 1,
      view: { ...VIEW, setting: SETTING, wagers: [laid] },
      events: [],
      resync: true,
    });
  tables.active!.saveFavourite("First");
  tables.activate("t2");
  tables.active!.saveFavourite("Second");
  tables.activate("t1");
  assert.deepEqual(
    tables.active!.state.favourites.map((each) => each.name),
    ["First", "Second"],
  );
  connection.close();
});
