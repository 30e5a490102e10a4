/** Refusals as sentences: in English the server's own, otherwise by code with the values filled in. */
import type { RefusedMessage } from "../api/types";
import { currentLanguage, fill, type Kind, nameOf, t, textOf, textsUnder, type Values } from "./catalogue";
import { amount } from "./money";

const AMOUNTS = new Set(["amount", "minimum", "maximum", "chips", "float_", "step"]);
const NAMED: Record<string, Kind> = {
  wager: "wager",
  phase: "phase",
  hand: "winner",
  duty: "duty",
  lower: "wager",
  higher: "wager",
};

export function refusalText(refused: RefusedMessage): string {
  const text = currentLanguage() === "en" ? undefined : textOf(`refusal.${refused.code}`);
  if (!text) return refused.sentence.charAt(0).toUpperCase() + refused.sentence.slice(1);
  const values: Values = { clause: refused.clause ?? "", subject: nameOf("hold", refused.provision ?? "") };
  for (const [name, value] of Object.entries(refused.values ?? {})) values[name] = valueText(name, value);
  const sentence = fill(text, values);
  return refused.clause && !text.includes("{clause}") ? `${sentence}（${refused.clause}）` : sentence;
}

function valueText(name: string, value: unknown): unknown {
  if (AMOUNTS.has(name) && typeof value === "number") return amount(value);
  const kind = NAMED[name];
  if (kind && typeof value === "string") return nameOf(kind, value);
  return name === "why" ? reasonText(String(value)) : value;
}

/**
 * Translate a reason that the server gives as English prose, by matching the prose; unknown prose stays as it is.
 *
 * Temporary: delete this, `textsUnder` and `reasons.json` when every reason comes as a code with values.
 */
function reasonText(why: string): string {
  for (const [english, text] of textsUnder("why.")) {
    const parts = english.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const found = new RegExp(`^${parts.join("(.+)")}$`).exec(why);
    if (found) return fill(text, Object.fromEntries(found.slice(1).map((each, at) => [at, nameOf("wager", each)])));
  }
  return why;
}

/** Explain why a button cannot be pressed now. */
export function disabledReason(refused: RefusedMessage): string {
  if (refused.code !== "wrong-phase") return refusalText(refused);
  const phases = neededPhases(refused).map((each) => nameOf("phase", each));
  return t("pit.only_when", { phase: phases.join(" / ") });
}

/** Temporary: the server sends the phases as prose, "betting or idle"; this reads a list as well. */
function neededPhases({ values }: RefusedMessage): string[] {
  const needed: unknown = values?.needed;
  return Array.isArray(needed) ? needed.map(String) : String(needed).split(" or ");
}
