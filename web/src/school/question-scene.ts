/** The scene of a question: what has happened, the practice table with its wagers, and the cards. */
import { css, html, LitElement, nothing } from "lit";
import type { QuestionShown } from "../api/types";
import { chip } from "../components/chip";
import { common } from "../components/style";
import "../table-view/felt";
import "../table-view/hands";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import { amount, short } from "../i18n/money";
import { type Hands, nothingShown, type ShownRound } from "../table-view/shown-round";

const MOST_DRAWN = 6;

export class PuntoScene extends LitElement {
  static override properties = { shown: { attribute: false }, number: { type: Number } };
  declare shown: QuestionShown;
  /** The number of the question: with another one the cards are dealt again. */
  declare number: number;

  static override styles = [
    common,
    css`
    :host { --card-width: clamp(46px, 13vw, 72px); display: grid; gap: .6rem; }
    .told { display: grid; gap: .35rem; margin: 0; padding: 0; list-style: none; }
    .told li { border-left: 3px solid var(--line); padding-left: .6rem; }
    .told li:nth-child(2):not(:last-child), .trouble { border-left-color: var(--gold) !important; }
    .trouble { font-weight: 650; font-size: 1.05rem; }
    .felt { background: radial-gradient(120% 160% at 50% 0, var(--felt) 30%, var(--felt-deep));
      border: 6px solid var(--rail); border-radius: 18px; padding: .8rem .4rem; display: grid; gap: .5rem; }
    .wagers {
      display: flex; flex-wrap: wrap; gap: .5rem 1.2rem; justify-content: center; margin: 0; padding: 0;
      list-style: none;
    }
    .wagers li { display: grid; gap: .15rem; justify-items: center; text-align: center; font-size: .9rem; }
    .stacks { display: flex; gap: .4rem; }
    .stacks span { display: inline-flex; align-items: center; }
    .stacks svg { width: 2rem; height: 2rem; margin-left: -1.35rem; filter: drop-shadow(0 1px 2px rgb(0 0 0 / .6)); }
    .stacks svg:first-child { margin-left: 0; }
    .stacks small { margin-left: .2rem; }
    @media (max-width: 480px) { .felt { border-width: 4px; padding: .5rem .2rem; } }
  `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  override render() {
    const { shown } = this;
    const atTable = shown.table !== null;
    // A case of the house is told without its table, which would name its people.
    const hasStory = atTable || shown.drill === "house";
    const cards = shown.hands.player?.length || shown.hands.banker?.length;
    return html`${hasStory ? this.told() : nothing}
      <div class="felt">
        ${cards ? html`<punto-hands .round=${this.round()}></punto-hands>` : nothing}
        ${atTable ? this.layout() : nothing}
        ${shown.wagers.length ? this.wagers() : nothing}
      </div>`;
  }

  /** The situation, then what went wrong, then what has been done about it. */
  private told() {
    return html`<ol class="told">${this.shown.told.map(
      (each, at) => html`<li
      class=${at === 1 ? "trouble" : at ? "" : "soft"}>${each}</li>`,
    )}</ol>`;
  }

  private round(): ShownRound {
    return { ...nothingShown(this.number), hands: this.shown.hands as Hands };
  }

  private layout() {
    const view = this.shown.table!;
    return html`<punto-felt .wagers=${Object.keys(view.setting?.limits ?? {})}
      .positions=${view.setting?.positions ?? 1} .laid=${view.wagers}></punto-felt>`;
  }

  private wagers() {
    return html`<ul class="wagers" aria-label=${t("school.wagers")}>${this.shown.wagers.map(
      (each) => html`<li>
      <span class="stacks" aria-hidden="true">${each.chips.map(
        ({ value, count }) =>
          html`<span>${Array.from({ length: Math.min(count, MOST_DRAWN) }, () => chip(value))}${
            count > MOST_DRAWN ? html`<small>× ${count}</small>` : nothing
          }</span>`,
      )}</span>
      <span>${t("school.lies", {
        patron: each.patron,
        wager: nameOf("wager", each.wager),
        amount: amount(each.amount),
      })}</span>
      <span class="soft">${each.chips.map(({ value, count }) => `${count} × ${short(value)}`).join(" + ")}</span></li>`,
    )}</ul>`;
  }
}
customElements.define("punto-scene", PuntoScene);
