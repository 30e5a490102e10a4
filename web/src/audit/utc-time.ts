/** Times as auditors compare them: UTC, as the exported packets have them too. */
const iso = (at: number) => new Date(at).toISOString();

export const day = (at: number) => iso(at).slice(0, 10);
export const toSecond = (at: number) => iso(at).slice(11, 19);
export const toMillisecond = (at: number) => iso(at).slice(11, 23);
export const whole = (at: number) => `${day(at)} ${toSecond(at)}`;

/** What was chosen in a field for date and time, taken as UTC; null if nothing was. */
export function chosen(field: string): number | null {
  const at = Date.parse(`${field}Z`);
  return field && Number.isFinite(at) ? at : null;
}
