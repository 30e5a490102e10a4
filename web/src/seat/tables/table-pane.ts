/** One of several tables on a page: its felt as at a seat, its road small, and what one does with the bets there. */
import { html, LitElement, nothing } from "lit";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { t } from "../../i18n/catalogue";
import { amount } from "../../i18n/money";
import { totalOf } from "../../table-view/laid-wagers";
import { beadPlate, bigRoad, derivedRoad } from "../../table-view/road-drawing";
import { DERIVED } from "../../table-view/roads-board";
import { ACTIONS } from "../betting/chip-rack";
import type { PuntoAreas } from "../betting/wager-areas";
import { refusalView } from "../refusal-view";
import type { SeatController, SeatState } from "../seat-controller";
import { seatStyle } from "../seat-style";
import { feltView, type SeatDialogs, squeezed, waitingFor } from "../seat-view";
import { paneStyle } from "./pane-style";

const COLUMNS = 13;

export class PuntoPane extends LitElement {
  static override properties = {
    seat: { attribute: false },
    state: { attribute: false },
    dialogs: { attribute: false },
    active: { type: Boolean, reflect: true },
    removable: { type: Boolean },
    roomy: { type: Boolean },
    leaving: { state: true },
  };
  declare seat: SeatController;
  /** The seat's state: another one renders the pane again. */
  declare state: SeatState;
  declare dialogs: SeatDialogs;
  declare active: boolean;
  declare removable: boolean;
  /** Whether there is room for all roads. */
  declare roomy: boolean;
  /** Whether the patron wants to leave a table where they have a bet, and is asked once more. */
  declare private leaving: boolean;

  static override styles = [common, ...seatStyle, paneStyle];

  constructor() {
    super();
    this.active = false;
    this.removable = false;
    this.roomy = false;
    this.leaving = false;
    new LanguageController(this);
  }

  override render() {
    const { seat } = this;
    const { game, view } = this.state;
    return html`<section class="pane" tabindex="-1" aria-label=${t("seat.table", { table: seat.table })}>
      ${this.head()}
      ${game && view ? feltView(seat, game, view, this.dialogs) : html`<div class="felt"></div>`}
      ${this.beside()}
      ${refusalView(seat, this.dialogs.showClause)}
      ${view ? squeezed(seat, view) : nothing}
    </section>`;
  }

  private get areas(): PuntoAreas | null {
    return this.renderRoot.querySelector<PuntoAreas>("punto-areas");
  }

  /** Take the focus over from another table: to the same area, if it takes bets here. */
  takeFocus(from: PuntoPane): void {
    if (!this.areas?.focusArea(from.areas?.focusedWager ?? null))
      this.renderRoot.querySelector<HTMLElement>(".pane")?.focus();
  }

  private head() {
    const { view } = this.state;
    const { seat } = this;
    const state = view ? (view.hold ? "held" : view.phase) : "idle";
    return html`<header class="pane-head">
      <h2>${seat.name || seat.table}</h2>
      <span class="phase ${state}">${
        view ? (!view.hold && waitingFor(seat, view)) || t(`lobby.state.${state}`) : t("seat.loading")
      }</span>
      ${
        seat.patron
          ? html`<button class="money ${seat.total ? "" : "main"}" title=${t("seat.money")}
              data-chips=${seat.chips} @click=${this.dialogs.openMoney}>${
                seat.total ? amount(seat.chips) : t("money.buy_in")
              }</button>`
          : nothing
      }
      <a class="sign" href="/tables/${encodeURIComponent(seat.table)}" title=${t("tables.alone")}
        aria-label=${t("tables.alone")}>⤢</a>
      ${
        this.removable
          ? html`<button class="sign" title=${t("tables.leave")} aria-label=${t("tables.leave")}
              @click=${this.leaveOrAsk}>×</button>`
          : nothing
      }</header>`;
  }

  /** The big road, and the others where there is room. */
  private roads() {
    const drawn = this.state.roads?.roads;
    if (!this.roomy) return bigRoad(drawn?.big_road ?? [], COLUMNS);
    return html`${bigRoad(drawn?.big_road ?? [], COLUMNS)}${beadPlate(drawn?.bead_plate ?? [], COLUMNS)}${DERIVED.map(
      ([road, shape]) => derivedRoad(drawn?.[road].cells ?? [], COLUMNS, shape, t(`roads.${road}`)),
    )}`;
  }

  private readonly leaveOrAsk = () => {
    this.leaving = totalOf(this.seat.mine) > 0;
    if (!this.leaving) this.leave();
  };

  private leave() {
    this.dispatchEvent(new CustomEvent("left"));
  }

  /** The roads, the sum of the bets, and the actions on them. */
  private beside() {
    return html`<div class="beside">
      <div class="roads">${this.roads()}</div>
      ${this.seat.patron ? (this.leaving ? this.farewell() : this.bets()) : nothing}</div>`;
  }

  private bets() {
    const { desk, mine } = this.seat;
    return html`<span class="bet">${t("seat.on_layout")} <strong>${amount(totalOf(mine))}</strong></span>
      <div class="actions">${ACTIONS.map(
        (each) => html`<button ?disabled=${!desk.can[each]}
          @click=${() => desk.act(each)}>${t(`rack.${each}`)}</button>`,
      )}</div>`;
  }

  /** A bet stays where it is though its table is no longer shown. */
  private farewell() {
    const bet = amount(totalOf(this.seat.mine));
    return html`<span class="bet" role="alert">${t("tables.bet_stays", { amount: bet })}</span>
      <div class="actions"><button @click=${() => (this.leaving = false)}>${t("tables.stay")}</button>
        <button class="main" @click=${() => this.leave()}>${t("tables.go")}</button></div>`;
  }
}
customElements.define("punto-pane", PuntoPane);
