/** A patron's own history, and how long they have been playing. */
import { currentLanguage } from "../i18n/catalogue";
import { type Progress, request, requestLong } from "./http";
import type { PlayHistory, PlayNow, ReceiptsShown, RoundPlayed, SessionPlayed } from "./types";

/** What of the history is asked for; what is empty is not. */
export interface Wanted {
  table: string;
  since: string;
  until: string;
}

const tablePath = (table: string) => `/api/history/${encodeURIComponent(table)}`;

function query(values: Record<string, string | number | null>): string {
  const given = Object.entries(values).filter(([, value]) => value !== "" && value !== null);
  const written = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return written && `?${written}`;
}

export const exportPath = (wanted: Wanted) => `/api/history/export.csv${query({ ...wanted })}`;
export const statementPath = ({ since, until }: Wanted) =>
  `/api/history/statement.pdf${query({ since, until, language: currentLanguage() })}`;
export const history = (wanted: Wanted, before: number | null, progress: Progress) =>
  requestLong<PlayHistory>(`/api/history${query({ ...wanted, before })}`, progress);
export const session = (table: string, number: number, before: number | null) =>
  requestLong<SessionPlayed>(`${tablePath(table)}/${number}${query({ before })}`, () => {});
export const round = (table: string, number: number) =>
  requestLong<RoundPlayed>(`${tablePath(table)}/rounds/${number}`, () => {});
export const playNow = () => requestLong<PlayNow>("/api/history/now", () => {});
export const chooseRealityCheck = (minutes: number) => request<void>("/api/history/reality-check", { minutes });
const receiptPath = (table: string, number: number) => `/api/receipts/${encodeURIComponent(table)}/${number}`;
export const receipts = (table: string, number: number) =>
  requestLong<ReceiptsShown>(receiptPath(table, number), () => {});
export const receiptPdf = (table: string, number: number, leaf: number, language: string) =>
  `${receiptPath(table, number)}/pdf?leaf=${leaf}&language=${language}`;
