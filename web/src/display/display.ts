/** The page of the display beside a table, for the whole room: roads, counts, last rounds, limits and odds. */
import { css, html, LitElement, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import "../components/clock";
import "../components/connection-badge";
import "../components/theme-switch";
import "../table-view/roads-board";
import "../components/rulebook";
import { pageConnection } from "../api/page-connection";
import type { RoundShown } from "../api/types";
import { common } from "../components/style";
import { handText } from "../table-view/round-history";
import { correctionText, roundText } from "../table-view/settlement";
import "../table-view/hands";
import { LanguageController } from "../controllers/language-controller";
import {
  chooseLanguage,
  currentLanguage,
  LANGUAGES,
  type Language,
  loadLanguage,
  nameOf,
  phaseForPatrons,
  t,
} from "../i18n/catalogue";
import { DisplayController } from "./display-controller";

class PuntoDisplay extends LitElement {
  private readonly display = new DisplayController(
    this,
    pageConnection(),
    document.body.dataset.table!,
    document.body.dataset.game!,
  );

  static override styles = [
    common,
    css`
    /* Everything is measured by the screen, so that a larger one shows the same, larger. */
    main {
      font-size: min(1.04vw, 1.85vh); display: grid; gap: .6em; padding: .5em; height: 100vh; overflow: hidden;
      grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr) 31em;
    }
    header { grid-column: 1 / -1; display: flex; align-items: center; gap: .4rem 1.2rem; flex-wrap: wrap; }
    h1 { font-size: 1.6em; color: var(--gold); }
    .phase { font-weight: 700; font-size: 1.4em; } .phase.betting { color: var(--tie-ink); }
    .phase.held { color: var(--warn); }
    .languages { margin-left: auto; }
    .languages button { min-height: 2.2rem; padding: .2rem .7rem; font-size: 1rem; }
    .languages button[aria-pressed="true"] { color: var(--gold); border-color: var(--gold); }
    .left, aside { grid-row: 3; display: grid; gap: .5em; min-width: 0; min-height: 0; }
    .left { grid-template-rows: auto minmax(0, 1fr); } aside { align-content: start; }
    section {
      min-width: 0; min-height: 0; overflow: hidden; background: var(--panel); border: 1px solid var(--line);
      border-radius: 12px; padding: .3em .6em;
    }
    h2 { font-size: 1em; color: var(--ink-soft); margin-bottom: .2em; }
    h2.last { display: flex; justify-content: space-between; gap: 1rem; }
    punto-hands { --card-width: 3.7em; --between-hands: 1.5em; }
    .outcome { text-align: center; min-height: 1.6em; font-weight: 650; font-size: 1.3em; }
    th { padding: 0 .3em; font-size: .8em; }
    td { font-size: .95em; white-space: nowrap; padding: .05em .3em; }
    td.banker { color: var(--banker-ink); }
    td.player { color: var(--player-ink); }
    td.tie { color: var(--tie-ink); }
    tr.corrected td { background: var(--notice); } .tag { color: var(--warn); font-size: .85em; white-space: normal; }
    .scroll { overflow-x: auto; }
    .notice {
      grid-column: 1 / -1; margin: 0; background: var(--notice); color: var(--notice-ink); border-radius: 10px;
        padding: .4rem .8rem;
      font-weight: 650;
    }
    @media (max-width: 900px) {
      main { font-size: 1rem; height: auto; grid-template: none / minmax(0, 1fr); }
      .left, aside { grid-row: auto; }
    }
  `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override updated(): void {
    const { game } = this.display.state;
    if (game) document.title = `${nameOf("game", game.title)} · Punto`;
  }

  override render() {
    const { corrected, edges, game, roads, rounds, shown, view } = this.display.state;
    if (!game || !view) return html`<p class="soft">${t("seat.loading")}</p>`;
    const held = view.hold !== null;
    return html`<main>
      <header><h1>${nameOf("game", game.title)}</h1><span class="soft">${this.display.table}</span>
        <span class="phase ${held ? "held" : view.phase}"
          role="status">${
            held ? t("seat.held", { why: nameOf("provision", view.hold!) }) : phaseForPatrons(view.phase)
          }</span>
        ${
          view.deadline
            ? html`<punto-clock .deadline=${view.deadline}
          .seconds=${view.setting?.betting_seconds ?? null}></punto-clock>`
            : nothing
        }
        <span class="soft">${t("seat.round", { round: view.round })}</span>
        ${view.cutting_card_shown ? html`<span class="tag">${t("seat.cutting_card")}</span>` : nothing}
        <div class="languages row"><punto-theme></punto-theme>${Object.entries(LANGUAGES).map(
          ([each, name]) => html`<button lang=${each}
          aria-pressed=${currentLanguage() === each} @click=${() => chooseLanguage(each as Language)}>${name}</button>`,
        )}</div>
      </header>
      ${
        corrected === null
          ? nothing
          : html`<p class="notice"
        role="alert">${correctionText(corrected, rounds)}</p>`
      }
      <div class="left"><punto-roads wide .roads=${roads}></punto-roads>
        <section><h2 class="last"><span>${t("display.last")}</span>${
          roads?.shoe
            ? html`<span>${t("seat.shoe", { drawn: view.cards_drawn, size: roads.shoe.size })}</span>`
            : nothing
        }</h2><div
          class="scroll">${lastRounds(rounds)}</div></section></div>
      <aside>
        <section><punto-hands .round=${shown} ?past=${view.phase === "betting" || view.phase === "idle"}>
        </punto-hands><div
          class="outcome">${roundText(shown)}</div></section>
        <section><h2>${t("display.odds")}</h2><div class="scroll"><punto-odds brief .game=${game} .edges=${edges}
          .limits=${view.setting?.limits ?? {}} .decks=${view.setting?.decks ?? 0}></punto-odds></div></section>
      </aside>
    </main><punto-connection></punto-connection>`;
  }
}

function lastRounds(rounds: readonly RoundShown[]) {
  return html`<table><thead><tr><th>${t("lobby.round")}</th><th>${t("display.outcome")}</th><th>${nameOf(
    "winner",
    "player",
  )}</th><th>${nameOf("winner", "banker")}</th></tr></thead>
    <tbody>${repeat(
      rounds,
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

await loadLanguage();
customElements.define("punto-display", PuntoDisplay);
