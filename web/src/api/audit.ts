/** The log of a table as an auditor reads it. */
import { type Progress, request, requestLong } from "./http";
import type {
  EventsFound,
  NewNote,
  NoteShown,
  RoundReplayed,
  RoundsFound,
  ShoeChecked,
  ShoeListed,
  SignificantFound,
  TableAudited,
  Verified,
} from "./types";

const auditPath = (table: string) => `/api/audit/tables/${encodeURIComponent(table)}`;

export const auditedTables = () => request<TableAudited[]>("/api/audit/tables");
export const findRounds = (table: string, query: URLSearchParams, progress: Progress) =>
  requestLong<RoundsFound>(`${auditPath(table)}/rounds?${query}`, progress);
export const findEvents = (query: URLSearchParams) => request<EventsFound>(`/api/audit/events?${query}`);
export const findSignificant = (query: URLSearchParams) => request<SignificantFound>(`/api/audit/significant?${query}`);
export const significantFile = (query: string, format: "csv" | "json") =>
  `/api/audit/significant/file?${query}${query ? "&" : ""}format=${format}`;
export const notesOf = (table: string) => request<NoteShown[]>(`${auditPath(table)}/notes`);
export const addNote = (table: string, note: NewNote) => request<NoteShown[]>(`${auditPath(table)}/notes`, note);
export const replayRound = (table: string, round: number, language: string, after: number, progress: Progress) =>
  requestLong<RoundReplayed>(`${auditPath(table)}/rounds/${round}?language=${language}&after=${after}`, progress);
export const packetPath = (table: string, round: number, kind: "json" | "pdf", language: string) =>
  `${auditPath(table)}/rounds/${round}/packet.${kind}?language=${language}`;
export const beginVerification = (table: string) => request<Verified>(`${auditPath(table)}/verification`, {});
export const verification = (table: string) => request<Verified>(`${auditPath(table)}/verification`);
export const shoesOf = (table: string, progress: Progress) =>
  requestLong<ShoeListed[]>(`${auditPath(table)}/shoes`, progress);
export const checkShoe = (table: string, shoe: string, progress: Progress) =>
  requestLong<ShoeChecked>(`${auditPath(table)}/shoes/${encodeURIComponent(shoe)}`, progress);
