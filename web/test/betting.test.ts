/** Favourite bets, counting, streaks and sounds, without a browser. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Order } from "../src/api/connection";
import type { RoadsShown } from "../src/api/types";
import { countAt } from "../src/components/count-up";
import { FavouriteBook, hindrance, MOST_FAVOURITES } from "../src/seat/betting/favourite-book";
import { Turns } from "../src/seat/betting/turns";
import { WagerChanges } from "../src/seat/betting/wager-changes";
import { WagerDesk } from "../src/seat/betting/wager-desk";
import { type Cue, SoundPlayer } from "../src/seat/sound/sound-player";
import { notesOf } from "../src/seat/sound/synthesiser";
import type { LaidWager } from "../src/table-view/laid-wagers";
import { streakOf } from "../src/table-view/streak";
import { storage } from "./storage";

const TIE = { position: 3, wager: "Tie", amount: 500 };

test("some work goes side by side, other work waits for all before it and is waited for", async () => {
  const turns = new Turns();
  const [begun, ends] = [[] as string[], new Map<string, (failed?: Error) => void>()];
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      begun.push(name);
      ends.set(name, (failed) => (failed ? reject(failed) : resolve(name)));
    });
  const done = [turns.sideBySide(work("a")), turns.sideBySide(work("b")), turns.alone(work("c"))];
  const failing = turns.alone(work("d"));
  const last = turns.sideBySide(work("e"));
  assert.deepEqual(begun, ["a", "b"]);
  ends.get("a")!();
  await done[0];
  assert.deepEqual(begun, ["a", "b"], "one of two is not all");
  ends.get("b")!();
  await done[1];
  assert.deepEqual(begun, ["a", "b", "c"]);
  ends.get("c")!();
  await done[2];
  ends.get("d")!(new Error("no"));
  await assert.rejects(failing);
  assert.deepEqual(begun, ["a", "b", "c", "d", "e"], "what fails holds up nothing");
  ends.get("e")!();
  assert.equal(await last, "e");
});

test("bets are doubled and repeated whole, or not at all where the chips do not suffice", async () => {
  const given: [string, number][] = [];
  const mine = [TIE, { position: 3, wager: "Player", amount: 50_000 }];
  const seat = {
    mine,
    chips: 50_000,
    open: true,
    last: mine.map((each) => ({ ...each, amount: 2 * each.amount })),
    chipValues: [500],
    least: () => 500,
    give: async (order: Order) => {
      given.push([order.command, Number((order as unknown as LaidWager).amount)]);
      return { type: "done" } as Answer;
    },
    ask: () => {},
    tooFew: (needed: number) => void given.push(["too few", needed]),
    markWaiting: () => {},
  };
  const desk = new WagerDesk(seat, new WagerChanges("t", "p"));
  for (const action of ["double", "repeat"] as const) await desk.act(action);
  await desk.placeAll(seat.last);
  assert.deepEqual(given, Array(3).fill(["too few", 50_500]));
  seat.chips = 50_500;
  given.length = 0;
  await desk.act("double");
  assert.deepEqual(given, [
    ["PlaceWager", 500],
    ["PlaceWager", 50_000],
  ]);
});

test("favourite bets are kept under a name, one for each, and deleted by it", () => {
  const kept = storage();
  const book = new FavouriteBook(kept, "k");
  book.save("  Lucky ", [TIE, { position: 3, wager: "Player", amount: 2_500 }]);
  book.save("Lucky", [{ ...TIE, amount: 700 }]);
  book.save("", [TIE]);
  book.save("Nothing", []);
  assert.deepEqual(new FavouriteBook(kept, "k").favourites, [{ name: "Lucky", bets: [{ wager: "Tie", amount: 700 }] }]);
  book.remove("Lucky");
  assert.deepEqual(new FavouriteBook(kept, "k").favourites, []);
  for (let number = 0; number <= MOST_FAVOURITES; number++) book.save(`bets ${number}`, [TIE]);
  assert.deepEqual([book.favourites.length, book.favourites[0]!.name], [MOST_FAVOURITES, "bets 1"]);
});

test("favourite bets respect the limits of a table and the chips of a patron", () => {
  const limits = { Tie: { minimum: 500, maximum: 1_000 } };
  const favourite = (amount: number, wager = "Tie") => ({ name: "x", bets: [{ wager, amount }] });
  assert.equal(hindrance(favourite(500), limits, 500), null);
  assert.equal(hindrance(favourite(1_000), limits, 999), "chips");
  assert.equal(hindrance(favourite(499), limits, 5_000), "limits");
  assert.equal(hindrance(favourite(1_001), limits, 5_000), "limits");
  assert.equal(hindrance(favourite(500, "Tiger"), limits, 5_000), "limits", "this game has no such wager");
});

test("a count begins where it was, only rises, and ends to the cent", () => {
  const counted = [0, 0.25, 0.5, 0.75, 1, 7].map((share) => countAt(1_000, 48_505, share));
  assert.deepEqual([counted[0], counted[4], counted[5]], [1_000, 48_505, 48_505]);
  assert.deepEqual(
    counted,
    [...counted].sort((a, b) => a - b),
  );
  assert.deepEqual(
    counted.slice(0, 4).map((each) => each % 100),
    [0, 0, 0, 0],
    "no cents that nobody had",
  );
  assert.equal(countAt(94_475, 94_490, 0.9), 94_475);
});

test("a streak is told from the third win of a hand on", () => {
  const roads = (run: object | null) => ({ roads: { statistics: { current_run: run } } }) as unknown as RoadsShown;
  assert.equal(streakOf(null), null);
  assert.equal(streakOf(roads(null)), null);
  assert.equal(streakOf(roads({ winner: "banker", length: 2 })), null);
  assert.deepEqual(streakOf(roads({ winner: "banker", length: 3 })), { winner: "banker", length: 3 });
});

function player(kept = storage(), calm = false) {
  const place = { loads: 0, played: [] as [Cue, number, boolean][], felt: [] as number[][] };
  const sound = new SoundPlayer({
    storage: kept,
    load: async () => {
      place.loads += 1;
      return { play: (...heard) => void place.played.push(heard) };
    },
    calm: () => calm,
    vibrate: (pattern) => void place.felt.push(pattern),
  });
  return { sound, place };
}

test("nothing is loaded, heard or felt until sound is switched on, and the choice is kept", async () => {
  const kept = storage();
  const { sound, place } = player(kept);
  await sound.play("win");
  assert.deepEqual([place.loads, place.played.length, place.felt.length], [0, 0, 0]);
  sound.choose({ on: true, volume: 0.25 });
  await sound.play("win");
  await sound.play("card");
  assert.equal(place.loads, 1);
  assert.deepEqual(place.played.slice(-2), [
    ["win", 0.25, false],
    ["card", 0.25, false],
  ]);
  assert.equal(place.felt.length, 2, "a card is not felt");
  assert.deepEqual(player(kept).sound.preference, { on: true, volume: 0.25 });
});

test("for those who want little to move, sounds are softer and shorter, and so is what is felt", async () => {
  const { sound, place } = player(storage(), true);
  sound.choose({ on: true });
  await sound.play("win");
  assert.deepEqual([place.played.at(-1)![2], place.felt.at(-1)!.length], [true, 1]);
  for (const cue of ["chip", "card", "turn", "open", "close", "win"] as Cue[]) {
    const [loud, soft] = [notesOf(cue, false), notesOf(cue, true)];
    const loudest = (notes: typeof loud) => Math.max(...notes.map((each) => each.loudness));
    const end = (notes: typeof loud) => Math.max(...notes.map((each) => each.at + each.length));
    assert.ok(loudest(soft) < loudest(loud) && end(soft) <= end(loud) && soft[0]!.at === 0, cue);
  }
});
