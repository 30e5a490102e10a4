/** A search for rounds by number, time, patron, outcome, or what is special about them. */
import { css, html, LitElement, nothing } from "lit";
import * as auditApi from "../api/audit";
import { Refusal } from "../api/http";
import type { RoundLine, StillReading } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import { refusalText } from "../i18n/refusal-text";
import { day, parseLocal, toSecond } from "../i18n/time";

const MARKS = ["irregular", "void", "corrected"] as const;
const WINNERS = ["player", "banker", "tie"] as const;

export class PuntoFind extends LitElement {
  static override properties = {
    table: {},
    shown: { type: Number },
    rounds: { state: true },
    more: { state: true },
    reading: { state: true },
    refused: { state: true },
    unreadable: { state: true },
  };
  declare table: string;
  /** The round that is shown beside the list. */
  declare shown: number | null;
  declare private rounds: RoundLine[] | null;
  declare private more: number | null;
  declare private reading: StillReading | null;
  declare private refused: string;
  declare private unreadable: number | null;
  private asked = 0;

  static override styles = [
    common,
    css`
    form, details > div { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .5rem; }
    details, details label { grid-column: 1 / -1; }
    summary { cursor: pointer; font-size: .88rem; color: var(--ink-soft); padding: .2rem 0; }
    input, select { min-height: 2.2rem; padding: .25rem .5rem; width: 100%; font-size: .88rem; }
    label { font-size: .82rem; min-width: 0; }
    button { min-height: 2.3rem; }
    ol { list-style: none; margin: .6rem 0 0; padding: 0; }
    li + li:not(.day) { border-top: 1px solid var(--line); }
    a {
      display: grid; grid-template-columns: 2.6rem minmax(0, 1fr) auto; gap: .1rem .5rem; padding: .38rem .5rem;
      border-radius: 8px; color: inherit; text-decoration: none; align-items: baseline;
    }
    a:hover { background: var(--panel-high); }
    a[aria-current="true"] { background: var(--panel-high); box-shadow: inset 3px 0 var(--gold); }
    b { font-variant-numeric: tabular-nums; }
    .when { font-size: .8rem; color: var(--ink-soft); font-variant-numeric: tabular-nums; }
    .player { color: var(--player-ink); } .banker { color: var(--banker-ink); } .tie { color: var(--tie-ink); }
    .day { font-size: .78rem; color: var(--ink-soft); padding: .5rem .5rem .15rem; }
    .tags { grid-column: 2 / -1; display: flex; gap: .3rem; flex-wrap: wrap; }
    .tag { font-size: .75rem; background: var(--notice); color: var(--warn); padding: 0 .45rem; border-radius: 99px; }
    progress { width: 100%; accent-color: var(--gold); }
    .warn { color: var(--warn); font-size: .88rem; }
    .more { width: 100%; margin-top: .5rem; }
  `,
  ];

  constructor() {
    super();
    this.table = "";
    this.shown = null;
    this.forget();
    new LanguageController(this);
  }

