/** The pit: every table live, what waits to be decided, the house's people, the shift report. */
import { css, html, LitElement, nothing } from "lit";
import "../components/sign-in";
import "../components/tabs";
import "../components/top-bar";
import "./table-board";
import "./hold-decision";
import "./table-detail";
import "./people-desk";
import "./shift-report";
import { pageConnection } from "../api/page-connection";
import * as pitApi from "../api/pit";
import { may, signedInPerson } from "../api/session";
import * as tablesApi from "../api/tables";
import type { GameShown, PersonShown, Pit, PitTable, StaffView } from "../api/types";
import { RequestStatus } from "../components/request-status";
import { common } from "../components/style";
import { loadLanguage, nameOf, t } from "../i18n/catalogue";
import { LanguageController } from "../i18n/language-controller";
import { type AtTable, inOrder } from "./table-order";

/** How long one waits before asking again what a table's view does not say, so that a busy table is not asked about at every event. */
const ASKED_EACH = 300;

class PuntoPit extends LitElement {
  static override properties = { tab: { state: true }, chosen: { state: true } };
  private readonly person = signedInPerson();
  private readonly permitted = may("see-pit");
  declare private tab: string;
  declare private chosen: string;
  private pit: Pit | null = null;
  private tables = new Map<string, AtTable>();
  private games = new Map<string, GameShown>();
  private staff: PersonShown[] = [];
  private names = new Map<string, string>();
  private asking = new Set<string>();
  private stale = new Set<string>();
  private readonly said = new RequestStatus(this);

  static override styles = [
    common,
    css`
    main { max-width: 92rem; margin: 0 auto; padding: .8rem clamp(.6rem, 2vw, 1.4rem) 3rem; display: grid; gap: .9rem; }
    .card { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; }
    .waiting { display: grid; gap: .6rem; } .waiting h2 { font-size: 1.05rem; color: var(--warn); }
    details.new { margin-top: .8rem; }
    summary { cursor: pointer; color: var(--ink-soft); }
    details form.row { align-items: end; margin-top: .6rem; }
    .check { display: flex; gap: .4rem; align-items: center; min-height: 2.6rem; color: var(--ink); }
    .check input { min-height: 1.2rem; width: 1.2rem; }
    dialog { width: min(66rem, calc(100vw - 2rem)); padding: 1rem 1.2rem; }
    .title { display: flex; gap: .2rem .8rem; align-items: baseline; margin-bottom: .5rem; flex-wrap: wrap; }
    .title button { margin-left: auto; align-self: center; }
  `,
  ];

  constructor() {
    super();
    this.tab = "tables";
    this.chosen = "";
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `Punto · ${t("pit.title")}`;
    if (this.permitted) void this.begin();
  }

  private async begin() {
    pageConnection().onstate = () => this.requestUpdate();
    [this.pit, this.staff] = await Promise.all([pitApi.pit(), pitApi.staff()]);
    const known = may("register-patrons") ? await pitApi.people() : this.staff;
    this.names = new Map(known.map((each) => [each.id, each.name]));
    for (const each of this.pit.tables) this.take(each);
    this.requestUpdate();
  }

  private take(about: PitTable) {
    const known = this.tables.get(about.table);
    this.tables.set(about.table, { about, view: known?.view ?? null });
    if (!known)
      pageConnection().watch(about.table, {
        changed: (table) => this.changed(about.table, table.view as StaffView | null),
      });
    if (!this.games.has(about.game))
      void tablesApi.game(about.game).then((game) => {
        this.games.set(about.game, game);
        this.requestUpdate();
      });
  }

  private changed(name: string, view: StaffView | null) {
    const known = this.tables.get(name);
    if (!known || !view) return;
    this.tables.set(name, { ...known, view });
    this.requestUpdate();
    void this.askAgain(name);
  }

  /** Money, and what waits for whom, are asked for after something has happened. */
  private async askAgain(name: string) {
    this.stale.add(name);
    if (this.asking.has(name)) return;
    this.asking.add(name);
    while (this.stale.delete(name)) {
      try {
        this.take(await pitApi.pitTable(name));
        this.requestUpdate();
      } catch {
        this.stale.add(name); // the server is away, or has had enough for a moment
      }
      await new Promise((over) => setTimeout(over, ASKED_EACH));
    }
    this.asking.delete(name);
  }

