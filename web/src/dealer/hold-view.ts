/** A hold on the Dealer's page: every decision that is open, with its buttons for the people who may take it. */
import { html, nothing, type TemplateResult } from "lit";
import type { StaffView } from "../api/types";
import { nameOf, t } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import { mayTake, requiredSteps, waitingText } from "../steps/next-step";
import { clauseButton } from "../table-view/settlement";
import type { DealerController } from "./dealer-controller";
import type { DealerActions } from "./dealer-view";
import { isOnRow, patronRows } from "./patron-rows";
import { cardKeying, stepButton, stepForm, stepForms } from "./step-forms";

type Shown = TemplateResult | typeof nothing;

export function holdView(dealer: DealerController, view: StaffView, { showClause, keyCard }: DealerActions): Shown {
  const { positions } = dealer;
  const open = requiredSteps(view).filter((each) => each.role !== "patron" || !view.offer);
  const waiting = [...new Set(open.filter((each) => !mayTake(each, positions)).map(waitingText))];
  const mine = open.filter((each) => mayTake(each, positions) && !isOnRow(each));
  const keyed = mine.find((each) => each.keyed.includes("card"));
  const asked = mine.filter((each) => each.keyed.length && !each.keyed.includes("card"));
  const clause = open[0]?.clause ?? view.offer?.clause;
  return html`<p class="title">${nameOf("provision", view.hold!)}
      ${clause ? clauseButton(clause, showClause) : nothing}</p>
    ${patronRows(dealer, view)}
    ${view.differential?.excess ? differential(view.differential) : nothing}
    ${waiting.map((each) => html`<p class="waiting">${each}</p>`)}
    ${keyed ? cardKeying(dealer, keyed, keyCard) : nothing}
    <div class="row">${mine
      .filter((each) => !each.keyed.length)
      .map((each, index) => stepButton(dealer, view, each, `big ${index ? "" : "main"}`))}</div>
    ${asked.length === 1 ? stepForm(dealer, view, asked[0]!, showClause) : stepForms(dealer, view, asked, showClause)}`;
}

function differential({ higher, lower, difference, allowed }: NonNullable<StaffView["differential"]>): Shown {
  return html`<p class="reasons">${t("dealer.apart", {
    higher: nameOf("wager", higher),
    lower: nameOf("wager", lower),
    difference: amount(difference),
    allowed: amount(allowed ?? 0),
  })}</p>`;
}
