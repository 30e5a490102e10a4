/** The Dealer's page as markup: a pure function of its controller. */
import { html, nothing, type TemplateResult } from "lit";
import "../components/clock";
import "../table-view/felt";
import "../table-view/hands";
import type { Card, GameShown, NextStep, StaffView } from "../api/types";
import { nameOf, t } from "../i18n/catalogue";
import {
  callText,
  mayTake,
  optionalSteps,
  reasonList,
  requiredSteps,
  stepLabel,
  waitingText,
} from "../steps/next-step";
import { patronName } from "../steps/patron-name";
import { roundText } from "../table-view/settlement";
import type { HandName } from "../table-view/shown-round";
import { windowSeconds } from "../table-view/window-time";
import type { DealerController } from "./dealer-controller";
import { dealerPanels } from "./dealer-panels";
import { holdView } from "./hold-view";
import { procedureUnderWay, walk } from "./irregularity-desk";
import { isOnRow, patronRows } from "./patron-rows";
import { payList } from "./pay-list";
import { cardKeying, shoeDesk, stepForms } from "./step-forms";
import { wagerBar } from "./wager-bar";
import type { Area } from "./wager-entry";

/** What a view asks of the element that shows it. */
export interface DealerActions {
  showClause: (clause: string) => void;
  keyCard: (card: Card) => void;
}

type Shown = TemplateResult | typeof nothing;

/** The page once the game and the table are known. */
export function dealerView(dealer: DealerController, game: GameShown, view: StaffView, actions: DealerActions): Shown {
  const { mainStep } = dealer;
  const spoken = [callText(mainStep?.call ?? null), mainStep ? stepLabel(mainStep) : ""].filter(Boolean).join(". ");
  return html`<main><div class="left">
    <p class="unseen" role="status" aria-live="polite">${spoken}</p>
    ${nextStep(dealer, view, actions)}
    ${felt(dealer, game, view)}
    ${wagerBar(dealer, view)}</div>
    <aside aria-label=${t("seat.about")}>${dealerPanels(dealer, game, view, actions)}</aside></main>`;
}

function felt(dealer: DealerController, game: GameShown, view: StaffView): Shown {
  const { entry, state } = dealer;
  const { shown } = state;
  const isOver = view.phase === "idle" || !Object.values(view.hands).flat().length;
  const handler = (hand: HandName) => {
    const singles = view.single_cards.filter((each) => each.hand === hand).map((each) => each.person);
    const patrons = [...new Set([view.handlers[hand] ?? "", ...singles])].filter(Boolean);
    return html`<span>${patrons.map((patron) => t("dealer.with", { patron: patronName(patron) })).join(" ")}</span>`;
  };
  return html`<section class="felt ${dealer.takesWagers ? "input" : ""}"
    aria-label=${t("seat.table", { table: dealer.table })}>
    <punto-hands .round=${shown} .lifts=${state.lifts} ?past=${isOver} ?open=${view.phase === "betting"}></punto-hands>
    <div class="with">${handler("player")}${handler("banker")}</div>
    <p class="outcome">${roundText(shown)} ${
      view.corrected && isOver ? html`<span class="tag">${t("rounds.corrected")}</span>` : nothing
    }</p>
    <punto-felt .wagers=${game.wagers.map((each) => each.wager)} .positions=${view.setting?.positions ?? 0}
      .laid=${view.wagers} .picked=${entry.picked} .keyed=${entry.keyed}
      .names=${new Map([...entry.seats].map(([position, patron]) => [position, patronName(patron)]))}
      ?input=${dealer.takesWagers}
      @chosen=${({ detail }: CustomEvent<Partial<Area> & { position: number }>) =>
        dealer.pickArea({ position: detail.position, wager: detail.wager ?? game.wagers[0]!.wager })}></punto-felt>
  </section>`;
}

function nextStep(dealer: DealerController, view: StaffView, actions: DealerActions): Shown {
  const { mainStep, positions, state } = dealer;
  const first = mainStep ?? requiredSteps(view)[0] ?? null;
  const procedure = procedureUnderWay(state.procedures, state.reportedProcedure, view);
  const others = view.hold ? [] : requiredSteps(view).filter((each) => each !== mainStep);
  const mine = [...others, ...optionalSteps(view)].filter((each) => mayTake(each, positions) && hasButton(each));
  return html`<section class="now ${view.hold ? "held" : view.phase}" aria-label=${t("dealer.next")}>
    ${head(dealer, view)}
    ${state.isCalling ? callForm(dealer) : nothing}
    ${dealer.isWatching ? html`<p class="watching" role="status">${t("dealer.watching")}</p>` : nothing}
    ${
      first?.call && mainStep
        ? html`<div class="spoken"><p class="say">${t("dealer.say_next")}</p>
          <p class="call">${callText(first.call)}</p></div>`
        : nothing
    }
    ${first ? reasonList(first, actions.showClause) : nothing}
    ${view.hold ? holdView(dealer, view, actions) : stepInPlay(dealer, view, first, actions)}
    ${state.refusal && !dealer.takesWagers ? html`<p class="refused" role="alert">${state.refusal}</p>` : nothing}
    ${view.hold ? nothing : patronRows(dealer, view)}
    ${procedure ? walk(procedure, view, actions.showClause) : nothing}
    ${stepForms(dealer, view, mine, actions.showClause)}
  </section>`;
}

