/** What must be keyed or answered before a step is taken. */
import { html, nothing, type TemplateResult } from "lit";
import "./card-pad";
import "../steps/question-form";
import "./shoe-desk";
import type { Card, NextStep, StaffView } from "../api/types";
import { face } from "../components/card";
import { type Key, t } from "../i18n/catalogue";
import { cardQuestion, stepKey, stepLabel } from "../steps/next-step";
import type { PuntoQuestionForm } from "../steps/question-form";
import { clauseButton } from "../table-view/settlement";
import type { DealerController } from "./dealer-controller";

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
  return html`<div class="more">${steps.map((each) => stepButton(dealer, view, each))}</div>
    ${open ? stepForm(dealer, view, open, show) : nothing}`;
}

/** The button of a step; one that cannot be undone asks before it is done. */
export function stepButton(dealer: DealerController, view: StaffView, step: NextStep, classes = ""): TemplateResult {
  const { askedStep, openStep } = dealer.state;
  const key = stepKey(step);
  const isAsked = askedStep === key;
  const isFirst = step.command === "ShowCuttingCard" && view.phase === "closed" && !view.hands.player?.length;
  const label = isFirst ? t("do.ShowCuttingCard.first") : stepLabel(step);
  return html`<button class="${classes} ${isAsked ? "sure" : ""}" data-command=${step.command}
      aria-expanded=${step.keyed.length ? openStep === key : nothing} ?disabled=${dealer.isBusy}
      @click=${() => dealer.choose(step)}>${isAsked ? t("dealer.sure", { what: label }) : label}</button>${
        isAsked ? html`<button @click=${() => dealer.dropAsked()}>${t("ask.no")}</button>` : nothing
      }`;
}

export function stepForm(dealer: DealerController, view: StaffView, step: NextStep, show: ShowClause): TemplateResult {
  const kind = (name: string) => (step.command === "OrderRelaying" ? "faces" : (KINDS[name] ?? name));
  const asked = step.keyed.map((name) => ({ name, kind: kind(name), label: t(`field.${name}` as Key) }));
  return html`<div class="form"><h3>${stepLabel(step)} ${step.clause ? clauseButton(step.clause, show) : nothing}</h3>
    <punto-ask .asked=${asked} .view=${view} act=${stepLabel(step)}
      @told=${async (event: CustomEvent<object>) => {
        const form = event.target as PuntoQuestionForm;
        if (await dealer.take(step, event.detail)) form.clear();
      }}></punto-ask></div>`;
}

/** The pad on which a card is keyed; it is turned a moment later, and drawn first if it has to be. */
export function cardKeying(dealer: DealerController, step: NextStep, keyCard: (card: Card) => void): TemplateResult {
  const { card, rank } = dealer.cards;
  const hand = step.face_up?.[0] ?? step.hand;
  return html`<div class="keying"><p class="task ${hand}">${cardQuestion(step)}</p>
    <div class="keyed ${card ? "whole" : ""}" aria-hidden="true">${card ? face(card) : (rank ?? "?")}</div>
    <punto-card-pad .card=${card} .rank=${rank}
      @keyed=${(event: CustomEvent<Card>) => keyCard(event.detail)}></punto-card-pad>
    <div class="row">${
      step.face_up
        ? html`<button data-command=${step.command} ?disabled=${dealer.isBusy}
          @click=${() => dealer.takeMainStep()}>${stepLabel(step)}<kbd>Enter</kbd></button>`
        : nothing
    }<p class="soft keys">${t(step.face_up ? "dealer.keys_draw" : "dealer.keys")}</p></div></div>`;
}

export function shoeDesk(dealer: DealerController, view: StaffView): TemplateResult {
  return html`<punto-shoe-desk class="form" .table=${dealer.table} .view=${view}
    .size=${dealer.state.roads?.shoe?.size ?? 0}
    @order=${(event: CustomEvent<object>) => dealer.give(event.detail)}></punto-shoe-desk>`;
}
