import assert from "node:assert/strict";
import { test } from "node:test";
import type { QuestionShown } from "../src/api/types";
import { asTyped } from "../src/school/chip-notation";
import { Lesson } from "../src/school/lesson";

test("chips laid out are written as the server reads them, the highest first", () => {
  assert.equal(asTyped([]), "");
  assert.equal(asTyped([2_500, 10_000, 2_500, 100]), "1x100+2x25+1x1");
  assert.equal(asTyped([500_000, 500_000]), "2x5000");
});

/** A server that takes "bad" for no answer and anything else for one. */
function answering(bodies: { answers?: string[]; done?: unknown }[]) {
  globalThis.fetch = (async (_: string, { body }: { body: string }) => {
    const asked = JSON.parse(body) as { answers?: string[]; done?: unknown };
    bodies.push(asked);
    const given = (asked.answers ?? []).filter((each) => each !== "bad");
    const unreadable = asked.answers?.at(-1) === "bad" ? "what?" : null;
    const shown: Partial<QuestionShown> = { first: given.map((each) => each === "right"), unreadable };
    return { ok: true, status: 200, json: async () => shown };
  }) as unknown as typeof fetch;
}

test("a lesson keeps what was answered and how long it took, and forgets what was no answer", async () => {
  const bodies: { answers?: string[]; done?: unknown }[] = [];
  answering(bodies);
  let now = 0;
  const lesson = new Lesson({ game: "tiger", drill: null, seed: 7, questions: 2, begun: 0 }, () => now);
  await lesson.ask("en");
  now = 1500;
  await lesson.answer("bad", "en");
  now = 2000;
  await lesson.answer("right", "en");
  assert.deepEqual(bodies.at(-1)!.answers, ["right"]);
  assert.deepEqual(lesson.score, { right: 1, asked: 1 });
  assert.equal(lesson.last, false);
  await lesson.next("zh");
  now = 2300;
  await lesson.answer("wrong", "zh");
  assert.deepEqual(lesson.score, { right: 1, asked: 2 });
  assert.equal(lesson.last, true);
  await lesson.sheet();
  assert.deepEqual(bodies.at(-1)!.done, [
    { number: 0, answers: ["right"], milliseconds: [2000] },
    { number: 1, answers: ["wrong"], milliseconds: [300] },
  ]);
});
