/** Requests to the server. What it refuses is thrown as it says it. */
import type {
  Account, EdgeShown, GameShown, LobbyTable, PersonShown, RefusedMessage, RoadsShown, RoundShown, ShoeShown,
} from "../generated/api";
import type { Contribution, ShoeRecord } from "../fairness/shoe";

export class Refusal extends Error {
  constructor(readonly refused: RefusedMessage) {
    super(refused.sentence);
  }
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
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

const ofShoe = (table: string, shoe: string, what: string) => `${at(table)}/shoes/${encodeURIComponent(shoe)}/${what}`;
/** The last sealed shoes of a table, the newest first. */
export const lastShoes = (table: string, most: number) => ask<ShoeShown[]>(`${at(table)}/shoes?most=${most}`);
export const pledgeCut = (table: string, shoe: string, commitment: string) => ask<ShoeShown>(ofShoe(table, shoe, "pledges"), { commitment });
export const revealCut = (table: string, shoe: string, told: Contribution) => ask<ShoeShown>(ofShoe(table, shoe, "contributions"), told);
export const recordAddress = (table: string, shoe: string) => ofShoe(table, shoe, "record");
export const shoeRecord = (table: string, shoe: string) => ask<ShoeRecord>(recordAddress(table, shoe));
