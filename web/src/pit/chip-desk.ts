/** Chips of a table: figures of the present opening, fills and credits by slip, and the blind count that closes it. */
import { css, html, LitElement, nothing } from "lit";
import "../components/chip-count";
import "../components/slip-list";
import { askForChips, type SlipKind } from "../api/cage";
import { houseSettings } from "../api/house";
import type { PitTable } from "../api/types";
import type { PuntoChipCount } from "../components/chip-count";
import type { PuntoSlips } from "../components/slip-list";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { nameOf, t } from "../i18n/catalogue";
import { amount, signed } from "../i18n/money";
import { disabledReason } from "../i18n/refusal-text";
import { reasonBeside, type TableCommands } from "./table-commands";
import { detailStyle } from "./table-detail-style";

/** Not what the tray holds: the person who counts it must not know what the books expect. */
const FIGURES = ["opening", "fills", "credits", "drop", "taken_away", "commission"] as const;
/** A refusal that depends on the amount does not close the form. */
const BY_AMOUNT = "not-enough-float";

export class PuntoChipDesk extends LitElement {
  static override properties = {
    about: { attribute: false },
    commands: { attribute: false },
    denominations: { state: true },
  };
  declare about: PitTable;
  declare commands: TableCommands;
  declare private denominations: number[];
  private readonly status = new RequestStatus(this);

  static override styles = [
    ...detailStyle,
    css`
    fieldset { border: 1px solid var(--line); border-radius: 10px; padding: .5rem .8rem .7rem; margin: 0; }
    legend { color: var(--gold); }
    fieldset .row { margin-top: .5rem; }
    .stack { align-content: start; }
  `,
  ];

  constructor() {
    super();
    this.denominations = [];
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.read();
  }

  private async read() {
    this.denominations = (await houseSettings()).denominations;
  }

  override render() {
    // While the tray is counted the server tells nothing of what the books say.
    if (this.commands.offered("DropCount").length) return this.count();
    return html`${this.overview(this.about)}${this.status.view()}`;
  }

  private overview({ money, rounds, table }: PitTable) {
    if (!money) return nothing;
    return html`<div class="columns"><dl>${FIGURES.map(
      (each) => html`<dt>${t(`pit.figure.${each}`)}</dt><dd>${amount(money[each])}</dd>`,
    )}
      <dt class="sum">${t("pit.win")}</dt><dd class="sum ${money.win < 0 ? "lost" : "won"}">${signed(money.win)}</dd>
      <dt>${t("pit.hold")}</dt><dd>${money.hold_percent ?? "–"}</dd>
      <dt>${t("pit.rounds")}</dt><dd>${rounds}</dd></dl>
      <div class="stack">${this.slipForm()}${this.closeButton()}</div></div>
      <p class="soft">${t("pit.formula")}</p><punto-slips table=${table}></punto-slips>`;
  }

  private slipForm() {
    const mine = this.commands.offered("Fill")[0]?.mine;
    if (!mine) return nothing;
    return html`<fieldset><legend>${t("slips.new")}</legend>
      <punto-chip-count .denominations=${this.denominations}></punto-chip-count>
      <div class="row">${(["fill", "credit"] as const).map((kind) => this.slipButton(kind))}</div></fieldset>`;
  }

  private slipButton(kind: SlipKind) {
    const refused = this.commands.offered(kind === "fill" ? "Fill" : "Credit")[0]?.refused;
    const why = refused && refused.code !== BY_AMOUNT ? disabledReason(refused) : "";
    return html`<button data-ask=${kind} title=${why} ?disabled=${Boolean(why) || this.status.busy}
      @click=${() => this.ask(kind)}>${t(`slips.ask_${kind}`)}</button>`;
  }

  private get counter(): PuntoChipCount {
    return this.renderRoot.querySelector<PuntoChipCount>("punto-chip-count")!;
  }

  private async ask(kind: SlipKind) {
    const { counter } = this;
    if (!counter.pieces.length) return this.status.say(t("money.no_amount"), true);
    if (!(await this.status.followRequest(askForChips(kind, this.about.table, counter.pieces), t("slips.asked_now"))))
      return;
    counter.clear();
    await this.renderRoot.querySelector<PuntoSlips>("punto-slips")?.read();
  }

  // --- closing -------------------------------------------------------------------------------------------------------

  private closeButton() {
    const [offered] = this.commands.offered("BeginCount");
    if (!offered?.mine) return nothing;
    const why = offered.refused ? disabledReason(offered.refused) : "";
    return html`<div class="row"><button class="close" title=${why} ?disabled=${Boolean(why)}
      @click=${() => this.commands.give("BeginCount")}>${t("count.begin")}</button>${reasonBeside(why)}</div>`;
  }

  private count() {
    const [mine] = this.commands.offered("DropCount");
    if (!mine?.mine) return html`<p class="soft">${t("count.under_way")}</p>`;
    return html`<fieldset class="blind"><legend>${t("count.title")}</legend><p class="soft">${t("count.blind")}</p>
      <punto-chip-count .denominations=${this.denominations}></punto-chip-count>
      <div class="row"><button class="main" ?disabled=${this.commands.status.busy}
        @click=${this.close}>${t("pit.do.CloseTable")}</button><button
        @click=${() => this.commands.give("DropCount")}>${t("count.back")}</button></div></fieldset>`;
  }

  private async close() {
    const { pieces, total } = this.counter;
    await this.commands.give("CloseTable", { counted: total, pieces });
  }
}

/** What the last count found, for a table that is closed. */
export function lastCount({ closing }: PitTable) {
  if (!closing) return nothing;
  const { counted, expected, difference, name, by } = closing;
  return html`<section class="count" aria-label=${t("count.result")}><h3>${t("count.result")}</h3><dl>
    <dt>${t("count.counted")}</dt><dd>${amount(counted)}</dd><dt>${t("count.expected")}</dt><dd>${amount(expected)}</dd>
    <dt class="sum">${t("count.variance")}</dt>
    <dd class="sum ${difference < 0 ? "lost" : difference > 0 ? "won" : ""}" data-variance>${signed(difference)}</dd>
    <dt>${t("count.closed_by")}</dt><dd>${nameOf("duty", name || by)}</dd></dl></section>`;
}
customElements.define("punto-chip-desk", PuntoChipDesk);
