/** A dialog that shows a clause of a game's rulebook, with its parents. */
import { css, html, LitElement, nothing } from "lit";
import type { GameShown } from "../api/types";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";
import { clauseText } from "./rulebook";
import { common } from "./style";

export class PuntoClauseDialog extends LitElement {
  static override properties = { game: { attribute: false }, clause: { state: true } };
  declare game: GameShown | null;
  declare private clause: string | null;

  static override styles = [common, css`:host { display: contents; }`];

  constructor() {
    super();
    this.game = null;
    this.clause = null;
    new LanguageController(this);
  }

  show(clause: string): void {
    this.clause = clause;
    this.dialog.showModal();
  }

  private get dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector("dialog")!;
  }

  override render() {
    return html`<dialog class="clause" aria-label=${t("clause.title")}>${
      this.clause && this.game
        ? html`${clauseText(this.game, this.clause)}
          <button @click=${() => this.dialog.close()}>${t("seat.close")}</button>`
        : nothing
    }</dialog>`;
  }
}
customElements.define("punto-clause-dialog", PuntoClauseDialog);
