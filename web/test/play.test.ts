import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlayNow, PlaySum } from "../src/api/types";
import { bankerRows, span } from "../src/components/chart-rows";
import { checksDue, PlayClock, playedFor } from "../src/seat/money/play-clock";
import { TestHost } from "./host";
import { storage } from "./storage";

const MINUTE = 60_000;
const sum = (seconds: number): PlaySum => ({ rounds: 1, staked: 100, net: -100, seconds });
const played = (minutes: number, reality_check: PlayNow["reality_check"], running = true): PlayNow => ({
  now: 0,
  visit: sum(60 * minutes),
  visit_began: 1,
  running,
  today: sum(60 * minutes),
  reality_check,
});

test("time played goes on from what the server said", () => {
  assert.equal(playedFor({ now: played(10, 0), read: 5_000 }, 7_000), 10 * MINUTE + 2_000);
  assert.equal(playedFor({ now: played(10, 0), read: 5_000 }, 7_000, "today"), 10 * MINUTE + 2_000);
  assert.equal(playedFor({ now: played(0, 0, false), read: 5_000 }, 7_000), 0);
  assert.equal(playedFor({ now: null, read: 0 }, 7_000), 0);
});

test("a patron is told once for each interval, and never if they do not want to be", () => {
  const due = (minutes: number, each: PlayNow["reality_check"]) =>
    checksDue({ now: played(minutes, each), read: 0 }, 0);
  assert.deepEqual([due(14, 15), due(15, 15), due(44, 15), due(60, 60)], [0, 1, 2, 1]);
  assert.equal(due(600, 0), 0);
});

test("who was told in one window is not told again in another, until the next time", async () => {
  const store = storage();
  let minutes = 16;
  const answer = globalThis.fetch;
  globalThis.fetch = async () => new Response(JSON.stringify(played(minutes, 15)));
  try {
    const [one, other] = [0, 1].map(() => new PlayClock(new TestHost(), "p", store, () => 0)) as [PlayClock, PlayClock];
    await Promise.all([one.refresh(), other.refresh()]);
    assert.deepEqual([one.due, other.due], [true, true]);
    one.tell();
    assert.deepEqual([one.due, other.due], [false, false]);
    minutes = 31;
    await other.refresh();
    assert.equal(other.due, true);
    const another = new PlayClock(new TestHost(), "another patron", store, () => 0);
    await another.refresh();
    assert.equal(another.due, true);
  } finally {
    globalThis.fetch = answer;
  }
});

test("without a connection the last answer stays", async () => {
  const answer = globalThis.fetch;
  const clock = new PlayClock(new TestHost(), "p", storage(), () => 0);
  try {
    globalThis.fetch = async () => new Response(JSON.stringify(played(3, 0)));
    await clock.refresh();
    globalThis.fetch = async () => Promise.reject(new TypeError("offline"));
    await clock.refresh();
    assert.equal(clock.state.now?.visit.seconds, 180);
  } finally {
    globalThis.fetch = answer;
  }
});

test("equal rows of the chart stand together", () => {
  const row = (total: number, draws_against: number[], draws_alone = true) => ({ total, draws_against, draws_alone });
  assert.deepEqual(bankerRows([row(0, [1, 2]), row(1, [1, 2]), row(2, [2]), row(3, [2], false)]), [
    { totals: [0, 1], draws_against: [1, 2], draws_alone: true },
    { totals: [2], draws_against: [2], draws_alone: true },
    { totals: [3], draws_against: [2], draws_alone: false },
  ]);
  const written = [[0, 1, 2], [6, 7], [3], [1, 3, 4]].map((each) => span(each, "、"));
  assert.deepEqual(written, ["0–2", "6、7", "3", "1、3、4"]);
});
