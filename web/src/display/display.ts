/** The board beside a table, for everybody in the room: roads, counts, last rounds, limits and odds. */
import { css, html, LitElement, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import "../components/clock";
import "../table-view/roads-board";
import "../components/rulebook";
import { pageConnection } from "../api/page-connection";
import * as tablesApi from "../api/tables";
import type { EdgeShown, GameShown, PublicView, RoadsShown, RoundShown, Told } from "../api/types";
import { common } from "../components/style";
import { handText } from "../table-view/round-history";
import { correctionText, roundText } from "../table-view/settlement";
import { follow, nothingShown, putRight, type ShownRound, shownBefore } from "../table-view/shown-round";
import "../table-view/hands";
import { chooseLanguage, currentLanguage, LANGUAGES, type Language, loadLanguage, nameOf, t } from "../i18n/catalogue";
import { LanguageController } from "../i18n/language-controller";

const ROUNDS = 5;
const DRAWN_ANEW = new Set([
  "OutcomeAnnounced",
  "RoundCorrected",
  "CardCorrected",
  "RoundVoided",
  "RoundSettled",
  "ShoeLoaded",
  "ShoeEnded",
  "TableOpened",
  "TableClosed",
]);
const CORRECTION_SHOWN_FOR = 60_000;

class PuntoDisplay extends LitElement {
  private readonly name = document.body.dataset.table!;
  private readonly gameKey = document.body.dataset.game!;
  private view: PublicView | null = null;
  private game: GameShown | null = null;
  private edges: EdgeShown[] = [];
  private roads: RoadsShown | null = null;
  private rounds: RoundShown[] = [];
  private shown: ShownRound = nothingShown(0);
  private corrected: number | null = null;

  static override styles = [
    common,
    css`
    main {
      display: grid; grid-template-columns: minmax(0, 1fr) minmax(17rem, 26rem); gap: 1rem; padding: .8rem;
      min-height: 100vh; align-content: start; font-size: clamp(1rem, 1.25vw, 1.5rem);
    }
    header { grid-column: 1 / -1; display: flex; align-items: center; gap: .4rem 1.2rem; flex-wrap: wrap; }
    h1 { font-size: 1.5em; color: var(--gold); }
    .phase { font-weight: 700; font-size: 1.2em; } .phase.betting { color: var(--tie-ink); }
    .phase.held { color: var(--warn); }
    .languages { margin-left: auto; }
    .languages button { min-height: 2.2rem; padding: .2rem .7rem; font-size: 1rem; }
    .languages button[aria-pressed="true"] { color: var(--gold); border-color: var(--gold); }
    aside, .left { display: grid; gap: .7rem; align-content: start; min-width: 0; }
    section {
      min-width: 0; background: var(--panel); border: 1px solid var(--line); border-radius: 12px;
      padding: .5rem .7rem;
    }
    h2 { font-size: 1em; color: var(--ink-soft); margin-bottom: .3rem; }
    h2.last { display: flex; justify-content: space-between; gap: 1rem; }
    punto-hands { --card-width: clamp(40px, 4.2vw, 84px); }
    .outcome { text-align: center; min-height: 1.6em; font-weight: 650; }
    th { padding: 0 .3rem; }
    td { font-size: .88em; white-space: nowrap; padding: .05rem .3rem; }
    td.banker { color: var(--banker-ink); }
    td.player { color: var(--player-ink); }
    td.tie { color: var(--tie-ink); }
    tr.corrected td { background: #4a3306; } .tag { color: var(--warn); font-size: .85em; white-space: normal; }
    .scroll { overflow-x: auto; }
    .notice {
      grid-column: 1 / -1; margin: 0; background: var(--notice); color: var(--notice-ink); border-radius: 10px;
        padding: .4rem .8rem;
      font-weight: 650;
    }
    @media (max-width: 900px) { main { grid-template-columns: minmax(0, 1fr); } }
  `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    pageConnection().onstate = () => this.requestUpdate();
    pageConnection().watch(this.name, { changed: (table, events, resync) => this.changed(table.view, events, resync) });
    void this.begin();
  }

  private async begin() {
    this.game = await tablesApi.game(this.gameKey);
    document.title = `${nameOf("game", this.game.title)} · Punto`;
    await this.drawAnew();
    if (this.rounds[0] && !this.shown.hands.player.length) this.shown = shownBefore(this.rounds[0]);
    this.requestUpdate();
  }

  private async drawAnew() {
    [this.roads, this.rounds] = await Promise.all([tablesApi.roads(this.name), tablesApi.rounds(this.name, ROUNDS)]);
    this.shown = putRight(this.shown, this.rounds);
    this.requestUpdate();
  }

  private changed(view: PublicView | null, events: Told[], resync: boolean) {
    if (!view) return;
    this.view = view;
    this.shown = follow(this.shown, view, events, null);
    const decks = view.setting?.decks;
    if (decks && !this.edges.length)
      void tablesApi.edges(this.gameKey, decks).then((edges) => {
        this.edges = edges;
        this.requestUpdate();
      });
    for (const each of events) if (each.name === "RoundCorrected") this.showCorrection(each.body.round);
    if (resync || events.some((each) => DRAWN_ANEW.has(each.name))) void this.drawAnew();
    this.requestUpdate();
  }

  private showCorrection(round: number) {
    this.corrected = round;
    setTimeout(() => {
      if (this.corrected === round) this.corrected = null;
      this.requestUpdate();
    }, CORRECTION_SHOWN_FOR);
  }

  override render() {
    const { game, view } = this;
    if (!game || !view) return html`<p class="soft">${t("seat.loading")}</p>`;
    const held = view.hold !== null;
    return html`<main>
      <header><h1>${nameOf("game", game.title)}</h1><span class="soft">${this.name}</span>
        <span class="phase ${held ? "held" : view.phase}"
          role="status">${held ? t("seat.held", { why: nameOf("hold", view.hold!) }) : nameOf("phase", view.phase)}</span>
        ${
          view.deadline
            ? html`<punto-clock .deadline=${view.deadline}
          .seconds=${view.setting?.betting_seconds ?? null}></punto-clock>`
            : nothing
        }
        <span class="soft">${t("seat.round", { round: view.round })}</span>
        ${view.cutting_card_shown ? html`<span class="tag">${t("seat.cutting_card")}</span>` : nothing}
        ${pageConnection().connected ? nothing : html`<span class="tag" role="alert">${t("seat.away")}</span>`}
        <div class="languages row">${Object.entries(LANGUAGES).map(
          ([each, name]) => html`<button lang=${each}
          aria-pressed=${currentLanguage() === each} @click=${() => chooseLanguage(each as Language)}>${name}</button>`,
        )}</div>
      </header>
      ${
        this.corrected === null
          ? nothing
          : html`<p class="notice"
        role="alert">${correctionText(this.corrected, this.rounds)}</p>`
      }
      <div class="left"><punto-roads wide .roads=${this.roads}></punto-roads>
        <section><h2 class="last"><span>${t("display.last")}</span>${
          this.roads?.shoe
            ? html`<span>${t("seat.shoe", { drawn: view.cards_drawn, size: this.roads.shoe.size })}</span>`
            : nothing
        }</h2><div
          class="scroll">${this.lastRounds()}</div></section></div>
      <aside>
        <section><punto-hands .round=${this.shown} ?past=${view.phase === "betting" || view.phase === "idle"}>
        </punto-hands><div
          class="outcome">${roundText(this.shown)}</div></section>
        <section><h2>${t("display.odds")}</h2><div class="scroll"><punto-odds brief .game=${game} .edges=${this.edges}
          .limits=${view.setting?.limits ?? {}} .decks=${view.setting?.decks ?? 0}></punto-odds></div></section>
      </aside>
    </main>`;
  }

  private lastRounds() {
    return html`<table><thead><tr><th>${t("lobby.round")}</th><th>${t("display.outcome")}</th><th>${nameOf(
      "winner",
      "player",
    )}</th><th>${nameOf("winner", "banker")}</th></tr></thead>
      <tbody>${repeat(
        this.rounds,
        (each) => each.round,
        (each) => html`<tr class=${each.corrected ? "corrected" : ""}>
        <td>${each.round}</td>
        ${
          each.void
            ? html`<td colspan="3">${t("rounds.void")}${each.clause ? ` § ${each.clause}` : ""}</td>`
            : html`
          <td class=${each.winner}>${nameOf("winner", each.winner!)}${
            each.corrected
              ? html` <span
            class="tag">${t("rounds.corrected")}</span>`
              : ""
          }</td>
          <td>${handText(each.player)}</td><td>${handText(each.banker)}</td>`
        }
      </tr>`,
      )}</tbody></table>`;
  }
}

await loadLanguage();
customElements.define("punto-display", PuntoDisplay);