function head(dealer: DealerController, view: StaffView): Shown {
  const method = view.setting?.method;
  return html`<div class="head">
    <span class="phase ${view.phase}">${view.hold ? t("phase.held") : nameOf("phase", view.phase)}</span>
    <span class="soft">${t("seat.round", { round: view.round })}</span>
    ${method ? html`<span class="soft">${t("dealer.method", { method })}</span>` : nothing}
    ${view.device ? html`<span class="tag">${t("dealer.device", { patron: patronName(view.device) })}</span>` : nothing}
    ${view.cutting_card_shown ? html`<span class="tag">${t("seat.cutting_card")}</span>` : nothing}
    ${
      view.deadline
        ? html`<punto-clock .deadline=${view.deadline} .seconds=${windowSeconds(view)}></punto-clock>`
        : nothing
    }
    <div class="at-hand">${duty(dealer, view)}
      <button class="call-pit" aria-expanded=${dealer.state.isCalling}
        @click=${() => dealer.toggleCalling()}>${t(view.calls?.length ? "dealer.pit_called" : "do.CallPit")}</button>
      ${
        dealer.isWatching
          ? nothing
          : html`<button class="trouble" @click=${() => dealer.openTrouble()}>${t("dealer.trouble")}</button>`
      }</div>
  </div>`;
}

/** Who is on duty; a Dealer signs on and off here. */
function duty(dealer: DealerController, view: StaffView): Shown {
  const { isOnDuty, person, state } = dealer;
  const name =
    view.on_duty && !isOnDuty
      ? html`<span class="soft">${t("dealer.on_duty", {
          dealer: patronName(view.on_duty),
        })}</span>`
      : nothing;
  if (person?.duty !== "Dealer") return name;
  if (!isOnDuty) {
    return html`${name}<button class=${dealer.isWatching ? "main" : ""} data-command="SignOn" ?disabled=${dealer.isBusy}
      @click=${() => dealer.signOn()}>${t("do.SignOn")}</button>`;
  }
  const isAsked = state.askedStep === "SignOff";
  return html`<button class=${isAsked ? "sure" : ""} data-command="SignOff" ?disabled=${dealer.isBusy}
    @click=${() => dealer.signOff()}>${t(isAsked ? "dealer.sign_off_sure" : "do.SignOff")}</button>`;
}

/** What the pit is called for; a call holds nothing. */
function callForm(dealer: DealerController): TemplateResult {
  const call = (event: SubmitEvent) => {
    event.preventDefault();
    void dealer.callPit(String(new FormData(event.target as HTMLFormElement).get("note")).trim());
  };
  return html`<form class="form calling" @submit=${call}><label>${t("dealer.call_note")}<input name="note"
    autocomplete="off" maxlength="500"></label><button class="main" data-command="CallPit"
    ?disabled=${dealer.isBusy}>${t("do.CallPit")}</button></form>`;
}

/** Tell whether a step has a button under the main one; the others have a place of their own on the page. */
const hasButton = (step: NextStep) =>
  !isOnRow(step) && step.command !== "SignOn" && !(step.provision === "wager-on-behalf" && step.keyed.length);

/** In the course of play: one step, as large as it can be. */
function stepInPlay(
  dealer: DealerController,
  view: StaffView,
  first: NextStep | null,
  { showClause, keyCard }: DealerActions,
): Shown {
  const { mainStep } = dealer;
  const dealsAll = dealer.toDeal > 1;
  if (!first) return nothing;
  if (!mainStep) return html`<p class="waiting">${waitingText(first)}</p><p class="soft">${stepLabel(first)}</p>`;
  if (mainStep.command === "LoadShoe") return html`<p class="task">${stepLabel(mainStep)}</p>${shoeDesk(dealer, view)}`;
  if (dealer.cardStep) return cardKeying(dealer, dealer.cardStep, keyCard);
  if (mainStep.keyed.includes("hand")) return handChoice(dealer, mainStep);
  return html`${view.to_settle ? payList(view.to_settle, showClause) : nothing}
    <button class="main big next-step ${dealer.state.isArmed ? "armed" : ""}" data-command=${mainStep.command}
      ?disabled=${dealer.isBusy} @click=${(event: MouseEvent) => {
        if (event.detail < 2) dealer.takeMainStep(); // a double click is one press
      }}>${dealsAll ? t("dealer.deal", { count: dealer.toDeal }) : stepLabel(mainStep)}<kbd>Enter</kbd></button>
    ${
      dealsAll
        ? html`<button data-do="one-card" ?disabled=${dealer.isBusy}
            @click=${() => dealer.take(mainStep)}>${t("dealer.deal_one")}</button>`
        : nothing
    }`;
}

function handChoice(dealer: DealerController, step: NextStep): Shown {
  const choice = (hand: HandName) => html`<button class="main big" data-command=${step.command}
    ?disabled=${dealer.isBusy} @click=${() => dealer.take(step, { hand })}>${t("dealer.first", {
      hand: nameOf("winner", hand),
    })}<kbd>${hand[0]!.toUpperCase()}</kbd></button>`;
  return html`<p class="task">${stepLabel(step)}</p><div class="row">${choice("player")}${choice("banker")}</div>`;
}