  private forget() {
    this.rounds = this.more = this.reading = this.unreadable = null;
    this.refused = "";
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has("table") && this.table) void this.search();
  }

  /** Ask for the first rounds that match, or for more after them. */
  private async search(more: number | null = null) {
    const number = ++this.asked;
    const query = this.query();
    if (more !== null) query.set("before", String(more));
    else this.forget();
    try {
      const found = await auditApi.findRounds(this.table, query, (how) => {
        if (number === this.asked) this.reading = how;
      });
      if (number !== this.asked) return; // another search was begun meanwhile
      this.rounds = more === null ? found.rounds : [...(this.rounds ?? []), ...found.rounds];
      this.more = found.more;
      this.unreadable = found.unreadable;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused = refusalText(error.refused);
    }
    this.reading = null;
  }

  private submit(event: Event) {
    event.preventDefault();
    void this.search();
  }

  private query(): URLSearchParams {
    const form = this.renderRoot.querySelector("form")!;
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      const text = String(value).trim();
      const said = name === "since" || name === "until" ? parseLocal(text) : text;
      if (said !== null && said !== "") query.set(name, String(said));
    }
    return query;
  }

  override render() {
    return html`<form @submit=${this.submit}
      @reset=${() => queueMicrotask(() => void this.search())}>
        <label>${t("find.from_round")}<input name="first" inputmode="numeric" pattern="[1-9][0-9]{0,8}"></label>
        <label>${t("find.to_round")}<input name="last" inputmode="numeric" pattern="[1-9][0-9]{0,8}"></label>
        <label>${t("find.outcome")}<select name="outcome"><option value="">${t("find.any")}</option>
          ${WINNERS.map((each) => html`<option value=${each}>${nameOf("winner", each)}</option>`)}</select></label>
        <label>${t("find.marked")}<select name="marked"><option value="">${t("find.any")}</option>
          ${MARKS.map((each) => html`<option value=${each}>${t(`find.mark_${each}`)}</option>`)}</select></label>
        <details><summary>${t("find.further")}</summary><div>
          <label>${t("find.since")}<input name="since" type="datetime-local" step="1"></label>
          <label>${t("find.until")}<input name="until" type="datetime-local" step="1"></label>
          <label>${t("find.patron")}<input name="patron" maxlength="100" spellcheck="false"
            autocapitalize="off"></label></div></details>
        <button class="main">${t("find.go")}</button><button type="reset">${t("find.reset")}</button>
      </form>
      <div role="status">${this.status()}</div>
      ${
        this.rounds?.length
          ? html`<ol aria-label=${t("find.list")}
        @keydown=${this.move}>${this.rounds.map((each, at) => html`${this.newDay(each, at)}${this.line(each)}`)}</ol>`
          : nothing
      }
      ${
        this.more === null
          ? nothing
          : html`<button class="more"
        @click=${() => this.search(this.more)}>${t("find.more")}</button>`
      }`;
  }

  private status() {
    if (this.refused) return html`<p class="lost">${this.refused}</p>`;
    if (this.reading)
      return html`<p class="soft">${t("audit.reading", { ...this.reading })}</p><progress
      aria-label=${t("audit.reading", { ...this.reading })} max=${this.reading.of}
        value=${this.reading.read}></progress>`;
    return html`${
      this.unreadable === null
        ? nothing
        : html`<p
      class="warn">${t("audit.unreadable", { event: this.unreadable })}</p>`
    }
      ${this.rounds?.length === 0 ? html`<p class="soft">${t("find.none")}</p>` : nothing}`;
  }

  /** The day, above its first round. */
  private newDay(each: RoundLine, at: number) {
    const before = this.rounds![at - 1];
    return before && day(before.opened) === day(each.opened) ? nothing : html`<li class="day">${day(each.opened)}</li>`;
  }

  private line(each: RoundLine) {
    const totals = each.player_total === null ? "" : ` ${each.player_total} : ${each.banker_total}`;
    const tags = [each.irregular && t("find.mark_irregular"), each.corrected && t("find.mark_corrected")].filter(
      Boolean,
    );
    return html`<li><a href="/audit/${encodeURIComponent(this.table)}/${each.round}"
      aria-current=${each.round === this.shown ? "true" : "false"}
        @click=${(event: MouseEvent) => this.choose(event, each.round)}>
      <b>${each.round}</b>
      <span>${
        each.void
          ? t("rounds.void")
          : each.winner
            ? html`<span class=${each.winner}>${nameOf("winner", each.winner)}</span><span
              class="soft">${totals}</span>`
            : html`<span class="soft">${t("find.playing")}</span>`
      }</span>
      <span class="when">${toSecond(each.opened)}</span>
      ${
        tags.length
          ? html`<span class="tags">${tags.map(
              (tag) => html`<span
        class="tag">${tag}</span>`,
            )}</span>`
          : nothing
      }
    </a></li>`;
  }

  private choose(event: MouseEvent, round: number) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // as a link: into another tab
    event.preventDefault();
    this.dispatchEvent(new CustomEvent("chosen", { detail: round }));
  }

  /** Move between rounds by arrow keys. */
  private move(event: KeyboardEvent) {
    const links = [...this.renderRoot.querySelectorAll<HTMLElement>("ol a")];
    const at = links.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined || !links[to]) return;
    event.preventDefault();
    event.stopPropagation();
    links[to].focus();
  }
}
customElements.define("punto-find", PuntoFind);
