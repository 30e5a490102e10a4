/** The page of the lobby: every table of the house, live. */
import { css, html, LitElement } from "lit";
import "../components/connection-badge";
import "../components/sign-in";
import "../components/top-bar";
import "./table-tile";
import { Refusal } from "../api/http";
import { pageConnection } from "../api/page-connection";
import { choosePassword, may, signedInPerson } from "../api/session";
import type { PersonShown } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { loadLanguage, nameOf, t } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import { refusalText } from "../i18n/refusal-text";
import { LobbyController } from "./lobby-controller";

class PuntoLobby extends LitElement {
  private readonly lobby = new LobbyController(this, pageConnection(), signedInPerson());
  static override properties = { said: { state: true } };
  /** How setting a password went. */
  declare private said: string;

  static override styles = [
    common,
    css`
    main { max-width: 76rem; margin: 0 auto; padding: 1rem clamp(.6rem, 2vw, 1.4rem) 3rem; display: grid; gap: 1rem; }
    .welcome { background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: 1rem; }
    .money { display: flex; gap: .5rem 1.5rem; align-items: baseline; flex-wrap: wrap; }
    .money strong { font-size: 1.5rem; color: var(--gold); font-variant-numeric: tabular-nums; }
    .filter { display: flex; gap: .4rem; flex-wrap: wrap; }
    .filter button[aria-pressed="true"] { background: var(--gold); color: var(--on-gold); border-color: var(--gold); }
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
    this.said = "";
    new LanguageController(this);
  }

  protected override updated(): void {
    document.title = `Punto · ${t("lobby.title")}`;
  }

  override render() {
    const { lobby } = this;
    const { game, tables } = lobby.state;
    const shown = lobby.shownTables;
    return html`<punto-top heading=${t("lobby.title")}></punto-top>
      <punto-connection></punto-connection>
      <main>
        <section class="welcome" aria-label=${t("lobby.you")}>${
          lobby.person ? this.welcome(lobby.person) : html`<punto-sign-in></punto-sign-in>`
        }
          <a class="school"
            href=${game ? `/school/${encodeURIComponent(game)}` : "/school"}>${t("school.link")}</a></section>
        <nav class="filter" aria-label=${t("lobby.filter")}>
          <button aria-pressed=${!game} @click=${() => lobby.chooseGame("")}>${t("lobby.all")}</button>
          ${lobby.games.map(
            ([key, title]) => html`<button aria-pressed=${game === key}
              @click=${() => lobby.chooseGame(key)}>${nameOf("game", title)}</button>`,
          )}
        </nav>
        <ul>${shown.map((each) => html`<li><punto-tile .about=${each}></punto-tile></li>`)}</ul>
        ${tables.length && !shown.length ? html`<p class="soft">${t("lobby.none")}</p>` : ""}
      </main>`;
  }

  private welcome({ name }: PersonShown) {
    const { balance } = this.lobby.state;
    return html`<div class="money">
        <span>${t("lobby.hello", { name: nameOf("duty", name) })}</span>
        ${balance === null ? "" : html`<span>${t("lobby.account")} <strong>${amount(balance)}</strong></span>`}
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

await loadLanguage();
customElements.define("punto-lobby", PuntoLobby);
