/** What the cage page shows: pure functions of its state. */
import { html, nothing } from "lit";
import * as cage from "../api/cage";
import { may } from "../api/session";
import type { PatronAtCage, PatronStatement } from "../api/types";
import { currentLanguage, t } from "../i18n/catalogue";
import { amount, parseAmount } from "../i18n/money";
import { dateField, dateTime, parseLocal } from "../i18n/time";
import type { CageController } from "./cage-controller";

const DAY = 86_400_000;
type Move = "deposit" | "withdraw" | "to_table" | "from_table" | "pay_debt";

export function patronsPanel(desk: CageController) {
  const { found, patron } = desk.state;
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name")).trim();
    if (name) void desk.find(name);
  };
  return html`<form class="card row" @submit=${search} role="search"><label>${t("cage.find")}<input name="name"
      type="search" required maxlength="64" autocomplete="off"></label><button class="main">${t("cage.search")}</button>
    </form>
    ${found ? results(desk, found, patron) : nothing}${patron ? patronDesk(desk, patron) : nothing}`;
}

function results(desk: CageController, found: PatronAtCage[], chosen: PatronAtCage | null) {
  if (!found.length) return html`<p class="card soft">${t("cage.nobody")}</p>`;
  return html`<div class="card people">${found.map(
    (each) => html`<button aria-pressed=${each.patron === chosen?.patron} data-patron=${each.patron}
      @click=${() => desk.choose(each)}>${each.name}${each.guest ? html` <small>${t("pit.guest")}</small>` : nothing}
      </button>`,
  )}</div>`;
}

function patronDesk(desk: CageController, patron: PatronAtCage) {
  return html`<section class="card" aria-label=${patron.name}><h2>${patron.name}</h2>
    <div class="figures"><div><span>${t("cage.account")}</span><strong data-holds>${amount(patron.holds)}</strong></div>
      <div><span>${t("cage.owes")}</span>
        <strong class=${patron.owes ? "lost" : ""}>${amount(patron.owes)}</strong></div>
      ${patron.tables.map(
        (each) => html`<div><span>${t("cage.chips_at", { table: each.table })}</span>
        <strong>${amount(each.chips)}</strong></div>`,
      )}</div>
    ${may("keep-accounts") ? moves(desk, patron) : nothing}${desk.status.view()}</section>
    ${statementDesk(desk, patron)}`;
}

/** A form with one amount; it is emptied once the money has moved. */
function amountForm(
  desk: CageController,
  name: Move,
  give: (cents: number, form: FormData) => Promise<unknown>,
  more?: unknown,
) {
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const typed = new FormData(form);
    const cents = parseAmount(String(typed.get("amount")));
    if (!cents) return desk.status.say(t("money.no_amount"), true);
    if (await desk.move(give(cents, typed))) form.reset();
  };
  return html`<form class="row" data-move=${name} @submit=${send}>
    <label>${t(`cage.move.${name}`)}<input name="amount" required
      inputmode="decimal" autocomplete="off"></label>${more ?? nothing}
    <button ?disabled=${desk.status.busy}>${t(`cage.do.${name}`)}</button></form>`;
}

function moves(desk: CageController, { patron, owes }: PatronAtCage) {
  const table = html`<label>${t("pit.table")}<select name="table">${desk.state.tables.map(
    (each) => html`<option>${each}</option>`,
  )}</select></label>`;
  const to = (form: FormData) => String(form.get("table"));
  return html`<div class="moves">
    ${amountForm(desk, "deposit", (cents) => cage.deposit(patron, cents))}
    ${amountForm(desk, "withdraw", (cents) => cage.payOut(patron, cents))}
    ${amountForm(desk, "to_table", (cents, form) => cage.transfer(patron, to(form), cents, true), table)}
    ${amountForm(desk, "from_table", (cents, form) => cage.transfer(patron, to(form), cents, false), table)}
    ${
      owes
        ? amountForm(
            desk,
            "pay_debt",
            (cents, form) => cage.payDebt(patron, cents, form.has("account")),
            html`<label class="check"><input type="checkbox" name="account">${t("cage.from_account")}</label>`,
          )
        : nothing
    }</div>`;
}

