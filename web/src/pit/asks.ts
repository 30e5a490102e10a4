/** What the pit asks of the server, besides commands at tables. */
import type { AddedPerson, EventTold, PersonShown, Pit, PitTable, ShiftReport, ShoeShown, TableListed } from "../generated/api";
import { ask } from "../server/http";
import type { Language } from "../words/words";

const at = (table: string) => `/api/pit/${encodeURIComponent(table)}`;
const shoes = (table: string) => `/api/tables/${encodeURIComponent(table)}/shoes`;

export const pit = () => ask<Pit>("/api/pit");
export const pitTable = (table: string) => ask<PitTable>(at(table));
export const eventsTold = (table: string, language: Language) => ask<EventTold[]>(`${at(table)}/events?language=${language}`);
export const staff = () => ask<PersonShown[]>("/api/staff");
export const people = () => ask<PersonShown[]>("/api/people");
export const addPerson = (name: string, duty: PersonShown["duty"]) => ask<AddedPerson>("/api/people", { name, duty });
export const newLink = (person: string) => ask<AddedPerson>(`/api/people/${person}/link`, {});
export const setActive = (person: string, active: boolean) => ask<PersonShown>(`/api/people/${person}/active`, { active });
export const createTable = (table: string, game: string, automatic: string[]) => ask<TableListed>("/api/tables", { table, game, automatic });
export const automate = (table: string, steps: string[]) => ask<TableListed>(`/api/tables/${encodeURIComponent(table)}/automation`, { steps });

const span = (from: number, to: number) => `/api/shift-report?from=${from}&to=${to}`;
export const shiftReport = (from: number, to: number, language: Language) => ask<ShiftReport>(`${span(from, to)}&language=${language}`);
/** Where the same can be fetched as a file. */
export const shiftFile = (from: number, to: number, format: "pdf" | "json", language: Language) => `${span(from, to)}&format=${format}&language=${language}`;

/** The name of a sealed shoe that is ready to be loaded; sealed now if none waits. Nobody is asked to cut it. */
export async function sealedShoe(table: string): Promise<string> {
  const waits = (await ask<ShoeShown[]>(shoes(table))).find((each) => !each.list_closed || each.ready);
  const shoe = waits ?? (await ask<ShoeShown>(shoes(table), {}));
  if (!shoe.list_closed) await ask<ShoeShown>(`${shoes(table)}/${encodeURIComponent(shoe.shoe)}/list`, {});
  return shoe.shoe;
}
