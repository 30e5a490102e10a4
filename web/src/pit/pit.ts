/** The page of the pit: every table live, what waits to be decided, the house's people, the shift report. */
import { css, html, LitElement, nothing } from "lit";
import "../components/connection-badge";
import "../components/sign-in";
import "../components/tabs";
import "../components/top-bar";
import "./alert-list";
import "./table-board";
import "./hold-decision";
import "./table-detail";
import "./house-settings";
import "./people-desk";
import "../reports/ratings-panel";
import "../reports/shift-report";
import { pageConnection } from "../api/page-connection";
import { createTable } from "../api/pit";
import { may, signedInPerson } from "../api/session";
import type { Pit } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { loadLanguage, nameOf, t } from "../i18n/catalogue";
import { PitController } from "./pit-controller";
import { proposal } from "./proposal";
import type { PitEntry } from "./table-order";

type PageTab = "tables" | "people" | "ratings" | "shift" | "house";

class PuntoPit extends LitElement {
  private readonly person = signedInPerson();
  private readonly permissions = { seePit: may("see-pit"), registerPatrons: may("register-patrons") };
  private readonly pit = new PitController(this, pageConnection(), this.permissions);
  private readonly creation = new RequestStatus(this);

  static override styles = [
    common,
    css`
    main {
      max-width: 92rem; margin: 0 auto; padding: .8rem clamp(.6rem, 2vw, 1.4rem) 3rem;
      display: grid; grid-template-columns: minmax(0, 1fr); gap: .9rem;
    }
    .card { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; }
    .warn { color: var(--warn); margin: 0; }
    .waiting { display: grid; grid-template-columns: minmax(0, 1fr); gap: .6rem; }
    .waiting h2 { font-size: 1.05rem; color: var(--warn); }
    .proposal { margin: 0; display: flex; gap: .2rem 1rem; flex-wrap: wrap; align-items: center; }
    .proposal button { margin-left: auto; }
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
    new LanguageController(this);
  }

  protected override updated(): void {
    document.title = `Punto · ${t("pit.title")}`;
    if (this.pit.state.chosen && !this.dialog.open) this.dialog.showModal();
  }

  private get dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector("dialog")!;
  }

  override render() {
    const { pit } = this.pit.state;
    return html`<punto-top home heading=${t("pit.title")}></punto-top>
      <punto-connection></punto-connection>
      <main>${
        this.permissions.seePit
          ? pit
            ? this.page(pit)
            : html`<p class="soft">${t("seat.loading")}</p>`
          : this.turnedAway()
      }</main>`;
  }

  private turnedAway() {
    if (!this.person) return html`<section class="card"><punto-sign-in></punto-sign-in></section>`;
    return html`<p class="card" role="status">${t("pit.not_for", { duty: nameOf("duty", this.person.duty) })}</p>`;
  }

  private page(pit: Pit) {
    const keys: PageTab[] = ["tables", "people", "ratings"];
    if (may("report-shifts")) keys.push("shift");
    if (may("keep-settings")) keys.push("house");
    return html`<punto-tabs .tabs=${keys.map((key) => ({ key, name: t(`pit.page.${key}`) }))}
      .shown=${this.pit.state.tab} label=${t("pit.title")}
      @shown=${(event: CustomEvent<string>) => this.pit.openTab(event.detail)}>${this.panel(pit)}</punto-tabs>
      ${this.detail(pit)}`;
  }

  private panel(pit: Pit) {
    const { tables } = this.pit;
    switch (this.pit.state.tab) {
      case "people":
        return html`<punto-people .pit=${pit} .tables=${tables}></punto-people>`;
      case "ratings":
        return html`<punto-ratings></punto-ratings>`;
      case "shift":
        return html`<punto-shift></punto-shift>`;
      case "house":
        return html`<punto-house-settings></punto-house-settings>`;
      default:
        return this.floor(pit, tables);
    }
  }

  private floor(pit: Pit, tables: PitEntry[]) {
    const held = tables.filter(({ view }) => view?.hold);
    const proposed = tables.flatMap(({ about, view }) => (view?.proposed ?? []).map((each) => ({ about, each })));
    const events = tables.reduce((sum, { about }) => sum + about.number, 0);
    return html`<div class="stack">
      ${(pit.closed ?? []).map(
        ({ stream, event }) => html`<p class="card warn" role="alert">${t("pit.closed_stream", { stream, event })}</p>`,
      )}
      <punto-alerts .events=${events}></punto-alerts>
      ${
        held.length || proposed.length
          ? html`<section class="waiting" aria-label=${t("pit.waiting")}><h2>${t("pit.waiting")}</h2>
              ${proposed.map(
                ({ about, each }) => html`<p class="card proposal"><span>${about.table}</span>
                  ${proposal(each, (id) => this.pit.state.names.get(id) ?? id)}
                  <button @click=${() => this.pit.choose(about.table)}>${t("pit.look")}</button></p>`,
              )}
              ${held.map((each) => this.decision(each))}</section>`
          : nothing
      }
      <punto-board .tables=${tables}
        @chosen=${(event: CustomEvent<string>) => this.pit.choose(event.detail)}></punto-board>
      ${may("create-tables") ? this.newTable(pit) : nothing}</div>`;
  }

  private decision({ about, view }: PitEntry) {
    const clauses = this.pit.state.games.get(about.game)?.clauses ?? [];
    return html`<punto-decision data-table=${about.table} .about=${about} .view=${view!} .clauses=${clauses}>${
      about.table
    } · ${nameOf("game", about.title)} ·</punto-decision>`;
  }

  private newTable(pit: Pit) {
    return html`<details class="new"><summary>${t("pit.new_table")}</summary><form class="row" @submit=${this.create}>
        <label>${t("pit.table_name")}<input name="table" required maxlength="40" pattern="[A-Za-z0-9\\-]+"
          autocomplete="off"></label>
        <label>${t("pit.game")}<select name="game">${pit.games.map(
          ([key, title]) => html`<option value=${key}>${nameOf("game", title)}</option>`,
        )}</select></label>
        <label class="check"><input type="checkbox" name="automatic">${t("pit.runs_by_itself")}</label>
        <button ?disabled=${this.creation.busy}>${t("pit.create")}</button></form>${this.creation.view()}</details>`;
  }

  private async create(event: SubmitEvent) {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const asked = new FormData(form);
    const steps = asked.has("automatic") ? [...this.pit.state.pit!.steps] : [];
    const made = await this.creation.followRequest(
      createTable(String(asked.get("table")), String(asked.get("game")), steps),
    );
    if (!made) return;
    form.reset();
    await this.pit.created(made);
  }

  private detail(pit: Pit) {
    const { chosen, games, names, staff, tables } = this.pit.state;
    const { about, view } = tables.get(chosen) ?? {};
    const game = about && games.get(about.game);
    return html`<dialog aria-label=${t("seat.table", { table: chosen })} @close=${() => this.pit.choose("")}>
      ${
        about && view && game
          ? html`<div class="title"><h2>${about.table}</h2><span class="soft">${nameOf("game", about.title)} ·
              ${t("seat.round", { round: view.round })} ·
              ${view.hold ? t("phase.held") : nameOf("phase", view.phase)}</span>
            <button class="quiet" @click=${() => this.dialog.close()}>${t("seat.close")}</button></div>
            <punto-pit-detail .about=${about} .view=${view} .game=${game} .pit=${pit} .staff=${staff} .names=${names}
              @stale=${() => this.pit.refresh(about.table)}></punto-pit-detail>`
          : nothing
      }</dialog>`;
  }
}

await loadLanguage();
customElements.define("punto-pit", PuntoPit);
