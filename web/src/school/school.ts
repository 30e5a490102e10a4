/** The dealer school: choose what to practise, answer, see by which clause, and get a score sheet. */
import { css, html, LitElement, nothing } from "lit";
import "../components/top-bar";
import { Refusal } from "../api/http";
import { schoolShown } from "../api/school";
import type { Drill, SchoolShown, SheetShown, VerdictShown } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { currentLanguage, loadLanguage, nameOf, t } from "../i18n/catalogue";
import { refusalText } from "../i18n/refusal-text";
import type { PuntoAnswer } from "./answer-form";
import "./answer-form";
import { Lesson, type Saved } from "./lesson";
import "./question-scene";
import "./score-sheet";

const LENGTHS = [5, 10, 20];
const SEEDS = 1_000_000_000;
const KEPT = "punto.lesson";

class PuntoSchool extends LitElement {
  static override properties = {
    about: { state: true },
    game: { state: true },
    drill: { state: true },
    questions: { state: true },
    seed: { state: true },
    lesson: { state: true },
    sheet: { state: true },
    busy: { state: true },
    said: { state: true },
  };
  declare private about: SchoolShown | null;
  declare private game: string;
  declare private drill: Drill | "";
  declare private questions: number;
  declare private seed: string;
  declare private lesson: Lesson | null;
  declare private sheet: SheetShown | null;
  declare private busy: boolean;
  declare private said: string;
  private language = currentLanguage();

  static override styles = [
    common,
    css`
    main { max-width: 60rem; margin: 0 auto; padding: 1rem clamp(.6rem, 2vw, 1.4rem) 3rem; display: grid; gap: 1rem; }
    .panel { background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: 1rem; }
    fieldset { border: 0; margin: 0; padding: 0; min-width: 0; } legend { padding: 0 0 .3rem; font-weight: 650; }
    .choices { display: flex; flex-wrap: wrap; gap: .4rem; }
    .choices button[aria-pressed="true"] { background: var(--gold); color: #2a1d00; border-color: var(--gold); }
    .head { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: baseline; } .head .score { margin-left: auto; font-variant-numeric: tabular-nums; }
    .verdict { border-left: 5px solid var(--warn); padding: .5rem .8rem; background: var(--panel-high); border-radius: 8px; display: grid; gap: .3rem; }
    .verdict.right { border-left-color: var(--tie-ink); } .verdict.wrong { border-left-color: var(--banker-ink); }
    .verdict p { margin: 0; } .verdict strong { font-size: 1.1rem; } .verdict .right { color: var(--tie-ink); } .verdict .wrong { color: var(--banker-ink); }
    .clause { font-size: .92rem; color: var(--ink-soft); } .clause b { color: var(--gold); }
    @media print { .no-print, punto-top { display: none; } .panel { border: 0; background: none; padding: 0; } main { max-width: none; } }
  `,
  ];

