/** Controllers of pages, without a browser: what they show, what they send, and that they let go of everything. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { NextStep, PersonShown, TableListed } from "../src/api/types";
import { ReplayController } from "../src/audit/replay-controller";
import { DealerController } from "../src/dealer/dealer-controller";
import { DisplayController } from "../src/display/display-controller";
import { t } from "../src/i18n/catalogue";
import { LobbyController } from "../src/lobby/lobby-controller";
import { PitController } from "../src/pit/pit-controller";
import { SchoolController } from "../src/school/school-controller";
import { TAKE_BACK } from "../src/seat/betting/wager-desk";
import { SeatController } from "../src/seat/seat-controller";
import { TestHost } from "./host";
import { answering, connected, settled, type TestSocket } from "./server";
import { storage } from "./storage";

const PATRON = { id: "p1", name: "Ann", duty: "patron" } as PersonShown;
const DEALER = { id: "d1", name: "Dan", duty: "Dealer" } as PersonShown;
const LIMITS = { Player: { minimum: 500, maximum: 500_000 }, Tie: { minimum: 500, maximum: 50_000 } };
const SETTING = { decks: 8, stake_step: 100, positions: 7, limits: LIMITS };
const VIEW = {
  phase: "betting",
  hold: null,
  round: 3,
  wagers: [],
  hands: { player: [], banker: [] },
  winning: [],
  totals: {},
  asked: [],
  setting: SETTING,
};
const ANSWERS = {
  "/api/games/tiger": { game: "tiger", title: "Tiger", wagers: [] },
  "/api/games/tiger/edges": [{ wager: "Tie", percent: "14.36", rounded: "14.36" }],
  "/api/games/tiger/procedures": [],
  "/api/tables/t1/roads": { roads: {}, shoe: null },
  "/api/tables/t1/rounds": [],
  "/api/cage/mine": { holds: 5_000 },
};

const table = (number: number, view: object) => ({
  type: "table",
  table: "t1",
  number,
  view,
  events: [],
  resync: true,
});

/** A message with the events of these names and bodies. */
const events = (number: number, view: object, ...told: [string, object?][]) => ({
  type: "events",
  table: "t1",
  first: number,
  last: number,
  view,
  events: told.map(([name, body = {}]) => ({ number, name, at: 0, position: "Dealer", body })),
});

/** Answer a command as done. */
function done(socket: TestSocket, command: string, last = 1) {
  socket.tell({ type: "done", id: socket.said(command).at(-1)!.id, first: last, last, repeated: false });
}

async function atSeat(
  person: PersonShown | null = PATRON,
  kept = storage(),
  sound: (cue: string) => void = () => {},
  pause: number | null = null,
) {
  answering(ANSWERS);
  const { connection, socket } = connected();
  const host = new TestHost();
  const place = { connection, table: "t1", game: "tiger", person, storage: kept, sound, pause };
  const seat = new SeatController(host, place);
  host.connect();
  await settled();
  socket.tell(table(5, VIEW));
  socket.tell({ type: "mine", table: "t1", view: { chips: 10_000, cards: {}, owes: 0 } });
  await settled();
  return { connection, host, seat, socket, kept };
}

test("a seat chooses a chip and a free position, and reads the odds once the table is known", async () => {
  const { seat } = await atSeat();
  assert.deepEqual([seat.state.chip, seat.state.position, seat.chips, seat.open], [2_500, 1, 10_000, true]);
  assert.equal(seat.state.edges.length, 1);
  assert.equal(seat.state.account, 5_000);
});

test("a tap places the chosen chip; it waits until it is answered, and can be undone", async () => {
  const { seat, socket } = await atSeat();
  const tapped = seat.tap({ position: 1, wager: "Tie" });
  assert.deepEqual([...seat.state.waiting], ["Tie"]);
  const { command, ...sent } = socket.said("PlaceWager")[0]! as unknown as Record<string, unknown>;
  assert.deepEqual([command, sent.patron, sent.amount, sent.in_round], ["PlaceWager", "p1", 2_500, 3]);
  done(socket, "PlaceWager");
  await tapped;
  assert.equal(seat.state.waiting.size, 0);
  assert.equal(seat.desk.can.undo, true);
  seat.pressKey("z");
  await settled();
  assert.equal(socket.said("TakeBackWager").length, 1);
});

