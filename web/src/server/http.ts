/** Requests to the server. What it refuses is thrown as it says it. */
import type {
  Account, EdgeShown, GameShown, LessonDone, LobbyTable, PersonShown, ProcedureShown, QuestionAsked, QuestionShown, RefusedMessage,
  RoadsShown, RoundReplayed, RoundShown, RoundsFound, SchoolShown, SheetShown, ShoeChecked, ShoeListed, ShoeShown, StillReading,
  TableAudited, Verified,
} from "../generated/api";
import type { Contribution, ShoeRecord } from "../fairness/shoe";

export class Refusal extends Error {
  constructor(readonly refused: RefusedMessage) {
    super(refused.sentence);
  }
}

export async function ask<T>(path: string, body?: unknown): Promise<T> {
  const answer = await fetch(path, body === undefined
    ? {}
    : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  if (answer.status === 204) return undefined as T;
  const said: unknown = await answer.json();
  if (!answer.ok) throw new Refusal(said as RefusedMessage);
  return said as T;
}

const at = (table: string) => `/api/tables/${encodeURIComponent(table)}`;

/** Who is signed in: the shell says it, so that nobody has to ask. */
export function whoIsHere(): PersonShown | null {
  const { person, name, duty } = document.body.dataset;
  return person ? { id: person, name: name ?? "", duty: duty as PersonShown["duty"] } : null;
}

const NOT_AT_A_TABLE = new Set<string | undefined>(["patron", "Cashier", "Device", "Auditor", undefined]);
/** Whether somebody holds a position at tables. */
export const isStaff = (person: PersonShown | null) => !NOT_AT_A_TABLE.has(person?.duty);
/** Whether the house gives this to whoever is signed in; the shell says that too. */
export function may(what: string): boolean {
  return (document.body.dataset.may ?? "").split(",").includes(what);
}

/** Where the rounds of a table are looked into, for those who may read the log. */
export const auditOf = (table: string) => (may("read the log") ? `/audit/${encodeURIComponent(table)}` : null);

export const signIn = (name: string, password: string) => ask<unknown>("/api/sign-in", { name, password });
export const signOut = () => ask<void>("/api/sign-out", {});
export const choosePassword = (password: string) => ask<void>("/api/me/password", { password });
export const myAccount = () => ask<Account>("/api/cage/mine");
export const lobby = () => ask<LobbyTable[]>("/api/lobby");
export const lobbyTable = (table: string) => ask<LobbyTable>(`/api/lobby/${encodeURIComponent(table)}`);
export const game = (key: string) => ask<GameShown>(`/api/games/${encodeURIComponent(key)}`);
export const edges = (key: string, decks: number) =>
  ask<EdgeShown[]>(`/api/games/${encodeURIComponent(key)}/edges?decks=${decks}`);
export const roads = (table: string) => ask<RoadsShown>(`${at(table)}/roads`);
export const rounds = (table: string, most: number) => ask<RoundShown[]>(`${at(table)}/rounds?most=${most}`);
export const procedures = (key: string) => ask<ProcedureShown[]>(`/api/games/${encodeURIComponent(key)}/procedures`);

/** The dealer school. */
export const schoolShown = () => ask<SchoolShown>("/api/school");
export const askSchool = (asked: QuestionAsked) => ask<QuestionShown>("/api/school/question", asked);
export const schoolSheet = (done: LessonDone) => ask<SheetShown>("/api/school/sheet", done);

/** What an auditor asks. A long log is read a part at a time: he is told how far it has come, and asks on. */
async function readOn<T>(path: string, reading: Reading): Promise<T> {
  for (;;) {
    const answer = await fetch(path);
    const said: unknown = await answer.json();
    if (!answer.ok) throw new Refusal(said as RefusedMessage);
    if (answer.status !== 202) return said as T;
    reading(said as StillReading);
  }
}

export type Reading = (how: StillReading) => void;
const audited = (table: string) => `/api/audit/tables/${encodeURIComponent(table)}`;

export const auditedTables = () => ask<TableAudited[]>("/api/audit/tables");
export const findRounds = (table: string, query: URLSearchParams, reading: Reading) => readOn<RoundsFound>(`${audited(table)}/rounds?${query}`, reading);
export const replayRound = (table: string, round: number, language: string, after: number, reading: Reading) =>
  readOn<RoundReplayed>(`${audited(table)}/rounds/${round}?language=${language}&after=${after}`, reading);
export const packetOf = (table: string, round: number, kind: "json" | "pdf", language: string) =>
  `${audited(table)}/rounds/${round}/packet.${kind}?language=${language}`;
export const beginVerification = (table: string) => ask<Verified>(`${audited(table)}/verification`, {});
export const verification = (table: string) => ask<Verified>(`${audited(table)}/verification`);
export const shoesOf = (table: string, reading: Reading) => readOn<ShoeListed[]>(`${audited(table)}/shoes`, reading);
export const checkShoe = (table: string, shoe: string, reading: Reading) =>
  readOn<ShoeChecked>(`${audited(table)}/shoes/${encodeURIComponent(shoe)}`, reading);

export const shoes = (table: string) => ask<ShoeShown[]>(`${at(table)}/shoes`);
const ofShoe = (table: string, shoe: string, what: string) => `${at(table)}/shoes/${encodeURIComponent(shoe)}/${what}`;
/** The last sealed shoes of a table, the newest first. */
export const lastShoes = (table: string, most: number) => ask<ShoeShown[]>(`${at(table)}/shoes?most=${most}`);
export const sealShoe = (table: string) => ask<ShoeShown>(`${at(table)}/shoes`, {});
export const closeList = (table: string, shoe: string) => ask<ShoeShown>(ofShoe(table, shoe, "list"), {});
export const cutAgain = (table: string, shoe: string) => ask<ShoeShown>(ofShoe(table, shoe, "again"), {});
export const pledgeCut = (table: string, shoe: string, commitment: string) => ask<ShoeShown>(ofShoe(table, shoe, "pledges"), { commitment });
export const revealCut = (table: string, shoe: string, told: Contribution) => ask<ShoeShown>(ofShoe(table, shoe, "contributions"), told);
export const recordAddress = (table: string, shoe: string) => ofShoe(table, shoe, "record");
export const shoeRecord = (table: string, shoe: string) => ask<ShoeRecord>(recordAddress(table, shoe));
