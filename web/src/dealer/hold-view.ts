/** A hold on the Dealer's page: every decision that is open, with its buttons for the people who may take it. */
import { html, nothing, type TemplateResult } from "lit";
import type { StaffView } from "../api/types";
import { nameOf, t } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import { clauseButton } from "../table-view/settlement";
import type { DealerController } from "./dealer-controller";
import type { DealerActions } from "./dealer-view";
import { mayTake, requiredSteps, stepLabel, waitingText } from "./next-step";
import { patronName } from "./patron-name";
import { cardKeying, stepForm, stepForms } from "./step-forms";

type Shown = TemplateResult | typeof nothing;

export function holdView(dealer: DealerController, view: StaffView, { showClause, keyCard }: DealerActions): Shown {
  const { positions } = dealer;
  const open = requiredSteps(view).filter((each) => each.role !== "patron" || !view.offer);
  const waiting = [...new Set(open.filter((each) => !mayTake(each, positions)).map(waitingText))];
  const mine = open.filter((each) => mayTake(each, positions));
  const keyed = mine.find((each) => each.keyed.includes("card"));
  const asked = mine.filter((each) => each.keyed.length && !each.keyed.includes("card"));
  const clause = open[0]?.clause ?? view.offer?.clause;
  return html`<p class="title">${nameOf("provision", view.hold!)}
      ${clause ? clauseButton(clause, showClause) : nothing}</p>
    ${view.offer ? answers(view, view.offer) : nothing}
    ${view.differential?.excess ? differential(view.differential) : nothing}
    ${waiting.map((each) => html`<p class="waiting">${each}</p>`)}
    ${keyed ? cardKeying(dealer, keyed, keyCard) : nothing}
    <div class="row">${mine
      .filter((each) => !each.keyed.length)
      .map(
        (each, index) => html`<button class="big ${index ? "" : "main"}" data-command=${each.command}
          ?disabled=${dealer.isBusy} @click=${() => dealer.take(each)}>${stepLabel(each)}</button>`,
      )}</div>
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

/** Patrons who were asked whether they take back wagers, and what they answered. */
function answers(view: StaffView, { wagers }: NonNullable<StaffView["offer"]>): Shown {
  const patrons = [...new Set(wagers.map((each) => each.patron))];
  return html`<table class="answers"><thead><tr><th>${t("dealer.patron")}</th><th>${t("settled.wager")}</th>
      <th>${t("dealer.answer")}</th></tr></thead>
    <tbody>${patrons.map((patron) => {
      const offered = wagers.filter((each) => each.patron === patron);
      const text = offered.map((each) => `${nameOf("wager", each.wager)} ${amount(each.amount)}`).join(", ");
      return html`<tr data-patron=${patron}><td>${patronName(patron)}</td><td>${text}</td>
        <td>${answerText(view, patron, offered)}</td></tr>`;
    })}</tbody></table>`;
}

function answerText(view: StaffView, patron: string, offered: NonNullable<StaffView["offer"]>["wagers"]): string {
  if (view.asked.includes(patron)) return t("dealer.not_answered");
  const lies = (one: (typeof offered)[number]) =>
    view.wagers.some((each) => each.patron === patron && each.position === one.position && each.wager === one.wager);
  const back = offered.filter((each) => !lies(each)).reduce((sum, each) => sum + each.amount, 0);
  return back ? t("dealer.took_back", { amount: amount(back) }) : t("dealer.stands");
}
