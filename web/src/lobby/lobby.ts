/** The lobby: every table of the house, live. */
import { css, html, LitElement } from "lit";
import "../components/sign-in";
import "../components/top-bar";
import "./table-tile";
import { Refusal } from "../api/http";
import { pageConnection } from "../api/page-connection";
import { choosePassword, may, signedInPerson } from "../api/session";
import { lobby, lobbyTable, myAccount } from "../api/tables";
import type { LobbyTable } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { loadLanguage, nameOf, t } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import { refusalText } from "../i18n/refusal-text";

class PuntoLobby extends LitElement {
  static override properties = {
    tables: { state: true },
    game: { state: true },
    holds: { state: true },
    said: { state: true },
  };
  declare private tables: LobbyTable[];
  declare private game: string;
  declare private holds: number | null;
  declare private said: string;
  private person = signedInPerson();

  static override styles = [
    common,
    css`
    main { max-width: 76rem; margin: 0 auto; padding: 1rem clamp(.6rem, 2vw, 1.4rem) 3rem; display: grid; gap: 1rem; }
    .welcome { background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: 1rem; }
    .money { display: flex; gap: .5rem 1.5rem; align-items: baseline; flex-wrap: wrap; }
    .money strong { font-size: 1.5rem; color: var(--gold); font-variant-numeric: tabular-nums; }
    .filter { display: flex; gap: .4rem; flex-wrap: wrap; }
    .filter button[aria-pressed="true"] { background: var(--gold); color: #2a1d00; border-color: var(--gold); }
    .school { display: inline-block; margin-top: .5rem; padding: .25rem 0; }
    @media (max-width: 700px) {
      .filter {
        flex-wrap: nowrap; overflow-x: auto; margin: 0 calc(-1 * clamp(.6rem, 2vw, 1.4rem));
        padding: .2rem clamp(.6rem, 2vw, 1.4rem);
      }
      .filter button { flex: none; }
    }
    ul {
      list-style: none; margin: 0; padding: 0; display: grid;
      grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: .9rem;
    }
    details { font-size: .9rem; } summary { cursor: pointer; color: var(--ink-soft); }
  `,
  ];

  constructor() {
    super();
    this.tables = [];
    this.game = "";
    this.holds = null;
    this.said = "";
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.begin();
  }

  private async begin() {
    document.title = `Punto · ${t("lobby.title")}`;
    this.tables = await lobby();
    for (const { table } of this.tables)
      pageConnection().watch(table, {
        changed: (known, events) =>
          this.changed(
            table,
            known.view,
            events.map((each) => each.name),
          ),
      });
    if (this.person?.duty === "patron") this.holds = (await myAccount()).holds;
  }

  private changed(
    name: string,
    view: {
      phase: LobbyTable["phase"];
      deadline: number | null;
      round: number;
      cards_drawn: number;
      hold: string | null;
    } | null,
    events: string[],
  ) {
    if (!view) return;
    this.tables = this.tables.map((each) =>
      each.table === name
        ? {
            ...each,
            phase: view.phase,
            deadline: view.deadline,
            round: view.round,
            hold: view.hold,
            shoe: each.shoe && { ...each.shoe, drawn: view.cards_drawn },
          }
        : each,
    );
    if (events.some((each) => SHOWN_ANEW.has(each))) void this.showAnew(name);
  }

  /** What the view does not say, such as the drawn road, is asked for once something has changed it. */
  private async showAnew(name: string) {
    const table = await lobbyTable(name);
    this.tables = this.tables.map((each) => (each.table === name ? table : each));
  }

  override render() {
    const games = [...new Map(this.tables.map((each) => [each.game, each.title]))];
    const shown = this.tables.filter((each) => !this.game || each.game === this.game);
    return html`<punto-top heading=${t("lobby.title")}></punto-top>
      <main>
        <section class="welcome"
          aria-label=${t("lobby.you")}>${this.person ? this.welcome() : html`<punto-sign-in></punto-sign-in>`}
          <a class="school"
            href=${this.game ? `/school/${encodeURIComponent(this.game)}` : "/school"}>${t("school.link")}</a></section>
        <nav class="filter" aria-label=${t("lobby.filter")}>
          <button aria-pressed=${!this.game} @click=${() => (this.game = "")}>${t("lobby.all")}</button>
          ${games.map(
            ([key, title]) => html`<button aria-pressed=${this.game === key}
            @click=${() => (this.game = key)}>${nameOf("game", title)}</button>`,
          )}
        </nav>
        <ul>${shown.map((each) => html`<li><punto-tile .about=${each}></punto-tile></li>`)}</ul>
        ${this.tables.length && !shown.length ? html`<p class="soft">${t("lobby.none")}</p>` : ""}
      </main>`;
  }

  private welcome() {
    return html`<div class="money">
        <span>${t("lobby.hello", { name: nameOf("duty", this.person!.name) })}</span>
        ${this.holds === null ? "" : html`<span>${t("lobby.account")} <strong>${amount(this.holds)}</strong></span>`}
        ${may("read-log") ? html`<a href="/audit">${t("audit.link")}</a>` : ""}
        <details><summary>${t("lobby.password")}</summary>
          <form class="row" @submit=${this.setPassword}>
            <label>${t("lobby.new_password")}<input type="password" name="password" autocomplete="new-password"
              required></label>
            <button>${t("lobby.set")}</button><span role="status">${this.said}</span>
          </form></details>
      </div>`;
  }

  private async setPassword(event: SubmitEvent) {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    try {
      await choosePassword(String(new FormData(form).get("password")));
      form.reset();
      this.said = t("lobby.password_set");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.said = refusalText(error.refused);
    }
  }
}

const SHOWN_ANEW = new Set([
  "OutcomeAnnounced",
  "RoundCorrected",
  "CardCorrected",
  "RoundVoided",
  "ShoeLoaded",
  "ShoeEnded",
  "LimitsChanged",
  "TableOpened",
  "TableClosed",
  "BoughtIn",
  "CashedOut",
  "MethodChanged",
]);

await loadLanguage();
customElements.define("punto-lobby", PuntoLobby);
