/** The result of a round: the outcome as text, and each wager with the clause that decided it. */
import { html, type TemplateResult } from "lit";
import type {
  EventDifferentialExceeded,
  EventOverlookedWagerSettled,
  EventReadingOverridden,
  EventSettled,
  EventWagerRemoved,
  RoundShown,
} from "../api/types";
import { cardText } from "../components/card";
import { nameOf, t } from "../i18n/catalogue";
import { amount, signed } from "../i18n/money";
import { paysText } from "../i18n/pays-text";
import { type Outcome, type ShownRound, shownBefore } from "./shown-round";

function outcomeText(outcome: Outcome): string {
  const values = { player: outcome.player_total, banker: outcome.banker_total };
  if (outcome.winner === "tie") return t("outcome_said.tie", values);
  return t(outcome.winner === "player" ? "outcome_said.player" : "outcome_said.banker", values);
}

export const net = (settled: readonly EventSettled[]) =>
  settled.reduce((sum, each) => sum + each.returned - each.stake, 0);

function how(each: EventSettled): string {
  if (each.result === "win")
    return t("settled.win", { outcome: nameOf("outcome", each.outcome), pays: paysText(each.pays) });
  return each.result === "lose"
    ? t("settled.lose")
    : each.result === "push"
      ? t("settled.push")
      : t("settled.returned");
}

/** What a cap on payouts kept back of a wager. */
const capped = ({ capped }: EventSettled) =>
  capped ? html` <span class="soft">${t("settled.capped", { amount: amount(capped) })}</span>` : "";

/** A button that asks `show` to open a clause. */
export function clauseButton(clause: string, show: (clause: string) => void): TemplateResult {
  return html`<button class="clause" @click=${() => show(clause)}
    aria-label=${t("clause.open", { clause })}>§ ${clause}</button>`;
}

export function settlementTable(settled: readonly EventSettled[], show: (clause: string) => void): TemplateResult {
  return html`<table>
    <thead><tr><th>${t("odds.wager")}</th><th class="num">${t("settled.stake")}</th><th>${t("settled.how")}</th><th
      class="num">${t("settled.net")}</th><th>${t("settled.clause")}</th></tr></thead>
    <tbody>${settled.map(
      (each) => html`<tr>
      <td>${nameOf("wager", each.wager)} <span
        class="soft soft-narrow">${t("settled.seat", { position: each.position })}</span></td>
      <td class="num">${amount(each.stake)}</td>
      <td>${how(each)}${
        each.commission
          ? html` <span
        class="soft">${t("settled.commission", { amount: amount(each.commission) })}</span>`
          : ""
      }${capped(each)}</td>
      <td class="num ${each.returned > each.stake ? "won" : each.returned < each.stake ? "lost" : ""}">${signed(
        each.returned - each.stake,
      )}</td>
      <td>${clauseButton(each.clause, show)}${each.limit_clause ? clauseButton(each.limit_clause, show) : ""}</td>
    </tr>`,
    )}</tbody></table>`;
}

/** Say what a patron won or lost. */
export function netText(settled: readonly EventSettled[]): string {
  const won = net(settled);
  if (won === 0) return t("seat.net_even");
  return won > 0 ? t("seat.net", { amount: amount(won) }) : t("seat.net_lost", { amount: amount(-won) });
}

/** Say that a round has been corrected, and its result now. */
export function correctionText(round: number, rounds: readonly RoundShown[]): string {
  const record = rounds.find((each) => each.round === round);
  const said = t("announce.corrected", { round });
  if (!record?.corrected && !record?.void) return said;
  const parts = [
    `${said}${record.clause ? ` (§ ${record.clause})` : ""}.`,
    t("corrected.now", { outcome: record.void ? t("rounds.void") : roundText(shownBefore(record)) }),
  ];
  if (record.mine?.length) parts.push(t("corrected.yours", { net: netText(record.mine) }));
  return parts.join(" ");
}

/** Say that the table differential is exceeded, and what patrons may do about it. */
export function differentialText(told: EventDifferentialExceeded): string {
  const between = { higher: nameOf("wager", told.higher), lower: nameOf("wager", told.lower) };
  return t("announce.differential", {
    ...between,
    difference: amount(told.difference),
    allowed: amount(told.allowed),
    clause: told.clause,
  });
}

/** Say that a person, not the reader, named a card. */
export function overriddenText({ card }: EventReadingOverridden): string {
  return card ? t("seat.card_named", { card: cardText(card) }) : t("seat.card_missed");
}

/** Say that a wager of the patron, or part of it, was removed because of the differential. */
export function removalText(told: EventWagerRemoved): string {
  const left = { amount: amount(told.amount), total: amount(told.total) };
  return t("announce.removed", {
    ...left,
    wager: nameOf("wager", told.wager),
    position: told.position,
    clause: told.clause,
  });
}

/** Say that a wager of the patron in a settled round, or part of it, had been overlooked. */
export function overlookedText(told: EventOverlookedWagerSettled): string {
  const { round, position, clause } = told;
  const about = { round, position, clause, amount: amount(told.amount), wager: nameOf("wager", told.wager) };
  return t("announce.overlooked", about);
}

export function roundText(shown: ShownRound): string {
  if (shown.void !== null) return t("void.said", { round: shown.round, clause: shown.void && `(§ ${shown.void})` });
  return shown.outcome ? outcomeText(shown.outcome) : "";
}