test("keys choose chips, and 0 the taking back", async () => {
  const { seat } = await atSeat();
  seat.pressKey("1");
  assert.equal(seat.state.chip, 500, "no chip is offered that is less than any wager takes");
  seat.pressKey("0");
  assert.equal(seat.state.chip, TAKE_BACK);
});

test("what was refused is shown for a while", async () => {
  const { seat, socket } = await atSeat();
  mock.timers.enable({ apis: ["setTimeout"] });
  const tapped = seat.tap({ position: 1, wager: "Tie" });
  const { id } = socket.said("PlaceWager")[0]!;
  socket.tell({ type: "refused", id, code: "below-minimum", sentence: "too little", values: {} });
  await tapped;
  assert.equal(seat.state.refusal, "Too little");
  assert.equal(seat.state.announcement, "Too little");
  mock.timers.tick(7_000);
  assert.equal(seat.state.refusal, "");
  mock.timers.reset();
});

const REFUSED = { type: "refused", code: "under-minimum", clause: "3.5.1", sentence: "too little", values: {} };

test("a refusal vanishes when a later bet succeeds, and when the next betting opens", async () => {
  const { seat, socket } = await atSeat();
  const refuseOne = async () => {
    const tapped = seat.tap({ position: 1, wager: "Tie" });
    socket.tell({ ...REFUSED, id: socket.said("PlaceWager").at(-1)!.id });
    await tapped;
    assert.deepEqual([seat.state.refusal, seat.state.refusedBy], ["Too little", "3.5.1"]);
  };
  await refuseOne();
  const tapped = seat.tap({ position: 1, wager: "Tie" });
  done(socket, "PlaceWager");
  await tapped;
  assert.deepEqual([seat.state.refusal, seat.state.refusedBy], ["", null]);
  await refuseOne();
  socket.tell(events(6, { round: 4 }, ["BetsOpened"]));
  assert.equal(seat.state.refusal, "");
  seat.hostDisconnected();
});

test("a tap without a connection is refused, and nothing is asked or sent later", async () => {
  const { seat, socket } = await atSeat();
  socket.onclose!({ code: 1006 });
  assert.equal(seat.open, false);
  seat.tooLate();
  assert.equal(seat.state.refusal, "seat.not_connected");
  await seat.tap({ position: 1, wager: "Tie" });
  assert.deepEqual([seat.state.refusal, seat.state.unsent.length], ["seat.not_connected", 0]);
  assert.equal(seat.state.waiting.size, 0);
  seat.hostDisconnected();
});

test("a bet that was held up is placed only if the patron says so, and is forgotten with its round", async () => {
  const { seat, socket } = await atSeat();
  const holdUp = async () => {
    const tapped = seat.tap({ position: 1, wager: "Tie" });
    socket.tell({ ...REFUSED, code: "expired", clause: null, id: socket.said("PlaceWager").at(-1)!.id });
    await tapped;
    assert.deepEqual(seat.state.unsent, [{ position: 1, wager: "Tie", amount: 2_500 }]);
    assert.equal(seat.state.refusal, "", "the question says it");
  };
  await holdUp();
  await seat.answerUnsent(false);
  assert.equal(socket.said("PlaceWager").length, 1);
  await holdUp();
  const again = seat.answerUnsent(true);
  assert.equal(socket.said("PlaceWager").length, 3);
  done(socket, "PlaceWager");
  await again;
  assert.deepEqual([seat.state.unsent.length, seat.desk.can.undo], [0, true]);
  await holdUp();
  socket.tell(events(6, { phase: "closed" }, ["BetsClosed"]));
  assert.equal(seat.state.unsent.length, 0);
  seat.hostDisconnected();
});

test("what happens at the table is heard, of several things at once the last, and own chips", async () => {
  const heard: string[] = [];
  const { seat, socket } = await atSeat(PATRON, storage(), (cue) => heard.push(cue));
  const tapped = seat.tap({ position: 1, wager: "Tie" });
  done(socket, "PlaceWager");
  await tapped;
  socket.tell(events(6, { phase: "closed" }, ["BetsClosed"], ["CardDrawn"]));
  const won = [{ patron: "p1", wager: "Tie", position: 1, stake: 2_500, returned: 22_500 }];
  socket.tell(events(7, { phase: "idle" }, ["RoundSettled", { round: 3, wagers: won }]));
  socket.tell(events(8, { phase: "idle" }, ["RoundSettled", { round: 3, wagers: [] }]));
  assert.deepEqual(heard, ["chip", "card", "win"]);
});

