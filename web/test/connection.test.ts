import assert from "node:assert/strict";
import { test } from "node:test";
import { type Connection, NOT_CONNECTED, type Watcher } from "../src/api/connection";
import { connected } from "./server";

function watching(connection: Connection) {
  const heard: { number: number | null; names: string[]; resync: boolean }[] = [];
  const watcher: Watcher = {
    changed: (table, events, resync) =>
      heard.push({ number: table.number, names: events.map((each) => each.name), resync }),
  };
  connection.watch("t1", watcher);
  return heard;
}

const event = (number: number, name = "WagerPlaced") => ({ number, name, at: 0, position: "patron", body: {} });
const table = (number: number, view: object, events: object[] = [], resync = true) => ({
  type: "table",
  table: "t1",
  number,
  view,
  events,
  resync,
});
const events = (first: number, last: number, view: object, told: object[]) => ({
  type: "events",
  table: "t1",
  first,
  last,
  view,
  events: told,
});

test("what is different is put over the view one has", () => {
  const { connection, socket } = connected();
  const heard = watching(connection);
  assert.deepEqual(
    socket.said("Subscribe").map((each) => each.after),
    [null],
  );
  socket.tell(table(5, { phase: "idle", round: 1, wagers: [] }));
  socket.tell(events(6, 7, { phase: "betting" }, [event(6, "BetsOpened"), event(7)]));
  assert.deepEqual(heard, [
    { number: 5, names: [], resync: true },
    { number: 7, names: ["BetsOpened", "WagerPlaced"], resync: false },
  ]);
  connection.watch("t1", {
    changed: (known) => assert.deepEqual(known.view, { phase: "betting", round: 1, wagers: [] }),
  });
});

test("after a break every table is taken up where it was left, and what was missed is told once", () => {
  const { connection, sockets, time, socket } = connected();
  const heard = watching(connection);
  socket.tell(table(5, { phase: "idle" }));
  socket.onclose!({ code: 1006 });
  assert.equal(connection.connected, false);
  time.pass(1_000);
  const again = sockets[1]!;
  again.onopen!();
  assert.deepEqual(
    again.said("Subscribe").map((each) => each.after),
    [5],
  );
  again.tell(table(7, { phase: "betting" }, [event(6), event(7)], false));
  assert.deepEqual(heard.at(-1), { number: 7, names: ["WagerPlaced", "WagerPlaced"], resync: false });
});

test("a command that was not answered is sent again with the same key, and answered once", async () => {
  const { connection, sockets, time, socket } = connected();
  const answer = connection.give({
    command: "PlaceWager",
    table: "t1",
    patron: "p",
    position: 1,
    wager: "Tie",
    amount: 500,
  });
  const [first] = socket.said("PlaceWager");
  socket.onclose!({ code: 1006 });
  time.pass(1_000);
  sockets[1]!.onopen!();
  const [second] = sockets[1]!.said("PlaceWager");
  assert.deepEqual(second, first);
  sockets[1]!.tell({ type: "done", id: second!.id, first: 8, last: 8, repeated: true });
  assert.equal((await answer).type, "done");
  assert.equal(connection.unanswered, 0);
});

const bet = { command: "PlaceWager", table: "t1", patron: "p", position: 1, wager: "Tie", amount: 500 } as const;

test("who follows a table has seen what a command did before they have its answer", async () => {
  const { connection, socket } = connected();
  const heard = watching(connection);
  socket.tell(table(5, {}));
  const seen = connection.give(bet).then(() => heard.at(-1)!.number);
  socket.tell({ type: "done", id: socket.said("PlaceWager")[0]!.id, first: 6, last: 7, repeated: false });
  socket.tell(events(6, 6, {}, [event(6)]));
  socket.tell(events(7, 7, {}, [event(7)]));
  assert.equal(await seen, 7);
});

test("who leaves a table gets the answers that were still to come", async () => {
  const { connection, socket } = connected();
  const leave = connection.watch("t1", { changed: () => {} });
  socket.tell(table(5, {}));
  const answer = connection.give(bet);
  socket.tell({ type: "done", id: socket.said("PlaceWager")[0]!.id, first: 6, last: 6, repeated: false });
  leave();
  assert.equal((await answer).type, "done");
});

test("without a connection a command is refused at once, and never sent later", async () => {
  const { connection, sockets, time, socket } = connected();
  socket.onclose!({ code: 1006 });
  const answer = await connection.give(bet);
  assert.deepEqual([answer.type, (answer as { code: string }).code], ["refused", NOT_CONNECTED]);
  assert.equal(connection.unanswered, 0);
  time.pass(1_000);
  sockets[1]!.onopen!();
  assert.equal(sockets[1]!.said("PlaceWager").length, 0);
});

