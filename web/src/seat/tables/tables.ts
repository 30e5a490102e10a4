/** The page of up to four tables at once: bets on each, one chip in hand. A phone shows one and switches. */
import { html, LitElement, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import "../../components/clause-dialog";
import "../../components/clock";
import "../../components/connection-badge";
import "../../components/practice-seat";
import "../../components/top-bar";
import "../betting/chip-rack";
import "../money/money-desk";
import "../sound/sound-switch";
import { pageConnection } from "../../api/page-connection";
import { isPracticeHouse, signedInPerson } from "../../api/session";
import type { PuntoClauseDialog } from "../../components/clause-dialog";
import { common } from "../../components/style";
import { KeyController } from "../../controllers/key-controller";
import { LanguageController } from "../../controllers/language-controller";
import { loadLanguage, t } from "../../i18n/catalogue";
import { short } from "../../i18n/money";
import { tableName } from "../../i18n/table-name";
import { totalOf } from "../../table-view/laid-wagers";
import { net } from "../../table-view/settlement";
import { DragController } from "../betting/drag-controller";
import type { PuntoMoneyDesk } from "../money/money-desk";
import type { SeatController } from "../seat-controller";
import { favouriteBets, type SeatDialogs } from "../seat-view";
import { browserSound, SoundPlayer } from "../sound/sound-player";
import { passedHand } from "../squeeze/passed-hand";
import { PuntoPane } from "./table-pane";
import { TablesController } from "./tables-controller";
import { tablesStyle } from "./tables-style";

const asked = () => (new URL(location.href).searchParams.get("show") ?? "").split(",").filter(Boolean);

class PuntoTables extends LitElement {
  static override styles = [common, tablesStyle];

  private readonly sound = new SoundPlayer(browserSound(localStorage));
  private readonly tables = new TablesController(this, {
    connection: pageConnection(),
    person: signedInPerson(),
    storage: localStorage,
    names: asked(),
    sound: (cue) => void this.sound.play(cue),
    shown: (names) => history.replaceState(null, "", `/tables?show=${names.map(encodeURIComponent).join(",")}`),
  });

  constructor() {
    super();
    new LanguageController(this);
    new KeyController(this, "input:not([type=radio]), select", ({ key }) => this.tables.pressKey(key));
    new DragController(
      this,
      () => this.tables.state.seats.some((each) => each.open),
      (lifted, on) => this.tables.drop(lifted, on),
    );
  }

  protected override updated(): void {
    document.title = `Punto · ${t("tables.title")}`;
    this.moveFocus();
  }

  /** Enter bets where the focus is: it goes along to the active table. */
  private moveFocus(): void {
    const focused = this.shadowRoot?.activeElement;
    const active = this.renderRoot.querySelector<PuntoPane>("punto-pane[active]");
    if (focused instanceof PuntoPane && active && focused !== active) active.takeFocus(focused);
  }

  override render() {
    const { listed, seats, active } = this.tables.state;
    return html`<punto-top home heading=${t("tables.title")}>${this.adder()}<punto-sound
        .player=${this.sound}></punto-sound></punto-top>
      <p class="unseen" role="status" aria-live="polite">${this.tables.active?.state.announcement}</p>
      <punto-connection></punto-connection>
      <div class="switch" role="tablist" aria-label=${t("tables.title")}>${seats.map((each) => this.tab(each))}</div>
      <main data-tables=${seats.length}>${
        listed && !seats.length
          ? html`<p class="soft none">${t("tables.none")}</p>`
          : repeat(
              seats,
              (each) => each.table,
              (each) => html`<punto-pane class=${each.table === active ? "shown" : ""} .seat=${each}
                .state=${each.state} .dialogs=${this.dialogsOf(each)} ?active=${each.table === active}
                ?removable=${seats.length > 1} ?roomy=${seats.length <= 2}
                @pointerdown=${() => this.tables.activate(each.table)}
                @focusin=${() => this.tables.activate(each.table)}
                @left=${() => this.tables.remove(each.table)}></punto-pane>`,
            )
      }</main>
      <footer>${this.hand()}</footer>
      ${this.dialogs()}`;
  }

  /** Offer the tables that are not shown yet. */
  private adder() {
    const { others } = this.tables;
    if (!others.length) return nothing;
    const add = ({ target }: Event) => {
      const select = target as HTMLSelectElement;
      this.tables.add(select.value);
      select.value = "";
    };
    return html`<select class="add" aria-label=${t("tables.add")} @change=${add}>
      <option value="">+ ${t("tables.add")}</option>
      ${others.map(({ table, game, title }) => html`<option value=${table}>${tableName(table, game, title)}</option>`)}
    </select>`;
  }

  /** On a phone: what happens at each table, and the way there. */
  private tab(seat: SeatController) {
    const { view, shown } = seat.state;
    const { active } = this.tables.state;
    const bet = totalOf(seat.mine);
    const asked = Boolean(view && (passedHand(view, seat.patron) || seat.offer));
    const won = view?.phase !== "betting" && shown.settled?.length ? net(shown.settled) : 0;
    return html`<button role="tab" aria-selected=${seat.table === active}
      class=${view?.hold ? "held" : (view?.phase ?? "")}
      @click=${() => this.tables.activate(seat.table)}>
      <span class="game">${seat.name}</span>
      <span class="now">${asked ? html`<b>${t("tables.asked")}</b>` : nothing}${
        view?.deadline
          ? html`<punto-clock .deadline=${view.deadline}
              .seconds=${view.setting?.betting_seconds ?? null}></punto-clock>`
          : html`<span>${view && !asked ? t(`lobby.state.${view.hold ? "held" : view.phase}`) : ""}</span>`
      }${won ? html`<b class=${won > 0 ? "won" : "lost"}>${won > 0 ? "+" : ""}${short(won)}</b>` : nothing}${
        bet && !won ? html`<b>${short(bet)}</b>` : nothing
      }</span></button>`;
  }

  /** The chips in hand; a guest is offered a seat instead. */
  private hand() {
    const { seats } = this.tables.state;
    const person = signedInPerson();
    const keys = t("tables.keys", { chips: this.tables.offered.length });
    if (person?.duty === "patron")
      return html`<punto-rack .values=${this.tables.offered} .chosen=${this.tables.chip} .can=${null}
        title=${keys}
        @chip=${(event: CustomEvent<number>) => this.tables.chooseChip(event.detail)}></punto-rack>
        ${this.favourites()}<span class="soft keys">${keys}</span>`;
    if (person || !isPracticeHouse() || !seats[0])
      return html`<p class="soft">${t(person ? "seat.not_patron" : "lobby.first")}</p>`;
    return html`<punto-practice-seat table=${seats[0].table}
      leads-to=${location.pathname + location.search}></punto-practice-seat>`;
  }

  /** Favourite bets at the active table. */
  private favourites() {
    const seat = this.tables.active;
    const limits = seat?.state.view?.setting?.limits;
    return seat && limits ? favouriteBets(seat, limits) : nothing;
  }

  private dialogs() {
    const seat = this.tables.active;
    return html`<punto-clause-dialog .game=${seat?.state.game ?? null}></punto-clause-dialog>
      <dialog class="money" aria-label=${t("money.title")}>
        <p class="soft">${seat?.name}</p>
        <punto-money-desk .account=${seat?.state.account ?? null} .chips=${seat?.chips ?? 0}
          @input=${() => seat?.clearRefusal()} @move=${this.moveMoney}></punto-money-desk>
        <p role="alert" class="lost">${seat?.state.refusal}</p>
        <button @click=${() => this.moneyDialog.close()}>${t("seat.close")}</button></dialog>`;
  }

  private dialogsOf(seat: SeatController): SeatDialogs {
    return {
      showClause: (clause) => {
        this.tables.activate(seat.table);
        void this.updateComplete.then(() =>
          this.renderRoot.querySelector<PuntoClauseDialog>("punto-clause-dialog")!.show(clause),
        );
      },
      openMoney: () => {
        this.tables.activate(seat.table);
        void seat.readAccount();
        seat.clearRefusal();
        this.renderRoot.querySelector<PuntoMoneyDesk>("punto-money-desk")!.reset();
        this.moneyDialog.showModal();
      },
    };
  }

  private get moneyDialog(): HTMLDialogElement {
    return this.renderRoot.querySelector<HTMLDialogElement>("dialog.money")!;
  }

  private async moveMoney({ detail }: CustomEvent<{ command: "BuyIn" | "CashOut"; amount: number }>) {
    if (await this.tables.active?.moveMoney(detail.command, detail.amount)) this.moneyDialog.close();
  }
}

pageConnection(); // connects while the texts are loaded
await loadLanguage();
customElements.define("punto-tables", PuntoTables);
