/** A form for the questions of a command. Answers that are refused stay as they were typed. */
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { StaffView } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import { parseAmount } from "../i18n/money";
import { cardsTyped, cardTyped, facesTyped, handsTyped, placesTyped } from "./card-keys";
import { patronName } from "./patron-name";

export interface Asked {
  name: string;
  kind: string;
  label: string;
  /** Whether it may be left empty; the command then has what is usual. */
  optional?: boolean;
}

type Read = (text: string) => unknown;
const whole: Read = (text) => (/^\d{1,6}$/.test(text) ? Number(text) : null);
/** Parsers of answers by the kind of question; each returns null for no answer. */
const READ: Record<string, Read> = {
  amount: parseAmount,
  position: whole,
  number: whole,
  round: whole,
  place: whole,
  card: cardTyped,
  cards: cardsTyped,
  faces: facesTyped,
  hands: handsTyped,
  places: placesTyped,
  "yes-no": (text) => (text ? text === "yes" : null),
};
const asWords: Read = (text) => text.replace(/\s+/g, " ").trim() || null;

/** An example of what is typed, by the kind of question. */
const HINTS: Record<string, string> = {
  card: "4h",
  cards: "4h Td",
  faces: "4h ? Td",
  hands: "P P B B",
  places: "P1 B1",
};

/** Letters for the cards as they lie, from left to right. */
const LETTERS = "ABCDEFGHIJKLMNOP";

export class PuntoQuestionForm extends LitElement {
  static override properties = {
    asked: { attribute: false },
    view: { attribute: false },
    act: {},
    report: { type: Boolean },
    wrong: { state: true },
    order: { state: true },
  };
  declare asked: Asked[];
  declare view: StaffView;
  /** The text on the button. */
  declare act: string;
  /** Whether the form also takes a note and the person who noticed the matter. */
  declare report: boolean;
  declare private wrong: Set<string>;
  declare private order: number[];

  static override styles = [
    common,
    css`
    form { display: grid; gap: .8rem; }
    fieldset { border: 0; padding: 0; margin: 0; display: grid; gap: .3rem; min-inline-size: 0; }
    legend, label { padding: 0; font-size: .95rem; color: var(--ink-soft); }
    .choices { display: flex; gap: .4rem; flex-wrap: wrap; }
    .choices label {
      position: relative; display: flex; align-items: center; padding: .5rem 1rem; min-height: 2.6rem;
      border: 1px solid var(--line); border-radius: var(--radius); background: var(--panel-high); color: var(--ink);
      cursor: pointer; font-size: 1rem;
    }
    .choices label:has(input:checked) { border-color: var(--gold); box-shadow: inset 0 0 0 2px var(--gold); }
    .choices label:has(input:focus-visible) { outline: 3px solid var(--focus); outline-offset: 2px; }
    .choices input { position: absolute; opacity: 0; min-height: 0; }
    [aria-invalid="true"], fieldset.wrong .choices label { border-color: var(--banker-ink); }
    .lost { margin: 0; font-size: .9rem; }
    summary { cursor: pointer; color: var(--ink-soft); } details .two { display: grid; gap: .6rem; margin-top: .5rem; }
  `,
  ];

  constructor() {
    super();
    this.asked = [];
    this.report = false;
    this.wrong = new Set();
    this.order = [];
    new LanguageController(this);
  }

  override render() {
    return html`<form @submit=${this.submit} novalidate>
      ${this.asked.map((each) => this.question(each))}
      ${
        this.report
          ? html`<details><summary>${t("ask.more")}</summary><div class="two">
        <label>${t("ask.noticed_by")}<input name="noticed_by" autocomplete="off"></label>
        <label>${t("ask.note")}<input name="note"
          autocomplete="off"></label></div></details>`
          : nothing
      }
      ${this.wrong.size ? html`<p role="alert" class="lost">${t("ask.missing")}</p>` : nothing}
      <div class="row"><button class="main">${this.act}</button><slot></slot></div>
    </form>`;
  }

