/** One place for everything that can go wrong: what happened, then the questions, then what follows. */
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { NextStep, ProcedureShown, StaffView } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { currentLanguage, type Key, nameOf, t } from "../i18n/catalogue";
import { clauseButton } from "../table-view/settlement";
import "../steps/question-form";

/** The positions, each of which may do what those before it may. */
const RANKS = ["Dealer", "Pit Supervisor", "Pit Manager", "Assistant Casino Manager", "Gaming Shift Manager"];
const GROUPS = ["wagers", "cards", "handling", "device", "void", "other"];

const dutyName = (by: string, view: StaffView) =>
  nameOf("duty", by === "confirms" ? (view.setting?.confirms ?? "") : by);

const isNow = (step: ProcedureShown["steps"][number], next: readonly NextStep[]) =>
  next.some((each) => each.command === step.command && each.clause === step.clause);

/** Return the procedure that play is held for: one with a step that is open now. */
export function procedureUnderWay(
  all: readonly ProcedureShown[],
  reported: string | null,
  view: StaffView,
): ProcedureShown | null {
  if (!view.hold) return null;
  const fitting = all.filter((each) => each.steps.some((step) => step.command && isNow(step, view.next)));
  return fitting.find((each) => each.key === reported) ?? fitting[0] ?? null;
}

/** List the steps of a procedure, each with the position that takes it; steps that are open now stand out. */
export function walk(procedure: ProcedureShown, view: StaffView, show: (clause: string) => void): TemplateResult {
  return html`<ul class="walk">${procedure.steps.map(
    (step) => html`<li class=${view.hold && isNow(step, view.next) ? "current" : ""}>
    <b>${dutyName(step.by, view)}</b> <span>${step.words[currentLanguage()]}</span>
      ${step.clause ? clauseButton(step.clause, show) : nothing}</li>`,
  )}</ul>`;
}

export class PuntoIrregular extends LitElement {
  static override properties = {
    procedures: { attribute: false },
    view: { attribute: false },
    possible: { attribute: false },
    positions: { attribute: false },
    chosen: {},
    refused: {},
  };
  declare procedures: ProcedureShown[];
  /** The keys of those that can have happened at the table as it stands. */
  declare possible: readonly string[];
  /** The positions that the person at this page may act in. */
  declare positions: ReadonlySet<string>;
  declare view: StaffView;
  /** The key of the procedure that is shown; null for the list. */
  declare chosen: string | null;
  declare refused: string;

  static override styles = [
    common,
    css`
    h3 { font-size: .88rem; color: var(--ink-soft); margin: .7rem 0 .25rem; font-weight: 600; }
    .list button {
      display: block; width: 100%; text-align: left; min-height: 2.5rem; margin-bottom: .25rem; line-height: 1.3;
    }
    .detail { display: grid; gap: .8rem; } .detail h2 { font-size: 1.15rem; }
    .clause { min-height: 0; padding: 0 .4rem; font-size: .82rem; white-space: nowrap; }
    .text { margin: 0; font-size: .92rem; border-left: 3px solid var(--line); padding-left: .7rem; }
    .refused { color: var(--warn); font-weight: 600; margin: 0; }
    ul { margin: 0; padding-left: 1.2rem; display: grid; gap: .35rem; font-size: .92rem; }
    ul b { color: var(--gold); font-weight: 650; }
    .back { justify-self: start; }
  `,
  ];

  constructor() {
    super();
    this.procedures = [];
    this.possible = [];
    this.positions = new Set();
    this.chosen = null;
    this.refused = "";
    new LanguageController(this);
  }

  override render() {
    const chosen = this.procedures.find((each) => each.key === this.chosen);
    return chosen ? this.detail(chosen) : this.list();
  }

  private list() {
    const now = this.procedures.filter((each) => this.possible.includes(each.key));
    const mine = now.filter((each) => this.mayReport(each));
    return html`<div class="list"><p class="soft">${t("irregular.pick")}</p>
      ${GROUPS.map((group) =>
        this.group(
          t(`irregular.${group}` as Key),
          mine.filter((each) => each.group === group),
        ),
      )}
      ${this.group(
        t("irregular.for_the_pit"),
        now.filter((each) => !mine.includes(each)),
      )}
      ${now.length ? nothing : html`<p class="soft">${t("irregular.none")}</p>`}</div>`;
  }

  private group(heading: string, all: readonly ProcedureShown[]) {
    if (!all.length) return nothing;
    return html`<h3>${heading}</h3>${all.map(
      (each) => html`<button data-procedure=${each.key}
        @click=${() => this.emit("choose", each.key)}>${each.words[currentLanguage()]}</button>`,
    )}`;
  }

  /** Tell whether the person at this page may report it: it is the Dealer's, or theirs or that of one below them. */
  private mayReport({ by }: ProcedureShown): boolean {
    const needed = by === "confirms" ? (this.view.setting?.confirms ?? "") : by;
    return [...this.positions].some((each) => RANKS.indexOf(each) >= RANKS.indexOf(needed));
  }

  private detail(each: ProcedureShown) {
    const language = currentLanguage();
    const device = this.view.setting!.device;
    const asked = each.questions
      .filter((one) => one.devices.includes(device))
      .map(({ name, kind, words, optional }) => ({ name, kind, optional, label: words[language] }));
    return html`<div class="detail">
      <button class="back" @click=${() => this.emit("choose", null)}>‹ ${t("irregular.back")}</button>
      <h2>${each.words[language]}</h2>
      ${
        each.clause
          ? html`<p class="text">${each.clause_words?.[language]}
        ${clauseButton(each.clause, (clause) => this.emit("clause", clause))}</p>`
          : html`<p class="text">${t("irregular.house")}</p>`
      }
      ${
        this.mayReport(each)
          ? html`<punto-ask report .asked=${asked} .view=${this.view} act=${t("irregular.report")}
        @told=${(event: CustomEvent<object>) =>
          this.emit("order", { command: each.command, ...each.values, ...event.detail })}></punto-ask>`
          : html`<p>${t("irregular.reported_by", { who: dutyName(each.by, this.view) })}</p>
        <button class="main" data-command="CallPit" @click=${() => this.emit("call", each.words[language])}>${t(
          "do.CallPit",
        )}</button>`
      }
      ${this.refused ? html`<p class="refused" role="alert">${this.refused}</p>` : nothing}
      <h3>${t("irregular.follows")}</h3>
      ${walk(each, this.view, (clause) => this.emit("clause", clause))}
    </div>`;
  }

  private emit(name: string, detail: unknown) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
customElements.define("punto-irregular", PuntoIrregular);
