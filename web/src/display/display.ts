/** The page of the display beside a table, for the whole room: roads, counts, last rounds, limits and odds. */
import { css, html, LitElement, nothing } from "lit";
import "../components/clock";
import "../components/connection-badge";
import "../components/theme-switch";
import "../table-view/roads-board";
import { pageConnection } from "../api/page-connection";
import type { RoundShown } from "../api/types";
import { common } from "../components/style";
import { handText } from "../table-view/round-history";
import { correctionText, roundText } from "../table-view/settlement";
import { windowSeconds } from "../table-view/window-time";
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
import { tableName } from "../i18n/table-name";
import { DisplayController } from "./display-controller";
import "./limits-board";

/** As many last rounds as leave the roads their room. */
const ROUNDS_SHOWN = 3;

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
      font-size: min(1.41vw, 2.5vh); display: grid; gap: .4em; padding: .3em .4em; height: 100vh; overflow: hidden;
      grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr) 25em;
    }
    header {
      grid-column: 1 / -1; display: flex; align-items: center; gap: 0 .8em; min-height: 2.6em; white-space: nowrap;
    }
    header punto-clock { width: 2.6em; height: 2.6em; }
    h1 { font-size: 1.5em; color: var(--gold); }
    .phase { font-weight: 700; font-size: 1.4em; overflow: hidden; text-overflow: ellipsis; }
    .phase.betting { color: var(--tie-ink); }
    .phase.held { color: var(--warn); }
    .languages { margin-left: auto; }
    .languages { flex-wrap: nowrap; font-size: max(1rem, .6em); }
    .languages button { min-height: 2.2em; padding: .2em .7em; }
    .languages button[aria-pressed="true"] { color: var(--gold); border-color: var(--gold); }
    .left, aside { grid-row: 3; display: grid; gap: .5em; min-width: 0; min-height: 0; }
    .left { grid-template-rows: auto minmax(0, 1fr); } aside { grid-template-rows: auto minmax(0, 1fr); }
    section {
      min-width: 0; min-height: 0; overflow: hidden; background: var(--panel); border: 1px solid var(--line);
      border-radius: .4em; padding: .2em .4em;
    }
    punto-hands { --hand-name: 1em; --card-width: 3.2em; --between-hands: .4em; }
    .outcome { text-align: center; min-height: 1.5em; line-height: 1.5; font-weight: 650; font-size: 1.3em; }
    .last th { padding: 0 .3em; font-size: .75em; } .last th:last-child { text-align: right; }
    .last td { white-space: nowrap; padding: .02em .3em; line-height: 1.3; }
    td.banker { color: var(--banker-ink); }
    td.player { color: var(--player-ink); }
    td.tie { color: var(--tie-ink); }
    tr.corrected td { background: var(--notice); } .tag { color: var(--warn); font-size: .85em; white-space: normal; }
    .notice {
      grid-column: 1 / -1; margin: 0; background: var(--notice); color: var(--notice-ink); border-radius: .4em;
      padding: .2em .8em; font-weight: 650;
    }
    @media (max-width: 900px) {
      main { font-size: 1rem; height: auto; grid-template: none / minmax(0, 1fr); }
      .left, aside { grid-row: auto; } header { flex-wrap: wrap; gap: .3em .8em; }
    }
  `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override updated(): void {
    const { game } = this.display.state;
    if (game) document.title = `${tableName(this.display.table, game.game, game.title)} · Punto`;
  }

  override render() {
    const { corrected, edges, game, lifts, roads, rounds, shown, view } = this.display.state;
    if (!game || !view) return html`<p class="soft">${t("seat.loading")}</p>`;
    const held = view.hold !== null;
    return html`<main>
      <header><h1>${tableName(this.display.table, game.game, game.title)}</h1>
        <span class="phase ${held ? "held" : view.phase}"
          role="status">${
            held ? t("seat.held", { why: nameOf("provision", view.hold!) }) : phaseForPatrons(view.phase)
          }</span>
        ${
          view.deadline
            ? html`<punto-clock .deadline=${view.deadline}
          .seconds=${windowSeconds(view)}></punto-clock>`
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
        <section class="last" aria-label=${t("display.last")}>${lastRounds(
          rounds.slice(0, ROUNDS_SHOWN),
          roads?.shoe ? t("seat.shoe", { drawn: view.cards_drawn, size: roads.shoe.size }) : "",
        )}</section></div>
      <aside>
        <section><punto-hands .round=${shown} .lifts=${lifts}
          ?past=${view.phase === "betting"} ?open=${view.phase === "betting"}></punto-hands><div
          class="outcome">${roundText(shown)}</div></section>
        <section aria-label=${t("display.odds")}><punto-limits-board .game=${game} .edges=${edges}
          .limits=${view.setting?.limits ?? {}}></punto-limits-board></section>
      </aside>
    </main><punto-connection></punto-connection>`;
  }
}

function lastRounds(rounds: readonly RoundShown[], shoe: string) {
  return html`<table><thead><tr><th>${t("lobby.round")}</th><th>${t("display.outcome")}</th><th>${nameOf(
    "winner",
    "player",
  )}</th><th>${nameOf("winner", "banker")}</th><th>${shoe}</th></tr></thead>
    <tbody>${rounds.map(
      (each) => html`<tr class=${each.corrected ? "corrected" : ""}>
      <td>${each.round}</td>
      ${
        each.void
          ? html`<td colspan="4">${t("rounds.void")}${each.clause ? ` § ${each.clause}` : ""}</td>`
          : html`
        <td class=${each.winner}>${nameOf("winner", each.winner!)}${
          each.corrected
            ? html` <span
          class="tag">${t("rounds.corrected")}</span>`
            : ""
        }</td>
        <td>${handText(each.player)}</td><td colspan="2">${handText(each.banker)}</td>`
      }
    </tr>`,
    )}</tbody></table>`;
}

await loadLanguage();
customElements.define("punto-display", PuntoDisplay);
