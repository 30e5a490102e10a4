/** What was refused, and what a broken connection has held up. */
import { html, nothing, type TemplateResult } from "lit";
import { nameOf, t } from "../i18n/catalogue";
import { signed } from "../i18n/money";
import type { SeatController } from "./seat-controller";

type Shown = TemplateResult | typeof nothing;

/** Say why something was refused, with its clause behind a sign; and ask about what was held up. */
export function refusalView(seat: SeatController, showClause: (clause: string) => void): Shown {
  const { refusal, refusedBy } = seat.state;
  return html`<p class="refused" role="alert" ?hidden=${!refusal}>${refusal}${
    refusedBy && refusal
      ? html`<button class="why" aria-label=${t("seat.why")} title=${t("seat.why")}
          @click=${() => showClause(refusedBy)}>ⓘ</button>`
      : nothing
  }</p>${unsent(seat)}`;
}

/** Ask about changes that a broken connection has held up: nothing is staked later without the patron. */
function unsent(seat: SeatController): Shown {
  const changes = seat.state.unsent;
  if (!changes.length) return nothing;
  const what = changes.map((each) => `${nameOf("wager", each.wager)} ${signed(each.amount)}`).join(", ");
  return html`<div class="refused unsent" role="alertdialog" aria-label=${t("seat.unsent", { what })}>
    <span>${t("seat.unsent", { what })}</span>
    <button class="main" @click=${() => seat.answerUnsent(true)}>${t("seat.unsent_send")}</button>
    <button @click=${() => seat.answerUnsent(false)}>${t("seat.unsent_leave")}</button></div>`;
}
