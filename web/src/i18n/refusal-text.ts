/** Refusals as sentences: by code and case, with the values filled in. */
import type { RefusedMessage } from "../api/types";
import { patronName } from "../steps/patron-name";
import { fill, nameOf, t, textOf } from "./catalogue";

/** Values of refusals that are people, whom the server knows by their ids. */
const PEOPLE = new Set(["dealer", "entitled", "holder", "patron", "person"]);

/** Return the sentence of a refusal; the server's own, in English, where this page does not know the code. */
export function refusalText(refused: RefusedMessage): string {
  const { code, case: reason, clause } = refused;
  const text = textOf(`refusal.${reason ? `${code}.${reason}` : code}`);
  if (!text) return capitalised(refused.sentence);
  const subject = nameOf("provision", refused.provision ?? "");
  const sentence = fill(text, { clause: clause ?? "", subject, game: t("refused.game"), ...named(refused.values) });
  return capitalised(clause && !text.includes("{clause}") ? t("refused.by_clause", { sentence, clause }) : sentence);
}

/** Return the values of a refusal with the names of people, as far as the page was told them. */
function named(values: RefusedMessage["values"]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [name, PEOPLE.has(name) ? patronName(String(value)) : value]),
  );
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Explain why a button cannot be pressed now. */
export function disabledReason(refused: RefusedMessage): string {
  if (refused.code !== "wrong-phase") return refusalText(refused);
  return t("pit.only_when", { needed: refused.values?.needed });
}
