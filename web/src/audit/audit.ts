/** The page of the audit: find a round, replay it, prove that nothing was altered. */
import { css, html, LitElement, nothing } from "lit";
import "../components/sign-in";
import "../components/tabs";
import "../components/top-bar";
import { auditedTables } from "../api/audit";
import { may, signedInPerson } from "../api/session";
import type { TableAudited } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { ListenerController } from "../controllers/listener-controller";
import { loadLanguage, nameOf, t } from "../i18n/catalogue";
import "./event-search";
import "./round-search";
import "./significant-events";
import "./integrity-check";
import "./round-replay";

/** Up to this width the round stands below the list of rounds, and not beside it. */
const NARROW = 820;

class PuntoAudit extends LitElement {
  static override properties = {
    tables: { state: true },
    table: { state: true },
    round: { state: true },
    tab: { state: true },
  };
  declare private tables: TableAudited[];
  declare private table: string;
  declare private round: number | null;
  declare private tab: string;

  static override styles = [
    common,
    css`
    main { padding: .5rem clamp(.5rem, 1.2vw, 1rem) 1.5rem; max-width: 110rem; margin: 0 auto; position: relative; }
    .rounds {
      display: grid; grid-template-columns: minmax(16rem, 19rem) minmax(0, 1fr); gap: 1rem; align-items: start;
    }
    aside {
      background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: .5rem .8rem .8rem;
      min-width: 0;
    }
    .table {
      position: absolute; right: clamp(.5rem, 1.2vw, 1rem); top: .5rem; display: flex; align-items: center;
      gap: .5rem;
    }
    .table select { min-width: 0; min-height: 2.3rem; padding: .25rem .5rem; }
    .warn { color: var(--warn); font-size: .88rem; margin: 0; }
    .refused {
      max-width: 34rem; margin: 12vh auto 0; background: var(--panel); border: 1px solid var(--line);
      border-radius: 14px; padding: 1.2rem; display: grid; gap: .8rem;
    }
    .refused p { margin: 0; font-size: 1.1rem; }
    @media (max-width: 820px) { .rounds { grid-template-columns: minmax(0, 1fr); } }
    @media (max-width: 560px) { .table { position: static; } .table select { flex: 1; } }
  `,
  ];

  constructor() {
    super();
    this.tables = [];
    this.tab = "rounds";
    this.table = "";
    this.round = null;
    new LanguageController(this);
    new ListenerController(this, "popstate", () => this.readAddress());
  }

  private get may(): boolean {
    return may("read-log");
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `Punto · ${t("audit.title")}`;
    if (!this.may) return;
    void this.begin();
  }

  private async begin() {
    this.tables = await auditedTables();
    this.readAddress();
    if (!this.table && this.tables[0]) this.open(this.tables[0].table, null, true);
  }

  /** Show what the page's address names. */
  private readAddress() {
    const [, , table = "", round = ""] = location.pathname.split("/").map(decodeURIComponent);
    this.table = table;
    this.round = /^[1-9]\d{0,8}$/.test(round) ? Number(round) : null;
  }

  private open(table: string, round: number | null, instead = false) {
    const address = `/audit/${encodeURIComponent(table)}${round === null ? "" : `/${round}`}`;
    history[instead ? "replaceState" : "pushState"](null, "", address);
    this.readAddress();
    if (round !== null && innerWidth <= NARROW)
      void this.updateComplete.then(() => this.renderRoot.querySelector("punto-replay")?.scrollIntoView());
  }

  override render() {
    return html`<punto-top home heading=${t("audit.title")}></punto-top>${this.may ? this.page() : this.refused()}`;
  }

  private refused() {
    const person = signedInPerson();
    return html`<main class="refused">
    <p role="alert">${person ? t("audit.not_yours", { duty: nameOf("duty", person.duty) }) : t("audit.sign_in")}</p>
      ${person ? html`<a href="/">${t("lobby.title")}</a>` : html`<punto-sign-in></punto-sign-in>`}</main>`;
  }

  private page() {
    const tabs = [
      { key: "rounds", name: t("audit.rounds") },
      { key: "integrity", name: t("audit.integrity") },
      ...(may("search-log") ? [{ key: "search", name: t("search.title") }] : []),
      ...(may("search-log") ? [{ key: "significant", name: t("significant.title") }] : []),
    ];
    const known = this.tables.find((each) => each.table === this.table);
    const chosen = (event: CustomEvent<number>) => this.open(this.table, event.detail);
    return html`<main>
      <label class="table">${t("audit.table")}<select
        @change=${(event: Event) => this.open((event.target as HTMLSelectElement).value, null)}>
        ${this.tables.map(
          (each) => html`<option value=${each.table}
          ?selected=${each.table === this.table}>${each.table} · ${nameOf("game", each.title)}</option>`,
        )}</select></label>
      <punto-tabs .tabs=${tabs} .shown=${this.tab} label=${t("audit.title")}
        @shown=${(event: CustomEvent<string>) => (this.tab = event.detail)}>
        ${known && !known.served ? html`<p class="warn">${t("audit.alone")}</p>` : nothing}
        <div class="rounds" ?hidden=${this.tab !== "rounds"}>
          <aside><punto-find .table=${this.table} .shown=${this.round} @chosen=${chosen}></punto-find></aside>
          <punto-replay .table=${this.table} .round=${this.round} @chosen=${chosen}></punto-replay>
        </div>
        <punto-event-search ?hidden=${this.tab !== "search"} .tables=${this.tables}></punto-event-search>
        ${this.tab === "significant" ? html`<punto-significant .tables=${this.tables}></punto-significant>` : nothing}
        ${this.tab === "integrity" ? html`<punto-integrity .table=${this.table}></punto-integrity>` : nothing}
      </punto-tabs></main>`;
  }
}

await loadLanguage();
customElements.define("punto-audit", PuntoAudit);
