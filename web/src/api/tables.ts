/** Tables as the public sees them, and the games played at them. */
import { request } from "./http";
import type { Account, EdgeShown, GameShown, LobbyTable, ProcedureShown, RoadsShown, RoundShown } from "./types";

const tablePath = (table: string) => `/api/tables/${encodeURIComponent(table)}`;
const gamePath = (key: string) => `/api/games/${encodeURIComponent(key)}`;

export const myAccount = () => request<Account>("/api/cage/mine");
export const lobby = () => request<LobbyTable[]>("/api/lobby");
export const lobbyTable = (table: string) => request<LobbyTable>(`/api/lobby/${encodeURIComponent(table)}`);
export const game = (key: string) => request<GameShown>(gamePath(key));
export const edges = (key: string, decks: number) => request<EdgeShown[]>(`${gamePath(key)}/edges?decks=${decks}`);
export const procedures = (key: string) => request<ProcedureShown[]>(`${gamePath(key)}/procedures`);
export const roads = (table: string) => request<RoadsShown>(`${tablePath(table)}/roads`);
export const rounds = (table: string, most: number) => request<RoundShown[]>(`${tablePath(table)}/rounds?most=${most}`);
