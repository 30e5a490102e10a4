/** Which bets "rebet" places: those of the patron's last round, whether or not this page has seen it, or none. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventSettled, PersonShown, RoundShown } from "../src/api/types";
import { LastBets } from "../src/seat/betting/last-bets";
import { SeatController } from "../src/seat/seat-controller";
import { TestHost } from "./host";
import { answering, connected, settled, type TestSocket } from "./server";
import { storage } from "./storage";

const TIE = { position: 1, wager: "Tie", amount: 500 };
const BANKER = { position: 1, wager: "Banker", amount: 2_500 };
const KEY = "punto.last-bets.p1.t1";
const asSettled = (bet: typeof TIE) =>
  ({ patron: "p1", position: bet.position, wager: bet.wager, stake: bet.amount }) as EventSettled;
const round = (number: number, ...bets: (typeof TIE)[]) =>
  ({ round: number, void: false, mine: bets.map(asSettled) }) as unknown as RoundShown;
const voided = (number: number) => ({ round: number, void: true, mine: [] }) as unknown as RoundShown;

/** What is repeated at a table in a round by a browser that saw the tie of round 5. */
function repeated(rounds: RoundShown[], current: number) {
  const kept = storage();
  new LastBets(kept, KEY).closed(5, [TIE]);
  const bets = new LastBets(kept, KEY);
  assert.deepEqual(bets.wagers, [], "nothing before the rounds since then are known");
  bets.compare(rounds, current);
  return bets.wagers;
}

test("a round that was finished elsewhere is the one that is repeated", () => {
  assert.deepEqual(repeated([round(8), round(7, BANKER), round(6), round(5, TIE)], 9), [BANKER]);
  assert.deepEqual(repeated([round(7), round(6), round(5, TIE)], 8), [TIE], "rounds without own bets do not count");
  assert.deepEqual(repeated([], 6), [TIE], "its round is the last there was");
});

test("where the last bets are not known, none are repeated", () => {
  assert.deepEqual(repeated([voided(7), round(6), round(5, TIE)], 8), [], "a void round may have had others");
  assert.deepEqual(repeated([round(9), round(8), round(7)], 10), [], "round 6 is not told of");
  assert.deepEqual(repeated([], 2), [], "the table has begun again");
});

const VIEW = {
  phase: "betting",
  hold: null,
  round: 9,
  wagers: [] as object[],
  hands: { player: [], banker: [] },
  winning: [],
  totals: {},
  asked: [],
  setting: { decks: 8, stake_step: 100, positions: 7, limits: { Tie: { minimum: 500, maximum: 50_000 } } },
};

const tell = (socket: TestSocket, number: number, view: object, resync = true, told: object[] = []) =>
  socket.tell({ type: "table", table: "t1", number, view: { ...VIEW, ...view }, events: told, resync });

async function returning(view: object, rounds: RoundShown[]) {
  answering({
    "/api/games/tiger": { game: "tiger", title: "Tiger", wagers: [] },
    "/api/games/tiger/edges": [],
    "/api/tables/t1/roads": { roads: {}, shoe: null },
    "/api/tables/t1/rounds": rounds,
    "/api/cage/mine": { holds: 0 },
    "/api/history/now": {},
  });
  const kept = storage();
  new LastBets(kept, KEY).closed(5, [TIE]);
  const { connection, socket } = connected();
  const host = new TestHost();
  const person = { id: "p1", name: "Ann", duty: "patron" } as PersonShown;
  const seat = new SeatController(host, { connection, table: "t1", game: "tiger", person, storage: kept });
  host.connect();
  await settled();
  tell(socket, 5, view);
  socket.tell({ type: "mine", table: "t1", number: 5, view: { chips: 100_000, cards: {} } });
  await settled();
  return { seat, socket };
}

test("a patron who comes back repeats the bets they left behind", async () => {
  const { seat, socket } = await returning({}, [round(8, BANKER), round(7), round(6), round(5, TIE)]);
  seat.pressKey("r");
  const [sent] = socket.said("PlaceWager") as unknown as { wager: string; amount: number }[];
  assert.deepEqual([sent!.wager, sent!.amount], ["Banker", 2_500]);
});

test("bets that lie there when a patron comes back are the last ones, once they are decided", async () => {
  const { seat, socket } = await returning({ phase: "dealing", wagers: [{ patron: "p1", ...BANKER }] }, [round(8)]);
  tell(socket, 6, { round: 10 }, false, [{ number: 6, name: "BetsOpened", at: 0, body: {} }]);
  assert.deepEqual(seat.last, [BANKER]);
});

test("a round that ended while the connection was lost is repeated, not the one before", async () => {
  const { seat, socket } = await returning({ wagers: [{ patron: "p1", ...BANKER }] }, [round(8, TIE)]);
  const missed = [
    { number: 6, name: "BetsClosed", at: 0, body: {} },
    { number: 7, name: "RoundSettled", at: 0, body: { round: 9, wagers: [asSettled(BANKER)] } },
    { number: 8, name: "BetsOpened", at: 0, body: {} },
  ];
  tell(socket, 8, { round: 10 }, false, missed);
  assert.deepEqual(seat.last, [BANKER]);
});