test("a patron is told when a person, not the reader, says what a card is", async () => {
  const { seat, socket } = await atSeat();
  const named = { hand: "player", place: 0, misread: false, card: ["6", "h"], person: "m1" };
  socket.tell(events(6, { phase: "dealing" }, ["ReadingOverridden", named]));
  assert.equal(seat.state.notice, t("seat.card_named", { card: "6♥" }));
  assert.equal(seat.state.announcement, seat.state.notice);
  socket.tell(events(7, { phase: "dealing" }, ["ReadingOverridden", { ...named, card: null }]));
  assert.equal(seat.state.notice, t("seat.card_missed"));
});

test("where an automaton deals, a seat knows when the next betting opens", async () => {
  const { seat, socket } = await atSeat(PATRON, storage(), () => {}, 4);
  socket.tell(events(6, { phase: "idle" }, ["RoundSettled", { round: 3, wagers: [] }]));
  assert.equal(seat.state.opensAt, 4_000);
  socket.tell(events(7, { phase: "betting", round: 4 }, ["BetsOpened"]));
  assert.equal(seat.state.opensAt, null);
});

test("favourite bets are placed as far as they are missing, at the patron's seat", async () => {
  const { seat, socket, kept } = await atSeat();
  const lies = { patron: "p1", position: 1, wager: "Tie", amount: 500 };
  socket.tell(events(6, { wagers: [lies] }, ["WagerPlaced"]));
  seat.saveFavourite("Lucky");
  assert.deepEqual(JSON.parse(kept.getItem("punto.favourites.p1.tiger")!), [
    { name: "Lucky", bets: [{ wager: "Tie", amount: 500 }] },
  ]);
  socket.tell(events(7, { wagers: [] }, ["WagerWithdrawn"]));
  seat.choosePosition(4);
  const placed = seat.placeFavourite(seat.state.favourites[0]!.bets);
  const [sent] = socket.said("PlaceWager") as unknown as { position: number; amount: number }[];
  assert.deepEqual([sent!.position, sent!.amount], [4, 500]);
  done(socket, "PlaceWager");
  await placed;
  socket.tell(events(8, { wagers: [{ ...lies, position: 4 }] }, ["WagerPlaced"]));
  await seat.placeFavourite(seat.state.favourites[0]!.bets);
  assert.equal(socket.said("PlaceWager").length, 1);
  seat.removeFavourite("Lucky");
  assert.deepEqual(seat.state.favourites, []);
});

test("nobody moves away from their bets; once they are gone, the last bets move with the patron", async () => {
  const { seat, socket, kept } = await atSeat();
  const lies = { patron: "p1", position: 1, wager: "Tie", amount: 500 };
  socket.tell(events(6, { wagers: [lies] }, ["WagerPlaced"]));
  seat.choosePosition(4);
  assert.equal(seat.state.position, 1);
  assert.equal(seat.state.refusal, "seat.move_later");
  socket.tell(events(7, { phase: "closed" }, ["BetsClosed"]));
  socket.tell(events(8, { phase: "idle", wagers: [] }, ["RoundSettled", { round: 3, wagers: [] }]));
  seat.choosePosition(4);
  assert.equal(seat.state.position, 4);
  assert.equal(kept.getItem("punto.position.p1.t1"), "4");
  assert.deepEqual(seat.last, [{ position: 4, wager: "Tie", amount: 500 }]);
});

test("the wagers of a round are remembered when bets close, to be repeated", async () => {
  const { seat, socket, kept } = await atSeat();
  const laid = { patron: "p1", position: 1, wager: "Tie", amount: 500 };
  socket.tell(events(6, { wagers: [laid] }, ["WagerPlaced"]));
  socket.tell(events(7, { phase: "closed" }, ["BetsClosed"]));
  const { patron: _, ...remembered } = laid;
  assert.deepEqual(seat.last, [remembered]);
  assert.deepEqual(JSON.parse(kept.getItem("punto.last-bets.p1.t1")!), { round: 3, wagers: [remembered] });
  socket.tell(events(8, { phase: "betting", round: 4, wagers: [] }, ["BetsOpened"]));
  assert.equal(seat.desk.can.repeat, true);
});

