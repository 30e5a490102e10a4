/** The page's own connection to the server it came from. */

import { Connection, type Line } from "./connection";
import { signOut } from "./session";

const timing = {
  now: () => Date.now(),
  after: (milliseconds: number, work: () => void) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** A word nobody else chooses, by which a retry is known. */
function word(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
}

let connection: Connection | null = null;

export function pageConnection(): Connection {
  if (connection) return connection;
  const address = new URL("/api/socket", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const made = new Connection(() => new WebSocket(address) as unknown as Line, timing, word);
  made.onSessionOver = () => void signOut().finally(() => location.reload());
  addEventListener("online", () => made.hurry());
  document.addEventListener("visibilitychange", () => document.hidden || made.hurry());
  connection = made;
  return made;
}
