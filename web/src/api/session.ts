/** The person who is signed in, and what the house permits them. */
import { request } from "./http";
import type { Permission, PersonShown } from "./types";

/** Return the person who is signed in; the page's shell carries it, so no request is needed. */
export function signedInPerson(): PersonShown | null {
  const { person, name, duty } = document.body.dataset;
  return person ? { id: person, name: name ?? "", duty: duty as PersonShown["duty"] } : null;
}

const NOT_AT_A_TABLE = new Set<string | undefined>(["patron", "Cashier", "Device", "Auditor", undefined]);

/** Tell whether a person holds a position at tables. */
export const isStaff = (person: PersonShown | null) => !NOT_AT_A_TABLE.has(person?.duty);

/** Tell whether the house permits something to the person who is signed in; the shell carries that too. */
export function may(permission: Permission): boolean {
  return (document.body.dataset.may ?? "").split(",").includes(permission);
}

/** Return where the rounds of a table are examined, for people who may read the log. */
export const auditPath = (table: string) => (may("read-log") ? `/audit/${encodeURIComponent(table)}` : null);

export const signIn = (name: string, password: string) => request<unknown>("/api/sign-in", { name, password });
/** Tell whether a guest may take a seat with practice money here. */
export const isPracticeHouse = () => "practice" in document.body.dataset;
/** Return the chips that a guest of a practice house begins with at a table, in cents; the shell carries them. */
export const practiceChips = () => Number(document.body.dataset.practice ?? 0);
/** Tell whether the house keeps a log with receipts. */
export const givesReceipts = () => document.body.dataset.receipts === "yes";
/** Why the house takes no commands, if it does not; what is missing is told to staff. */
export const closedHouse = () => {
  const { closed, why, missing } = document.body.dataset;
  return closed === "yes" ? { why, missing } : null;
};
/** Sign in as a new patron with practice money, with chips at a table. */
export const takePracticeSeat = (table: string, language: string) =>
  request<unknown>("/api/practice/seat", { table, language });
export const signOut = () => request<void>("/api/sign-out", {});
/** Choose a password; who has one already shows the old one. */
export const choosePassword = (password: string, old: string) =>
  request<void>("/api/me/password", old ? { password, old } : { password });
