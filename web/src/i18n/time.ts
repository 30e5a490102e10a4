/** Times by the clock of the house, in its own time zone; what is exported is in UTC. */
import { currentLanguage } from "./catalogue";

/** Return the time zone of the house, which the page's shell carries. */
export const houseZone = (): string => globalThis.document?.body?.dataset.zone || "UTC";

/** Go by another zone and another beginning of a day from now on: the house has just chosen them on this page. */
export function keepHouseTime(zone: string, begins: number): void {
  document.body.dataset.zone = zone;
  document.body.dataset.begins = String(begins);
}

/** Format a time as people of the reader's language write it. */
export function dateTime(at: number): string {
  const locale = currentLanguage() === "zh" ? "zh-CN" : "en-GB";
  return new Date(at).toLocaleString(locale, { dateStyle: "short", timeStyle: "medium", timeZone: houseZone() });
}

/** Return a time as 2026-03-01 06:00:00.000 in a zone. */
function wallClock(at: number, zone = houseZone()): string {
  const named = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(at);
  const part = (type: string) => named.find((each) => each.type === type)?.value ?? "";
  const milliseconds = String(((at % 1000) + 1000) % 1000).padStart(3, "0");
  const date = ["year", "month", "day"].map(part).join("-");
  return `${date} ${["hour", "minute", "second"].map(part).join(":")}.${milliseconds}`;
}

export const day = (at: number) => wallClock(at).slice(0, 10);
/** Return the gaming day of the house that a time is in: it begins at an hour of its own. */
export function gamingDay(at: number, zone = houseZone(), begins = Number(document.body.dataset.begins ?? 0)): string {
  const isOfTheDayBefore = Number(wallClock(at, zone).slice(11, 13)) < begins;
  return wallClock(isOfTheDayBefore ? at - 24 * 60 * 60_000 : at, zone).slice(0, 10);
}
export const toSecond = (at: number) => wallClock(at).slice(11, 19);
export const toMillisecond = (at: number) => wallClock(at).slice(11, 23);
export const dateAndTime = (at: number) => wallClock(at).slice(0, 19);

/** Format a time for a date and time field, as the clocks of the house show it. */
export const dateField = (at: number) => wallClock(at).slice(0, 16).replace(" ", "T");

/** Parse a date and time field as a time of the house's zone; null if it is empty. */
export function parseLocal(field: string, zone = houseZone()): number | null {
  const wanted = Date.parse(`${field}Z`);
  if (!field || !Number.isFinite(wanted)) return null;
  // The offset of the zone at a time is known only from the time: two steps settle it, also where clocks change.
  let at = wanted;
  for (let step = 0; step < 2; step++) at -= Date.parse(`${wallClock(at, zone).replace(" ", "T")}Z`) - wanted;
  return at;
}

/** Format how long something took: 4:05, or 1:02:03. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
