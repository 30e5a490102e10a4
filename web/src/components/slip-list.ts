/** Slips for fills and credits: those that wait are confirmed by a second person or cancelled, all of them printed. */
import { css, html, LitElement, nothing } from "lit";
import { cancelSlip, confirmSlip, slipFile, slips } from "../api/cage";
import { may } from "../api/session";
import type { SlipShown } from "../api/types";
import { IntervalController } from "../controllers/interval-controller";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { currentLanguage, nameOf, t } from "../i18n/catalogue";
import { amount, short } from "../i18n/money";
import { dateTime } from "../i18n/time";
import { common } from "./style";

const READ_EVERY = 5_000;

export class PuntoSlips extends LitElement {
  static override properties = { table: {}, listed: { state: true }, cancelling: { state: true } };
  /** The table whose slips are shown; empty for all. */
  declare table: string;
  declare private listed: SlipShown[];
  /** The slip for whose cancelling a reason is asked; 0 for none. */
  declare private cancelling: number;
  private readonly status = new RequestStatus(this);

  static override styles = [
    common,
    css`
    .scroll { overflow-x: auto; }
    td { vertical-align: middle; }
    td button { min-height: 2.1rem; padding: .15rem .7rem; }
    small { color: var(--ink-soft); display: block; }
    tr.asked td:first-child { border-left: 3px solid var(--warn); }
    form.row { margin-top: .4rem; }
  `,
  ];

  constructor() {
    super();
    this.table = "";
    this.listed = [];
    this.cancelling = 0;
    new LanguageController(this);
    new IntervalController(this, READ_EVERY, () => void this.read());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.read();
  }

  /** Read the list again. */
  async read(): Promise<void> {
    this.listed = await slips(this.table).catch(() => this.listed);
  }

  override render() {
    if (!this.listed.length) return html`<p class="soft">${t("slips.none")}</p>`;
    return html`${this.status.view()}<div class="scroll" tabindex="0" role="region"
      aria-label=${t("cage.tab.slips")}><table><thead><tr><th>${t("slips.number")}</th>
      <th>${t("slips.kind")}</th><th>${t("pit.table")}</th><th class="num">${t("slips.amount")}</th>
      <th>${t("slips.asked")}</th><th>${t("slips.ended")}</th><th></th></tr></thead>
      <tbody>${this.listed.map((each) => this.row(each))}</tbody></table></div>`;
  }

  private row(slip: SlipShown) {
    const counted = slip.pieces.map(({ value, number }) => `${short(value)} × ${number}`).join(", ");
    return html`<tr class=${slip.state} data-slip=${slip.number}><td>${String(slip.number).padStart(6, "0")}</td>
      <td>${t(`slips.${slip.kind}`)}</td><td>${slip.table}</td>
      <td class="num">${amount(slip.amount)}<small>${counted}</small></td><td>${signed(slip.asked)}</td>
      <td>${
        slip.ended
          ? html`${signed(slip.ended)}<small ?hidden=${slip.state !== "cancelled"}>${t("slips.cancelled")}:
            ${slip.reason}</small>`
          : t("slips.waiting")
      }</td>
      <td><div class="row">${this.actions(slip)}
        <a href=${slipFile(slip.number, currentLanguage())} download>PDF</a></div>
      ${this.cancelling === slip.number ? this.reasonForm(slip) : nothing}</td></tr>`;
  }

  private actions(slip: SlipShown) {
    if (slip.state !== "asked" || !may("keep-slips")) return nothing;
    return html`${
      slip.mine
        ? html`<span class="soft">${t("slips.second_person")}</span>`
        : html`<button class="main" ?disabled=${this.status.busy}
          @click=${() => this.follow(confirmSlip(slip.number))}>${t("slips.confirm")}</button>`
    }<button ?disabled=${this.status.busy}
      @click=${() => (this.cancelling = slip.number)}>${t("slips.cancel")}</button>`;
  }

  private reasonForm(slip: SlipShown) {
    const send = (event: SubmitEvent) => {
      event.preventDefault();
      const reason = String(new FormData(event.target as HTMLFormElement).get("reason"));
      void this.follow(cancelSlip(slip.number, reason));
    };
    return html`<form class="row" @submit=${send}><input name="reason" required maxlength="300"
      aria-label=${t("slips.reason")} placeholder=${t("slips.reason")}><button>${t("slips.cancel")}</button></form>`;
  }

  private async follow(work: Promise<SlipShown>) {
    if (!(await this.status.followRequest(work, t("pit.done")))) return;
    this.cancelling = 0;
    await this.read();
    this.dispatchEvent(new CustomEvent("moved"));
  }
}

function signed({ name, by, position, at }: SlipShown["asked"]) {
  return html`${nameOf("duty", name || by)}<small>${nameOf("duty", position)} · ${dateTime(at)}</small>`;
}
customElements.define("punto-slips", PuntoSlips);
