/** The next step as text: who does what, what they call, and why. Which step it is comes from the server. */
import { html, nothing, type TemplateResult } from "lit";
import type { Acting, Call, NextStep, Reason, Role, StaffView } from "../api/types";
import { type Key, nameOf, t, textOf } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import { clauseButton } from "../table-view/settlement";
import { patronName } from "./patron-name";

/** Return every position that a person may act in at a time. */
export function positionsOf(
  person: { id: string; duty: string } | null,
  acting: readonly Acting[],
  now: number,
): Set<string> {
  const appointed = acting.filter((each) => each.person === person?.id && (each.until === null || each.until > now));
  return new Set([person?.duty ?? "", ...appointed.map((each) => each.role)]);
}

export const mayTake = (step: NextStep, positions: ReadonlySet<string>) => step.by.some((each) => positions.has(each));

/** Return what distinguishes a step from others of the same command, if it has a text of its own. */
function kind({ command, values, keyed, patron, provision, on_behalf }: NextStep): string {
  if (values.cards_only) return "cards_only";
  if (values.void !== undefined) return String(values.void);
  if (values.whole) return "whole";
  if (values.burned) return "burned";
  if (command.startsWith("Attest")) return String(values.provision);
  if (provision?.startsWith("differential-")) return "differential";
  if (command === "PassHand" && keyed.length) return "chosen";
  if (command === "PlaceWager" && values.amount !== undefined) return "requested";
  if (on_behalf && command === "DrawCard") return "patron";
  if (command !== "ExposeCard") return "";
  return keyed.length ? (patron ? "turned" : "keyed") : patron ? "patron" : "";
}

function about(step: NextStep) {
  const { amount: cents, wager } = step.values;
  return {
    hand: step.hand ? nameOf("winner", step.hand) : "",
    place: (step.place ?? 0) + 1,
    patron: step.patron ? patronName(step.patron) : "",
    amount: typeof cents === "number" ? amount(cents) : "",
    wager: typeof wager === "string" ? nameOf("wager", wager) : "",
  };
}

/** Return the text on a step's button; on a patron's row it need not name the patron. */
export function stepLabel(step: NextStep, place: "row" | "" = ""): string {
  const keys = [`do.${step.command}.${place}`, `do.${step.command}.${kind(step)}`];
  return t((keys.find(textOf) ?? `do.${step.command}`) as Key, about(step));
}

export const stepKey = (step: NextStep) =>
  `${step.command} ${kind(step)} ${step.hand ?? ""} ${step.place ?? ""} ${step.patron ?? ""}`;

/** Tell whether a step ends what patrons or the house can still change: Enter takes it only after a pause. */
export const isFinal = ({ command }: NextStep) => command === "CloseBets" || command === "SettleRound";

const ASKED = new Set(["ConfirmVoid", "EndShoe", "EndWithdrawal", "RemoveWager", "ReplaceCards"]);

/** Tell whether a step cannot be undone, so that it is asked about once. */
export const needsAsking = ({ command, values }: NextStep) => ASKED.has(command) || values.void === true;

export const areaText = ({ position, wager }: { position: number; wager: string }) =>
  t("dealer.area", { position, wager: nameOf("wager", wager) });

/** Return the question for a card, by the place it is keyed for. */
export function cardQuestion(step: NextStep): string {
  if (!step.face_up) return stepLabel(step);
  const [hand, place] = step.face_up;
  return t("do.ExposeCard.keyed", { hand: nameOf("winner", hand), place: place + 1 });
}

/** Return what the Dealer calls. */
export function callText(call: Call | null): string {
  switch (call?.name) {
    case "commencement":
      return t("announce.open");
    case "closing":
      return t("announce.closed");
    case "totals":
      return t("call.totals", { player: call.player, banker: call.banker });
    case "outcome":
      return t(
        call.winner === "tie"
          ? "outcome_said.tie"
          : call.winner === "player"
            ? "outcome_said.player"
            : "outcome_said.banker",
        { player: call.player, banker: call.banker },
      );
    default:
      return "";
  }
}

function reasonText(reason: Reason): string {
  const values = { hand: nameOf("winner", reason.hand), total: reason.total, against: reason.against };
  if (reason.rule === "natural-ends-deal") return t("reason.natural", values);
  if (reason.against === null) return t(reason.draws ? "reason.draws" : "reason.stands", values);
  return t(reason.draws ? "reason.draws_against" : "reason.stands_against", values);
}

export function reasonList(step: NextStep, show: (clause: string) => void): TemplateResult | typeof nothing {
  if (!step.reasons.length) return nothing;
  const clauses = [...new Set(step.reasons.map((each) => each.clause))];
  return html`<p class="reasons">${step.reasons.map(
    (each) => html`<span
    class=${each.hand}>${reasonText(each)}</span> `,
  )}
    ${clauses.map((each) => (each ? clauseButton(each, show) : nothing))}</p>`;
}

/** Say whose turn it is, for people whose turn it is not. */
export function waitingText(step: NextStep): string {
  return step.patron && step.role === ("patron" satisfies Role)
    ? t("dealer.waiting_patron", { patron: patronName(step.patron) })
    : t("dealer.waiting", { who: nameOf("duty", step.role) });
}

/** The steps that play waits for, and the others that may be taken. */
export const requiredSteps = (view: StaffView) => view.next.filter((each) => each.must);
export const optionalSteps = (view: StaffView) => view.next.filter((each) => !each.must);