  constructor() {
    super();
    this.about = null;
    this.game = document.body.dataset.game ?? "";
    this.drill = "";
    this.questions = 10;
    this.seed = "";
    this.lesson = null;
    this.sheet = null;
    this.busy = false;
    this.said = "";
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.keyed);
    void this.begin();
  }

  override disconnectedCallback(): void {
    removeEventListener("keydown", this.keyed);
    super.disconnectedCallback();
  }

  private async begin() {
    document.title = `Punto · ${t("school.title")}`;
    this.about = await schoolShown();
    const kept = sessionStorage.getItem(KEPT);
    if (!kept) return;
    const lesson = Lesson.resumed(JSON.parse(kept) as Saved);
    await this.does(async () => {
      await lesson.ask(currentLanguage());
      this.lesson = lesson;
    });
  }

  /** A lesson outlasts a reload, and ends with its sheet. */
  private keep() {
    if (this.lesson && !this.sheet) sessionStorage.setItem(KEPT, JSON.stringify(this.lesson.saved));
    else sessionStorage.removeItem(KEPT);
  }

  /** What the server puts into words is asked for again in the other language. */
  override updated(): void {
    if (this.language === currentLanguage()) return;
    this.language = currentLanguage();
    document.title = `Punto · ${t("school.title")}`;
    if (this.lesson && !this.sheet) void this.does(() => this.lesson!.ask(this.language));
  }

  /** One thing at a time; what the server refuses is said. */
  private async does(work: () => Promise<void>) {
    if (this.busy) return;
    this.busy = true;
    this.said = "";
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.said = refusalText(error.refused);
    } finally {
      this.busy = false;
      this.keep();
      this.requestUpdate();
    }
  }

  private keyed = (event: KeyboardEvent) => {
    const field = event.composedPath()[0] as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || field.tagName === "INPUT" || !this.lesson || this.sheet)
      return;
    const handled =
      event.key === "?" ? this.hint() : this.renderRoot.querySelector<PuntoAnswer>("punto-answer")?.key(event.key);
    if (handled) event.preventDefault();
  };

  private hint(): boolean {
    if (!this.lesson?.shown?.ask || this.lesson.shown.verdict?.hint) return false; // it is in sight already
    void this.answer("?");
    return true;
  }

  private answer(text: string) {
    return this.does(async () => {
      await this.lesson!.answer(text, currentLanguage());
      await this.updateComplete;
      // Whoever has answered by keyboard or reader goes on from what is asked next.
      this.renderRoot.querySelector<HTMLElement>(this.lesson!.shown?.ask ? "#now" : "#next")?.focus();
    });
  }

  override render() {
    return html`<punto-top class="no-print" home heading=${t("school.title")}></punto-top>
      <main>${!this.about ? nothing : this.sheet ? this.graded() : this.lesson?.shown ? this.asking(this.lesson) : this.choosing(this.about)}
        <p role="alert" class="no-print" ?hidden=${!this.said}>${this.said}</p></main>`;
  }

  // --- choosing ------------------------------------------------------------------------------------------------------

  private choosing(about: SchoolShown) {
    const games = [
      ["", t("school.all_games")],
      ...about.games.map((each) => [each.game, nameOf("game", each.title)]),
    ] as [string, string][];
    const drills = [
      ...new Set(
        about.games
          .filter((each) => !this.game || each.game === this.game)
          .flatMap((each) => each.drills.map(({ drill }) => drill)),
      ),
    ];
    const kinds = [["", t("school.all_drills")], ...drills.map((each) => [each, t(`school.drill.${each}`)])] as [
      Drill | "",
      string,
    ][];
    return html`<section class="panel stack">
      <p>${t("school.about", { mark: about.pass_mark })}</p>
      ${this.choices(t("school.game"), games, this.game, (each) => (this.game = each), "game")}
      ${this.choices(t("school.drill"), kinds, this.drill, (each) => (this.drill = each), "drill")}
      ${this.choices(
        t("school.questions"),
        LENGTHS.map((each) => [each, String(each)]),
        this.questions,
        (each) => (this.questions = each),
        "questions",
      )}
      <label>${t("school.seed_how")}<input name="seed" inputmode="numeric" pattern="[0-9]{1,9}" .value=${this.seed}
        @input=${(event: Event) => (this.seed = (event.target as HTMLInputElement).value)}></label>
      <div class="row"><button class="main" id="begin" ?disabled=${this.busy} @click=${this.start}>${t("school.begin")}</button></div>
    </section>`;
  }

  private choices<T extends string | number>(
    legend: string,
    all: [T, string][],
    chosen: T,
    choose: (each: T) => void,
    name: string,
  ) {
    return html`<fieldset><legend>${legend}</legend><div class="choices">${all.map(
      ([key, words]) => html`
      <button data-choice="${name}-${key}" aria-pressed=${key === chosen} @click=${() => choose(key)}>${words}</button>`,
    )}</div></fieldset>`;
  }

  private start() {
    const typed = this.seed.trim();
    if (typed && !/^\d{1,9}$/.test(typed)) {
      this.said = t("school.seed_wrong");
      return;
    }
    const seed = typed ? Number(typed) : Math.floor(Math.random() * SEEDS);
    const lesson = new Lesson({ game: this.game || null, drill: this.drill || null, seed, questions: this.questions });
    void this.does(async () => {
      await lesson.ask(currentLanguage());
      this.lesson = lesson;
    });
  }

  // --- asking --------------------------------------------------------------------------------------------------------

  private asking(lesson: Lesson) {
    const shown = lesson.shown!;
    const { right, asked } = lesson.score;
    return html`<div class="head"><h2>${t("school.question", { number: lesson.number + 1, of: lesson.chosen.questions })}</h2>
        <span>${nameOf("game", shown.title)} · ${t(`school.drill.${shown.drill}`)}</span>
        <span class="score" data-score=${`${right}/${asked}`}>${t("school.so_far", { right, asked })}</span></div>
      <punto-scene .shown=${shown} .number=${lesson.number}></punto-scene>
      <div class="panel stack" id="now" tabindex="-1">
        <div aria-live="polite">${shown.verdict ? this.verdict(shown.verdict, shown.ask !== null) : nothing}
          ${shown.unreadable ? html`<p class="unreadable">${shown.unreadable}</p>` : nothing}</div>
        ${
          shown.ask
            ? html`<punto-answer .ask=${shown.ask} .rack=${this.about!.rack} .busy=${this.busy}
          @answered=${(event: CustomEvent<string>) => this.answer(event.detail)}></punto-answer>`
            : nothing
        }
        <div class="row">${
          shown.ask
            ? html`<button class="hint" ?disabled=${this.busy || shown.verdict?.hint} @click=${() => this.answer("?")}>${t("school.hint")}</button>`
            : html`<button class="main" id="next" ?disabled=${this.busy} @click=${lesson.last ? this.finish : this.next}>
              ${t(lesson.last ? "school.to_sheet" : "school.next")}</button>`
        }
          <button class="quiet end" ?disabled=${this.busy} @click=${this.finish}>${t("school.end")}</button></div>
      </div>`;
  }

  /** What a clause says is shown to whom it helps, and at the end; before that it might give away what is asked next. */
  private verdict(verdict: VerdictShown, more: boolean) {
    const kind = verdict.hint ? "" : verdict.right ? "right" : "wrong";
    return html`<div class="verdict ${kind}" data-verdict=${kind || "hint"}>
      ${verdict.hint ? nothing : html`<strong class=${kind}>${t(verdict.right ? "school.right" : "school.wrong")}</strong>`}
      ${verdict.remark || verdict.refused ? html`<p>${verdict.remark ?? ""} ${verdict.refused ? refusalText(verdict.refused) : ""}</p>` : nothing}
      ${verdict.answer && !verdict.right ? html`<p>${t("school.the_answer", { answer: verdict.answer })}</p>` : nothing}
      ${verdict.why ? html`<p>${verdict.why}</p>` : nothing}
      ${
        verdict.right && more
          ? html`<p class="clause">${verdict.clauses.map(({ clause }) => html`<b>§ ${clause}</b> `)}</p>`
          : verdict.clauses.map(
              ({ clause, text }) => html`<p class="clause"><b>§ ${clause}</b> <span lang="en">${text}</span></p>`,
            )
      }
      ${verdict.clauses.length ? nothing : html`<p class="clause">${t("school.house")}</p>`}</div>`;
  }

  private next = () => this.does(() => this.lesson!.next(currentLanguage()));

  private finish = () =>
    this.does(async () => {
      this.sheet = await this.lesson!.sheet();
    });

  // --- the sheet -----------------------------------------------------------------------------------------------------

  private graded() {
    const titles = Object.fromEntries(this.about!.games.map((each) => [each.game, each.title]));
    return html`<div class="panel"><punto-sheet .sheet=${this.sheet!} .titles=${titles}></punto-sheet></div>
      <div class="row no-print"><button class="main" @click=${() => print()}>${t("school.print")}</button>
        <button id="again" @click=${this.again}>${t("school.again")}</button></div>`;
  }

  private again() {
    this.lesson = null;
    this.sheet = null;
  }
}

await loadLanguage();
customElements.define("punto-school", PuntoSchool);