test("nobody but a patron places wagers", async () => {
  const { seat } = await atSeat(DEALER);
  assert.equal(seat.open, false);
});

test("a seat that has left the page hears nothing more", async () => {
  const { host, seat, socket } = await atSeat();
  host.disconnect();
  assert.equal(socket.said("Unsubscribe").length, 1);
  const { updates } = host;
  const before = seat.state;
  socket.tell(events(6, { phase: "closed" }, ["BetsClosed"]));
  socket.onclose!({ code: 1006 });
  await settled();
  assert.equal(host.updates, updates);
  assert.equal(seat.state, before);
});

const step = (command: string, values: Partial<NextStep> = {}): NextStep =>
  ({
    command,
    values: {},
    keyed: [],
    by: ["Dealer"],
    role: "Dealer",
    must: true,
    reasons: [],
    ...values,
  }) as unknown as NextStep;

async function atDealer(next: NextStep[], person = DEALER) {
  answering(ANSWERS);
  const { connection, socket } = connected();
  const host = new TestHost();
  const dealer = new DealerController(host, { connection, table: "t1", game: "tiger", person, storage: storage() });
  host.connect();
  socket.tell(table(5, { ...VIEW, phase: "closed", next, acting: [], chips: {} }));
  await settled();
  return { dealer, host, socket };
}

test("Enter takes the next step once, and not while the last one is under way", async () => {
  const { dealer, socket } = await atDealer([step("AnnounceOutcome")]);
  assert.equal(dealer.mainStep?.command, "AnnounceOutcome");
  dealer.pressEnter(false);
  dealer.pressEnter(false);
  dealer.pressEnter(true);
  assert.equal(socket.said("AnnounceOutcome").length, 1);
  done(socket, "AnnounceOutcome", 6);
  await settled();
  assert.equal(dealer.isBusy, true, "the view does not include the event yet");
  socket.tell(events(6, {}, ["OutcomeAnnounced"]));
  await settled();
  assert.equal(dealer.isBusy, false);
});

test("one press draws the initial deal where it lies face down, card after card", async () => {
  const { dealer, socket } = await atDealer([step("DrawCard")]);
  dealer.pressEnter(false);
  const hands: Record<"player" | "banker", null[]> = { player: [], banker: [] };
  for (let drawn = 1; drawn <= 4; drawn++) {
    assert.equal(socket.said("DrawCard").length, drawn, "the next one waits for the view of the last");
    done(socket, "DrawCard", 5 + drawn);
    hands[drawn % 2 ? "player" : "banker"].push(null);
    socket.tell(events(5 + drawn, { hands: structuredClone(hands) }, ["CardDrawn"]));
    await settled();
  }
  assert.equal(socket.said("DrawCard").length, 4);
  assert.equal(dealer.isBusy, false);
});

test("Enter that is held down or pressed again and again closes nothing; one press does, after a pause", async (at) => {
  at.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 10_000 });
  const { dealer, socket } = await atDealer([step("CloseBets")]);
  for (let press = 0; press < 30; press++) {
    dealer.pressEnter(false);
    dealer.releaseKey("Enter");
    at.mock.timers.tick(100);
  }
  at.mock.timers.tick(3_000);
  dealer.pressEnter(false);
  at.mock.timers.tick(700); // the first repeat of a key that is held down comes late
  for (let repeat = 0; repeat < 50; repeat++) {
    dealer.pressEnter(true);
    at.mock.timers.tick(33);
  }
  dealer.releaseKey("Enter");
  at.mock.timers.tick(1_900);
  dealer.pressEnter(false);
  dealer.releaseKey("Enter");
  at.mock.timers.tick(700);
  assert.equal(socket.said("CloseBets").length, 0, "another Enter was pressed less than two seconds before");
  at.mock.timers.tick(2_000);
  dealer.pressEnter(false);
  dealer.releaseKey("Enter");
  at.mock.timers.tick(200);
  dealer.tap();
  at.mock.timers.tick(3_000);
  assert.equal(socket.said("CloseBets").length, 0, "a press that follows takes it back");
  dealer.pressEnter(false);
  dealer.releaseKey("Enter");
  at.mock.timers.tick(499);
  assert.equal(socket.said("CloseBets").length, 0);
  at.mock.timers.tick(1);
  assert.equal(socket.said("CloseBets").length, 1);
});

