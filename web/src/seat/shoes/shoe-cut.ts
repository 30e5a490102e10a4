/** The cut of a sealed shoe: the patron is asked once; commitment and reveal follow without further action. */
import { css, html, LitElement, nothing } from "lit";
import "../../components/clock";
import { Refusal } from "../../api/http";
import * as shoesApi from "../../api/shoes";
import type { ShoeShown } from "../../api/types";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { type CutBook, type Stage, tooLong } from "../../fairness/cut-book";
import { shoeNumber } from "../../fairness/shoe-name";
import { t } from "../../i18n/catalogue";
import { refusalText } from "../../i18n/refusal-text";

/** Milliseconds between two requests while a shoe is prepared, and while one is dealt. */
const SOON = 800;
const LATER = 10_000;

export class PuntoCut extends LitElement {
  static override properties = {
    table: {},
    cutting: { attribute: false },
    waiting: { type: Boolean },
    seated: { type: Boolean },
    shoe: { state: true },
    stage: { state: true },
    refused: { state: true },
    declined: { state: true },
  };
  declare table: string;
  declare cutting: CutBook;
  /** Whether a shoe is being prepared, because none is on the table. */
  declare waiting: boolean;
  /** Whether the patron has chips at the table, so that the table waits for their answer. */
  declare seated: boolean;
  declare private shoe: ShoeShown | null;
  declare private stage: Stage;
  declare private refused: string;
  /** The shoe that the patron does not want to cut. */
  declare private declined: string;
  /** The step that is under way: never two at once, so that nothing is contributed twice. */
  private step: Promise<void> | null = null;
  private timer = 0;

  static override styles = [
    common,
    css`
    section {
      background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: .8rem 1rem; display: grid;
      gap: .6rem; width: min(100%, 40rem); margin: 0 auto 2.6rem;
    }
    .head { display: flex; gap: 1rem; align-items: center; justify-content: space-between; }
    punto-clock { width: 2.8rem; height: 2.8rem; flex: none; }
    p { margin: 0; } h2 { font-size: 1.1rem; }
    form { display: grid; gap: .6rem; } input[name=words] { width: 100%; }
    .always { display: flex; gap: .5rem; align-items: center; }
    .always input { min-height: 0; width: 1.1rem; height: 1.1rem; }
    .altered { color: var(--warn); font-weight: 650; }
  `,
  ];

  constructor() {
    super();
    this.shoe = null;
    this.stage = "none";
    this.refused = this.declined = "";
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.refresh();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has("waiting") && changed.get("waiting") !== undefined) void this.refresh();
  }

  /** Ask how the cut stands, act on it, and ask again after a while. */
  private async refresh(): Promise<void> {
    clearTimeout(this.timer);
    if (!this.step) await this.take(this.advance().catch(() => {})); // without a connection it is asked again later
    const soon = this.waiting || this.stage === "committed" || this.stage === "revealed";
    clearTimeout(this.timer);
    if (this.isConnected) this.timer = window.setTimeout(() => void this.refresh(), soon ? SOON : LATER);
  }

  private async take(step: Promise<void>): Promise<void> {
    this.step = step;
    await step.finally(() => {
      this.step = null;
    });
  }

  private async advance(): Promise<void> {
    this.show((await shoesApi.lastShoes(this.table, 1))[0] ?? null);
    const shoe = this.shoe;
    if (!shoe) return;
    if (this.stage === "offered" && (this.cutting.always || this.cutting.agreedBefore(shoe)))
      await this.commit(this.cutting.words);
    if (this.stage === "reveal") this.show(await shoesApi.revealCut(this.table, shoe.shoe, this.cutting.reveal(shoe)));
  }

  private show(shoe: ShoeShown | null): void {
    this.shoe = shoe;
    this.stage = shoe ? this.cutting.stage(shoe) : "none";
    if (this.stage !== "offered") this.refused = "";
  }

  private async commit(words: string): Promise<void> {
    const shoe = this.shoe!;
    try {
      this.show(await shoesApi.pledgeCut(this.table, shoe.shoe, this.cutting.contribute(shoe, words)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused = refusalText(error.refused);
    }
  }

  /** Leave the shoe to the others; the table need not wait for an answer. */
  private async decline(shoe: string): Promise<void> {
    this.declined = shoe;
    await shoesApi.declineCut(this.table, shoe).catch(() => {}); // untold, the table waits until the time is over
  }

  private async agreed(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const words = String(form.get("words")).trim();
    this.refused = tooLong(words) ? t("cut.too_long") : "";
    if (this.refused) return;
    this.cutting.agree(words, form.get("always") !== null);
    await this.step;
    if (this.stage === "offered") await this.take(this.commit(words));
    void this.refresh();
  }

  override render() {
    const { shoe, stage } = this;
    if (!shoe || stage === "none" || (stage === "offered" && this.declined === shoe.shoe)) return nothing;
    if (stage === "left_out" && !(this.waiting && this.seated)) return nothing;
    if (stage === "counts" && !this.waiting) return nothing; // it is being dealt; the tab about the shoe shows the rest
    return html`<section aria-labelledby="title">
      <div class="head"><h2 id="title">${t("cut.title", { shoe: shoeNumber(this.table, shoe.shoe) })}</h2>
        ${shoe.deadline ? html`<punto-clock .deadline=${shoe.deadline}></punto-clock>` : nothing}</div>
      ${
        stage === "offered"
          ? this.offer()
          : html`<p role="status"
        class=${stage === "altered" || stage === "left_out" ? "altered" : ""}>${this.stageText(shoe)}</p>`
      }
    </section>`;
  }

  private offer() {
    return html`<p class="soft">${t("cut.offer")}</p>
      <form @submit=${this.agreed}>
        <label>${t("cut.words")}<input name="words" maxlength="64" autocomplete="off"
          .value=${this.cutting.words}></label>
        <label class="always"><input type="checkbox" name="always"
          .checked=${this.cutting.always}>${t("cut.always")}</label>
        ${this.refused ? html`<p role="alert" class="lost">${this.refused}</p>` : nothing}
        <div class="row"><button class="main">${t("cut.cut")}</button>
          <button type="button"
            @click=${() => this.decline(this.shoe!.shoe)}>${t("cut.not_now")}</button></div>
      </form>`;
  }

  private stageText(shoe: ShoeShown): string {
    const values = { count: shoe.pledges.length, missing: shoe.missing.length };
    switch (this.stage) {
      case "committed":
        return t("cut.committed", values);
      case "counts":
        return t("cut.counts", values);
      case "altered":
        return t("cut.altered");
      case "left_out":
        return t(shoe.pledges.length ? "cut.left_out" : "cut.uncut", values);
      default:
        return t("cut.revealed", values);
    }
  }
}
customElements.define("punto-cut", PuntoCut);
