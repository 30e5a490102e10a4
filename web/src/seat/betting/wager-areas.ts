/** The felt where a patron bets: an area for each wager, with its payouts, the chips on it, and how it came out. */
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { EdgeShown, EventSettled, Limits, WagerShown } from "../../api/types";
import { chipStack } from "../../components/chip-stack";
import { bestPayout, payoutLines } from "../../components/payout-label";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { nameOf, t } from "../../i18n/catalogue";
import { short } from "../../i18n/money";
import type { LaidWager } from "../../table-view/laid-wagers";
import type { Streak } from "../../table-view/streak";
import { wagerColour } from "../../table-view/wager-colours";
import { wagerAreasStyle } from "./wager-areas-style";

const OWN_RIM = "#ffe08a";
const OTHERS_RIM = "#e9e4d4";

export class PuntoAreas extends LitElement {
  static override properties = {
    wagers: { attribute: false },
    edges: { attribute: false },
    limits: { attribute: false },
    chips: { attribute: false },
    laid: { attribute: false },
    others: { attribute: false },
    table: {},
    position: { type: Number },
    open: { type: Boolean, reflect: true },
    waiting: { attribute: false },
    won: { attribute: false },
    settled: { attribute: false },
    streak: { attribute: false },
  };
  declare wagers: WagerShown[];
  declare edges: EdgeShown[];
  declare limits: Record<string, Limits>;
  /** The values of the chips there are. */
  declare chips: readonly number[];
  /** The patron's own wagers at this position, and what all others have on the table. */
  declare laid: LaidWager[];
  declare others: LaidWager[];
  declare table: string;
  declare position: number;
  /** Whether the table takes wagers now. */
  declare open: boolean;
  /** Wagers that are sent and not answered yet. */
  declare waiting: ReadonlySet<string>;
  /** The wagers that won the round on the felt, and the patron's own as they were settled. */
  declare won: ReadonlySet<string>;
  declare settled: readonly EventSettled[];
  /** How often in a row the same hand has won. */
  declare streak: Streak | null;

  static override styles = [common, wagerAreasStyle];

  constructor() {
    super();
    this.won = new Set();
    this.settled = [];
    this.streak = null;
    new LanguageController(this);
  }

  /** The wager whose area has the focus. */
  get focusedWager(): string | null {
    return (this.shadowRoot?.activeElement as HTMLElement | null)?.dataset.wager ?? null;
  }

  /** Focus the area of a wager, or else the first one; return whether there is one that takes bets. */
  focusArea(wager: string | null): boolean {
    const areas = [...this.renderRoot.querySelectorAll<HTMLElement>("button:not([aria-disabled])")];
    const area = areas.find((each) => each.dataset.wager === wager) ?? areas[0];
    area?.focus();
    return area !== undefined;
  }

  /** The wagers on the outcome itself, as they lie on the felt: they are drawn larger. */
  private get main(): WagerShown[] {
    return ON_THE_FELT.flatMap((winner) => this.wagers.filter((each) => each.on === winner));
  }

  override render() {
    const { main } = this;
    const side = this.wagers.filter((each) => !main.includes(each));
    const many = side.length > 6;
    const rows = `--columns:${columns(side.length, 7)};--narrow:${columns(side.length, many ? 4 : 3)}`;
    return html`<div class="areas" role="group" aria-label=${t("areas.label", { position: this.position })}
      @pointerdown=${() => this.open || this.dispatchEvent(new CustomEvent("closed"))}>
      <div class="side ${many ? "many" : ""}" .style=${rows}>${side.map((each) => this.area(each))}</div>
      <div class="main">${main.map((each) => this.area(each))}</div></div>`;
  }

  private area(wager: WagerShown): TemplateResult {
    const { wager: key } = wager;
    const { felt, line } = wagerColour(key);
    const mine = this.laid.find((each) => each.wager === key)?.amount ?? 0;
    const lies = mine > 0 || this.waiting.has(key);
    const result = lies
      ? undefined
      : this.settled.find((each) => each.wager === key && each.position === this.position);
    const classes = [
      this.won.has(key) ? "winning" : "",
      lies ? "staked" : "",
      result ? `over was-${result.result}` : "",
    ];
    return html`<button class=${classes.join(" ")} .style=${`--felt-of:${felt};--line-of:${line}`}
        aria-disabled=${this.open ? nothing : "true"} data-wager=${key} data-position=${this.position}
        data-table=${this.table}
        aria-keyshortcuts=${mine ? "Delete" : nothing} @click=${() => this.emit("placed", key)}
        @keydown=${(event: KeyboardEvent) => this.keyed(event, key)}>
      <span class="name">${nameOf("wager", key)}${this.run(wager)}</span>
      ${this.betsOfOthers(key)}
      <span class="text">${this.pays(wager)}</span>
      <span class="foot">${wager.on ? this.share(key) : nothing}
        ${lies ? this.stake(key, mine) : this.paidOut(result)}</span>
    </button>`;
  }

