/** Requests to the server. A refusal is thrown as an error that carries it. */
import type { RefusedMessage, StillReading } from "./types";

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

/** Fetch a path, or post a body to it, and return the answer. */
export async function request<T>(path: string, body?: unknown): Promise<T> {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, body === undefined ? {} : post);
  return response.status === 204 ? (undefined as T) : answerOf<T>(response);
}

export type Progress = (how: StillReading) => void;

/** Fetch what is read from a long log: report the progress and ask again until the answer is complete. */
export async function requestLong<T>(path: string, progress: Progress): Promise<T> {
  for (;;) {
    const response = await fetch(path);
    if (response.status !== 202) return answerOf<T>(response);
    progress(await answerOf<StillReading>(response));
  }
}

async function answerOf<T>(response: Response): Promise<T> {
  const answer: unknown = await response.json();
  if (response.status === SESSION_LOCKED) dispatchEvent(new Event(LOCKED));
  if (!response.ok) throw new Refusal(answer as RefusedMessage);
  return answer as T;
}
