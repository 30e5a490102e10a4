/** A game's file as a form. Every field changes its own value in the text and nothing else. */
import { html, nothing, type TemplateResult } from "lit";
import type { LineFigures } from "../api/types";
import { nameOf, t, textOf } from "../i18n/catalogue";
import type { DesignController } from "./design-controller";
import {
  type Form,
  type FormLine,
  type FormWager,
  formOf,
  shown,
  valueText,
  withLine,
  withoutItem,
  withoutValue,
  withValue,
  withWager,
  written,
} from "./form-edits";
import { quoted, replaced, type Table } from "./toml-places";

/** What a line that is added begins with: a wager on the first thing that a condition may ask. */
const FIRST_PAYS = "1 to 1";

export function gameForm(desk: DesignController): TemplateResult {
  const { text } = desk.state;
  const form = formOf(text);
  if (!form) return html`<p class="bad note">${t("design.form_needs_text")}</p>`;
  return html`<form class="form" @submit=${(event: Event) => event.preventDefault()}>
    <div class="fields">
      ${["title", "key", "version"].map((key) => field(desk, form.top, key))}
      ${deckFields(desk, form)}
    </div>
    ${form.wagers.map((each) => wagerCard(desk, each))}
    <button
      class="main" type="button" id="add-wager" @click=${() => addWager(desk, form)}>${t("design.add_wager")}</button>
  </form>`;
}

function field(desk: DesignController, table: Table, key: "title" | "key" | "version" | string, label = key) {
  const value = table.entries.get(key);
  const typed = value?.kind === "text" ? value.text : "";
  return html`<label>${t(`design.field.${label}` as Parameters<typeof t>[0])}<input name=${key} .value=${typed}
    @change=${(event: Event) => desk.type(withValue(desk.state.text, table, key, quoted(input(event))))}></label>`;
}

function deckFields(desk: DesignController, form: Form) {
  const decks = form.top.entries.get("decks");
  if (decks?.kind !== "table") return nothing;
  return (["min", "max"] as const).map((key) => {
    const value = decks.entries.get(key);
    return html`<label>${t(`design.field.decks_${key}`)}<input name="decks-${key}" type="number" min="1"
      .value=${value?.kind === "other" ? value.text : ""}
      @change=${(event: Event) =>
        desk.type(withValue(desk.state.text, decks, key, String(Math.trunc(Number(input(event)) || 1))))}></label>`;
  });
}

const input = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value;

function wagerCard(desk: DesignController, wager: FormWager) {
  const { game, text } = desk.state;
  const figures = game?.wagers.find((each) => each.wager === wager.name);
  return html`<fieldset class="wager" data-wager=${wager.name}>
    <legend>${nameOf("wager", wager.name)} ${figures ? html`<b class="edge">${figures.edge}</b>` : nothing}</legend>
    <div class="fields">${field(desk, wager.at, "name", "wager")}
      <button type="button" class="quiet" @click=${() => desk.type(withoutItem(text, wager.at))}
        aria-label=${t("design.remove", { name: wager.name })}>✕</button></div>
    ${wager.lines.map((line) =>
      lineRow(
        desk,
        line,
        figures?.lines.find((each) => each.outcome === line.outcome),
      ),
    )}
    <button type="button" data-add="line" @click=${() =>
      desk.type(withLine(text, wager, FIRST_PAYS, firstCondition(desk)))}>${t("design.add_line")}</button>
  </fieldset>`;
}

function lineRow(desk: DesignController, line: FormLine, figures?: LineFigures) {
  const { text } = desk.state;
  return html`<div class="line">
    <label>${t("design.field.outcome")}<input name="outcome" .value=${line.outcome}
      @change=${(event: Event) => desk.type(withValue(text, line.at, "outcome", quoted(input(event))))}></label>
    <label>${t("design.field.pays")}<input name="pays" class="short" .value=${line.pays}
      @change=${(event: Event) => desk.type(withValue(text, line.at, "pays", quoted(input(event))))}></label>
    <span class="num share" title=${t("design.line_figures")}>${
      figures
        ? html`${figures.chance}<br>${figures.adds}${
            figures.never
              ? html`<br><b
          class="bad">${t("design.never")}</b>`
              : nothing
          }`
        : nothing
    }</span>
    <button type="button" class="quiet" @click=${() => desk.type(withoutItem(text, line.at))}
      aria-label=${t("design.remove", { name: line.outcome })}>✕</button>
    <div class="when">${line.when ? conditions(desk, line.when) : nothing}</div>
  </div>`;
}

function conditions(desk: DesignController, when: Table) {
  const { text } = desk.state;
  const known = desk.state.conditions;
  const free = known.filter((each) => !when.entries.has(each.name));
  return html`${[...when.entries].map(([name, value]) => {
    const typed = shown(value);
    const values = known.find((each) => each.name === name)?.values.join(", ") ?? "";
    const set = (given: string) =>
      desk.type(typed === null ? replaced(text, value, given) : withValue(text, when, name, written(given)));
    return html`<label class="condition">${conditionName(name)}<input name=${name} title=${values}
      .value=${typed ?? valueText(text, value)} @change=${(event: Event) => set(input(event))}>
      <button type="button" class="quiet" ?hidden=${when.entries.size < 2}
        aria-label=${t("design.remove", { name })}
        @click=${() => desk.type(withoutValue(text, when, name))}>✕</button></label>`;
  })}<label class="condition">${t("design.add_condition")}<select name="add-condition" @change=${(event: Event) => {
    const chosen = known.find((each) => each.name === input(event));
    if (chosen) desk.type(withValue(text, when, chosen.name, written(String(chosen.values[0]))));
    (event.target as HTMLSelectElement).value = "";
  }}><option value="">+</option>${free.map(
    (each) => html`<option
    value=${each.name}>${conditionName(each.name)}</option>`,
  )}</select></label>`;
}

const conditionName = (name: string) => textOf(`design.condition.${name}`) ?? name;

function firstCondition(desk: DesignController): string {
  const first = desk.state.conditions[0];
  return first ? `${first.name} = ${written(String(first.values[0]))}` : "";
}

function addWager(desk: DesignController, form: Form): void {
  const names = new Set(form.wagers.map((each) => each.name));
  let number = 1;
  while (names.has(t("design.new_wager", { number }))) number++;
  desk.type(withWager(desk.state.text, t("design.new_wager", { number }), FIRST_PAYS, firstCondition(desk)));
}