  /** How often in a row the hand of a wager has won. */
  private run({ on }: WagerShown): TemplateResult | typeof nothing {
    if (!on || this.streak?.winner !== on) return nothing;
    const { length } = this.streak;
    return html` <span class="streak">${t("areas.streak", { length })}</span>`;
  }

  private pays(wager: WagerShown): TemplateResult {
    const edge = this.edges.find((each) => each.wager === wager.wager)?.rounded;
    const limits = this.limits[wager.wager];
    const lines = payoutLines(wager);
    return html`<span class="pays all">${lines.map(
      ({ pays, when }) => html`<span class="line"><b>${pays}</b>${when ? html` <span>${when}</span>` : ""}</span>`,
    )}</span><span class="pays best" aria-hidden="true">${bestPayout(wager)}</span>
      <span class="fine"><span class="edge">${t("areas.edge", {
        edge: edge ?? "–",
      })}</span>${
        limits
          ? html` <span class="limits">${t("odds.limits")} ${short(limits.minimum)} – ${short(limits.maximum)}</span>`
          : ""
      }</span>`;
  }

  /** The share of all money on Player, Banker and Tie that is on one of them. */
  private share(wager: string): TemplateResult | typeof nothing {
    const main = this.main.map((each) => each.wager);
    const all = [...this.others, ...this.laid].filter((each) => main.includes(each.wager));
    const total = sum(all);
    if (!total) return nothing;
    const percent = Math.round((100 * sum(all.filter((each) => each.wager === wager))) / total);
    return html`<span class="share" title=${t("areas.share", { percent })}>${percent}%</span>`;
  }

  private betsOfOthers(wager: string): TemplateResult | typeof nothing {
    const total = sum(this.others.filter((each) => each.wager === wager));
    if (!total) return nothing;
    return html`<span class="others" title=${t("areas.others", { amount: short(total) })}>${chipStack(
      total,
      this.chips,
      OTHERS_RIM,
    )}<span>${short(total)}</span></span>`;
  }

  private stake(wager: string, mine: number): TemplateResult {
    return html`<span class="stake ${this.waiting.has(wager) ? "waiting" : ""}" data-stake=${mine || nothing}
      data-position=${this.position} data-wager=${wager}
      data-table=${this.table}>${keyed(mine, html`<span class="own">${chipStack(mine, this.chips, OWN_RIM)}</span>`)}
      <span class="amount">${short(mine)}</span></span>
      <span class="unseen">${t("areas.mine", { mine: short(mine) })}</span>`;
  }

  /** Show how an own wager came out: lost chips leave for the tray, winnings come beside the stake. */
  private paidOut(result: EventSettled | undefined): TemplateResult | typeof nothing {
    if (!result) return nothing;
    const { stake, returned } = result;
    return html`<span class="stake paid"><span class="piles">
      <span class="own">${chipStack(stake, this.chips, OWN_RIM)}</span>
      ${returned > stake ? html`<span class="winnings">${chipStack(returned - stake, this.chips)}</span>` : nothing}
      </span>
      <span class="amount">${returned ? short(returned) : ""}</span></span>`;
  }

  private keyed(event: KeyboardEvent, wager: string) {
    if (event.key === "Delete" || event.key === "Backspace") this.emit("taken", wager);
  }

  /** An area that takes no bets keeps the focus, so that keys go on there in the next round. */
  private emit(name: string, wager: string) {
    if (this.open) this.dispatchEvent(new CustomEvent(name, { detail: wager }));
  }
}

const sum = (laid: readonly LaidWager[]) => laid.reduce((total, each) => total + each.amount, 0);

/** Where the wagers on the outcome itself lie, from left to right. */
const ON_THE_FELT = ["player", "tie", "banker"];

/** Return how many side wagers stand in a row of at most so many, in rows of about the same length. */
const columns = (count: number, most: number) => Math.ceil(count / Math.max(1, Math.ceil(count / most)));
customElements.define("punto-areas", PuntoAreas);
