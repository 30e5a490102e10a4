/** The wagers on the layout and, once the outcome is announced, what to collect and pay, in order. */
import { html, nothing, type TemplateResult } from "lit";
import type { StaffView, ToSettle } from "../api/types";
import { nameOf, t } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import { paysText } from "../i18n/pays-text";
import { patronName } from "../steps/patron-name";
import { clauseButton } from "../table-view/settlement";

type Paid = ToSettle["wagers"][number];

function paymentText(each: Paid): TemplateResult {
  if (each.result === "lose") return html`<b class="lost">${t("pay.collect")}</b>`;
  if (each.result === "win")
    return html`<b class="won">${t("pay.pay")}</b> <span class="soft">${paysText(each.pays)}</span>`;
  return html`<b>${each.result === "push" ? t("pay.push") : t("pay.return")}</b>`;
}

/** The amount that changes hands for one wager. */
const moves = (each: Paid) =>
  each.result === "lose" ? each.settled : each.result === "win" ? each.winnings : each.returned;

export function payList(settling: ToSettle, show: (clause: string) => void): TemplateResult {
  if (!settling.wagers.length) return html`<p class="soft">${t("pay.nothing")}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${t("pay.title")}><table class="pay">
    <thead><tr><th>${t("seat.position")}</th><th>${t("settled.wager")}</th><th
      class="num">${t("settled.stake")}</th><th>${t("pay.what")}</th><th class="num">${t("pay.amount")}</th><th></th>
      </tr></thead>
    <tbody>${settling.wagers.map(
      (each) => html`<tr class=${each.result ?? "back"}>
      <td><b>${each.position}</b> <span class="soft">${patronName(each.patron)}</span></td>
      <td>${nameOf("wager", each.wager)}</td><td
        class="num">${amount(each.stake)}</td>
      <td>${paymentText(each)}${
        each.commission
          ? html` <span
        class="soft">${t("settled.commission", { amount: amount(each.commission) })}</span>`
          : nothing
      }</td>
      <td class="num strong">${amount(moves(each))}</td><td>${clauseButton(each.clause, show)}${
        each.limit_clause && each.limit_clause !== each.clause ? clauseButton(each.limit_clause, show) : nothing
      }</td></tr>`,
    )}</tbody></table></div>
    <dl class="sums"><div><dt>${t("pay.collected")}</dt><dd
      class="lost">${amount(settling.collected)}</dd></div><div><dt>${t("pay.paid")}</dt>
      <dd class="won">${amount(settling.paid)}</dd></div>
      ${
        settling.commission
          ? html`<div><dt>${t("pay.commission")}</dt><dd>${amount(settling.commission)}</dd></div>`
          : nothing
      }${
        settling.handed_back
          ? html`<div><dt>${t("pay.back")}</dt><dd>${amount(settling.handed_back)}</dd>
      </div>`
          : nothing
      }</dl>`;
}

export function layoutList(view: StaffView, wagers: readonly string[]): TemplateResult {
  if (!view.wagers.length) return html`<p class="soft">${t("dealer.no_wagers")}</p>`;
  const positions = [...new Set(view.wagers.map((each) => each.position))].sort((one, other) => one - other);
  const total = (wager: string) =>
    view.wagers.filter((each) => each.wager === wager).reduce((sum, each) => sum + each.amount, 0);
  return html`<table><thead><tr><th>${t("seat.position")}</th><th>${t("settled.wager")}</th>
  <th class="num">${t("settled.stake")}</th></tr></thead>
    <tbody>${positions.flatMap((position) =>
      view.wagers
        .filter((each) => each.position === position)
        .map(
          (each, index) => html`<tr><td>${index ? "" : html`<b>${position}</b>`}</td>
      <td>${nameOf("wager", each.wager)} <span class="soft" title=${each.patron}>${patronName(each.patron)}</span></td>
      <td
        class="num">${amount(each.amount)}</td></tr>`,
        ),
    )}</tbody></table>
    <dl class="sums">${wagers.filter(total).map(
      (each) => html`<div><dt>${nameOf("wager", each)}</dt>
    <dd>${amount(total(each))}</dd></div>`,
    )}</dl>`;
}
