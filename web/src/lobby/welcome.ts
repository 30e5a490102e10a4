/** Who is here and what to do first: for a guest, a patron and staff. */
import { css, html, LitElement, nothing } from "lit";
import "../components/sign-in";
import { unfinished } from "../api/account";
import { isPracticeHouse, isStaff, may } from "../api/session";
import type { PersonShown } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import { amount } from "../i18n/money";

export class PuntoWelcome extends LitElement {
  static override properties = {
    person: { attribute: false },
    balance: { type: Number },
    atTables: { type: Number },
    game: {},
  };
  declare person: PersonShown | null;
  /** The balance of the patron's account; null before it is known. */
  declare balance: number | null;
  /** The patron's chips and bets at all tables. */
  declare atTables: number;
  /** The game whose school is offered; empty for all. */
  declare game: string;

  static override styles = [
    common,
    css`
    section { display: flex; gap: .3rem 1.4rem; align-items: center; flex-wrap: wrap; min-height: 2.4rem; }
    .first { font-size: 1.05rem; font-weight: 600; }
    strong { color: var(--gold); font-variant-numeric: tabular-nums; }
    .account { min-width: 11rem; }
    details { position: relative; font-size: .9rem; } summary { cursor: pointer; padding: .3rem 0; }
    .over {
      position: absolute; z-index: 6; left: 0; top: 100%; padding: .8rem; border-radius: 14px; background: var(--panel);
      border: 1px solid var(--line); width: min(24rem, 90vw); box-shadow: 0 6px 24px rgb(0 0 0 / .5);
    }
    .school { padding: .3rem 0; margin-left: auto; }
    @media (max-width: 560px) { .school { margin-left: 0; } }
  `,
  ];

  constructor() {
    super();
    this.balance = null;
    this.atTables = 0;
    this.game = "";
    new LanguageController(this);
  }

  override render() {
    return html`<section aria-label=${t("lobby.you")}>
      ${this.person ? this.known(this.person) : this.guest()}
      <a class="school"
        href=${this.game ? `/school/${encodeURIComponent(this.game)}` : "/school"}>${t("school.link")}</a>
    </section>`;
  }

  private guest() {
    if (!isPracticeHouse() || unfinished())
      return html`<span class="first">${t("lobby.first")}</span><punto-sign-in></punto-sign-in>`;
    return html`<span class="first">${t("lobby.first_practice")}</span>
      <details><summary>${t("sign_in.enter")}</summary>
        <div class="over"><punto-sign-in></punto-sign-in></div></details>`;
  }

  private known(person: PersonShown) {
    return html`<span class="first">${t("lobby.hello", { name: nameOf("duty", person.name) })}</span>
      ${
        person.duty === "patron"
          ? html`<span class="account">${t("lobby.account")}
              <strong>${this.balance === null ? "–" : amount(this.balance)}</strong></span>
            ${
              this.atTables
                ? html`<span class="tables">${t("lobby.at_tables")} <strong>${amount(this.atTables)}</strong></span>`
                : nothing
            }
            <a href="/history">${t("history.title")}</a>`
          : nothing
      }
      ${
        isStaff(person) || may("read-log") || this.atTables
          ? nothing
          : html`<span class="soft">${t("lobby.then")}</span>`
      }
      ${may("read-log") ? html`<a href="/audit">${t("audit.link")}</a>` : nothing}
      <a href="/account">${t("lobby.password")}</a>`;
  }
}
customElements.define("punto-welcome", PuntoWelcome);
