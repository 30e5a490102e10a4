/** Refusals as sentences: by code and case, with the values filled in. */
import type { RefusedMessage } from "../api/types";
import { fill, nameOf, t, textOf } from "./catalogue";

/** Return the sentence of a refusal; the server's own, in English, where this page does not know the code. */
export function refusalText(refused: RefusedMessage): string {
  const { code, case: reason, clause } = refused;
  const text = textOf(`refusal.${reason ? `${code}.${reason}` : code}`);
  if (!text) return capitalised(refused.sentence);
  const subject = nameOf("provision", refused.provision ?? "");
  const sentence = fill(text, { clause: clause ?? "", subject, game: t("refused.game"), ...refused.values });
  return capitalised(clause && !text.includes("{clause}") ? t("refused.by_clause", { sentence, clause }) : sentence);
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Explain why a button cannot be pressed now. */
export function disabledReason(refused: RefusedMessage): string {
  if (refused.code !== "wrong-phase") return refusalText(refused);
  return t("pit.only_when", { needed: refused.values?.needed });
}
