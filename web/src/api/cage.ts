/** Requests of the cage: patrons' money, slips, statements, and cash that is flagged. */
import type { Language } from "../i18n/catalogue";
import { request } from "./http";
import type { Account, CashFlagShown, Debt, PatronAtCage, PatronStatement, SlipShown } from "./types";

export interface Piece {
  value: number;
  number: number;
}
export type SlipKind = SlipShown["kind"];

/** A new idempotency key: a request that is sent again with it is carried out once. */
const key = () => crypto.randomUUID().replaceAll("-", "");

export const findAtCage = (name: string) =>
  request<PatronAtCage[]>(`/api/cage/patrons?name=${encodeURIComponent(name)}`);
export const atCage = (patron: string) => request<PatronAtCage>(`/api/cage/patrons/${encodeURIComponent(patron)}`);
export const deposit = (patron: string, amount: number) =>
  request<Account>("/api/cage/deposits", { patron, amount, key: key() });
export const payOut = (patron: string, amount: number) =>
  request<Account>("/api/cage/payments", { patron, amount, key: key() });
export const payDebt = (patron: string, amount: number, from_account: boolean) =>
  request<Account>("/api/cage/debts/payments", { patron, amount, from_account, key: key() });
export const transfer = (patron: string, table: string, amount: number, to_table: boolean) =>
  request<PatronAtCage>("/api/cage/transfers", { patron, table, amount, to_table, key: key() });
export const debts = () => request<Debt[]>("/api/cage/debts");

const statementPath = (patron: string, from: number, to: number, pdf = "") =>
  `/api/cage/statements/${encodeURIComponent(patron)}${pdf}?from=${from}&to=${to}`;
export const statement = (patron: string, from: number, to: number) =>
  request<PatronStatement>(statementPath(patron, from, to));
export const statementFile = (patron: string, from: number, to: number, language: Language) =>
  `${statementPath(patron, from, to, "/pdf")}&language=${language}`;

export const cashFlags = () => request<CashFlagShown[]>("/api/cage/cash-flags");
export const seeFlag = ({ patron, direction, day_began, amount }: CashFlagShown["flag"]) =>
  request<CashFlagShown[]>("/api/cage/cash-flags/seen", { patron, direction, day_began, amount });

export const slips = (table = "") => request<SlipShown[]>(`/api/slips${table ? `?table=${table}` : ""}`);
export const askForChips = (kind: SlipKind, table: string, pieces: Piece[]) =>
  request<SlipShown>("/api/slips", { kind, table, pieces, key: key() });
export const confirmSlip = (slip: number) => request<SlipShown>(`/api/slips/${slip}/confirm`, {});
export const cancelSlip = (slip: number, reason: string) => request<SlipShown>(`/api/slips/${slip}/cancel`, { reason });
export const slipFile = (slip: number, language: Language) => `/api/slips/${slip}/pdf?language=${language}`;
