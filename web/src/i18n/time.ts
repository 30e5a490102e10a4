/** Times by the reader's own clock. */
import { currentLanguage } from "./catalogue";

/** Format a time as people of the reader's language write it. */
export function dateTime(at: number): string {
  const locale = currentLanguage() === "zh" ? "zh-CN" : "en-GB";
  return new Date(at).toLocaleString(locale, { dateStyle: "short", timeStyle: "medium" });
}

/** Format the hour of a time, to the second. */
export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString(currentLanguage() === "zh" ? "zh-CN" : "en-GB");
}

/** Format how long something took: 4:05, or 1:02:03. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
