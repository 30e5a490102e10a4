/** Sealed shoes of a table: sealing, the cut, and the record of a shoe that has ended. */
import type { Contribution, ShoeRecord } from "../fairness/shoe-record";
import { request } from "./http";
import type { ShoeShown } from "./types";

const shoesPath = (table: string) => `/api/tables/${encodeURIComponent(table)}/shoes`;
const shoePath = (table: string, shoe: string, what: string) =>
  `${shoesPath(table)}/${encodeURIComponent(shoe)}/${what}`;

export const shoes = (table: string) => request<ShoeShown[]>(shoesPath(table));
/** Return the last sealed shoes of a table, the newest first. */
export const lastShoes = (table: string, most: number) => request<ShoeShown[]>(`${shoesPath(table)}?most=${most}`);
export const sealShoe = (table: string) => request<ShoeShown>(shoesPath(table), {});
export const closeList = (table: string, shoe: string) => request<ShoeShown>(shoePath(table, shoe, "list"), {});
export const cutAgain = (table: string, shoe: string) => request<ShoeShown>(shoePath(table, shoe, "again"), {});
export const pledgeCut = (table: string, shoe: string, commitment: string) =>
  request<ShoeShown>(shoePath(table, shoe, "pledges"), { commitment });
export const declineCut = (table: string, shoe: string) => request<ShoeShown>(shoePath(table, shoe, "decline"), {});
export const revealCut = (table: string, shoe: string, contribution: Contribution) =>
  request<ShoeShown>(shoePath(table, shoe, "contributions"), contribution);
export const recordPath = (table: string, shoe: string) => shoePath(table, shoe, "record");
export const shoeRecord = (table: string, shoe: string) => request<ShoeRecord>(recordPath(table, shoe));

/** Return the name of a sealed shoe that is ready to be loaded; seal one, without a cut by patrons, if none waits. */
export async function readyShoe(table: string): Promise<string> {
  const waits = (await shoes(table)).find((each) => !each.list_closed || each.ready);
  const shoe = waits ?? (await sealShoe(table));
  if (!shoe.list_closed) await closeList(table, shoe.shoe);
  return shoe.shoe;
}
