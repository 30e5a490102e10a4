/** A file as text: line numbers, a mark at the line with a mistake, and the figures of each line beside it. */
import { css, html, LitElement } from "lit";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";

export interface LineMark {
  text: string;
  kind: "figure" | "edge" | "wrong";
}

export class PuntoTextEditor extends LitElement {
  static override properties = { text: { attribute: false }, marks: { attribute: false }, wrong: { attribute: false } };
  declare text: string;
  /** What is shown beside a line, by its number. */
  declare marks: ReadonlyMap<number, LineMark>;
  /** The line with the first mistake. */
  declare wrong: number | null;

  static override styles = [
    common,
    css`
    :host { --row: 1.3rem; font: .84rem/var(--row) ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
    .page { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; min-height: 100%;
      background: var(--panel); }
    .numbers, .beside { white-space: pre; color: var(--ink-soft); user-select: none; padding: .4rem; }
    .numbers { text-align: right; background: var(--panel-high); }
    .numbers div, .beside div { height: var(--row); padding: 0 .3rem; border-radius: 4px; }
    .wrong { background: var(--bad); color: var(--bad-ink); font-weight: 700; }
    .beside { text-align: right; border-left: 1px solid var(--line); font-variant-numeric: tabular-nums; }
    .edge { color: var(--gold); font-weight: 650; }
    textarea {
      font: inherit; color: var(--ink); background: none; border: 0; margin: 0; padding: .4rem .5rem; resize: none;
      white-space: pre; overflow: auto hidden; width: 100%; height: 100%; tab-size: 2;
    }
    textarea:focus-visible { outline-offset: -3px; }
  `,
  ];

  constructor() {
    super();
    this.text = "";
    this.marks = new Map();
    this.wrong = null;
    new LanguageController(this);
  }

  /** Put the cursor at the start of a line. */
  goTo(line: number): void {
    const area = this.area;
    const at =
      this.text
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length + (line > 1 ? 1 : 0);
    area.focus();
    area.setSelectionRange(at, at);
    this.renderRoot.querySelector(`.numbers div:nth-child(${line})`)?.scrollIntoView({ block: "center" });
  }

  private get area(): HTMLTextAreaElement {
    return this.renderRoot.querySelector("textarea")!;
  }

  protected override updated(): void {
    if (this.area.value !== this.text) this.area.value = this.text;
  }

  override render() {
    const numbers = this.text.split("\n").map((_, index) => index + 1);
    return html`<div class="page">
      <div class="numbers" aria-hidden="true">${numbers.map(
        (each) => html`<div class=${each === this.wrong ? "wrong" : ""}>${each}</div>`,
      )}</div>
      <textarea spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" rows=${numbers.length + 1}
        aria-label=${t("design.text")} aria-invalid=${this.wrong !== null} @input=${this.typed}></textarea>
      <div class="beside" aria-hidden="true">${numbers.map((each) => {
        const mark = this.marks.get(each);
        return html`<div class=${mark?.kind ?? ""}>${mark?.text ?? ""}</div>`;
      })}</div>
    </div>`;
  }

  private typed() {
    this.dispatchEvent(new CustomEvent("typed", { detail: this.area.value }));
  }
}
customElements.define("punto-text-editor", PuntoTextEditor);
