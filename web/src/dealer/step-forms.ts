/** What must be keyed or answered before a step is taken. */
import { html, nothing, type TemplateResult } from "lit";
import "./card-pad";
import "./question-form";
import "./shoe-desk";
import type { Card, NextStep, StaffView } from "../api/types";
import { face } from "../components/card";
import { type Key, nameOf, t } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import { clauseButton } from "../table-view/settlement";
import type { DealerController } from "./dealer-controller";
import { stepKey, stepLabel } from "./next-step";

/** The kind of question for a field whose name is not the kind. */
const KINDS: Record<string, string> = {
  first: "card",
  lacking: "cards",
  set_aside: "cards",
  shoe: "words",
  reason: "words",
  uncovered: "words",
  player: "cards",
  banker: "cards",
};
type ShowClause = (clause: string) => void;

/** A button for each step; one with questions opens them. */
export function stepForms(
  dealer: DealerController,
  view: StaffView,
  steps: readonly NextStep[],
  show: ShowClause,
): TemplateResult | typeof nothing {
  if (!steps.length) return nothing;
  const open = steps.find((each) => stepKey(each) === dealer.state.openStep);
  return html`<div class="more">${steps.map(
    (each) => html`<button data-command=${each.command} aria-expanded=${each === open} ?disabled=${dealer.isBusy}
      @click=${() => dealer.choose(each)}>${stepLabel(each)}</button>`,
  )}</div>
    ${open ? stepForm(dealer, view, open, show) : nothing}`;
}

export function stepForm(dealer: DealerController, view: StaffView, step: NextStep, show: ShowClause): TemplateResult {
  if (step.keyed.includes("wagers")) return answerForm(dealer, view, step, show);
  const asked = step.keyed.map((name) => ({ name, kind: KINDS[name] ?? name, label: t(`field.${name}` as Key) }));
  return html`<div class="form"><h3>${stepLabel(step)} ${step.clause ? clauseButton(step.clause, show) : nothing}</h3>
    <punto-ask .asked=${asked} .view=${view} act=${stepLabel(step)}
      @told=${(event: CustomEvent<object>) => dealer.take(step, event.detail)}></punto-ask></div>`;
}

/** What a patron says to an offer, recorded by staff: everything, nothing or, where each stands alone, some wagers. */
function answerForm(dealer: DealerController, view: StaffView, step: NextStep, show: ShowClause): TemplateResult {
  const { offer } = view;
  const open = offer?.wagers.filter((each) => each.patron === step.patron) ?? [];
  const answer = (wagers: [number, string][] | null) => dealer.take(step, { wagers });
  const some = (event: SubmitEvent) => {
    event.preventDefault();
    const chosen = new FormData(event.target as HTMLFormElement).getAll("wager").map(Number);
    void answer(chosen.map((each) => [open[each]!.position, open[each]!.wager]));
  };
  const one = (each: (typeof open)[number], index: number) => html`<label><input type="checkbox" name="wager"
    value=${index}>${nameOf("wager", each.wager)} ${amount(each.amount)}</label> `;
  return html`<div class="form"><h3>${stepLabel(step)} ${step.clause ? clauseButton(step.clause, show) : nothing}</h3>
    <div class="row"><button class="main" @click=${() => answer(null)}>${t("dealer.answer_all")}</button>
      <button @click=${() => answer([])}>${t("dealer.answer_nothing")}</button></div>
    ${
      offer?.whole || open.length < 2
        ? nothing
        : html`<form @submit=${some}>${open.map(one)}<button>${t("dealer.answer_some")}</button></form>`
    }</div>`;
}

/** The pad on which a card is keyed before it is exposed. */
export function cardKeying(dealer: DealerController, step: NextStep, keyCard: (card: Card) => void): TemplateResult {
  const { card, rank } = dealer.state;
  return html`<div class="keying"><p class="task ${step.hand}">${stepLabel(step)}</p>
    <div class="keyed ${card ? "whole" : ""}" aria-hidden="true">${card ? face(card) : (rank ?? "?")}</div>
    <punto-card-pad .card=${card} .rank=${rank}
      @keyed=${(event: CustomEvent<Card>) => keyCard(event.detail)}></punto-card-pad>
    <div class="row"><button class="main big" data-command=${step.command} ?disabled=${dealer.isBusy || !card}
      @click=${() => dealer.takeMainStep()}>${t("dealer.expose")}<kbd>Enter</kbd></button>
      <p class="soft keys">${t("dealer.keys")}</p></div></div>`;
}

export function shoeDesk(dealer: DealerController, view: StaffView): TemplateResult {
  return html`<punto-shoe-desk class="form" .table=${dealer.table} .view=${view}
    .size=${dealer.state.roads?.shoe?.size ?? 0}
    @order=${(event: CustomEvent<object>) => dealer.give(event.detail)}></punto-shoe-desk>`;
}
