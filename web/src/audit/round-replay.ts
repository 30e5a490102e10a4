/** A round replayed: the felt after each event, who brought it about, what he did and by which clause. */
import { html, LitElement, nothing, svg, type TemplateResult } from "lit";
import type { EventSettled, GameShown, RoundReplayed, Settled, StaffView, StepShown, StillReading } from "../api/types";
import { clauseText } from "../components/rulebook";
import "../table-view/felt";
import "../table-view/hands";
import * as auditApi from "../api/audit";
import { Refusal } from "../api/http";
import * as tablesApi from "../api/tables";
import { LanguageController } from "../controllers/language-controller";
import { currentLanguage, type Key, type Language, nameOf, t } from "../i18n/catalogue";
import { amount, signed } from "../i18n/money";
import { refusalText } from "../i18n/refusal-text";
import { clauseButton, settlementTable } from "../table-view/settlement";
import { keyed, lying, type Step, stepsOf } from "./replay-steps";
import { replayStyle } from "./replay-style";
import { toMillisecond, whole } from "./utc-time";

const PACE = 900;
const SIGNS = {
  first: svg`<path d="M2 2h2v12H2zM14 2v12L5 8z"/>`,
  back: svg`<path d="M12 2v12L3 8z"/>`,
  play: svg`<path d="M4 2v12l9-6z"/>`,
  pause: svg`<path d="M3 2h4v12H3zM9 2h4v12H9z"/>`,
  next: svg`<path d="M4 2v12l9-6z"/>`,
  last: svg`<path d="M12 2h2v12h-2zM2 2v12l9-6z"/>`,
};

export class PuntoReplay extends LitElement {
  static override properties = {
    table: {},
    round: { type: Number },
    told: { state: true },
    at: { state: true },
    playing: { state: true },
    reading: { state: true },
    refused: { state: true },
  };
  declare table: string;
  declare round: number | null;
  declare private told: RoundReplayed | null;
  declare private at: number;
  declare private playing: boolean;
  declare private reading: StillReading | null;
  declare private refused: string;
  private steps: Step[] = [];
  private game: GameShown | null = null;
  private language: Language = currentLanguage();
  private clause: string | null = null;
  private timer = 0;
  private asked = 0;

  static override styles = replayStyle;

