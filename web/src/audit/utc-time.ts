/** Times in UTC, as in the exported packets. */
const iso = (at: number) => new Date(at).toISOString();

export const day = (at: number) => iso(at).slice(0, 10);
export const toSecond = (at: number) => iso(at).slice(11, 19);
export const toMillisecond = (at: number) => iso(at).slice(11, 23);
export const dateAndTime = (at: number) => `${day(at)} ${toSecond(at)}`;

/** Parse a date and time field as UTC; null if it is empty. */
export function parseUtc(field: string): number | null {
  const at = Date.parse(`${field}Z`);
  return field && Number.isFinite(at) ? at : null;
}
