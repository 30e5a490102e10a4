import assert from "node:assert/strict";
import { test } from "node:test";
import type { PublicView, Told, WagerShown } from "../src/api/types";
import { foldTo, holdAt } from "../src/components/card-geometry";
import { chipsOf } from "../src/components/chip-stack";
import { bestPayout, payoutLines } from "../src/components/payout-label";
import { amount, onChip, parseAmount, short, signed } from "../src/i18n/money";
import { firstSeat } from "../src/seat/betting/first-seat";
import { missingWagers, takeBackChanges, WagerChanges } from "../src/seat/betting/wager-changes";
import { nothingShown, roundAfter } from "../src/table-view/shown-round";

test("amounts are read and written in cents", () => {
  assert.equal(amount(123_456_789), "1,234,567.89");
  assert.equal(amount(-2_505), "−25.05");
  assert.equal(short(500_000), "5,000");
  assert.equal(signed(0), "0.00");
  assert.equal(onChip(100_000), "1K");
  assert.equal(parseAmount("1,250.5"), 125_050);
  assert.equal(parseAmount("0.505"), null);
  assert.equal(parseAmount("-5"), null);
  assert.equal(parseAmount("5,00"), null, "in some countries that is five");
  assert.equal(parseAmount("1,234,567.8"), 123_456_780);
});

test("a patron who has not bet yet is shown a free seat, and keeps it as long as nobody else bets there", () => {
  const at = (...seats: number[]) => seats.map((position) => ({ position, wager: "Tie", amount: 500 }));
  assert.equal(firstSeat(9, 0, at()), 1);
  assert.equal(firstSeat(9, 1, at(2, 3)), 1);
  assert.equal(firstSeat(9, 1, at(1, 2)), 3, "others sat down at the same time, and bet first");
  assert.equal(firstSeat(2, 2, at(1, 2)), 2, "a full table leaves them where they are");
});

test("repeat adds what is missing to what lies there", () => {
  const last = [
    { position: 1, wager: "Tie", amount: 500 },
    { position: 1, wager: "Player", amount: 1_000 },
  ];
  assert.deepEqual(missingWagers(last, [{ position: 1, wager: "Player", amount: 400 }]), [
    { position: 1, wager: "Tie", amount: 500 },
    { position: 1, wager: "Player", amount: 600 },
  ]);
  assert.deepEqual(missingWagers(last, last), []);
});

test("undo undoes the last step as a whole, and nothing of another round", () => {
  const changes = new WagerChanges("t1", "p1");
  const [tie, player] = [
    { position: 1, wager: "Tie", amount: 500 },
    { position: 1, wager: "Player", amount: 700 },
  ];
  changes.inRound(3, 8);
  changes.done([tie]);
  changes.done([player]);
  changes.done(takeBackChanges([tie, player]));
  changes.done([]);
  assert.deepEqual(changes.undo(), [player, tie], "what was cleared comes back");
  assert.deepEqual(
    changes.undo().map(({ amount }) => amount),
    [-700],
  );
  assert.deepEqual(changes.order({ ...tie, amount: -500 }), {
    command: "TakeBackWager",
    table: "t1",
    patron: "p1",
    in_round: 3,
    in_window: 8,
    position: 1,
    wager: "Tie",
    amount: 500,
  });
  assert.equal(changes.order(tie).command, "PlaceWager");
  changes.inRound(4);
  assert.equal(changes.canUndo, false);
});