  constructor() {
    super();
    this.table = "";
    this.round = null;
    this.told = this.reading = null;
    this.at = 0;
    this.playing = false;
    this.refused = "";
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.key);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.key);
    this.stop();
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    const other = changed.has("table") || changed.has("round");
    if (other) this.forget();
    if (this.round !== null && (other || this.language !== currentLanguage())) void this.load();
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has("at") || changed.has("told"))
      this.renderRoot.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  private forget() {
    this.asked++; // what was asked before is not waited for
    this.stop();
    [this.told, this.reading, this.steps, this.at, this.refused] = [null, null, [], 0, ""];
  }

  /** Ask for the round; the words of its events come in the reader's language. */
  private async load() {
    const number = ++this.asked;
    this.language = currentLanguage();
    this.stop();
    try {
      const parts = [await this.askFrom(0, number)];
      while (parts.at(-1)!.more !== null && number === this.asked)
        parts.push(await this.askFrom(parts.at(-1)!.more!, number));
      const told = parts[0]!;
      const game = told.game && told.game !== this.game?.game ? await tablesApi.game(told.game) : this.game;
      if (number !== this.asked) return; // another round was chosen meanwhile
      this.game = game;
      this.steps = stepsOf(parts);
      this.told = told;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (number === this.asked) this.refused = refusalText(error.refused);
    }
    if (number === this.asked) this.reading = null;
  }

  private askFrom(after: number, number: number) {
    return auditApi.replayRound(this.table, this.round!, this.language, after, (how) => {
      if (number === this.asked) this.reading = how;
    });
  }

  // --- moving --------------------------------------------------------------------------------------------------------

  private go(to: number) {
    this.at = Math.max(0, Math.min(this.steps.length - 1, to));
  }

  private jump(to: number) {
    this.stop();
    this.go(to);
  }

  private stop() {
    clearInterval(this.timer);
    this.playing = false;
  }

  private play = () => {
    if (this.playing) return this.stop();
    if (this.at === this.steps.length - 1) this.at = 0;
    this.playing = true;
    this.timer = window.setInterval(() => {
      this.go(this.at + 1);
      if (this.at === this.steps.length - 1) this.stop();
    }, PACE);
  };

  private key = (event: KeyboardEvent) => {
    const target = event.composedPath()[0] as HTMLElement;
    if (
      !this.steps.length ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      target.matches?.("input, select, textarea, dialog *, [role=tab]")
    )
      return;
    const to = keyed(event.key, this.at, this.steps.length);
    if (to !== null) this.jump(to);
    else if (event.key === " " && !target.matches?.("button, a, summary")) this.play();
    else return;
    event.preventDefault();
  };

  // --- what is shown -------------------------------------------------------------------------------------------------

  override render() {
    if (this.refused) return html`<p class="lost" role="alert">${this.refused}</p>`;
    if (this.reading)
      return html`<p class="soft" role="status">${t("audit.reading", { ...this.reading })}</p><progress
      aria-label=${t("audit.reading", { ...this.reading })} max=${this.reading.of} value=${this.reading.read}></progress>`;
    const now = this.steps[this.at];
    if (!this.told || !now)
      return html`<p class="soft">${this.round === null ? t("audit.choose") : t("seat.loading")}</p>`;
    return html`<div class="round">
      ${this.heading(this.told)}
      <div class="stage">
        ${now.view ? this.felt(now.step, now.view) : html`<div class="felt"><p class="unknown">${t("audit.nothing_known")}</p></div>`}
        ${this.transport()}
        ${this.now(now.step)}
        ${now.view ? this.money(now.step, now.view) : nothing}
        ${this.settlement(now.step)}
      </div>
      ${this.list()}
      <p class="soft keys">${t("audit.keys")} · ${t("audit.utc")}</p>
    </div>
    <dialog class="clause" aria-label=${t("clause.title")}>${this.clauseShown()}</dialog>`;
  }

  private heading(told: RoundReplayed) {
    const link = (round: number | null, word: Key, sign: string) =>
      round === null
        ? nothing
        : html`<a class="button" href="/audit/${encodeURIComponent(this.table)}/${round}" title=${t(word)}
        @click=${(event: MouseEvent) => this.open(event, round)}><span aria-hidden="true">${sign}</span><span class="unseen">${t(word)}</span> ${round}</a>`;
    const packet = (kind: "json" | "pdf") => auditApi.packetPath(this.table, told.round, kind, this.language);
    return html`<div class="head">
      <h2>${t("seat.round", { round: told.round })}</h2>
      <span class="soft">${nameOf("game", told.title)} · ${this.table} · ${whole(told.opened)}</span>
      ${told.void ? html`<span class="tag">${t("rounds.void")}</span>` : nothing}${
        told.corrected ? html`<span class="tag">${t("rounds.corrected")}</span>` : nothing
      }
      <div class="links">${link(told.previous, "audit.previous_round", "‹")}${link(told.following, "audit.next_round", "›")}
        <a class="button" download href=${packet("json")}>${t("audit.export_json")}</a><a class="button" download
          href=${packet("pdf")}>${t("audit.export_pdf")}</a></div>
    </div>`;
  }

  private open(event: MouseEvent, round: number) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.dispatchEvent(new CustomEvent("chosen", { detail: round }));
  }

  private felt(step: StepShown, view: StaffView) {
    const wagers = this.game?.wagers.map((each) => each.wager) ?? [];
    return html`<section class="felt" aria-label=${t("audit.replay")}>
      <div class="phase"><strong>${
        step.later
          ? t("audit.later")
          : view.hold
            ? html`<span class="held">${t("audit.held", { why: nameOf("hold", view.hold) })}</span>`
            : nameOf("phase", view.phase)
      }</strong>
        <span>${view.shoe ? t("audit.shoe", { shoe: view.shoe, drawn: view.cards_drawn }) : ""}</span></div>
      <punto-hands .round=${lying(this.round!, step)}></punto-hands>
      <punto-felt .wagers=${wagers} .positions=${view.setting?.positions ?? 1} .laid=${step.later ? [] : view.wagers} .mine=${0} patron=""></punto-felt>
      ${
        step.later || !view.wagers.length
          ? nothing
          : html`<ul class="laid">${view.wagers.map(
              (each) => html`<li><span
        class="seat">${each.position}</span> ${nameOf("wager", each.wager)} <b>${amount(each.amount)}</b> <span class="id">${each.patron}</span></li>`,
            )}</ul>`
      }
    </section>`;
  }

  private transport() {
    const last = this.steps.length - 1;
    const button = (word: Key, sign: keyof typeof SIGNS, act: () => void, off: boolean, main = false) => html`
      <button class=${main ? "main" : ""} aria-label=${t(word)} title=${t(word)} ?disabled=${off} @click=${act}><svg viewBox="0 0 16 16"
        aria-hidden="true">${SIGNS[sign]}</svg></button>`;
    const to = (at: number) => () => this.jump(at);
    return html`<div class="transport" role="group" aria-label=${t("audit.replay")}>
      <div class="row">${button("audit.first", "first", to(0), this.at === 0)}${button("audit.previous", "back", to(this.at - 1), this.at === 0)}
        ${button(this.playing ? "audit.pause" : "audit.play", this.playing ? "pause" : "play", this.play, last === 0, true)}
        ${button("audit.next", "next", to(this.at + 1), this.at === last)}${button("audit.last", "last", to(last), this.at === last)}</div>
      <input type="range" min="0" max=${last} .value=${String(this.at)} aria-label=${t("audit.slider")}
        aria-valuetext=${t("audit.step", { at: this.at + 1, of: last + 1 })}
        @input=${(event: Event) => this.jump(Number((event.target as HTMLInputElement).value))}>
      <span class="place">${this.at + 1} / ${last + 1}</span>
    </div>`;
  }

  private who(by: string): TemplateResult {
    const name = this.told?.names[by];
    return name
      ? html`<span>${nameOf("duty", name)}</span> <span class="id">${by}</span>`
      : html`<span class="id">${by}</span>`;
  }

  private now(step: StepShown) {
    const told = step.circumstances;
    return html`<section class="now ${step.irregular ? "irregular" : ""}" aria-live="polite" data-event=${step.event}>
      <div class="who"><span>#${step.number}</span><span>${toMillisecond(step.at)}</span><b class="position">${nameOf("duty", step.position)}</b>
        ${
          step.acting.length
            ? html`<b class="acting">${t("audit.acting", {
                roles: step.acting.map((each) => nameOf("duty", each)).join(" · "),
              })}</b>`
            : nothing
        }<span>${this.who(step.by)}</span></div>
      <p class="told">${step.told}</p>
      ${step.cites.length ? html`<div class="row">${step.cites.map((each) => clauseButton(each, this.showClause))}</div>` : nothing}
      ${told?.note ? html`<div class="who">${t("audit.note")}: ${told.note}</div>` : nothing}
      ${told && told.noticed_by !== step.by ? html`<div class="who">${t("audit.noticed", { who: told.noticed_by })}</div>` : nothing}
      <div class="hash" title=${t("audit.hash")}>${step.hash}</div>
    </section>`;
  }

  private money(step: StepShown, view: StaffView) {
    const by = (account: string, patron: string | null = null) =>
      step.moved.find((each) => each.account === account && each.patron === patron)?.amount ?? 0;
    const cell = (
      name: string | TemplateResult,
      value: number,
      moved: number,
    ) => html`<div class=${moved ? "changed" : ""}><dt>${name}</dt>
      <dd>${amount(value)}${moved ? html`<span class="by ${moved < 0 ? "lost" : "won"}">${signed(moved)}</span>` : nothing}</dd></div>`;
    const patrons = Object.entries(view.chips).filter(([patron, chips]) => chips || by("chips", patron));
    return html`<dl class="money" aria-label=${t("money.moved")}>
      ${cell(nameOf("money.account", "layout"), step.layout, by("layout"))}
      ${cell(nameOf("money.account", "float"), view.float_, by("float"))}
      ${cell(nameOf("money.account", "commission"), view.commission, by("commission"))}
      ${patrons.map(([patron, chips]) => cell(html`${nameOf("money.account", "chips")} <span class="id">${patron}</span>`, chips, by("chips", patron)))}
      ${Object.entries(view.owed)
        .filter(([, owed]) => owed)
        .map(([patron, owed]) =>
          cell(html`${nameOf("money.account", "owed")} <span class="id">${patron}</span>`, owed, by("owed", patron)),
        )}
    </dl>`;
  }

  /** What became of the wagers, from the moment it was settled on; and of a correction, once it was made. */
  private settlement(step: StepShown) {
    const told = this.told!;
    if (step.number < told.last_event || (!told.settled.length && !told.returned.length)) return nothing;
    const corrected = step.event === "RoundCorrected";
    const settled: readonly Settled[] = corrected ? told.corrections.map((each) => each.after) : told.settled;
    if (!settled.length) return nothing;
    const patrons = [...new Set(settled.map((each) => each.patron))];
    return html`<section class="settlement" aria-label=${t("audit.settlement")}><h3>${t("audit.settlement")}${
      corrected ? html` <span class="tag">${t("rounds.corrected")}</span>` : nothing
    }</h3>
      ${patrons.map(
        (patron) =>
          html`<h4 class="id">${patron}</h4>${settlementTable(
            settled.filter((each) => each.patron === patron) as EventSettled[],
            this.showClause,
          )}`,
      )}</section>`;
  }

  private list() {
    return html`<section class="events" aria-label=${t("audit.events")}>
      <h3><span>${t("audit.events")}</span><span>${t("audit.events_count", { count: this.steps.length })}</span></h3>
      <ol tabindex="0" aria-label=${t("audit.events")}>${this.steps.map(
        ({ step }, index) => html`<li class=${step.irregular ? "irregular" : ""}>
        <button aria-current=${index === this.at ? "step" : nothing} @click=${() => this.jump(index)}>
          <span class="number">${step.number}</span><span class="said">${step.told}</span>
          <span></span><span class="about">${toMillisecond(step.at)} · ${nameOf("duty", step.position)}${
            step.cites.length ? ` · § ${step.cites.join(", ")}` : ""
          }${step.later ? ` · ${t("audit.later")}` : ""}</span>
        </button></li>`,
      )}</ol></section>`;
  }

  private showClause = (clause: string) => {
    this.clause = clause;
    this.requestUpdate();
    this.renderRoot.querySelector("dialog")!.showModal();
  };

  private clauseShown() {
    if (!this.clause || !this.game) return nothing;
    return html`${clauseText(this.game, this.clause)}
      <button @click=${() => this.renderRoot.querySelector("dialog")!.close()}>${t("seat.close")}</button>`;
  }
}
customElements.define("punto-replay", PuntoReplay);
