/** What must be keyed or answered before a step is taken. */
import { html, nothing, type TemplateResult } from "lit";
import "./card-pad";
import "./question-form";
import "./shoe-desk";
import type { Card, NextStep, StaffView } from "../api/types";
import { face } from "../components/card";
import { type Key, t } from "../i18n/catalogue";
import { clauseButton } from "../table-view/settlement";
import type { DealerController } from "./dealer-controller";
import { stepKey, stepLabel } from "./next-step";

/** The kind of question for a field whose name is not the kind. */
const KINDS: Record<string, string> = { lacking: "cards", set_aside: "cards", shoe: "words" };
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
  const asked = step.keyed.map((name) => ({ name, kind: KINDS[name] ?? name, label: t(`field.${name}` as Key) }));
  return html`<div class="form"><h3>${stepLabel(step)} ${step.clause ? clauseButton(step.clause, show) : nothing}</h3>
    <punto-ask .asked=${asked} .view=${view} act=${stepLabel(step)}
      @told=${(event: CustomEvent<object>) => dealer.take(step, event.detail)}></punto-ask></div>`;
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
