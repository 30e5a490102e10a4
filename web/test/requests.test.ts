/** Requests whose answer comes late, or never. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkSession, unlock } from "../src/api/account";
import { LOCKED, NO_ANSWER, Refusal, request } from "../src/api/http";
import { RequestStatus } from "../src/controllers/request-status";
import { TestHost } from "./host";

const asked: { path: string; answer(status: number, body: string): void; fail(): void }[] = [];
globalThis.fetch = ((path: string) =>
  new Promise<Response>((resolve, reject) =>
    asked.push({
      path,
      answer: (status, body) => resolve(new Response(body, { status })),
      fail: () => reject(new TypeError("fetch failed")),
    }),
  )) as typeof fetch;
let lockings = 0;
globalThis.dispatchEvent = (event) => event.type === LOCKED && ++lockings > 0;
const REFUSED = JSON.stringify({ type: "refused", code: "session-locked", sentence: "locked" });

test("a request that was sent before the page was unlocked does not lock it again", async () => {
  const [before, opening] = [checkSession(), unlock("seven red lanterns", "")];
  asked[1]!.answer(200, "{}");
  await opening;
  asked[0]!.answer(423, REFUSED);
  await assert.rejects(before, Refusal);
  assert.equal(lockings, 0);
  const after = checkSession();
  asked[2]!.answer(423, REFUSED);
  await assert.rejects(after, Refusal);
  assert.equal(lockings, 1);
});

test("a server that is away, or another that answers for it, is told as a refusal", async () => {
  for (const go of [() => asked.at(-1)!.fail(), () => asked.at(-1)!.answer(502, "<html>Bad gateway</html>")]) {
    const status = new RequestStatus(new TestHost());
    const answer = status.followRequest(request("/api/pit"));
    go();
    assert.equal(await answer, null);
    assert.equal(status.busy, false);
    const again = request("/api/pit");
    go();
    await assert.rejects(again, (error) => error instanceof Refusal && error.refused.code === NO_ANSWER);
  }
});
