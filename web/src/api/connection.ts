/**
 * The connection to the server over which a page follows tables and gives commands.
 *
 * It reconnects when it is lost: it asks for each table from the last event it knows, and sends each unanswered command
 * again with the same idempotency key, so that the server carries it out once. Every command expires soon, so that
 * none is carried out long after it was given; and while there is no connection none is taken.
 */

import { KnownTable } from "./known-table";
import type {
  Command,
  DoneMessage,
  EventsMessage,
  MineMessage,
  PongMessage,
  RefusedMessage,
  ShowSqueeze,
  SqueezedMessage,
  TableMessage,
  Told,
} from "./types";

export type Answer = DoneMessage | RefusedMessage;
type Message = Answer | TableMessage | EventsMessage | MineMessage | SqueezedMessage | PongMessage;
type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
/** A command without its id and key, which the connection adds. */
export type Order = Without<Command, "id" | "key">;

/** The part of a WebSocket that the connection needs. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: ((event: never) => unknown) | null;
  onmessage: ((event: { data: string }) => unknown) | null;
  onclose: ((event: { code: number }) => unknown) | null;
}

/** The clock and timers; tests bring their own. */
export interface Timing {
  now(): number;
  after(milliseconds: number, work: () => void): () => void;
}

export interface Watcher {
  /** Called when a table changes, with the new events; `resync` says that earlier ones were left out. */
  changed(table: KnownTable, events: Told[], resync: boolean): void;
  /** Called when a card is shown as it is squeezed. */
  squeezed?(message: SqueezedMessage): void;
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8_000;
const PING_EACH = 15_000;
const SILENT_FOR = 8_000;
/** A command that is not answered by then makes the connection doubtful: the server is asked whether it is there. */
const DOUBTED_AFTER = 1_000;
const GIVEN_UP_AFTER = 2_000;
const SESSION_OVER = 4401;
const SESSION_LOCKED = 4423;
/** Refusals after which the same command may be sent again. */
const RETRIED = new Set(["stopping", "not-known", "too-many"]);
/** A table whose log the server is still reading: it is asked for again. */
const NOT_OPEN_YET = "table-opening";
const RETRY_AFTER = 700;
/** For how long after it is given a command may be carried out. */
const VALID_FOR = 5_000;
/** The code of a command that was not sent, since there was no connection. */
export const NOT_CONNECTED = "not-connected";

interface Waiting {
  table: string;
  text: string;
  answer(answer: Answer): void;
}

/** A table that is followed. */
interface Watched {
  table: KnownTable;
  watchers: Set<Watcher>;
  /** Answers to commands whose events have not come yet. */
  early: { last: number; tell(): void }[];
}

const notSent = (id: string): RefusedMessage => ({
  type: "refused",
  id,
  code: NOT_CONNECTED,
  sentence: "not connected",
});

export class Connection {
  connected = false;
  /** How far the server's clock is ahead of ours, in milliseconds. */
  ahead = 0;
  /** Called when the server has ended the session. */
  onSessionOver: () => void = () => {};
  /** Called when the server has locked the session; the connection waits until it is resumed. */
  onLocked: () => unknown = () => {};

  private socket: Socket | null = null;
  private wait = FIRST_WAIT;
  private numbers = 0;
  private waiting = new Map<string, Waiting>();
  private watched = new Map<string, Watched>();
  private readonly subscribers = new Set<() => void>();
  private stopTimers = new Set<() => void>();
  private pinged: { id: string; at: number } | null = null;
  /** Whether the server's time is known on this connection: before it a clock may have been set, or a device asleep. */
  private timed = false;
  /** The messages that came, by which a line is known to be alive. */
  private heard = 0;
  private closed = false;
  private locked = false;

  constructor(
    private readonly open: () => Socket,
    private readonly timing: Timing,
    private readonly newKey: () => string,
  ) {
    this.connect();
  }