  override render() {
    return html`<punto-top home heading=${t("pit.title")}></punto-top>
      ${this.pit && !pageConnection().connected ? html`<p class="away" role="alert">${t("seat.away")}</p>` : nothing}
      <main>${this.permitted ? (this.pit ? this.shown(this.pit) : html`<p class="soft">${t("seat.loading")}</p>`) : this.turnedAway()}</main>`;
  }

  private turnedAway() {
    if (!this.person) return html`<section class="card"><punto-sign-in></punto-sign-in></section>`;
    return html`<p class="card" role="status">${t("pit.not_for", { duty: nameOf("duty", this.person.duty) })}</p>`;
  }

  private shown(pit: Pit) {
    const tabs = ["tables", "people", ...(may("report-shifts") ? ["shift"] : [])] as ("tables" | "people" | "shift")[];
    const tables = inOrder(this.tables.values());
    return html`<punto-tabs .tabs=${tabs.map((key) => ({ key, name: t(`pit.page.${key}`) }))} .shown=${this.tab} label=${t("pit.title")}
      @shown=${(event: CustomEvent<string>) => (this.tab = event.detail)}>
      ${
        this.tab === "people"
          ? html`<punto-people .pit=${pit} .tables=${tables}></punto-people>`
          : this.tab === "shift"
            ? html`<punto-shift></punto-shift>`
            : this.floor(pit, tables)
      }</punto-tabs>
      ${this.detail(pit)}`;
  }

  private floor(pit: Pit, tables: AtTable[]) {
    const held = tables.filter(({ view }) => view?.hold);
    return html`<div class="stack">
      ${
        held.length
          ? html`<section class="waiting" aria-label=${t("pit.waiting")}><h2>${t("pit.waiting")}</h2>
        ${held.map(
          ({ about, view }) => html`<punto-decision data-table=${about.table} .about=${about} .view=${view!}
          .clauses=${this.games.get(about.game)?.clauses ?? []}>${about.table} · ${nameOf("game", about.title)} ·</punto-decision>`,
        )}</section>`
          : nothing
      }
      <punto-board .tables=${tables} @chosen=${(event: CustomEvent<string>) => this.choose(event.detail)}></punto-board>
      ${may("create-tables") ? this.newTable(pit) : nothing}</div>`;
  }

  private newTable(pit: Pit) {
    return html`<details class="new"><summary>${t("pit.new_table")}</summary><form class="row" @submit=${this.create}>
        <label>${t("pit.table_name")}<input name="table" required maxlength="40" pattern="[A-Za-z0-9\\-]+" autocomplete="off"></label>
        <label>${t("pit.game")}<select name="game">${pit.games.map(
          ([key, title]) => html`<option
          value=${key}>${nameOf("game", title)}</option>`,
        )}</select></label>
        <label class="check"><input type="checkbox" name="automatic">${t("pit.runs_by_itself")}</label>
        <button ?disabled=${this.said.busy}>${t("pit.create")}</button></form>${this.said.shown()}</details>`;
  }

  private async create(event: SubmitEvent) {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const asked = new FormData(form);
    const steps = asked.has("automatic") ? [...this.pit!.steps] : [];
    const made = await this.said.asked(
      pitApi.createTable(String(asked.get("table")), String(asked.get("game")), steps),
    );
    if (!made) return;
    form.reset();
    this.take(await pitApi.pitTable(made.table));
    await this.choose(made.table);
  }

  private async choose(table: string) {
    this.chosen = table;
    await this.updateComplete;
    this.renderRoot.querySelector("dialog")?.showModal();
  }

  private detail(pit: Pit) {
    const known = this.tables.get(this.chosen);
    const game = known && this.games.get(known.about.game);
    const { about, view } = known ?? {};
    return html`<dialog aria-label=${t("seat.table", { table: this.chosen })} @close=${() => (this.chosen = "")}>
      ${
        about && view && game
          ? html`<div class="title"><h2>${about.table}</h2><span
        class="soft">${nameOf("game", about.title)} · ${t("seat.round", { round: view.round })} · ${
          view.hold ? t("phase.held") : nameOf("phase", view.phase)
        }</span>
        <button class="quiet" @click=${() => this.renderRoot.querySelector("dialog")!.close()}>${t("seat.close")}</button></div>
        <punto-pit-detail .about=${about} .view=${view} .game=${game} .pit=${pit} .staff=${this.staff} .names=${this.names}
          @stale=${() => this.askAgain(about.table)}></punto-pit-detail>`
          : nothing
      }</dialog>`;
  }
}

await loadLanguage();
customElements.define("punto-pit", PuntoPit);
