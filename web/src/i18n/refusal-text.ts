/** Refusals as sentences: by code and case, with the values filled in. */
import { NOT_CONNECTED } from "../api/connection";
import { NO_ANSWER } from "../api/http";
import type { RefusedMessage } from "../api/types";
import { patronName } from "../steps/patron-name";
import { fill, nameOf, t, textOf } from "./catalogue";

/** Values of refusals that are people, whom the server knows by their ids. */
const PEOPLE = new Set(["dealer", "entitled", "holder", "patron", "person"]);

/** Return a refusal in words, with its clause. */
export function refusalText(refused: RefusedMessage): string {
  const { clause } = refused;
  const sentence = refusalSentence(refused);
  const told = !clause || !textFor(refused) || textFor(refused)!.includes("{clause}");
  return told ? sentence : t("refused.by_clause", { sentence, clause });
}

/** Return the sentence of a refusal; the server's own, in English, where this page does not know the code. */
export function refusalSentence(refused: RefusedMessage): string {
  if (refused.code === NOT_CONNECTED) return t("refused.not_connected");
  if (refused.code === NO_ANSWER) return t("refused.no_answer");
  const text = textFor(refused);
  if (!text) return capitalised(refused.sentence);
  const about = { clause: refused.clause ?? "", subject: nameOf("provision", refused.provision ?? "") };
  return capitalised(fill(text, { ...about, game: t("refused.game"), ...named(refused.values) }));
}

/** Return a refusal as the patron whom it is about reads it, where that has words of its own. */
export function ownRefusalSentence(refused: RefusedMessage): string {
  const text = textOf(`own.${reasonOf(refused)}`);
  return text ? fill(text, refused.values ?? {}) : refusalSentence(refused);
}

const reasonOf = ({ code, case: reason }: RefusedMessage) => (reason ? `${code}.${reason}` : code);
const textFor = (refused: RefusedMessage) => textOf(`refusal.${reasonOf(refused)}`);

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
