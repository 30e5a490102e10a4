/** The page of a patron's history: what they played, by day and table, to look at again and to take away as a file. */
import { html, LitElement, nothing } from "lit";
import "../components/clause-dialog";
import "../components/sign-in";
import "../components/top-bar";
import "./round-steps";
import { exportPath, statementPath } from "../api/history";
import { signedInPerson } from "../api/session";
import * as tablesApi from "../api/tables";
import type { GameShown } from "../api/types";
import type { PuntoClauseDialog } from "../components/clause-dialog";
import { LanguageController } from "../controllers/language-controller";
import { loadLanguage, t } from "../i18n/catalogue";
import { HistoryController } from "./history-controller";
import { historyStyle } from "./history-style";
import { dayView, sumsView } from "./history-view";
import { receiptsView } from "./receipts-view";

class PuntoHistory extends LitElement {
  static override styles = historyStyle;
  static override properties = { game: { state: true } };
  /** Whose clause is shown. */
  declare private game: GameShown | null;
  private readonly query = new URLSearchParams(location.search);
  private readonly history = new HistoryController(this, {
    table: this.query.get("table") ?? "",
    since: "",
    until: "",
  });

  constructor() {
    super();
    this.game = null;
    new LanguageController(this);
  }

  protected override firstUpdated(): void {
    if (signedInPerson()) void this.history.show(this.history.state.wanted);
  }

  protected override updated(): void {
    document.title = `${t("history.title")} · Punto`;
    const dialog = this.renderRoot.querySelector<HTMLDialogElement>("dialog.replay");
    if (this.history.state.replay && dialog && !dialog.open) dialog.showModal();
    const receipts = this.renderRoot.querySelector<HTMLDialogElement>("dialog.receipts");
    if (this.history.state.receipts && receipts && !receipts.open) receipts.showModal();
    const shoes = this.renderRoot.querySelector<HTMLDialogElement>("dialog.shoes");
    if (this.history.state.shoes && shoes && !shoes.open) shoes.showModal();
  }

  override render() {
    return html`<punto-top home back=${this.query.get("back") ?? ""} heading=${t("history.title")}></punto-top>
      <main>${
        signedInPerson() ? this.shown() : html`<p>${t("history.sign_in")}</p><punto-sign-in></punto-sign-in>`
      }</main>
      <punto-clause-dialog .game=${this.game}></punto-clause-dialog>`;
  }

  private shown() {
    const { found, reading, refusal, replay, receipts, shoes } = this.history.state;
    return html`${this.filter()}
      ${refusal ? html`<p role="alert" class="lost">${refusal}</p>` : nothing}
      ${reading ? html`<p role="status">${t("history.reading", { ...reading })}</p>` : nothing}
      ${
        found
          ? html`<section class="total" aria-label=${t("history.total")}><h2>${t("history.total")}</h2>${sumsView(
              found.sum,
            )}</section>
            ${found.days.length ? nothing : html`<p class="soft">${t("history.none")}</p>`}
            ${found.days.map((day) => dayView(this.history, day, this.showClause))}
            ${
              found.more ? html`<button @click=${() => this.history.showMore()}>${t("history.more")}</button>` : nothing
            }
            <p class="soft">${t("history.times", { zone: found.time_zone })}</p>`
          : nothing
      }
      <dialog class="replay" aria-label=${t("history.steps")} @close=${() => this.history.endReplay()}>${
        replay ? html`<punto-round-steps .round=${replay}></punto-round-steps>` : nothing
      }<button @click=${this.closeDialog}>${t("seat.close")}</button></dialog>
      <dialog class="receipts" aria-label=${t("history.receipt")} @close=${() => this.history.endReceipts()}>${
        receipts ? receiptsView(receipts) : nothing
      }<button @click=${this.closeDialog}>${t("seat.close")}</button></dialog>
      <dialog class="shoes" aria-label=${t("history.shoes")} @close=${() => this.history.endShoes()}>${
        shoes ? this.shoes(shoes) : nothing
      }<button @click=${this.closeDialog}>${t("seat.close")}</button></dialog>`;
  }

  /** The shoes of a table that have ended, with what this browser noted while the patron cut them. */
  private shoes(table: string) {
    void import("../fairness/sealed-shoes"); // few open it, and then it comes at once
    return html`<h2>${this.history.nameOf(table)}</h2><punto-shoes past .table=${table}
      .patron=${signedInPerson()!.id}></punto-shoes>`;
  }

  private filter() {
    const { found, wanted } = this.history.state;
    const tables = [...new Set([...(wanted.table ? [wanted.table] : []), ...(found?.tables ?? [])])];
    return html`<form class="row" @submit=${this.submit}>
      <label>${t("history.table")}<select name="table"><option value="">${t("history.all_tables")}</option>${tables.map(
        (each) => html`<option value=${each} ?selected=${each === wanted.table}>${this.history.nameOf(each)}</option>`,
      )}</select></label>
      <label>${t("history.from")}<input type="date" name="since" .value=${wanted.since}></label>
      <label>${t("history.to")}<input type="date" name="until" .value=${wanted.until}></label>
      <button class="main">${t("history.show")}</button>
      <a class="export" href=${exportPath(wanted)} download>${t("history.export")}</a>
      <a class="statement" href=${statementPath(wanted)} download>${t("history.statement")}</a></form>`;
  }

  private submit(event: SubmitEvent) {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    const [table, since, until] = ["table", "since", "until"].map((name) => String(given.get(name) ?? ""));
    void this.history.show({ table: table!, since: since!, until: until! });
  }

  private closeDialog(event: Event) {
    (event.target as HTMLElement).closest("dialog")!.close();
  }

  private readonly showClause = async (game: string, clause: string) => {
    if (this.game?.game !== game) this.game = await tablesApi.game(game);
    this.renderRoot.querySelector<PuntoClauseDialog>("punto-clause-dialog")!.show(clause);
  };
}

await loadLanguage();
customElements.define("punto-history", PuntoHistory);
