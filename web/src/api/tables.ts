/** Tables as the public sees them, and the games played at them. */
import { request } from "./http";
import type {
  Account,
  EdgeShown,
  GameShown,
  GuestSeated,
  LobbyTable,
  PatronFound,
  ProcedureShown,
  RoadsShown,
  RoundShown,
  SeatTaken,
} from "./types";

const tablePath = (table: string) => `/api/tables/${encodeURIComponent(table)}`;
const gamePath = (key: string) => `/api/games/${encodeURIComponent(key)}`;

export const myAccount = () => request<Account>("/api/cage/mine");
export const lobby = () => request<LobbyTable[]>("/api/lobby");
export const lobbyTable = (table: string) => request<LobbyTable>(`/api/lobby/${encodeURIComponent(table)}`);
export const game = (key: string) => request<GameShown>(gamePath(key));
export const edges = (key: string, decks: number) => request<EdgeShown[]>(`${gamePath(key)}/edges?decks=${decks}`);
export const procedures = (key: string) => request<ProcedureShown[]>(`${gamePath(key)}/procedures`);
/** The keys of what can have gone wrong at a table as it stands, for staff. */
export const possible = (table: string) => request<string[]>(`${tablePath(table)}/procedures`);
/** Names of everyone at a table by their ids, for staff. */
export const names = (table: string) => request<Record<string, string>>(`${tablePath(table)}/names`);
/** Who last wagered at each position, for staff. */
export const seats = (table: string) => request<SeatTaken[]>(`${tablePath(table)}/seats`);
export const findPatrons = (name: string) =>
  request<PatronFound[]>(`/api/people/patrons?name=${encodeURIComponent(name)}`);
/** Buy in a patron who is not registered: the house gives them an id. */
export const seatGuest = (table: string, name: string, amount: number) =>
  request<GuestSeated>(`${tablePath(table)}/guests`, { name, amount });
export const roads = (table: string) => request<RoadsShown>(`${tablePath(table)}/roads`);
export const rounds = (table: string, most: number) => request<RoundShown[]>(`${tablePath(table)}/rounds?most=${most}`);
