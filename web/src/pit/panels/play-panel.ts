/** Play at a table: the hold, the differential, and the wagers on the layout. */
import { html, nothing } from "lit";
import "../hold-decision";
import type { GameShown, PitTable, StaffView } from "../../api/types";
import { nameOf, t } from "../../i18n/catalogue";
import { amount } from "../../i18n/money";
import { total } from "../table-order";

type NameOf = (id: string) => string;

export function playPanel(about: PitTable, view: StaffView, game: GameShown, personName: NameOf) {
  return html`
    ${
      view.hold
        ? html`<punto-decision .about=${about} .view=${view} .clauses=${game.clauses}></punto-decision>`
        : nothing
    }
    ${about.differential ? differential(about.differential, view, personName) : nothing}
    <h3>${t("pit.on_layout", { amount: amount(total(view.wagers)) })}</h3>
    ${view.wagers.length ? wagers(view, personName) : html`<p class="soft">${t("pit.nothing_laid")}</p>`}`;
}

function wagers(view: StaffView, personName: NameOf) {
  const sorted = [...view.wagers].sort((one, other) => one.position - other.position);
  return html`<table><thead><tr><th>${t("seat.position")}</th><th>${t("odds.wager")}</th><th>${t("pit.patron")}</th>
      <th class="num">${t("money.amount")}</th></tr></thead>
    <tbody>${sorted.map(
      (each) => html`<tr><td>${each.position}</td><td>${nameOf("wager", each.wager)}</td>
        <td>${personName(each.patron)}</td><td class="num">${amount(each.amount)}</td></tr>`,
    )}</tbody></table>`;
}

function differential(
  { higher, lower, difference, allowed, excess }: NonNullable<PitTable["differential"]>,
  view: StaffView,
  personName: NameOf,
) {
  const side = (wager: string) => {
    const laid = view.wagers.filter((each) => each.wager === wager);
    const list = laid.map((each) => html`<li>${personName(each.patron)} <span>${amount(each.amount)}</span></li>`);
    return html`<div class="hand ${wager}"><h4>${nameOf("wager", wager)}</h4><strong>${amount(total(laid))}</strong>
      ${laid.length ? html`<ul>${list}</ul>` : nothing}</div>`;
  };
  const limit = allowed === null ? t("pit.no_differential") : t("pit.allowed", { allowed: amount(allowed) });
  return html`<h3>${t("pit.differential")}</h3><div class="hands">${side(higher)}${side(lower)}
    <div class="hand ${excess ? "over" : ""}"><h4>${t("pit.difference")}</h4><strong>${amount(difference)}</strong>
      <p class="soft">${limit}</p>${
        excess ? html`<p class="lost">${t("pit.excess", { excess: amount(excess) })}</p>` : nothing
      }</div></div>`;
}
