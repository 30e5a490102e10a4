/** Why a command was refused, as a patron is told: a sentence, and the clause behind it. */
import { NOT_CONNECTED } from "../api/connection";
import type { RefusedMessage } from "../api/types";
import { t } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import { ownRefusalSentence } from "../i18n/refusal-text";

export interface PatronRefusal {
  sentence: string;
  clause: string | null;
}

/** Say why a command was refused, addressing the patron where the server's sentence speaks about them. */
export function refusalToPatron(refused: RefusedMessage, command: string): PatronRefusal {
  return { sentence: sentenceOf(refused, command), clause: refused.clause ?? null };
}

function sentenceOf(refused: RefusedMessage, command: string): string {
  const values = refused.values ?? {};
  if (refused.code === NOT_CONNECTED && command === "PlaceWager") return t("seat.not_connected");
  if (refused.code === "unknown-patron") return t("seat.buy_first");
  if (refused.code === "not-enough-chips")
    return t("seat.too_few", { chips: amount(Number(values.chips)), amount: amount(Number(values.amount)) });
  return ownRefusalSentence(refused);
}
