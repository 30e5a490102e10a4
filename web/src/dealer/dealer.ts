/** The Dealer's page: what to announce and do next, the cards, the layout, and what to do when something goes wrong. */
import { html, LitElement, nothing } from "lit";
import "../components/clause-dialog";
import "../components/sign-in";
import "../components/top-bar";
import { pageConnection } from "../api/page-connection";
import { signedInPerson } from "../api/session";
import type { PuntoClauseDialog } from "../components/clause-dialog";
import { KeyController } from "../controllers/key-controller";
import { LanguageController } from "../controllers/language-controller";
import { ListenerController } from "../controllers/listener-controller";
import { loadLanguage, nameOf, t } from "../i18n/catalogue";
import { DealerController } from "./dealer-controller";
import { dealerStyle } from "./dealer-style";
import { type DealerActions, dealerView } from "./dealer-view";

/** After a finger or a mouse, Enter is for the next step again and not for the button that was pressed. */
function blurButton(event: MouseEvent): void {
  if (event.detail) (event.composedPath()[0] as Element).closest<HTMLElement>("button")?.blur();
}

class PuntoDealer extends LitElement {
  static override styles = dealerStyle;

  private readonly dealer = new DealerController(this, {
    connection: pageConnection(),
    table: document.body.dataset.table!,
    game: document.body.dataset.game!,
    person: signedInPerson(),
  });

  private readonly actions: DealerActions = {
    showClause: (clause) => this.renderRoot.querySelector<PuntoClauseDialog>("punto-clause-dialog")!.show(clause),
    keyCard: (card) => {
      this.dealer.keyCard(card);
      void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("button.big")?.focus());
    },
  };

  constructor() {
    super();
    new LanguageController(this);
    new ListenerController(this, "click", blurButton);
    new KeyController(this, "input, select, textarea, dialog *", (event, target) => {
      const onControl = Boolean(target.matches?.("button, a, summary, [role=tabpanel] *"));
      if (this.dealer.pressKey(event.key, onControl, event.repeat)) event.preventDefault();
    });
  }

  protected override updated(): void {
    if (this.dealer.state.game) document.title = `${t("dealer.title")} · ${this.dealer.table} · Punto`;
  }

  override render() {
    const { connected, game, isPublic, view } = this.dealer.state;
    const heading = game ? `${t("dealer.title")} · ${nameOf("game", game.title)} · ${this.dealer.table}` : "";
    return html`<punto-top home heading=${heading}></punto-top>
      ${connected || !view ? nothing : html`<p class="away" role="alert">${t("seat.away")}</p>`}
      ${
        game && view
          ? dealerView(this.dealer, game, view, this.actions)
          : isPublic
            ? this.stranger()
            : html`<p class="soft loading">${t("seat.loading")}</p>`
      }
      <punto-clause-dialog .game=${game}></punto-clause-dialog>`;
  }

  private stranger() {
    return html`<div class="stranger">${
      this.dealer.person ? html`<p>${t("dealer.not_staff")}</p>` : html`<punto-sign-in></punto-sign-in>`
    }</div>`;
  }
}

await loadLanguage();
customElements.define("punto-dealer", PuntoDealer);