  /** Return the server's time. */
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
      entry = { table: new KnownTable(name), watchers: new Set(), early: [] };
      this.watched.set(name, entry);
      if (this.connected) this.requestTable(entry.table);
    }
    entry.watchers.add(watcher);
    if (entry.table.view) watcher.changed(entry.table, [], true);
    return () => {
      entry.watchers.delete(watcher);
      if (entry.watchers.size > 0 || !this.watched.delete(name)) return;
      for (const each of entry.early) each.tell();
      this.say({ command: "Unsubscribe", table: name });
    };
  }

  /**
   * Give a command; return its answer, however often the connection breaks before that comes.
   * Who follows the table has seen what the command did before they have the answer.
   */
  give(order: Order): Promise<Answer> {
    const id = `c${++this.numbers}`;
    if (!this.connected) return Promise.resolve(notSent(id));
    const expires = this.timed ? this.now() + VALID_FOR : null;
    const text = JSON.stringify({ ...order, id, key: this.newKey(), expires });
    return new Promise((answer) => {
      this.waiting.set(id, { table: String(order.table), text, answer });
      this.socket?.send(text);
      this.later(DOUBTED_AFTER, () => this.waiting.has(id) && this.probe());
    });
  }

  /** Show others how a card lies: a message that is not answered, and not sent later if it cannot be sent now. */
  show(message: ShowSqueeze): void {
    this.say(message);
  }

  /** The number of commands that are not answered yet. */
  get unanswered(): number {
    return this.waiting.size;
  }

  close(): void {
    this.closed = true;
    this.drop();
  }

  /** The network is gone, as the browser says: a line over it would only be silent. */
  disconnect(): void {
    if (this.connected) this.drop();
  }

  /** Reconnect at once, without waiting, when the network is back. */
  reconnect(): void {
    if (!this.connected && !this.closed && !this.locked && !this.socket) {
      this.wait = FIRST_WAIT;
      this.connect();
    }
  }

  /** Connect again once the session is unlocked: what was not answered is sent again. */
  resume(): void {
    this.locked = false;
    this.reconnect();
  }

  private notify(): void {
    for (const each of this.subscribers) each();
  }

  private connect(): void {
    this.clearTimers();
    const socket = this.open();
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data) as Message);
    socket.onclose = ({ code }) => {
      if (this.socket === socket) this.lost(code);
    };
  }

  private opened(): void {
    this.connected = true;
    this.wait = FIRST_WAIT;
    for (const { table } of this.watched.values()) this.requestTable(table);
    for (const { text } of this.waiting.values()) this.socket?.send(text);
    this.ping();
    this.notify();
  }

  private lost(code: number): void {
    const was = this.connected;
    this.socket = null;
    this.connected = this.timed = false;
    this.pinged = null;
    this.clearTimers();
    if (code === SESSION_OVER) {
      this.closed = true;
      this.onSessionOver();
    }
    this.locked = code === SESSION_LOCKED;
    if (was) this.notify();
    if (this.locked) this.onLocked();
    if (this.closed || this.locked) return;
    this.later(this.wait * (0.75 + Math.random() / 2), () => this.connect());
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  private drop(): void {
    const socket = this.socket;
    this.clearTimers();
    socket?.close();
    if (socket && this.socket === socket) this.lost(1006); // a socket that hangs may never report that it is closed
  }

  private requestTable(table: KnownTable): void {
    this.say({ command: "Subscribe", table: table.name, after: table.number });
  }

  private requestUnknown(): void {
    for (const { table } of this.watched.values()) if (table.view === null) this.requestTable(table);
  }

  private say(message: object): void {
    if (this.connected) this.socket?.send(JSON.stringify(message));
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

  /** Ask whether the server is there, and give up a line on which nothing comes. */
  private probe(): void {
    const { heard } = this;
    this.say({ command: "Ping", id: `p${++this.numbers}` });
    this.later(GIVEN_UP_AFTER, () => heard === this.heard && this.drop());
  }

  private receive(message: Message): void {
    this.heard += 1;
    switch (message.type) {
      case "done":
      case "refused":
        this.answered(message);
        break;
      case "table":
        this.changed(message.table, (table) => table.takeTable(message), message.resync);
        break;
      case "events":
        this.changed(message.table, (table) => table.takeEvents(message), false);
        break;
      case "mine":
        this.changed(message.table, (table) => table.takePrivate(message), false);
        break;
      case "squeezed":
        for (const each of this.watched.get(message.table)?.watchers ?? []) each.squeezed?.(message);
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
    if (events === null) {
      this.requestTable(entry.table);
      return;
    }
    for (const each of entry.watchers) each.changed(entry.table, events, resync);
    const seen = entry.early.filter((each) => each.last <= (entry.table.number ?? 0));
    entry.early = entry.early.filter((each) => !seen.includes(each));
    for (const each of seen) each.tell();
  }

  private answered(answer: Answer): void {
    const id = String(answer.id);
    const waiting = this.waiting.get(id);
    if (!waiting) {
      if (answer.type === "refused" && answer.code === NOT_OPEN_YET)
        this.later(RETRY_AFTER, () => this.requestUnknown());
      return;
    }
    if (answer.type === "refused" && RETRIED.has(answer.code)) {
      this.later(RETRY_AFTER, () => this.waiting.has(id) && this.connected && this.socket?.send(waiting.text));
      return;
    }
    this.waiting.delete(id);
    const entry = this.watched.get(waiting.table);
    if (answer.type === "done" && entry && (entry.table.number ?? 0) < answer.last)
      entry.early.push({ last: answer.last, tell: () => waiting.answer(answer) });
    else waiting.answer(answer);
  }

  private ponged(pong: PongMessage): void {
    if (!this.pinged || pong.id !== this.pinged.id) return;
    this.ahead = Math.round(pong.at - (this.pinged.at + this.timing.now()) / 2);
    this.pinged = null;
    this.timed = true;
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