test("a keyed card is turned a moment later, or with the next one; a refusal forgets what was keyed", async (at) => {
  at.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { dealer, socket } = await atDealer([step("ExposeCard", { keyed: ["card"] })]);
  dealer.pressKey("4");
  assert.equal(dealer.cards.rank, "4");
  dealer.pressKey("h");
  assert.deepEqual(dealer.cards.card, ["4", "h"]);
  dealer.pressKey("Escape");
  at.mock.timers.tick(1_000);
  assert.equal(socket.said("ExposeCard").length, 0, "it was cleared in time");
  for (const key of "4h5") dealer.pressKey(key);
  const { id } = socket.said("ExposeCard")[0]!;
  socket.tell({ type: "refused", id, code: "card-used-up", sentence: "no such card is left" });
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(dealer.cards.next, null);
  assert.equal(dealer.state.refusal, "No such card is left");
});

test("what is keyed on the felt goes before the closing", async () => {
  const { dealer, socket } = await atDealer([step("CloseBets")]);
  socket.tell(events(6, { phase: "betting", chips: { ann: 5_000 } }, ["BetsOpened"]));
  dealer.pickArea({ position: 1, wager: "Tie" });
  dealer.pressKey("5");
  dealer.takeMainStep();
  assert.equal(socket.said("CloseBets").length, 0, "nobody is known to wager there");
  dealer.seat(1, "ann");
  dealer.takeMainStep();
  const given = socket.sent.map((each) => each.command).filter((each) => each !== "Subscribe" && each !== "Ping");
  assert.deepEqual(given, ["PlaceWager", "CloseBets"]);
});

test("a card that is keyed implies its draw", async (at) => {
  at.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { dealer, socket } = await atDealer([step("DrawCard", { face_up: ["player", 0] })]);
  for (const key of "4h") dealer.pressKey(key);
  at.mock.timers.tick(500);
  assert.equal(socket.said("ExposeCard").length, 0);
  done(socket, "DrawCard", 6);
  socket.tell(
    events(6, { next: [step("ExposeCard", { keyed: ["card"], values: { hand: "player" } })] }, ["CardDrawn"]),
  );
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  const [turned] = socket.said("ExposeCard") as unknown as { card: unknown; hand: string }[];
  assert.deepEqual([turned?.hand, turned?.card], ["player", ["4", "h"]]);
});

test("a step that is not the reader's is none of theirs to take", async () => {
  const { dealer } = await atDealer([step("ConfirmVoid", { by: ["Pit Manager"] })]);
  assert.equal(dealer.mainStep, null);
});

test("the table as the public sees it is no page for a Dealer", async () => {
  const { dealer, socket } = await atDealer([]);
  socket.tell(table(7, VIEW));
  assert.deepEqual([dealer.state.view, dealer.state.isPublic], [null, true]);
});

test("Dealer, display, lobby and pit let go of their tables and of the connection", async () => {
  const listed = { table: "t1", game: "tiger", title: "Tiger" };
  answering({
    ...ANSWERS,
    "/api/lobby": [listed],
    "/api/pit": { tables: [listed], steps: [], games: [] },
    "/api/staff": [],
    "/api/people": [],
  });
  const { connection, socket } = connected();
  const pages = [
    (host: TestHost) =>
      new DealerController(host, { connection, table: "t1", game: "tiger", person: null, storage: storage() }),
    (host: TestHost) => new DisplayController(host, connection, "t1", "tiger"),
    (host: TestHost) => new LobbyController(host, connection, null, storage()),
    (host: TestHost) => new PitController(host, connection, { seePit: true, registerPatrons: true }),
  ];
  for (const [index, page] of pages.entries()) {
    const host = new TestHost();
    page(host);
    host.connect();
    await settled();
    assert.equal(socket.said("Subscribe").length, index + 1);
    host.disconnect();
    assert.equal(socket.said("Unsubscribe").length, index + 1);
    const { updates } = host;
    socket.tell({ type: "pong", id: socket.said("Ping").at(-1)!.id, at: 0 });
    assert.equal(host.updates, updates);
  }
});

