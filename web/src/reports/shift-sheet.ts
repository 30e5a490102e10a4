/** A shift report as its paper has it: every heading, figure and time comes in words from the server. */
import { html, nothing } from "lit";
import type { ClauseSheet, ShiftSheet, TableSheet } from "../api/types";

type Line = readonly string[];
/** The columns of figures, in the order of the sheet. */
const FIGURES = ["opening", "fills", "drop", "credits", "closing", "win", "hold"] as const;
const MORE = ["theoretical", "commission", "rounds", "turnover"] as const;
const WIN = FIGURES.indexOf("win");

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
    ${section(say.slips!, columns(say, "slip_number", "when", "slip_kind", "table", "slip_amount", "slip_asked_by", "slip_ended_by", ""), sheet.slips, [4])}
    ${section(say.duties!, columns(say, "table", "dealer", "since", "until"), sheet.duties)}
    ${section(say.debts!, columns(say, "table", "patron", "debt_left", "debt_paid", "debt_owed"), sheet.debts, [2, 3, 4])}
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
  return line.map(
    (each, at) =>
      html`<td class="num ${at === WIN ? (each.startsWith("−") ? "lost" : each.startsWith("+") ? "won" : "") : ""}">${each}</td>`,
  );
}

function tables({ texts: say, tables, idle, total, reconciled }: ShiftSheet) {
  const [won, claims, difference, win] = reconciled;
  return html`<section class="card"><h2>${say.tables}</h2><div class="scroll" tabindex="0" role="region" aria-label=${say.tables!}><table>
    <thead><tr><th>${say.table}</th>${figureHeads(say)}</tr></thead>
    <tbody>${tables.map(
      (each) => html`<tr data-table=${each.table}><th scope="row">${each.table}<span
        class="under">${each.game}${each.open ? ` · ${say.still}` : ""}</span></th>${figures(each.figures)}</tr>`,
    )}${idle.map(
      ([table, game]) => html`<tr data-table=${table!}><th scope="row">${table}<span class="under">${game}</span></th>
        <td class="soft" colspan=${FIGURES.length + MORE.length}>${say.no_activity}</td></tr>`,
    )}</tbody>
    <tfoot><tr><th scope="row">${say.total}</th>${figures(total)}</tr></tfoot></table></div>
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
  const lines = (table: TableSheet) =>
    table.openings.map(
      (
        each,
      ) => html`<tr class="opening">${both(each.opened)}${both(each.closed)}${figures(each.figures)}${each.play.map(
        (one) => html`<td class="num">${one}</td>`,
      )}<td class="num">${each.variance}</td></tr>
      ${counted(say.counted_at_opening!, each.counted_at_opening)}${counted(say.counted!, each.counted)}`,
    );
  return html`<section class="card"><h2>${say.openings}</h2>${tables.map(
    (
      table,
    ) => html`<h3>${table.table} <span class="soft">${table.game}</span></h3><div class="scroll" tabindex="0" role="region" aria-label=${table.table}><table
      data-openings=${table.table}><thead><tr><th>${say.opened}</th><th>${say.closed}</th>${figureHeads(say)}
      ${["voids", "corrections", "variance"].map((each) => html`<th class="num">${say[each]}</th>`)}</tr></thead>
      <tbody>${lines(table)}</tbody></table></div>`,
  )}</section>`;
}

function wagers({ texts: say, wagers: lines }: ShiftSheet) {
  if (!lines.length) return nothing;
  const heads = columns(say, "wager", "number", "turnover", "win", "theoretical", "share");
  return section(say.wagers!, heads, lines, [1, 2, 3, 4, 5], html`<p class="soft">${say.theory}</p>`);
}

function decisions({ texts: say, decisions: lines }: ShiftSheet) {
  if (!lines.length)
    return html`<section class="card"><h2>${say.decisions}</h2><p class="soft">${say.none}</p></section>`;
  return section(say.decisions!, columns(say, "when", "table", "", "round", "what", "who"), lines, [3]);
}

function section(title: string, heads: Line, lines: readonly Line[], numbers: number[] = [], under: unknown = nothing) {
  if (!lines.length) return nothing;
  const kind = (at: number) => (numbers.includes(at) ? "num" : "");
  return html`<section class="card"><h2>${title}</h2><div class="scroll" tabindex="0" role="region" aria-label=${title}><table>
    <thead><tr>${heads.map((each, at) => html`<th class=${kind(at)}>${each}</th>`)}</tr></thead>
    <tbody>${lines.map((line) => html`<tr>${line.map((each, at) => html`<td class=${kind(at)}>${each}</td>`)}</tr>`)}
    </tbody></table></div>${under}</section>`;
}

function clause(group: ClauseSheet, say: ShiftSheet["texts"]) {
  return html`<details><summary><b>${group.clause ? `§ ${group.clause}` : say.no_clause}</b> ${group.game} <span
      class="soft">${group.text}</span><span class="count soft">${group.lines.length}</span></summary>
    <div class="scroll" tabindex="0" role="region" aria-label=${group.clause || say.no_clause!}><table><thead><tr>${columns(
      say,
      "when",
      "table",
      "round",
      "what",
      "who",
    ).map((each) => html`<th>${each}</th>`)}</tr></thead><tbody>${group.lines.map(
      (line) => html`<tr>${line.map((each) => html`<td>${each}</td>`)}</tr>`,
    )}</tbody></table></div></details>`;
}
