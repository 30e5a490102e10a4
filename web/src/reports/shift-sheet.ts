/** A shift report as its paper has it: every heading, figure and time comes in words from the server. */
import { html, nothing, type TemplateResult } from "lit";
import type { ClauseSheet, OpeningSheet, ShiftSheet, TableSheet } from "../api/types";

type Line = readonly string[];
/** The columns of figures, in the order of the sheet. */
const FIGURES = ["opening", "fills", "drop", "credits", "closing", "win", "hold"] as const;
const MORE = ["theoretical", "commission", "rounds", "turnover"] as const;
const WIN = FIGURES.indexOf("win");
const SLIP = ["slip_number", "when", "slip_kind", "table", "slip_amount", "slip_asked_by", "slip_ended_by", ""];
const DUTY = ["table", "dealer", "since", "until"];
const DEBT = ["table", "patron", "debt_left", "debt_paid", "debt_owed"];
const WAGER = ["wager", "number", "turnover", "win", "theoretical", "share"];
const DECISION = ["when", "table", "", "round", "what", "who"];
const IRREGULARITY = ["when", "table", "round", "what", "who"];

/** A table that may be wider than the page: it is scrolled by itself, also by keyboard. */
const scrolled = (label: string, table: TemplateResult) =>
  html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>${table}</div>`;

export function shiftSheet(sheet: ShiftSheet) {
  const { texts: say } = sheet;
  const head = html`<section class="card"><h2>${sheet.title}</h2>
    ${sheet.property ? html`<strong>${sheet.property}</strong>` : nothing}
    <p>${sheet.day ? html`<strong>${sheet.day}</strong> · ` : nothing}${sheet.span}${
      sheet.currency ? ` · ${say.amounts_in} ${sheet.currency}` : ""
    }</p>${sheet.being_counted ? html`<p class="warn">${sheet.being_counted}</p>` : nothing}</section>`;
  return html`${head}${sheet.activity ? tables(sheet) : idle(sheet)}
    ${sheet.tables.length ? openings(sheet) : nothing}
    ${wagers(sheet)}
    ${section(say.slips!, columns(say, ...SLIP), sheet.slips, [4])}
    ${section(say.duties!, columns(say, ...DUTY), sheet.duties)}
    ${section(say.debts!, columns(say, ...DEBT), sheet.debts, [2, 3, 4])}
    ${decisions(sheet)}
    <section class="card"><h2>${say.irregularities}</h2>${
      sheet.irregularities.length
        ? sheet.irregularities.map((each) => clause(each, say))
        : html`<p class="soft">${say.none}</p>`
    }</section>`;
}

const columns = (say: ShiftSheet["texts"], ...keys: string[]) => keys.map((each) => say[each] ?? "");

function idle({ texts: say, idle: tables }: ShiftSheet) {
  return html`<section class="card"><p><strong>${say.no_activity}</strong> ${say.no_tables}</p>
    ${tables.map(([table, game]) => html`<p class="soft">${table} · ${game}</p>`)}</section>`;
}

function figureHeads(say: ShiftSheet["texts"]) {
  return [...FIGURES, ...MORE].map((each) => html`<th class="num">${say[each]}</th>`);
}

function figures(line: Line) {
  const won = (win: string) => (win.startsWith("−") ? "lost" : win.startsWith("+") ? "won" : "");
  return line.map((each, at) => html`<td class="num ${at === WIN ? won(each) : ""}">${each}</td>`);
}

function tables({ texts: say, tables, idle, total, reconciled }: ShiftSheet) {
  const [won, claims, difference, win] = reconciled;
  const all = html`<table>
    <thead><tr><th>${say.table}</th>${figureHeads(say)}</tr></thead>
    <tbody>${tables.map(
      (each) => html`<tr data-table=${each.table}><th scope="row">${each.table}<span
        class="under">${each.game}${each.open ? ` · ${say.still}` : ""}</span></th>${figures(each.figures)}</tr>`,
    )}${idle.map(
      ([table, game]) => html`<tr data-table=${table!}><th scope="row">${table}<span class="under">${game}</span></th>
        <td class="soft" colspan=${FIGURES.length + MORE.length}>${say.no_activity}</td></tr>`,
    )}</tbody>
    <tfoot><tr><th scope="row">${say.total}</th>${figures(total)}</tr></tfoot></table>`;
  return html`<section class="card"><h2>${say.tables}</h2>${scrolled(say.tables!, all)}
    <p class="soft">${say.formula}</p>
    <h3>${say.reconciled}</h3><table class="sum"><tbody>
      <tr><th scope="row">${say.won}</th><td class="num">${won}</td></tr>
      <tr><th scope="row">${say.claims}</th><td class="num">${claims}</td></tr>
      <tr><th scope="row">${say.count_difference}</th><td class="num">${difference}</td></tr>
      <tr><th scope="row">${say.win}</th><td class="num"><strong>${win}</strong></td></tr></tbody></table></section>`;
}

function openings({ texts: say, tables }: ShiftSheet) {
  const wide = FIGURES.length + MORE.length + 5;
  const counted = (label: string, said: string) =>
    said ? html`<tr><td class="soft" colspan=${wide}>${label}: ${said}</td></tr>` : nothing;
  const both = (line: Line) => html`<td class="when">${line[0]}<span class="under">${line[1]}</span></td>`;
  const opening = (each: OpeningSheet) => html`<tr class="opening">${both(each.opened)}${both(each.closed)}
      ${figures(each.figures)}${each.play.map((one) => html`<td class="num">${one}</td>`)}
      <td class="num">${each.variance}</td></tr>
    ${counted(say.counted_at_opening!, each.counted_at_opening)}${counted(say.counted!, each.counted)}`;
  const heads = html`<tr><th>${say.opened}</th><th>${say.closed}</th>${figureHeads(say)}
    ${["voids", "corrections", "variance"].map((each) => html`<th class="num">${say[each]}</th>`)}</tr>`;
  const one = ({ table, game, openings }: TableSheet) => html`<h3>${table} <span class="soft">${game}</span></h3>
    ${scrolled(
      table,
      html`<table data-openings=${table}><thead>${heads}</thead><tbody>${openings.map(opening)}</tbody></table>`,
    )}`;
  return html`<section class="card"><h2>${say.openings}</h2>${tables.map(one)}</section>`;
}

function wagers({ texts: say, wagers: lines }: ShiftSheet) {
  if (!lines.length) return nothing;
  const heads = columns(say, ...WAGER);
  return section(say.wagers!, heads, lines, [1, 2, 3, 4, 5], html`<p class="soft">${say.theory}</p>`);
}

function decisions({ texts: say, decisions: lines }: ShiftSheet) {
  if (!lines.length)
    return html`<section class="card"><h2>${say.decisions}</h2><p class="soft">${say.none}</p></section>`;
  return section(say.decisions!, columns(say, ...DECISION), lines, [3]);
}

function section(title: string, heads: Line, lines: readonly Line[], numbers: number[] = [], under: unknown = nothing) {
  if (!lines.length) return nothing;
  const kind = (at: number) => (numbers.includes(at) ? "num" : "");
  const table = html`<table>
    <thead><tr>${heads.map((each, at) => html`<th class=${kind(at)}>${each}</th>`)}</tr></thead>
    <tbody>${lines.map((line) => html`<tr>${line.map((each, at) => html`<td class=${kind(at)}>${each}</td>`)}</tr>`)}
    </tbody></table>`;
  return html`<section class="card"><h2>${title}</h2>${scrolled(title, table)}${under}</section>`;
}

function clause(group: ClauseSheet, say: ShiftSheet["texts"]) {
  const heads = columns(say, ...IRREGULARITY);
  const table = html`<table><thead><tr>${heads.map((each) => html`<th>${each}</th>`)}</tr></thead>
    <tbody>${group.lines.map((line) => html`<tr>${line.map((each) => html`<td>${each}</td>`)}</tr>`)}</tbody></table>`;
  return html`<details><summary><b>${group.clause ? `§ ${group.clause}` : say.no_clause}</b> ${group.game}
      <span class="soft">${group.text}</span><span class="count soft">${group.lines.length}</span></summary>
    ${scrolled(group.clause || say.no_clause!, table)}</details>`;
}
