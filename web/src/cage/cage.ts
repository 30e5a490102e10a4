/** The page of the cage: patrons by name, their money and statements, slips, cash that is flagged, debts. */
import { css, html, LitElement } from "lit";
import "../components/sign-in";
import "../components/slip-list";
import "../components/tabs";
import "../components/top-bar";
import { may, signedInPerson } from "../api/session";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { loadLanguage, nameOf, t } from "../i18n/catalogue";
import { CageController } from "./cage-controller";
import { debtsPanel, flagsPanel, patronsPanel } from "./cage-view";

const TABS = ["patrons", "slips", "flags", "debts"] as const;

class PuntoCage extends LitElement {
  private readonly person = signedInPerson();
  private readonly permitted = may("see-accounts");
  private readonly desk = new CageController(this, this.permitted);

  static override styles = [
    common,
    css`
    main {
      max-width: 76rem; margin: 0 auto; padding: .8rem clamp(.6rem, 2vw, 1.4rem) 3rem;
      display: grid; grid-template-columns: minmax(0, 1fr); gap: .9rem;
    }
    .panel { display: grid; grid-template-columns: minmax(0, 1fr); gap: .9rem; }
    .card { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; }
    .scroll { overflow-x: auto; }
    h2 { font-size: 1.15rem; color: var(--gold); margin-bottom: .5rem; }
    form.row { align-items: end; }
    form[role="search"] label { flex: 1 1 16rem; max-width: 28rem; }
    .people { display: flex; flex-wrap: wrap; gap: .5rem; }
    .people button[aria-pressed="true"] { border-color: var(--gold); color: var(--gold); }
    .figures { display: flex; gap: .4rem 2rem; flex-wrap: wrap; margin-bottom: .8rem; }
    .figures div { display: grid; }
    .figures span { font-size: .85rem; color: var(--ink-soft); }
    .figures strong { font-size: 1.3rem; font-variant-numeric: tabular-nums; }
    .moves { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: .8rem 1.4rem; }
    .moves input[name="amount"] { width: 9rem; text-align: right; }
    .check { display: flex; gap: .4rem; align-items: center; min-height: 2.6rem; color: var(--ink); }
    .check input { min-height: 1.2rem; width: 1.2rem; }
  `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override updated(): void {
    document.title = `Punto · ${t("cage.title")}`;
  }

  override render() {
    return html`<punto-top home heading=${t("cage.title")}></punto-top><main>${
      this.permitted ? this.page() : this.turnedAway()
    }</main>`;
  }

  private turnedAway() {
    if (!this.person) return html`<section class="card"><punto-sign-in></punto-sign-in></section>`;
    return html`<p class="card" role="status">${t("cage.not_for", { duty: nameOf("duty", this.person.duty) })}</p>`;
  }

  private page() {
    const { flags, tab } = this.desk.state;
    const tabs = TABS.map((key) => ({
      key,
      name: key === "flags" && flags.length ? `${t("cage.tab.flags")} (${flags.length})` : t(`cage.tab.${key}`),
    }));
    return html`<punto-tabs .tabs=${tabs} .shown=${tab} label=${t("cage.title")}
      @shown=${(event: CustomEvent<string>) => this.desk.openTab(event.detail)}><div class="panel">${this.panel()}</div>
      </punto-tabs>`;
  }

  private panel() {
    switch (this.desk.state.tab) {
      case "slips":
        return html`<div class="card"><punto-slips></punto-slips></div>`;
      case "flags":
        return flagsPanel(this.desk);
      case "debts":
        return debtsPanel(this.desk);
      default:
        return patronsPanel(this.desk);
    }
  }
}

await loadLanguage();
customElements.define("punto-cage", PuntoCage);
