/** The page of the dealer school: choose what to practise, answer, see by which clause, and get a score sheet. */
import { css, html, LitElement, nothing } from "lit";
import "../components/top-bar";
import { common } from "../components/style";
import { KeyController } from "../controllers/key-controller";
import { LanguageController } from "../controllers/language-controller";
import { currentLanguage, loadLanguage, t } from "../i18n/catalogue";
import type { PuntoAnswer } from "./answer-form";
import { SchoolController } from "./school-controller";
import { gradedLesson, lessonChoice, question } from "./school-view";

class PuntoSchool extends LitElement {
  static override styles = [
    common,
    css`
    @media (pointer: coarse) { .by-keys { display: none; } }
    main { max-width: 60rem; margin: 0 auto; padding: 1rem clamp(.6rem, 2vw, 1.4rem) 3rem; display: grid; gap: 1rem; }
    .panel { background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: 1rem; }
    fieldset { border: 0; margin: 0; padding: 0; min-width: 0; } legend { padding: 0 0 .3rem; font-weight: 650; }
    .choices { display: flex; flex-wrap: wrap; gap: .4rem; }
    .choices button[aria-pressed="true"] { background: var(--gold); color: var(--on-gold); border-color: var(--gold); }
    .head { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: baseline; }
    .head .score { margin-left: auto; font-variant-numeric: tabular-nums; }
    .verdict {
      border-left: 5px solid var(--warn); padding: .5rem .8rem; background: var(--panel-high); border-radius: 8px;
      display: grid; gap: .3rem;
    }
    .verdict.right { border-left-color: var(--tie-ink); } .verdict.wrong { border-left-color: var(--banker-ink); }
    .verdict p { margin: 0; } .verdict strong { font-size: 1.1rem; }
    .verdict .right { color: var(--tie-ink); } .verdict .wrong { color: var(--banker-ink); }
    .clause { font-size: .92rem; color: var(--ink-soft); } .clause b { color: var(--gold); }
    @media print {
      .no-print, punto-top { display: none; }
      .panel { border: 0; background: none; padding: 0; }
      main { max-width: none; }
    }
  `,
  ];

  private readonly school = new SchoolController(this, document.body.dataset.game ?? "", sessionStorage);

  constructor() {
    super();
    new LanguageController(this);
    new KeyController(this, "input", (event) => {
      const { lesson, sheet } = this.school.state;
      if (lesson && !sheet && this.pressKey(event.key)) event.preventDefault();
    });
  }

  private pressKey(key: string): boolean {
    if (key === "?") {
      const { canHint } = this.school;
      if (canHint) void this.answer("?");
      return canHint;
    }
    return this.renderRoot.querySelector<PuntoAnswer>("punto-answer")?.key(key) ?? false;
  }

  private answer = async (text: string) => {
    if (!(await this.school.answer(text))) return;
    await this.updateComplete;
    // People who answer by keyboard or screen reader go on from what is asked next.
    const isAsked = this.school.state.lesson?.shown?.ask;
    this.renderRoot.querySelector<HTMLElement>(isAsked ? "#now" : "#next")?.focus();
  };

  protected override updated(): void {
    document.title = `Punto · ${t("school.title")}`;
    this.school.speak(currentLanguage());
  }

  override render() {
    const { refusal } = this.school.state;
    return html`<punto-top class="no-print" home heading=${t("school.title")}></punto-top>
      <main>${this.page()}
        <p role="alert" class="no-print" ?hidden=${!refusal}>${refusal}</p></main>`;
  }

  private page() {
    const { lesson, school, sheet } = this.school.state;
    if (!school) return nothing;
    if (sheet) return gradedLesson(this.school, school, sheet);
    return lesson?.shown ? question(this.school, school, lesson, this.answer) : lessonChoice(this.school, school);
  }
}

await loadLanguage();
customElements.define("punto-school", PuntoSchool);
