/** The server as a test plays it: a socket whose other end is the test, and answers to requests. */
import { Connection, type Socket } from "../src/api/connection";

export interface Sent {
  command: string;
  id?: string;
  key?: string;
  after?: number | null;
  table?: string;
  expires?: number | null;
}

export class TestSocket implements Socket {
  sent: Sent[] = [];
  onopen: (() => unknown) | null = null;
  onmessage: ((event: { data: string }) => unknown) | null = null;
  onclose: ((event: { code: number }) => unknown) | null = null;
  closed = false;

  send(text: string) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.closed = true;
  }

  tell(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  said(command: string) {
    return this.sent.filter((each) => each.command === command);
  }
}

/** Time that passes when the test says so. */
export class TestTime {
  at = 1_000;
  private due: { at: number; work: () => void }[] = [];
  now = () => this.at;

  after = (milliseconds: number, work: () => void) => {
    const entry = { at: this.at + milliseconds, work };
    this.due.push(entry);
    return () => {
      this.due = this.due.filter((each) => each !== entry);
    };
  };

  pass(milliseconds: number) {
    const until = this.at + milliseconds;
    for (;;) {
      const next = this.due.filter((each) => each.at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.due = this.due.filter((each) => each !== next);
      this.at = next.at;
      next.work();
    }
    this.at = until;
  }
}

export function connected() {
  const sockets: TestSocket[] = [];
  const time = new TestTime();
  let keys = 0;
  const connection = new Connection(
    () => {
      sockets.push(new TestSocket());
      return sockets.at(-1)!;
    },
    time,
    () => `key${++keys}`,
  );
  sockets[0]!.onopen!();
  return { connection, sockets, time, socket: sockets[0]! };
}

/** Answer requests by the beginning of their path; return the paths that were asked for. */
export function answering(answers: Record<string, unknown>): string[] {
  const asked: string[] = [];
  globalThis.fetch = (async (path: string) => {
    asked.push(path);
    const found = Object.keys(answers)
      .filter((each) => path.startsWith(each))
      .sort((one, other) => other.length - one.length)[0];
    if (found === undefined) throw new Error(`nothing is answered to ${path}`);
    return { ok: true, status: 200, json: async () => answers[found] };
  }) as unknown as typeof fetch;
  return asked;
}

/** Let every promise that can be resolved be resolved. */
export const settled = () => new Promise((over) => setImmediate(over));
