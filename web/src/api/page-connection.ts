/** The page's connection to the server that it came from. */

import { Connection, type Socket } from "./connection";
import { LOCKED } from "./http";
import { signOut } from "./session";

const timing = {
  now: () => Date.now(),
  after: (milliseconds: number, work: () => void) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Make an idempotency key: random, so that no other command has it. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
}

let connection: Connection | null = null;

export function pageConnection(): Connection {
  if (connection) return connection;
  const address = new URL("/api/socket", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const made = new Connection(() => new WebSocket(address) as unknown as Socket, timing, newKey);
  made.onSessionOver = () => void signOut().finally(() => location.reload());
  // A display goes on with what the public sees.
  made.onLocked = () => (document.body.dataset.page === "display" ? made.resume() : dispatchEvent(new Event(LOCKED)));
  addEventListener("offline", () => made.disconnect());
  addEventListener("online", () => made.reconnect());
  document.addEventListener("visibilitychange", () => document.hidden || made.reconnect());
  connection = made;
  return made;
}
