/** A round that is over, shown again step by step: the cards as they were turned, and what the patron had. */
import { css, html, LitElement, type TemplateResult } from "lit";
import "../table-view/hands";
import type { RoundPlayed, StepPlayed } from "../api/types";
import { cardText } from "../components/card";
import { common } from "../components/style";
import { IntervalController } from "../controllers/interval-controller";
import { LanguageController } from "../controllers/language-controller";
import { type Key, nameOf, t } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import { toSecond } from "../i18n/time";
import { nothingShown, type ShownRound } from "../table-view/shown-round";

const PACE = 900;

export class PuntoRoundSteps extends LitElement {
  static override properties = { round: { attribute: false }, at: { state: true }, plays: { state: true } };
  declare round: RoundPlayed;
  declare private at: number;
  declare private plays: boolean;

  static override styles = [
    common,
    css`
    :host { --card-width: min(72px, 11vw); --between-hands: .6rem; display: grid; gap: .6rem; }
    .said { min-height: 3rem; margin: 0; font-size: 1.1rem; font-weight: 650; text-align: center; }
    .felt {
      background: var(--felt); border-radius: 14px; padding: .4rem; min-height: 9.5rem; container-type: inline-size;
    }
    .row { justify-content: center; } progress { width: 100%; accent-color: var(--gold); }
    .about { display: flex; justify-content: space-between; gap: .5rem; font-size: .9rem; margin: 0; }
  `,
  ];

  constructor() {
    super();
    this.at = 0;
    this.plays = false;
    new LanguageController(this);
    new IntervalController(this, PACE, () => this.plays && this.go(1));
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("round")) this.at = 0;
  }

  override render(): TemplateResult {
    const { steps, line } = this.round;
    const step = steps[this.at]!;
    return html`<p class="about"><span>${t("history.round", { round: line.round })} · ${toSecond(step.at)}</span><span
        >${t("history.chips", { amount: amount(step.chips) })}</span></p>
      <div class="felt"><punto-hands .round=${this.shown(step)}></punto-hands></div>
      <p class="said" role="status">${said(step)}</p>
      <progress max=${steps.length} value=${this.at + 1}
        aria-label=${t("history.step_of", { step: this.at + 1, steps: steps.length })}></progress>
      <div class="row"><button ?disabled=${this.at === 0} @click=${() => this.go(-1)}>‹ ${t("history.back")}</button>
        <button aria-pressed=${this.plays} @click=${this.playOrPause}>${t(
          this.plays ? "history.pause" : "history.play",
        )}</button>
        <button class="main" ?disabled=${this.at === steps.length - 1}
          @click=${() => this.go(1)}>${t("history.next")} ›</button></div>`;
  }

  private shown(step: StepPlayed): ShownRound {
    const { line } = this.round;
    const hands = { player: step.player, banker: step.banker };
    const totals = { player: step.player_total ?? null, banker: step.banker_total ?? null };
    const over = step.kind === "outcome" || step.kind === "settled";
    const outcome =
      over && line.winner ? { winner: line.winner, player_total: totals.player!, banker_total: totals.banker! } : null;
    return { ...nothingShown(line.round), hands, totals, outcome };
  }

  private playOrPause(): void {
    if (!this.plays && this.at === this.round.steps.length - 1) this.at = 0;
    this.plays = !this.plays;
  }

  private go(by: number): void {
    const last = this.round.steps.length - 1;
    this.at = Math.max(0, Math.min(last, this.at + by));
    if (this.at === last) this.plays = false;
  }
}

/** Say in words what a step shows. */
function said(step: StepPlayed): string {
  const what = step.provision
    ? nameOf("provision", step.provision)
    : t("history.step.clause", { clause: step.clause ?? "–" });
  return t(`history.step.${step.kind}` as Key, {
    amount: amount(step.amount ?? 0),
    wager: nameOf("wager", step.wager ?? ""),
    hand: nameOf("winner", step.hand ?? ""),
    card: step.card ? cardText(step.card) : "",
    winner: nameOf("winner", step.winner ?? ""),
    what,
  });
}
customElements.define("punto-round-steps", PuntoRoundSteps);
