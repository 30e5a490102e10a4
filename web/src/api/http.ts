/** Requests to the server. A refusal is thrown as an error that carries it. */
import type { RefusedMessage, StillReading } from "./types";

/** The code of a request that was sent, and of which nothing came back. */
export const NO_ANSWER = "no-answer";
/** The name of the event by which a page learns that its session is locked. */
export const LOCKED = "punto-locked";
declare global {
  interface WindowEventMap {
    [LOCKED]: Event;
  }
}

export class Refusal extends Error {
  constructor(readonly refused: RefusedMessage) {
    super(refused.sentence);
  }
}

const SESSION_LOCKED = 423;
let unlockedAt = 0;

/** Note that the session is open again: a request sent before may still be answered that it is locked. */
export function noteUnlocked(): void {
  unlockedAt = performance.now();
}

/** Fetch a path, or post a body to it, and return the answer. */
export async function request<T>(path: string, body?: unknown): Promise<T> {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await ask<T>(path, body === undefined ? {} : post)).answer;
}

export type Progress = (how: StillReading) => void;

/** Fetch what is read from a long log: report the progress and ask again until the answer is complete. */
export async function requestLong<T>(path: string, progress: Progress): Promise<T> {
  for (;;) {
    const { status, answer } = await ask<T | StillReading>(path, {});
    if (status !== 202) return answer as T;
    progress(answer as StillReading);
  }
}

async function ask<T>(path: string, how: RequestInit): Promise<{ status: number; answer: T }> {
  const sentAt = performance.now();
  const { status, ok, answer } = await sent(path, how);
  if (status === SESSION_LOCKED && sentAt >= unlockedAt) dispatchEvent(new Event(LOCKED));
  if (!ok) throw new Refusal(answer as RefusedMessage);
  return { status, answer: answer as T };
}

/** Send a request. Where the server cannot be reached, or another answers for it, that is a refusal too. */
async function sent(path: string, how: RequestInit): Promise<{ status: number; ok: boolean; answer: unknown }> {
  try {
    const response = await fetch(path, how);
    const answer: unknown = response.status === 204 ? undefined : await response.json();
    return { status: response.status, ok: response.ok, answer };
  } catch {
    throw new Refusal({ type: "refused", id: null, code: NO_ANSWER, sentence: "no answer" });
  }
}
