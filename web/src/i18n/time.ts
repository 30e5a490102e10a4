/** Times by the reader's own clock. */
import { currentLanguage } from "./catalogue";

/** Format a time as people of the reader's language write it. */
export function dateTime(at: number): string {
  const locale = currentLanguage() === "zh" ? "zh-CN" : "en-GB";
  return new Date(at).toLocaleString(locale, { dateStyle: "short", timeStyle: "medium" });
}
