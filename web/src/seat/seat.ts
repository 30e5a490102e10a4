/** The page of a seat at a table: everything a patron needs for a round, and what they may want to know. */
import { html, LitElement, nothing } from "lit";
import "../components/connection-badge";
import "../components/clause-dialog";
import "../components/top-bar";
import "./money/money-desk";
import "./money/reality-check";
import "./sound/sound-switch";
import { pageConnection } from "../api/page-connection";
import { signedInPerson } from "../api/session";
import type { PuntoClauseDialog } from "../components/clause-dialog";
import { KeyController } from "../controllers/key-controller";
import { LanguageController } from "../controllers/language-controller";
import { loadLanguage, t } from "../i18n/catalogue";
import { DragController } from "./betting/drag-controller";
import type { PuntoMoneyDesk } from "./money/money-desk";
import { playedFor } from "./money/play-clock";
import { SeatController } from "./seat-controller";
import { seatStyle } from "./seat-style";
import { type SeatDialogs, seatView } from "./seat-view";
import { browserSound, SoundPlayer } from "./sound/sound-player";

class PuntoSeat extends LitElement {
  static override styles = seatStyle;

  private readonly sound = new SoundPlayer(browserSound(localStorage));
  private readonly seat = new SeatController(this, {
    connection: pageConnection(),
    table: document.body.dataset.table!,
    game: document.body.dataset.game!,
    person: signedInPerson(),
    storage: localStorage,
    pause: Number(document.body.dataset.pause) || null,
    sound: (cue) => void this.sound.play(cue),
  });

  private readonly dialogs: SeatDialogs = {
    showClause: (clause) => this.renderRoot.querySelector<PuntoClauseDialog>("punto-clause-dialog")!.show(clause),
    openMoney: () => {
      void this.seat.readAccount();
      this.seat.clearRefusal();
      this.renderRoot.querySelector<PuntoMoneyDesk>("punto-money-desk")!.reset();
      this.moneyDialog.showModal();
    },
  };

  constructor() {
    super();
    new LanguageController(this);
    new KeyController(this, "input:not([type=radio]), select", ({ key }) => this.seat.pressKey(key));
    new DragController(
      this,
      () => this.seat.open,
      (lifted, on) => void this.seat.drop(lifted, on),
    );
  }

  private get moneyDialog(): HTMLDialogElement {
    return this.renderRoot.querySelector<HTMLDialogElement>("dialog.money")!;
  }

  private async moveMoney({ detail }: CustomEvent<{ command: "BuyIn" | "CashOut"; amount: number }>) {
    if (await this.seat.moveMoney(detail.command, detail.amount)) this.moneyDialog.close();
  }

  private realityCheck() {
    const { play, atRest } = this.seat;
    if (!play.due || !atRest) return nothing;
    return html`<punto-reality-check .now=${play.state.now} .played=${playedFor(play.state, Date.now())} due
      @told=${() => play.tell()} @money=${this.dialogs.openMoney}></punto-reality-check>`;
  }

  protected override updated(): void {
    if (this.seat.state.game) document.title = `${this.seat.name} · Punto`;
  }

  override render() {
    const { announcement, game, notice, view } = this.seat.state;
    return html`<punto-top home heading=${this.seat.name}><punto-sound
        .player=${this.sound}></punto-sound></punto-top>
      <p class="unseen" role="status" aria-live="polite">${announcement}</p>
      <punto-connection></punto-connection>
      ${
        notice
          ? html`<p class="noticed"><span>${notice}</span><button
              @click=${() => this.seat.closeNotice()}>${t("seat.close")}</button></p>`
          : nothing
      }
      ${
        game && view
          ? seatView(this.seat, game, view, this.dialogs)
          : html`<p class="unseen">${t("seat.loading")}</p><slot name="frame"></slot>`
      }
      ${this.realityCheck()}
      <punto-clause-dialog .game=${game}></punto-clause-dialog>
      <dialog class="money" aria-label=${t("money.title")}>
        <punto-money-desk .account=${this.seat.state.account} .chips=${this.seat.chips}
          @input=${() => this.seat.clearRefusal()} @move=${this.moveMoney}></punto-money-desk>
        <p role="alert" class="lost">${this.seat.state.refusal}</p>
        <button @click=${() => this.moneyDialog.close()}>${t("seat.close")}</button></dialog>`;
  }
}

pageConnection(); // connects while the texts are loaded
await loadLanguage();
customElements.define("punto-seat", PuntoSeat);
