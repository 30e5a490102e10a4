/** Requests of pit staff that are not commands at a table. */
import { currentLanguage, type Language } from "../i18n/catalogue";
import { request } from "./http";
import type {
  AddedPerson,
  AlertShown,
  Alerts,
  DeviceShown,
  EventTold,
  GuardShown,
  HoldsShown,
  PersonShown,
  Pit,
  PitTable,
  Preview,
  ShiftSheet,
  TableListed,
} from "./types";

const pitPath = (table: string) => `/api/pit/${encodeURIComponent(table)}`;

export const pit = () => request<Pit>("/api/pit");
export const pitTable = (table: string) => request<PitTable>(pitPath(table));
export const eventsTold = (table: string, language: Language) =>
  request<EventTold[]>(`${pitPath(table)}/events?language=${language}`);
export const guardOf = (table: string) => request<GuardShown>(`${pitPath(table)}/guard`);
export const staff = () => request<PersonShown[]>("/api/staff");
export const people = () => request<PersonShown[]>("/api/people");
export const addPerson = (name: string, duty: PersonShown["duty"]) =>
  request<AddedPerson>("/api/people", { name, duty });
export const addDevice = (name: string, table: string) => request<AddedPerson>("/api/devices", { name, table });
export const devices = () => request<DeviceShown[]>("/api/devices");
export const bindDevice = (device: string, table: string) =>
  request<DeviceShown>(`/api/devices/${device}/binding`, { table });
export const revokeDevice = (device: string) => request<DeviceShown>(`/api/devices/${device}/revoke`, {});
export const newLink = (person: string) => request<AddedPerson>(`/api/people/${person}/link`, {});
export const setActive = (person: string, active: boolean) =>
  request<PersonShown>(`/api/people/${person}/active`, { active });
export const listTables = () => request<TableListed[]>("/api/tables");
export const createTable = (table: string, game: string, automatic: string[]) =>
  request<TableListed>("/api/tables", { table, game, automatic });
export const automate = (table: string, steps: string[]) =>
  request<TableListed>(`/api/tables/${encodeURIComponent(table)}/automation`, { steps });

type ReportFile = "pdf" | "json" | "csv";
const spanned = (what: string, from: number, to: number) =>
  `/api/shift-${what}?from=${from}&to=${to}&language=${currentLanguage()}`;
const ofDay = (what: string, day: string) => `/api/day-${what}?day=${day}&language=${currentLanguage()}`;
/** Return a report in words, as its paper has it. */
export const shiftSheetOf = (from: number, to: number) => request<ShiftSheet>(spanned("sheet", from, to));
export const daySheetOf = (day: string) => request<ShiftSheet>(ofDay("sheet", day));
/** Return the path of the same report as a file. */
export const shiftFile = (from: number, to: number, format: ReportFile) =>
  `${spanned("report", from, to)}&format=${format}`;
export const dayFile = (day: string, format: ReportFile) => `${ofDay("report", day)}&format=${format}`;

/** Return what play is held for, and the settled rounds that can be corrected. */
export const holdsOf = (table: string, language: Language) =>
  request<HoldsShown>(`${pitPath(table)}/holds?language=${language}`);
/** Decide a command on the present state without storing it. */
export const previewOf = (table: string, order: object, language: Language) =>
  request<Preview>(`${pitPath(table)}/preview?language=${language}`, order);
/** Return the path of a receipt as a file. */
export const receiptPath = (table: string, number: number, language: Language) =>
  `${pitPath(table)}/receipts/${number}?language=${language}`;
export const alerts = () => request<Alerts>("/api/alerts");
export const acknowledge = (alert: Pick<AlertShown, "table" | "kind" | "number"> & { note: string }) =>
  request<AlertShown>("/api/alerts/acknowledge", alert);
export const renamePerson = (person: string, name: string) =>
  request<PersonShown>(`/api/people/${person}/name`, { name });
export const erasePerson = (person: string, reason: string) =>
  request<PersonShown>(`/api/people/${person}/erase`, { reason });