test("a command expires soon after it was given by the server's clock, also when it is sent again", () => {
  const { connection, sockets, time, socket } = connected();
  void connection.give(bet);
  assert.equal(socket.said("PlaceWager")[0]!.expires, null, "the server's time is not known yet");
  socket.tell({ type: "pong", id: socket.said("Ping")[0]!.id, at: 50_000 });
  void connection.give(bet);
  assert.equal(socket.said("PlaceWager")[1]!.expires, 55_000);
  socket.onclose!({ code: 1006 });
  time.pass(1_000);
  sockets[1]!.onopen!();
  assert.deepEqual(
    sockets[1]!.said("PlaceWager").map((each) => each.expires),
    [null, 55_000],
  );
  void connection.give(bet);
  assert.equal(sockets[1]!.said("PlaceWager")[2]!.expires, null, "a clock may have been set meanwhile");
});

test("a server that stops is asked again with the same key; another refusal is the answer", async () => {
  const { connection, time, socket } = connected();
  const answer = connection.give({ command: "BuyIn", table: "t1", patron: "p", amount: 500 });
  const { id, key } = socket.said("BuyIn")[0]!;
  socket.tell({ type: "refused", id, code: "not-known", sentence: "…" });
  time.pass(1_000);
  assert.deepEqual(
    socket.said("BuyIn").map((each) => each.key),
    [key, key],
  );
  socket.tell({ type: "refused", id, code: "account-short", sentence: "…" });
  assert.equal((await answer).type, "refused");
});

test("an event that is missing is asked for", () => {
  const { connection, socket } = connected();
  watching(connection);
  socket.tell(table(5, {}));
  socket.tell(events(8, 8, {}, [event(8)]));
  assert.deepEqual(
    socket.said("Subscribe").map((each) => each.after),
    [null, 5],
  );
});

test("what is told twice counts once", () => {
  const { connection, socket } = connected();
  const heard = watching(connection);
  socket.tell(table(5, { round: 1 }));
  socket.tell(events(4, 5, { round: 0 }, [event(4), event(5)]));
  assert.deepEqual(heard.at(-1), { number: 5, names: [], resync: false });
});

test("the server's time is known from its answer", () => {
  const { connection, time, socket } = connected();
  const [ping] = socket.said("Ping");
  time.pass(200);
  socket.tell({ type: "pong", id: ping!.id, at: 50_100 });
  assert.equal(connection.now(), 50_200);
});

test("a line that is silent is given up", () => {
  const { connection, sockets, time, socket } = connected();
  time.pass(8_000);
  assert.equal(socket.closed, true);
  assert.equal(connection.connected, false);
  time.pass(1_000);
  assert.equal(sockets.length, 2);
});

test("a line is given up soon while a command waits on it, unless anything comes", async () => {
  const { connection, sockets, time, socket } = connected();
  void connection.give(bet);
  time.pass(2_000);
  socket.tell({ type: "pong", id: socket.said("Ping").at(-1)!.id, at: 1 });
  time.pass(3_000);
  assert.equal(connection.connected, true, "the server only takes its time");
  socket.tell({ type: "done", id: socket.said("PlaceWager")[0]!.id, first: 1, last: 1, repeated: false });
  const unanswered = connection.give(bet);
  time.pass(3_000);
  assert.deepEqual([connection.connected, connection.unanswered], [false, 1], "it may have arrived or not");
  time.pass(1_000);
  sockets[1]!.onopen!();
  const [again] = sockets[1]!.said("PlaceWager");
  assert.equal(again!.key, socket.said("PlaceWager")[1]!.key);
  sockets[1]!.tell({ type: "refused", id: again!.id, code: "expired", sentence: "…" });
  assert.equal((await unanswered).type, "refused");
});

test("when the browser says that the network is gone, so is the connection, until it is back", () => {
  const { connection, sockets, socket } = connected();
  const states: boolean[] = [];
  connection.subscribe(() => states.push(connection.connected));
  connection.disconnect();
  assert.deepEqual([states, socket.closed], [[false], true]);
  connection.reconnect();
  sockets[1]!.onopen!();
  assert.deepEqual(states, [false, true]);
});

test("the longer nobody answers the longer one waits, and a session that is over is not taken up", () => {
  const { connection, sockets, time, socket } = connected();
  socket.onclose!({ code: 1006 });
  for (let n = 0; n < 8; n++) {
    time.pass(20_000);
    sockets.at(-1)!.onclose!({ code: 1006 });
  }
  const before = sockets.length;
  time.pass(3_000);
  assert.equal(sockets.length, before);
  time.pass(20_000);
  let over = 0;
  connection.onSessionOver = () => over++;
  sockets.at(-1)!.onopen!();
  sockets.at(-1)!.onclose!({ code: 4401 });
  time.pass(60_000);
  assert.equal(over, 1);
  assert.equal(sockets.length, before + 1);
});
