/**
 * One connection to the server for everything a page watches and commands.
 *
 * It comes back by itself: it takes up every table after the last event it knows, and sends every command that was not
 * answered once more with the same key, so that the server does it once whatever was lost on the way.
 */

import { KnownTable } from "./known-table";
import type {
  Command,
  DoneMessage,
  EventsMessage,
  MineMessage,
  PongMessage,
  RefusedMessage,
  TableMessage,
  Told,
} from "./types";

export type Answer = DoneMessage | RefusedMessage;
type Heard = Answer | TableMessage | EventsMessage | MineMessage | PongMessage;
type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
/** A command without what the connection adds to it. */
export type Order = Without<Command, "id" | "key">;

/** As much of a WebSocket as is needed. */
export interface Line {
  send(text: string): void;
  close(): void;
  onopen: ((event: never) => unknown) | null;
  onmessage: ((event: { data: string }) => unknown) | null;
  onclose: ((event: { code: number }) => unknown) | null;
}

/** Time, so that a test can have its own. */
export interface Timing {
  now(): number;
  after(milliseconds: number, work: () => void): () => void;
}

export interface Watcher {
  /** The table is different; these events are new. `resync` says that others were left out. */
  changed(table: KnownTable, events: Told[], resync: boolean): void;
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8_000;
const PING_EACH = 15_000;
const SILENT_FOR = 8_000;
const SESSION_OVER = 4401;
/** What the server says when nothing is wrong with the command, and the same may be sent again. */
const TRY_AGAIN = new Set(["stopping", "not-known", "too-many"]);
const TRIED_AGAIN_AFTER = 700;

interface Waiting {
  text: string;
  answer(answer: Answer): void;
}

export class Connection {
  connected = false;
  /** The server's time less ours, in milliseconds. */
  ahead = 0;
  /** Called when the server has ended the session. */
  onSessionOver: () => void = () => {};

  private line: Line | null = null;
  private wait = FIRST_WAIT;
  private numbers = 0;
  private waiting = new Map<string, Waiting>();
  private watched = new Map<string, { table: KnownTable; watchers: Set<Watcher> }>();
  private readonly subscribers = new Set<() => void>();
  private stopTimers = new Set<() => void>();
  private pinged: { id: string; at: number } | null = null;
  private closed = false;

  constructor(
    private readonly open: () => Line,
    private readonly timing: Timing,
    private readonly word: () => string,
  ) {
    this.connect();
  }

  /** The server's time. */
  now(): number {
    return this.timing.now() + this.ahead;
  }

  /** Call a function whenever the connection is made or lost, or the server's time is known better, until released. */
  subscribe(subscriber: () => void): () => void {
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  }

  /** Follow a table until the returned function is called. */
  watch(name: string, watcher: Watcher): () => void {
    let entry = this.watched.get(name);
    if (!entry) {
      entry = { table: new KnownTable(name), watchers: new Set() };
      this.watched.set(name, entry);
      if (this.connected) this.requestTable(entry.table);
    }
    entry.watchers.add(watcher);
    if (entry.table.view) watcher.changed(entry.table, [], true);
    return () => {
      entry.watchers.delete(watcher);
      if (entry.watchers.size === 0 && this.watched.delete(name)) this.say({ command: "Unsubscribe", table: name });
    };
  }

  /** Give a command; the answer, however often the connection breaks before it comes. */
  give(order: Order): Promise<Answer> {
    const id = `c${++this.numbers}`;
    const text = JSON.stringify({ ...order, id, key: this.word() });
    return new Promise((answer) => {
      this.waiting.set(id, { text, answer });
      if (this.connected) this.line?.send(text);
    });
  }

  /** How many commands wait to be answered. */
  get unanswered(): number {
    return this.waiting.size;
  }

  close(): void {
    this.closed = true;
    this.drop();
  }

  /** Come back now and not only when the wait is over, as when the network is there again. */
  hurry(): void {
    if (!this.connected && !this.closed && !this.line) {
      this.wait = FIRST_WAIT;
      this.connect();
    }
  }

  private notify(): void {
    for (const each of this.subscribers) each();
  }

  private connect(): void {
    this.clearTimers();
    const line = this.open();
    this.line = line;
    line.onopen = () => this.opened();
    line.onmessage = ({ data }) => this.hear(JSON.parse(data) as Heard);
    line.onclose = ({ code }) => {
      if (this.line === line) this.lost(code);
    };
  }

  private opened(): void {
    this.connected = true;
    this.wait = FIRST_WAIT;
    for (const { table } of this.watched.values()) this.requestTable(table);
    for (const { text } of this.waiting.values()) this.line?.send(text);
    this.ping();
    this.notify();
  }

  private lost(code: number): void {
    const was = this.connected;
    this.line = null;
    this.connected = false;
    this.pinged = null;
    this.clearTimers();
    if (code === SESSION_OVER) {
      this.closed = true;
      this.onSessionOver();
    }
    if (was) this.notify();
    if (this.closed) return;
    this.later(this.wait * (0.75 + Math.random() / 2), () => this.connect());
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  private drop(): void {
    const line = this.line;
    this.clearTimers();
    line?.close();
    if (line && this.line === line) this.lost(1006); // a line that hangs may never say that it is closed
  }

  private requestTable(table: KnownTable): void {
    this.say({ command: "Subscribe", table: table.name, after: table.number });
  }

  private say(message: object): void {
    if (this.connected) this.line?.send(JSON.stringify(message));
  }

  private ping(): void {
    const id = `p${++this.numbers}`;
    this.pinged = { id, at: this.timing.now() };
    this.say({ command: "Ping", id });
    this.later(SILENT_FOR, () => {
      if (this.pinged?.id === id) this.drop();
    });
    this.later(PING_EACH, () => this.ping());
  }

  private hear(message: Heard): void {
    switch (message.type) {
      case "done":
      case "refused":
        this.answered(message);
        break;
      case "table":
        this.changed(message.table, (table) => table.shown(message), message.resync);
        break;
      case "events":
        this.changed(message.table, (table) => table.happened(message), false);
        break;
      case "mine":
        this.changed(message.table, (table) => table.told(message), false);
        break;
      case "pong":
        this.ponged(message);
        break;
    }
  }

  private changed(name: string, take: (table: KnownTable) => Told[] | null, resync: boolean): void {
    const entry = this.watched.get(name);
    if (!entry) return;
    const events = take(entry.table);
    if (events === null) this.requestTable(entry.table);
    else for (const each of entry.watchers) each.changed(entry.table, events, resync);
  }

  private answered(answer: Answer): void {
    const id = String(answer.id);
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    if (answer.type === "refused" && TRY_AGAIN.has(answer.code)) {
      this.later(TRIED_AGAIN_AFTER, () => this.waiting.has(id) && this.connected && this.line?.send(waiting.text));
      return;
    }
    this.waiting.delete(id);
    waiting.answer(answer);
  }

  private ponged(pong: PongMessage): void {
    if (!this.pinged || pong.id !== this.pinged.id) return;
    this.ahead = Math.round(pong.at - (this.pinged.at + this.timing.now()) / 2);
    this.pinged = null;
    this.notify();
  }

  private later(milliseconds: number, work: () => void): void {
    const stop = this.timing.after(milliseconds, () => {
      this.stopTimers.delete(stop);
      work();
    });
    this.stopTimers.add(stop);
  }

  private clearTimers(): void {
    for (const stop of this.stopTimers) stop();
    this.stopTimers.clear();
  }
}