function statementDesk(desk: CageController, { patron }: PatronAtCage) {
  const span = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const [from, to] = ["from", "to"].map((name) => parseLocal(String(form.get(name))));
    if (from == null || to == null || from >= to) return desk.status.say(t("pit.no_span"), true);
    void desk.readStatement(from, to);
  };
  const { statement } = desk.state;
  const now = Date.now();
  return html`<section class="card"><h2>${t("cage.statement")}</h2><form class="row" @submit=${span}>
    <label>${t("pit.from")}<input type="datetime-local" name="from" required value=${dateField(now - DAY)}></label>
    <label>${t("pit.to")}<input type="datetime-local" name="to" required value=${dateField(now + 60_000)}></label>
    <button>${t("cage.show")}</button>${
      statement
        ? html`<a download
            href=${cage.statementFile(patron, statement.start, statement.end, currentLanguage())}>PDF</a>`
        : nothing
    }</form>${statement ? entries(statement) : nothing}</section>`;
}

function entries(statement: PatronStatement) {
  return html`<div class="scroll" tabindex="0" role="region"
    aria-label=${t("cage.statement")}><table class="statement"><thead><tr>
    <th>${t("cage.when")}</th><th>${t("cage.what")}</th>
    <th>${t("pit.table")}</th><th class="num">${t("slips.amount")}</th><th class="num">${t("cage.balance")}</th>
    <th class="num">${t("cage.owes")}</th></tr></thead><tbody>
    <tr><th colspan="4">${t("cage.opening")}</th><td class="num">${amount(statement.opening)}</td>
      <td class="num">${amount(statement.owed_before)}</td></tr>
    ${statement.entries.map(
      (each) => html`<tr><td>${dateTime(each.at)}</td><td>${t(`entry.${each.kind}`)}</td><td>${each.table ?? ""}</td>
      <td class="num">${amount(each.amount)}</td><td class="num">${amount(each.balance)}</td>
      <td class="num">${amount(each.owed)}</td></tr>`,
    )}
    <tr><th colspan="4">${t("cage.closing")}</th><td class="num">${amount(statement.closing)}</td>
      <td class="num">${amount(statement.owed_after)}</td></tr></tbody></table></div>`;
}

export function flagsPanel(desk: CageController) {
  const { flags } = desk.state;
  if (!flags.length) return html`<p class="card soft">${t("cage.no_flags")}</p>`;
  return html`<div class="card scroll"><table><thead><tr><th>${t("cage.day")}</th><th>${t("cage.patron")}</th><th></th>
    <th class="num">${t("slips.amount")}</th><th class="num">${t("cage.transactions")}</th><th></th></tr></thead>
    <tbody>${flags.map(
      ({ flag, name }) => html`<tr data-flag=${flag.patron}><td>${flag.day}</td><td>${name || flag.patron}</td>
      <td>${t(`cage.cash_${flag.direction}`)}</td><td class="num">${amount(flag.amount)}</td>
      <td class="num">${flag.transactions}</td><td><button ?disabled=${desk.status.busy}
        @click=${() => desk.see(flag)}>${t("cage.seen")}</button></td></tr>`,
    )}</tbody></table>${desk.status.view()}</div>`;
}

export function debtsPanel(desk: CageController) {
  const { debts } = desk.state;
  if (!debts.length) return html`<p class="card soft">${t("cage.no_debts")}</p>`;
  return html`<div class="card scroll"><table><thead><tr><th>${t("cage.patron")}</th><th>${t("pit.table")}</th>
    <th class="num">${t("cage.owes")}</th></tr></thead><tbody>${debts.map(
      (each) => html`<tr><td>${each.name || each.patron}</td><td>${each.table}</td>
      <td class="num">${amount(each.owed)}</td></tr>`,
    )}</tbody></table></div>`;
}