test("the cards of a round stay until the next deal", () => {
  const totals = { player: 4, banker: 1 };
  const view = (hands: object, winning: string[] = [], announced: string | null = null) =>
    ({ round: 7, hands, totals, winning, announced }) as unknown as PublicView;
  const told = (name: string, body: object) => ({ name, body }) as unknown as Told;
  const dealt = { player: [["4", "h"]], banker: [null] };
  let shown = roundAfter(nothingShown(0), view(dealt), [told("CardDrawn", {})], "p");
  shown = roundAfter(
    shown,
    view(dealt, ["Player"]),
    [told("OutcomeAnnounced", { player_total: 4, banker_total: 1, winner: "player" })],
    "p",
  );
  shown = roundAfter(
    shown,
    view({ player: [], banker: [] }),
    [told("RoundSettled", { round: 7, wagers: [{ patron: "p" }, { patron: "q" }] })],
    "p",
  );
  assert.deepEqual(shown.hands, dealt);
  assert.equal(shown.settled?.length, 1);
  assert.deepEqual(shown.winning, ["Player"]);
  shown = roundAfter(shown, view({ player: [null], banker: [] }), [told("CardDrawn", {})], "p");
  assert.deepEqual([shown.outcome, shown.settled, shown.hands.player.length], [null, null, 1]);
  assert.deepEqual(shown.winning, []);
  // A table that is shown again in the middle of a round: the result of the round before is not that of these cards.
  const before = { ...nothingShown(6), outcome: { player_total: 1, banker_total: 6, winner: "banker" as const } };
  shown = roundAfter(before, view(dealt, ["Player"]), [], "p");
  assert.deepEqual([shown.round, shown.outcome, shown.winning], [7, null, ["Player"]]);
  // Of a round that was over when the page was opened, the view tells the result.
  shown = roundAfter(nothingShown(7), view(dealt, ["Player"], "player"), [], "p");
  assert.deepEqual(shown.outcome, { player_total: 4, banker_total: 1, winner: "player" });
  shown = roundAfter(shown, view({ player: [null], banker: [] }), [told("CardDrawn", {})], "p");
  assert.deepEqual([shown.outcome, shown.winning], [null, []]);
});

test("a stack is made of the largest chips, and of what no chip fits", () => {
  assert.deepEqual(chipsOf(13_000, [500, 2_500, 10_000]), [10_000, 2_500, 500]);
  assert.deepEqual(chipsOf(750, [500]), [500, 250]);
  assert.deepEqual(chipsOf(0, [500]), []);
});

test("a label says when each ratio holds, and never promises the best at all times", () => {
  const line = (outcome: string, pays: string) => ({ outcome, pays, commission: "0", clause: "4.1" });
  const tiger = { wager: "Tiger", clause: "1", lines: [line("two-card 6", "12/1"), line("three-card 6", "20/1")] };
  const lines = [line("push on 4", "0/1"), line("win", "1/1"), line("tie", "0/1")];
  const banker = { wager: "Banker", clause: "1", lines };
  const said = (wager: WagerShown) => payoutLines(wager).map(({ pays, when }) => [pays, when]);
  assert.deepEqual(said(tiger), [
    ["pays.to", "two-card 6"],
    ["pays.to", "three-card 6"],
  ]);
  assert.deepEqual(said(banker), [
    ["push on 4", ""],
    ["pays.to", "win"],
  ]);
  assert.deepEqual([tiger, banker].map(bestPayout), ["pays.up_to", "pays.to"]);
});

test("a lifted corner comes to lie where it is dragged, and shows its own corner of the face", () => {
  const fold = foldTo([100, 140], [60, 90])!;
  const [a, b, c, d, e, f] = fold.matrix;
  // Seen from its back the corner at the lower right is the face's corner at the lower left.
  assert.ok(Math.abs(a * 0 + c * 140 + e - 60) < 1e-9);
  assert.ok(Math.abs(b * 0 + d * 140 + f - 90) < 1e-9);
  assert.ok(Math.abs(a * d - b * c - 1) < 1e-9, "turned, not mirrored");
  assert.ok(fold.share > 0.05 && fold.share < 0.3);
  assert.equal(foldTo([0, 0], [0, 0]), null);
});

test("a card is held by a corner or by a side, whichever is nearer", () => {
  const held = ([x, y]: [number, number]) => holdAt([x, y]);
  assert.deepEqual(
    [held([5, 8]), held([96, 133])],
    [
      [0, 0],
      [100, 140],
    ],
  );
  assert.deepEqual(
    [held([3, 70]), held([98, 66]), held([50, 2]), held([47, 139])],
    [
      [0, 70],
      [100, 70],
      [50, 0],
      [50, 140],
    ],
  );
  const half = foldTo([100, 70], [0, 70])!;
  assert.ok(Math.abs(half.share - 0.5) < 1e-9, "a side drawn over to the other lifts half of the card");
});
