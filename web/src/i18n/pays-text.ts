/** A pay ratio as people read it: 12 to 1, 0.95 to 1. Half is 1 to 2 in English; Chinese says what one unit wins. */
import { currentLanguage, t } from "./catalogue";

/** The most digits of what one unit wins, where that is said instead of 1 to so many. */
const DIGITS = 4;

export function paysText(pays: string): string {
  const [above, below] = pays.split("/").map(Number) as [number, number];
  const each = String(above / below);
  const isPlain = below === 1 || (above === 1 && (currentLanguage() === "en" || each.length > DIGITS));
  return isPlain
    ? t("pays.to", { above: String(above), below: String(below) })
    : t("pays.to", { above: each, below: "1" });
}
