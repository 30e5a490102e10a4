import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { PublicView, ShowSqueeze, SqueezedMessage, Told } from "../src/api/types";
import { fallen, foldOf, holdOf, type Lift, liftBy, liftByKeys } from "../src/components/card-geometry";
import { passedHand, squeezer } from "../src/seat/squeeze/passed-hand";
import { SqueezeRelay, withShown, withTold } from "../src/table-view/squeeze-relay";

test("a card is lifted from where it is held, by as much as the hand has moved", () => {
  assert.equal(holdOf([97, 135]), "se");
  assert.equal(holdOf([4, 66]), "w");
  assert.deepEqual(liftBy("s", [3, -40]), { held: "s", to: [53, 100] });
  assert.equal(liftBy("s", [0, 0]), null, "it lies flat");
});

test("arrow keys lift the side they point away from, and two of them a corner", () => {
  assert.equal(liftByKeys([-8, 0])?.held, "e");
  assert.equal(liftByKeys([8, 0])?.held, "w");
  assert.equal(liftByKeys([0, 8])?.held, "n");
  assert.deepEqual(liftByKeys([-8, -16]), { held: "se", to: [92, 124] });
  assert.equal(liftByKeys([0, 0]), null);
});

test("a card that is let go falls back to the table in a few steps", () => {
  let lift: Lift | null = liftBy("se", [-60, -80]);
  const shares: number[] = [];
  while (lift) {
    shares.push(foldOf(lift)!.share);
    lift = fallen(lift);
  }
  assert.ok(shares.length > 2 && shares.length < 12, String(shares.length));
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => b - a),
  );
});

test("others are shown the newest of each card, no more often than fifteen times a second", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const sent: ShowSqueeze[] = [];
  const relay = new SqueezeRelay("t1", (message) => sent.push(message));
  for (let step = 1; step <= 100; step++) {
    relay.show("player", 0, { held: "se", to: [100 - step, 140.4 - step] });
    relay.show("player", 1, { held: "s", to: [50, 140 - step] });
    mock.timers.tick(10);
  }
  assert.ok(sent.length <= 15, `${sent.length} in a second`);
  assert.deepEqual(new Set(sent.map((each) => each.place)), new Set([0, 1]), "both cards have their turn");
  assert.deepEqual(sent[0]!.to, [99, 139], "in whole numbers");
  relay.show("player", 0, null);
  relay.show("player", 1, null);
  for (let turn = 0; turn < 3; turn++) mock.timers.tick(70);
  assert.deepEqual(
    sent.slice(-2).map((each) => each.to),
    [null, null],
    "the last word is that they lie flat",
  );
  relay.show("banker", 0, { held: "w", to: [9_999, -9_999] });
  assert.deepEqual(sent.at(-1)!.to, [200, -140], "within what the server takes");
  relay.stop();
  mock.timers.reset();
});

const shown = (place: number, to: [number, number] | null) =>
  ({ type: "squeezed", table: "t1", hand: "player", place, held: "n", to }) as SqueezedMessage;

test("what others squeeze is kept by place until it lies flat or something happens at the table", () => {
  let lifts = withShown(withShown({}, shown(0, [50, 30])), shown(1, [50, 60]));
  assert.deepEqual(lifts["player-1"], { held: "n", to: [50, 60] });
  lifts = withShown(lifts, shown(0, null));
  assert.deepEqual(Object.keys(lifts), ["player-1"]);
  const told = (name: string) => [{ name } as Told];
  assert.equal(withTold(lifts, told("CardsLookedAt")), lifts);
  assert.equal(withTold(lifts, []), lifts);
  assert.deepEqual(withTold(lifts, told("CardExposed")), {});
});

const view = (parts: object) =>
  ({
    phase: "dealing",
    hands: { player: [null, null], banker: [null, null] },
    handlers: { player: "ann", banker: "bob" },
    single_cards: [],
    hand_in_turn: "player",
    ...parts,
  }) as unknown as PublicView;

test("others know at which seat cards are squeezed", () => {
  const wagers = [{ patron: "ann", position: 3, wager: "Player", amount: 500 }];
  assert.deepEqual(squeezer(view({ wagers })), { patron: "ann", seat: 3 });
  assert.deepEqual(squeezer(view({ wagers, hand_in_turn: "banker" })), { patron: "bob", seat: null });
  assert.equal(squeezer(view({ wagers, handlers: {} })), null, "the Dealer turns them");
  assert.equal(squeezer(view({ wagers, phase: "outcome" })), null);
});

test("a patron turns the hand that was passed to them when it is its turn", () => {
  assert.deepEqual(passedHand(view({}), "ann")?.places, [0, 1]);
  assert.equal(passedHand(view({}), "bob"), null, "the other hand is turned first");
  assert.equal(passedHand(view({ hand_in_turn: "banker" }), "bob")?.hand, "banker");
  assert.equal(passedHand(view({ phase: "outcome" }), "ann"), null);
  assert.equal(passedHand(view({}), null), null);
  const single = view({ single_cards: [{ hand: "player", place: 1, person: "eve" }] });
  assert.deepEqual(passedHand(single, "ann")?.places, [0]);
  assert.deepEqual(passedHand(single, "eve")?.places, [1]);
  const third = view({
    hands: {
      player: [["9", "c"], ["2", "d"], null],
      banker: [
        ["K", "s"],
        ["5", "h"],
      ],
    },
  });
  assert.deepEqual(passedHand(third, "ann")?.places, [2]);
});
