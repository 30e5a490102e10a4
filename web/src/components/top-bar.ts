/** The head of every page: its heading, the person who is signed in, the theme and the language. */
import { css, html, LitElement } from "lit";
import "../access/link-notices";
import { closedHouse, isPracticeHouse, may, signedInPerson, signOut } from "../api/session";
import { LanguageController } from "../controllers/language-controller";
import { chooseLanguage, currentLanguage, type Key, LANGUAGES, type Language, nameOf, t } from "../i18n/catalogue";
import { common } from "./style";
import "./theme-switch";

export class PuntoTop extends LitElement {
  static override properties = { heading: {}, home: { type: Boolean, reflect: true }, back: {} };
  declare heading: string;
  /** Whether to show that the name leads back to the lobby. */
  declare home: boolean;
  /** The table that the person came from: the name leads there instead. */
  declare back: string;

  static override styles = [
    common,
    css`
    header {
      display: flex; align-items: center; gap: .6rem 1rem; padding: .5rem clamp(.6rem, 2vw, 1.4rem);
      background: var(--felt-deep); border-bottom: 1px solid var(--line); flex-wrap: wrap;
    }
    .name { font-weight: 800; letter-spacing: .04em; color: var(--gold); text-decoration: none; font-size: 1.15rem; }
    h1 { font-size: 1.1rem; font-weight: 650; }
    .right { margin-left: auto; display: flex; gap: .5rem; align-items: center; }
    button { min-height: 2.2rem; padding: .25rem .7rem; }
    button[aria-pressed="true"] { border-color: var(--gold); color: var(--gold); }
    .closed { margin: 0; padding: .5rem clamp(.6rem, 2vw, 1.4rem); background: var(--bad); color: var(--bad-ink); }
    .who { font-size: .9rem; color: var(--ink-soft); }
    @media (max-height: 480px) { header { padding: .1rem .6rem; } button { min-height: 1.8rem; padding: .1rem .5rem; } }
    @media (max-width: 560px) {
      .who { display: none; }
      header { gap: .3rem .5rem; flex-wrap: nowrap; }
      h1 { font-size: .95rem; flex: 1; min-width: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
      .name { white-space: nowrap; }
      /* The table's name needs the room. */
      :host([home]) .word { display: none; }
      :host([home]) .name { font-size: 1.5rem; line-height: 1; padding: .2rem .7rem .4rem .2rem; }
      .right { gap: .25rem; }
      :host([home]) .leave { display: none; }
      button { padding: .2rem .45rem; font-size: .9rem; }
      .row { gap: .25rem; flex-wrap: nowrap; }
    }
  `,
  ];

  constructor() {
    super();
    this.heading = "";
    this.home = false;
    this.back = "";
    if (this.locks) void import("../access/lock-screen"); // patrons' sessions are not locked
    new LanguageController(this);
  }

  private get locks(): boolean {
    const { idle, locked } = document.body.dataset;
    return locked === "yes" || Number(idle ?? 0) > 0;
  }

  override render() {
    const person = signedInPerson();
    return html`${this.locks ? html`<punto-lock></punto-lock>` : ""}${this.closed()}<header>
      <a class="name" href=${this.back ? `/tables/${encodeURIComponent(this.back)}` : "/"}
        aria-label=${t(this.back ? "top.back" : "top.home")}>${this.home ? "‹" : ""}<span
          class="word">${this.home ? " " : ""}Punto</span></a>
      <h1>${this.heading}</h1>
      <slot></slot>
      <div class="right">
        ${
          may("see-pit") && document.body.dataset.page !== "pit"
            ? html`<a class="way"
          href="/pit">${t("top.pit")}</a>`
            : ""
        }
        ${
          may("see-accounts") && document.body.dataset.page !== "cage"
            ? html`<a class="way" href="/cage">${t("top.cage")}</a>`
            : ""
        }
        ${
          person
            ? html`<span class="who">${nameOf("duty", person.name)}</span><button class="quiet leave"
          @click=${this.leave}>${t("top.sign_out")}</button>`
            : ""
        }
        <punto-theme></punto-theme>
        <div role="group" aria-label=${t("top.language")} class="row">${Object.entries(LANGUAGES).map(
          ([each, name]) => html`
          <button lang=${each} aria-pressed=${currentLanguage() === each}
            @click=${() => chooseLanguage(each as Language)}>${name}</button>`,
        )}</div>
      </div>
    </header>${document.body.dataset.links ? html`<punto-link-notices></punto-link-notices>` : ""}`;
  }

  /** Tell that the house takes no commands, and staff why. */
  private closed() {
    const house = closedHouse();
    if (!house) return "";
    const why = house.why ? t(`closed.${house.why}` as Key, { streams: house.missing ?? "" }) : "";
    return html`<p class="closed" role="alert">${t("closed.house")} ${why}</p>`;
  }

  /** A guest of a practice house comes back as another one: they are asked first. */
  private async leave() {
    if (isPracticeHouse() && signedInPerson()?.duty === "patron" && !confirm(t("practice.leave"))) return;
    await signOut().then(
      () => location.assign("/"),
      () => {},
    ); // without a connection the person stays, and may try again
  }
}
customElements.define("punto-top", PuntoTop);