test("a table that is created while the pit is left is not followed", async () => {
  answering({
    ...ANSWERS,
    "/api/pit": { tables: [], steps: [], games: [] },
    "/api/pit/t1": { table: "t1", game: "tiger", title: "Tiger", waiting: [] },
    "/api/staff": [],
  });
  const { connection, socket } = connected();
  const host = new TestHost();
  const pit = new PitController(host, connection, { seePit: true, registerPatrons: false });
  host.connect();
  await settled();
  const created = pit.created({ table: "t1" } as TableListed);
  host.disconnect();
  await created;
  assert.equal(socket.said("Subscribe").length, 0);
});

test("a pit that has left the page stops asking about its tables", async () => {
  const listed = { table: "t1", game: "tiger", title: "Tiger", waiting: [] };
  const asked = answering({
    ...ANSWERS,
    "/api/pit": { tables: [listed], steps: [], games: [] },
    "/api/pit/t1": listed,
    "/api/staff": [],
  });
  mock.timers.enable({ apis: ["setTimeout"] });
  const { connection, socket } = connected();
  const host = new TestHost();
  const pit = new PitController(host, connection, { seePit: true, registerPatrons: false });
  host.connect();
  await settled();
  socket.tell(table(5, VIEW));
  await settled();
  const requests = () => asked.filter((each) => each === "/api/pit/t1").length;
  assert.equal(requests(), 1);
  socket.tell(events(6, {}, ["WagerPlaced"]));
  mock.timers.tick(300);
  await settled();
  assert.equal(requests(), 2);
  assert.equal(pit.tables[0]!.view!.round, 3);
  socket.tell(events(7, {}, ["WagerPlaced"]));
  host.disconnect();
  mock.timers.tick(300);
  await settled();
  assert.equal(requests(), 2);
  mock.timers.reset();
});

const REPLAYED = {
  game: "tiger",
  round: 1,
  before: null,
  more: null,
  steps: [1, 2, 3].map((number) => ({ number, view: null })),
};

test("a replay plays to its last step, steps by keys, and ends with its page", async () => {
  answering({ ...ANSWERS, "/api/audit/tables/t1/rounds/1": REPLAYED });
  mock.timers.enable({ apis: ["setTimeout"] });
  const host = new TestHost();
  const replay = new ReplayController(host, "en");
  host.connect();
  replay.show("t1", 1, "en");
  await settled();
  assert.equal(replay.last, 2);
  assert.equal(replay.pressKey("End", false), true);
  assert.equal(replay.state.at, 2);
  replay.togglePlay();
  assert.deepEqual([replay.state.at, replay.state.isPlaying], [0, true]);
  mock.timers.tick(900);
  assert.equal(replay.state.at, 1);
  mock.timers.tick(900);
  assert.deepEqual([replay.state.at, replay.state.isPlaying], [2, false]);
  replay.togglePlay();
  host.disconnect();
  mock.timers.tick(5_000);
  assert.equal(replay.state.at, 0);
  mock.timers.reset();
});

test("only the last round that was chosen is shown", async () => {
  answering({
    ...ANSWERS,
    "/api/audit/tables/t1/rounds/1": REPLAYED,
    "/api/audit/tables/t1/rounds/2": { ...REPLAYED, round: 2 },
  });
  const replay = new ReplayController(new TestHost(), "en");
  replay.show("t1", 1, "en");
  replay.show("t1", 2, "en");
  await settled();
  assert.equal(replay.state.replayed?.round, 2);
});

test("a lesson is kept until its sheet is shown, and a seed that is no number is refused", async () => {
  answering({
    "/api/school": { games: [], pass_mark: 80, rack: [] },
    "/api/school/question": { first: [], unreadable: null, ask: {}, verdict: null },
    "/api/school/sheet": { passed: true },
  });
  const kept = storage();
  const host = new TestHost();
  const school = new SchoolController(host, "tiger", kept);
  host.connect();
  await settled();
  school.choose({ seed: "x" });
  await school.start();
  assert.equal(Boolean(school.state.lesson), false);
  assert.notEqual(school.state.refusal, "");
  school.choose({ seed: "7" });
  await school.start();
  assert.equal(school.state.lesson?.chosen.seed, 7);
  assert.equal(school.canHint, true);
  assert.notEqual(kept.getItem("punto.lesson"), null);
  const again = new SchoolController(host, "", kept);
  again.hostConnected();
  await settled();
  assert.equal(again.state.lesson?.chosen.seed, 7);
  await school.finish();
  assert.equal(school.state.sheet?.passed, true);
  assert.equal(kept.getItem("punto.lesson"), null);
});
