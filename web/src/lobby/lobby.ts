/** The page of the lobby: every table of the house, live. */
import { css, html, LitElement, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import "../components/connection-badge";
import "../components/top-bar";
import "../table-view/roads-board";
import "./good-road-settings";
import "./table-tile";
import "./welcome";
import { pageConnection } from "../api/page-connection";
import { signedInPerson } from "../api/session";
import type { LobbyTable } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { loadLanguage, nameOf, t } from "../i18n/catalogue";
import { tableName } from "../i18n/table-name";
import type { GoodRoadRule } from "./good-roads";
import { LobbyController, MOST_AT_ONCE } from "./lobby-controller";
import { SORTS, type Sort } from "./table-order";

class PuntoLobby extends LitElement {
  private readonly lobby = new LobbyController(this, pageConnection(), signedInPerson(), localStorage);
  static override properties = { enlarged: { state: true } };
  /** The table whose roads are shown large. */
  declare private enlarged: string;

  static override styles = [
    common,
    css`
    main {
      max-width: 92rem; margin: 0 auto; padding: .7rem clamp(.6rem, 2vw, 1.4rem) 5rem; display: grid; gap: .8rem;
      grid-template-columns: minmax(0, 1fr);
    }
    .choice { display: flex; gap: .4rem; align-items: center; flex-wrap: wrap; }
    .choice button, .choice select { min-height: 2.4rem; padding: .2rem .8rem; white-space: nowrap; }
    .choice button[aria-pressed="true"] { border-color: var(--gold); color: var(--gold); }
    .choice select[name="game"] { width: 17.5rem; } .choice .rules { padding: .2rem .7rem; margin-left: -.3rem; }
    .choice .sort { margin-left: auto; display: flex; align-items: center; gap: .4rem; white-space: nowrap; }
    @media (max-width: 900px) {
      .choice select[name="game"] { width: 10rem; flex: 1; } .choice button { flex: none; }
      .choice .sort { margin: 0; flex: 1; } .choice select[name="sort"] { flex: 1; min-width: 0; }
    }
    ul {
      list-style: none; margin: 0; padding: 0; display: grid;
      grid-template-columns: repeat(auto-fill, minmax(min(23rem, 100%), 1fr)); gap: .8rem;
    }
    .coming { height: 19.5rem; border-radius: 14px; background: var(--panel); opacity: .5; }
    .together {
      position: fixed; z-index: 5; left: 50%; bottom: .8rem; transform: translateX(-50%); display: flex; gap: .8rem;
      align-items: center; padding: .5rem .6rem .5rem 1.1rem; border-radius: 99px; background: var(--panel-high);
      border: 1px solid var(--gold); box-shadow: 0 6px 24px rgb(0 0 0 / .5); white-space: nowrap;
    }
    .together a {
      padding: .5rem 1.1rem; border-radius: 99px; background: var(--gold); color: var(--on-gold);
      font-weight: 650; text-decoration: none;
    }
    /* As wide as all roads fit the height of the screen. */
    dialog.roads { width: min(100vw - 1rem, max(22rem, (85dvh - 14rem) / .75)); max-height: 94dvh; }
    dialog .main { margin-top: .7rem; }
    dialog .row { justify-content: space-between; margin-bottom: .6rem; }
  `,
  ];

  constructor() {
    super();
    this.enlarged = "";
    new LanguageController(this);
  }

  protected override updated(): void {
    document.title = `Punto · ${t("lobby.title")}`;
  }

  override render() {
    const { lobby } = this;
    const { loaded, tables, picked, choice, balance, money } = lobby.state;
    const shown = lobby.shownTables;
    return html`<punto-top heading=${t("lobby.title")}></punto-top>
      <punto-connection></punto-connection>
      <main>
        <punto-welcome .person=${lobby.person} .balance=${balance} .game=${choice.game}
          .atTables=${[...money.values()].reduce((total, each) => total + each, 0)}></punto-welcome>
        ${this.choices()}
        <ul>${
          loaded
            ? repeat(
                shown,
                (each) => each.table,
                (each) => html`<li>${this.tile(each)}</li>`,
              )
            : Array.from({ length: 6 }, () => html`<li class="coming" aria-hidden="true"></li>`)
        }</ul>
        ${tables.length && !shown.length ? html`<p class="soft">${t("lobby.none")}</p>` : nothing}
      </main>
      ${picked.length ? this.together(picked) : nothing}
      <dialog class="rules" aria-label=${t("good.title")}>
        <punto-good-road-settings .rules=${lobby.state.rules}
          @changed=${(event: CustomEvent<GoodRoadRule>) => lobby.changeRule(event.detail)}></punto-good-road-settings>
        <button class="main" @click=${() => this.dialog("rules").close()}>${t("seat.close")}</button></dialog>
      <dialog class="roads" aria-label=${t("lobby.roads")}>${this.roads()}</dialog>`;
  }

  private tile(about: LobbyTable) {
    const { picked, money } = this.lobby.state;
    return html`<punto-tile .about=${about} .good=${this.lobby.goodRoads(about)} .money=${money.get(about.table) ?? 0}
      ?picked=${picked.includes(about.table)}
      ?full=${picked.length >= MOST_AT_ONCE} @picked=${() => this.lobby.pick(about.table)}
      @enlarged=${() => this.enlarge(about.table)}></punto-tile>`;
  }

  /** Which tables are shown, and in which order. */
  private choices() {
    const { lobby } = this;
    const { game, sort, goodOnly, freeOnly } = lobby.state.choice;
    const chosen = ({ target }: Event) => (target as HTMLSelectElement).value;
    return html`<nav class="choice" aria-label=${t("lobby.filter")}>
      <select name="game" aria-label=${t("lobby.filter_game")}
        @change=${(event: Event) => lobby.choose({ game: chosen(event) })}>
        <option value="">${t("lobby.all")}</option>
        ${lobby.games.map(
          ([key, title]) => html`<option value=${key} ?selected=${game === key}>${nameOf("game", title)}</option>`,
        )}</select>
      <button class="good" aria-pressed=${goodOnly}
        @click=${() => lobby.choose({ goodOnly: !goodOnly })}>${t("lobby.good_only")}</button>
      <button class="rules" title=${t("good.choose")} aria-label=${t("good.choose")}
        @click=${() => this.dialog("rules").showModal()}>⚙</button>
      <button class="free" aria-pressed=${freeOnly}
        @click=${() => lobby.choose({ freeOnly: !freeOnly })}>${t("lobby.free_only")}</button>
      <label class="sort">${t("lobby.sort")}<select name="sort"
        @change=${(event: Event) => lobby.choose({ sort: chosen(event) as Sort | "" })}>
        ${["", ...SORTS].map(
          (each) =>
            html`<option value=${each} ?selected=${sort === each}>${t(
              each ? `lobby.sort.${each as Sort}` : "lobby.sort.house",
            )}</option>`,
        )}</select></label>
    </nav>`;
  }

  private together(picked: readonly string[]) {
    const link = `/tables?show=${picked.map(encodeURIComponent).join(",")}`;
    return html`<div class="together" role="status"><span>${t("lobby.picked", { tables: picked.length })}</span>
      <a href=${link}>${t("lobby.play_together")}</a></div>`;
  }

  private roads() {
    const about = this.lobby.state.tables.find((each) => each.table === this.enlarged);
    if (!about?.roads) return nothing;
    const { table, number, shoe, roads } = about;
    return html`<div class="row"><h2>${tableName(about.table, about.game, about.title)}</h2>
        <button @click=${() => this.dialog("roads").close()}>${t("seat.close")}</button></div>
      <punto-roads .roads=${{ table, number, shoe, roads }}></punto-roads>`;
  }

  private enlarge(table: string) {
    this.enlarged = table;
    this.dialog("roads").showModal();
  }

  private dialog(name: string): HTMLDialogElement {
    return this.renderRoot.querySelector<HTMLDialogElement>(`dialog.${name}`)!;
  }
}

await loadLanguage();
customElements.define("punto-lobby", PuntoLobby);
