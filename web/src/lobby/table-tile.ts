/** A table in the lobby: what happens there now, its roads, and the ways in. */
import { html, LitElement, nothing } from "lit";
import "../components/clock";
import "../components/practice-seat";
import { isPracticeHouse, isStaff, signedInPerson } from "../api/session";
import type { LobbyTable } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import { amount, short } from "../i18n/money";
import { tableName } from "../i18n/table-name";
import { beadPlate, bigRoad, derivedRoad } from "../table-view/road-drawing";
import { DERIVED } from "../table-view/roads-board";
import type { FoundRoad } from "./good-roads";
import { minimumBet } from "./table-order";
import { tileStyle } from "./tile-style";

const ROADS = ["big_road", "bead_plate", "derived"] as const;
/** Columns of a road on a tile, and of each derived road. */
const COLUMNS = 22;
const DERIVED_COLUMNS = 9;

export class PuntoTile extends LitElement {
  static override properties = {
    about: { attribute: false },
    good: { attribute: false },
    money: { type: Number },
    picked: { type: Boolean },
    full: { type: Boolean },
    road: { state: true },
  };
  declare about: LobbyTable;
  /** The good roads that the table has, by the patron's rules. */
  declare good: readonly FoundRoad[];
  /** The patron's chips and bets there, in cents. */
  declare money: number;
  /** Whether it is one of the tables to be played at once, and whether these are as many as can be. */
  declare picked: boolean;
  declare full: boolean;
  declare private road: (typeof ROADS)[number];

  static override styles = [common, tileStyle];

  constructor() {
    super();
    this.good = [];
    this.money = 0;
    this.road = "big_road";
    new LanguageController(this);
  }

  override render() {
    const { about } = this;
    const least = minimumBet(about);
    const name = tableName(about.table, about.game, about.title);
    return html`<article class=${this.good.length ? "good" : ""} aria-label=${name}>
      <h2><span>${name}</span><a class="how" href="/games/${encodeURIComponent(about.game)}"
          title=${t("how.title")} aria-label="${t("how.title")}: ${nameOf("game", about.title)}">?</a></h2>
      <div class="head"><span class="facts">
          ${least === null ? nothing : html`<strong>${t("lobby.minimum", { amount: short(least) })}</strong>`}
          ${
            this.money
              ? html`<span class="mine">${t("lobby.your_chips", { amount: amount(this.money) })}</span>`
              : html`<span>${t("lobby.seats_taken", { taken: about.patrons, seats: about.positions })}</span>`
          }</span>
        ${this.state()}</div>
      <div class="road">${this.drawn()}${about.rounds ? nothing : html`<span class="new">${t("lobby.new_shoe")}</span>`}
        <button title=${t("lobby.enlarge")} aria-label=${t("lobby.enlarge")}
          @click=${() => this.emit("enlarged")}></button></div>
      <div class="roads" role="group" aria-label=${t("lobby.roads")}>${ROADS.map(
        (each) => html`<button aria-pressed=${this.road === each}
          @click=${() => (this.road = each)}>${t(`roads.${each}`)}</button>`,
      )}</div>
      <div class="signs">${
        about.squeezing ? html`<span class="badge squeeze">${t("lobby.squeeze")}</span>` : nothing
      }${this.streak()}${this.good.map(
        ({ road, length }) => html`<span class="badge">${t(`good.${road}`)} ${length}</span>`,
      )}</div>
      ${this.ways()}
    </article>`;
  }

  private state() {
    const { hold, phase, deadline, betting_seconds: seconds } = this.about;
    const state = hold ? "held" : phase;
    return html`<div class="state ${state}"><span>${t(`lobby.state.${state}`)}</span>
      <span class="clock">${
        deadline && !hold
          ? html`<punto-clock .deadline=${deadline} .seconds=${seconds ?? null}></punto-clock>`
          : nothing
      }</span></div>`;
  }

  private drawn() {
    const { roads, big_road, rounds } = this.about;
    if (this.road === "bead_plate") return beadPlate(roads?.bead_plate ?? [], COLUMNS);
    if (this.road === "big_road") return bigRoad(big_road, COLUMNS, t("lobby.road_of", { rounds }));
    return html`<span class="three">${DERIVED.map(
      ([road, shape]) =>
        html`<span><span class="of">${t(`roads.${road}`)}</span>${derivedRoad(
          roads?.[road].cells ?? [],
          DERIVED_COLUMNS,
          shape,
          t(`roads.${road}`),
        )}</span>`,
    )}</span>`;
  }

  private streak() {
    const run = this.about.roads?.statistics.current_run;
    if (!run) return nothing;
    return html`<span class="streak ${run.winner}">${t("statistics.run")}
      <strong>${nameOf("winner", run.winner)} ${run.length}</strong></span>`;
  }

  /** Play, watch, and play with other tables; staff have the display and the Dealer's page. */
  private ways() {
    const person = signedInPerson();
    const staff = isStaff(person);
    const link = encodeURIComponent(this.about.table);
    const seat = `/tables/${link}`;
    const play = t(this.money ? "lobby.return" : "lobby.play");
    return html`<div class="ways">
      ${
        person || !isPracticeHouse()
          ? html`<a class="way main" href=${seat}>${play}</a>`
          : html`<punto-practice-seat table=${this.about.table} leads-to=${seat} label=${play}></punto-practice-seat>`
      }
      ${
        staff
          ? html`<a class="way" href="/display/${link}">${t("lobby.display")}</a>
            <a class="way" href="/dealer/${link}">${t("lobby.dealer")}</a>`
          : person?.duty === "patron"
            ? nothing // at the seat they watch until they bet; the display has no way back
            : html`<a class="way" href=${seat}>${t("lobby.watch")}</a>`
      }
      <button class="pick" aria-pressed=${this.picked} ?disabled=${this.full && !this.picked}
        title=${t("lobby.pick")} aria-label=${t("lobby.pick")} @click=${() => this.emit("picked")}>${
          this.picked ? "✓" : "+"
        }</button>
    </div>`;
  }

  private emit(name: string) {
    this.dispatchEvent(new CustomEvent(name, { detail: this.about.table }));
  }
}
customElements.define("punto-tile", PuntoTile);
