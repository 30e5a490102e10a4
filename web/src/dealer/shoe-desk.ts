/** The Dealer's shoe: real cards by their name, or a sealed shoe from its sealing to the table. */
import { css, html, LitElement, nothing } from "lit";
import "../components/clock";
import { Refusal } from "../api/http";
import * as shoesApi from "../api/shoes";
import type { ShoeShown, StaffView } from "../api/types";
import { common } from "../components/style";
import { IntervalController } from "../controllers/interval-controller";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";
import { refusalText } from "../i18n/refusal-text";

const LOOKED_AGAIN_AFTER = 2_000;

export class PuntoShoeDesk extends LitElement {
  static override properties = {
    table: {},
    view: { attribute: false },
    shoe: { state: true },
    refused: { state: true },
    size: { type: Number },
  };
  declare table: string;
  declare view: StaffView;
  /** The number of cards in the shoe on the table. */
  declare size: number;
  declare private shoe: ShoeShown | null;
  declare private refused: string;

  static override styles = [
    common,
    css`
    :host { display: grid; gap: .8rem; }
    dl { display: grid; grid-template-columns: auto 1fr; gap: .2rem 1rem; margin: 0; }
    dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
    form { display: grid; gap: .6rem; } code { font-size: .78rem; overflow-wrap: anywhere; }
    .refused { color: var(--warn); font-weight: 600; margin: 0; }
    punto-clock { width: 2.8rem; height: 2.8rem; }
  `,
  ];

  constructor() {
    super();
    this.shoe = null;
    this.refused = "";
    this.size = 0;
    new LanguageController(this);
    new IntervalController(this, LOOKED_AGAIN_AFTER, () => void this.refresh());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.refresh());
  }

  private get sealed() {
    return this.view.setting?.device === "sealed";
  }

  /** Ask for the sealed shoe that waits to be used. */
  private async refresh() {
    if (!this.sealed || this.view.shoe || document.hidden) return;
    await this.show(async () => (await shoesApi.shoes(this.table)).filter((each) => !each.published).at(-1) ?? null);
  }

  private async show(work: () => Promise<ShoeShown | null>) {
    try {
      this.shoe = await work();
      this.refused = "";
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused = refusalText(error.refused);
    }
  }

  override render() {
    const { view } = this;
    if (view.shoe) {
      return html`<dl><dt>${t("shoe.name")}</dt><dd>${view.shoe}</dd><dt>${t("shoe.dealt")}</dt><dd>${
        this.size ? t("seat.shoe", { drawn: view.cards_drawn, size: this.size }) : view.cards_drawn
      }</dd></dl>
        ${view.cutting_card_shown ? html`<p>${t("seat.cutting_card")}</p>` : nothing}${
          view.change_cards ? html`<p>${t("shoe.change")}</p>` : nothing
        }`;
    }
    if (view.phase !== "idle") return html`<p class="soft">${t("shoe.none")}</p>`;
    return html`${this.sealed ? this.sealing() : this.bringing()}${
      this.refused
        ? html`<p class="refused"
      role="alert">${this.refused}</p>`
        : nothing
    }`;
  }

  private bringing() {
    return html`<form @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      const shoe = String(new FormData(event.target as HTMLFormElement).get("shoe"))
        .replace(/\s+/g, " ")
        .trim();
      if (shoe) this.load(shoe);
    }}><label>${t("shoe.which")}<input name="shoe" autocomplete="off" required></label><button
      class="main">${t("shoe.load")}</button></form>`;
  }

  private sealing() {
    const { shoe, table } = this;
    if (!shoe)
      return html`<p>${t("shoe.sealed_about")}</p><button class="main" data-do="seal"
      @click=${() => this.show(() => shoesApi.sealShoe(table))}>${t("shoe.seal")}</button>`;
    return html`<dl><dt>${t("shoe.name")}</dt><dd>${shoe.shoe}</dd><dt>${t("shoe.pledged")}</dt>
    <dd>${shoe.pledged.length}</dd>
        ${shoe.list_closed ? html`<dt>${t("shoe.missing")}</dt><dd>${shoe.missing.length}</dd>` : nothing}</dl>
      ${shoe.deadline ? html`<punto-clock .deadline=${shoe.deadline}></punto-clock>` : nothing}
      <details><summary class="soft">${t("shoe.commitment")}</summary><code>${shoe.commitment}</code></details>
      ${
        shoe.ready
          ? html`<button class="main" data-do="load" @click=${() => this.load(shoe.shoe)}>${t("shoe.load")}</button>`
          : shoe.list_closed
            ? html`<p class="soft">${t("shoe.revealing")}</p><button data-do="again"
            @click=${() => this.show(() => shoesApi.cutAgain(table, shoe.shoe))}>${t("shoe.again")}</button>`
            : html`<p class="soft">${t("shoe.cutting")}</p><button class="main" data-do="list"
            @click=${() => this.show(() => shoesApi.closeList(table, shoe.shoe))}>${t("shoe.close_list")}</button>`
      }`;
  }

  private load(shoe: string) {
    this.dispatchEvent(new CustomEvent("order", { detail: { command: "LoadShoe", shoe } }));
  }
}
customElements.define("punto-shoe-desk", PuntoShoeDesk);