  private question(asked: Asked): TemplateResult {
    const { view } = this;
    switch (asked.kind) {
      case "hand":
        return this.choices(asked, [
          ["player", nameOf("winner", "player")],
          ["banker", nameOf("winner", "banker")],
        ]);
      case "yes-no":
        return this.choices(asked, [
          ["yes", t("ask.yes")],
          ["no", t("ask.no")],
        ]);
      case "place":
        return this.choices(asked, [
          ["1", "1"],
          ["2", "2"],
          ["3", "3"],
        ]);
      case "position":
        return this.choices(
          asked,
          Array.from({ length: view.setting?.positions ?? 0 }, (_, each) => [String(each + 1), String(each + 1)]),
        );
      case "wager":
        return this.select(
          asked,
          Object.keys(view.setting?.limits ?? {}).map((each) => [each, nameOf("wager", each)]),
        );
      case "patron":
        return this.select(
          asked,
          Object.keys(view.chips).map((each) => [each, this.seated(each)]),
        );
      case "order":
        return this.ordering(asked);
      default:
        return this.typing(asked);
    }
  }

  /** Return a patron's name with the positions of their wagers. */
  private seated(patron: string): string {
    const at = [...new Set(this.view.wagers.filter((each) => each.patron === patron).map((each) => each.position))];
    return at.length
      ? t("ask.patron_at", { patron: patronName(patron), positions: at.join(", ") })
      : patronName(patron);
  }

  private choices({ name, label }: Asked, all: string[][]): TemplateResult {
    return html`<fieldset class=${this.wrong.has(name) ? "wrong" : ""}><legend>${label}</legend>
    <div class="choices">${all.map(
      ([value, text]) => html`
      <label><input type="radio" name=${name} value=${value!}>${text}</label>`,
    )}</div></fieldset>`;
  }

  private select({ name, label }: Asked, all: string[][]): TemplateResult {
    return html`<label>${label}<select name=${name} aria-invalid=${this.wrong.has(name)}><option
      value="">–</option>${all.map(
        ([value, text]) => html`<option
        value=${value!}>${text}</option>`,
      )}</select></label>`;
  }

  private typing({ name, kind, label }: Asked): TemplateResult {
    const hint = HINTS[kind] ?? "";
    return html`<label>${label}<input name=${name} placeholder=${hint}
      inputmode=${kind === "amount" ? "decimal" : kind === "number" || kind === "round" ? "numeric" : "text"}
        autocomplete="off"
      spellcheck="false" aria-invalid=${this.wrong.has(name)}></label>`;
  }

  private ordering({ label }: Asked): TemplateResult {
    const { together } = this.view;
    return html`<fieldset><legend>${label}</legend><p class="soft">${t("ask.order_how")}</p>
    <div class="choices">${together.map((card, index) => {
      const turn = this.order.indexOf(card);
      return html`<button type="button" aria-pressed=${turn >= 0}
        @click=${() =>
          (this.order =
            turn >= 0
              ? this.order.filter((each) => each !== card)
              : [...this.order, card])}>${LETTERS[index]}${turn >= 0 ? ` · ${turn + 1}` : ""}</button>`;
    })}</div></fieldset>`;
  }

  private answer({ name, kind }: Asked, form: FormData): unknown {
    if (kind === "order") return this.order.length === this.view.together.length ? this.order : null;
    const read = (READ[kind] ?? asWords)(String(form.get(name) ?? "").trim());
    return kind === "place" && typeof read === "number" ? read - 1 : read;
  }

  /** Empty the form once what it asked for is done. */
  clear(): void {
    this.renderRoot.querySelector("form")?.reset();
    this.order = [];
  }

  private submit(event: SubmitEvent) {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const empty = (each: Asked) => each.optional && !String(form.get(each.name) ?? "").trim();
    const answered = this.asked.filter((each) => !empty(each));
    const values = Object.fromEntries(answered.map((each) => [each.name, this.answer(each, form)]));
    this.wrong = new Set(Object.keys(values).filter((name) => values[name] === null));
    if (this.wrong.size) return;
    const told = this.report
      ? { noticed_by: asWords(String(form.get("noticed_by"))) ?? "", note: asWords(String(form.get("note"))) ?? "" }
      : {};
    this.dispatchEvent(new CustomEvent("told", { detail: { ...values, ...told } }));
  }
}
customElements.define("punto-ask", PuntoQuestionForm);
