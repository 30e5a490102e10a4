/** The Dealer's page: what to announce and do next, the cards, the layout, and what to do when something goes wrong. */
import { html, LitElement } from "lit";
import "../components/connection-badge";
import "../components/clause-dialog";
import "../components/sign-in";
import "../components/top-bar";
import { pageConnection } from "../api/page-connection";
import { signedInPerson } from "../api/session";
import type { PuntoClauseDialog } from "../components/clause-dialog";
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

/** Elements that take what is typed themselves, and those that Enter presses. */
const FIELDS = "input:not([type=radio], [type=checkbox]), select, textarea";
/** Elements that use other keys themselves: letters, arrows, Esc. */
const OWN_KEYS = "input, select, textarea, [role=tab], dialog, dialog *";
const CONTROLS = "button, a, summary, input, [role=tabpanel] *, dialog *";

class PuntoDealer extends LitElement {
  static override styles = dealerStyle;

  private readonly dealer = new DealerController(this, {
    connection: pageConnection(),
    table: document.body.dataset.table!,
    game: document.body.dataset.game!,
    person: signedInPerson(),
    storage: localStorage,
  });

  private readonly actions: DealerActions = {
    showClause: (clause) => this.renderRoot.querySelector<PuntoClauseDialog>("punto-clause-dialog")!.show(clause),
    keyCard: (card) => this.dealer.keyCard(card),
  };

  constructor() {
    super();
    new LanguageController(this);
    new ListenerController(this, "click", blurButton);
    new ListenerController(this, "pointerdown", () => this.dealer.tap());
    new ListenerController(this, "keyup", ({ key }) => this.dealer.releaseKey(key));
    new ListenerController(this, "keydown", (event) => this.press(event), window, true);
  }

  /** Act on a key before a control of the page does, so that no key that is held down presses anything. */
  private press(event: KeyboardEvent): void {
    const target = event.composedPath()[0] as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = target.matches?.(FIELDS);
    const isEnter = event.key === "Enter" || (event.key === " " && !inField);
    const isUsed = isEnter
      ? this.enter(event.repeat, target, inField)
      : !target.matches?.(OWN_KEYS) && !event.repeat && this.dealer.pressKey(event.key);
    if (inField && !isEnter) this.dealer.tap();
    if (!isUsed) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Return whether Enter is used up: it is for the next step, or it came too soon to press a control. */
  private enter(isRepeated: boolean, target: HTMLElement, inField: boolean): boolean {
    const isNext = target.matches?.("button.next-step") || !target.matches?.(`${FIELDS}, ${CONTROLS}`);
    if (!isNext) return !this.dealer.enterOnControl(isRepeated, inField);
    this.dealer.pressEnter(isRepeated);
    return true;
  }

  protected override updated(): void {
    if (this.dealer.state.game) document.title = `${t("dealer.title")} · ${this.dealer.table} · Punto`;
  }

  override render() {
    const { game, isPublic, view } = this.dealer.state;
    const heading = game ? `${t("dealer.title")} · ${nameOf("game", game.title)} · ${this.dealer.table}` : "";
    return html`<punto-top home heading=${heading}></punto-top>
      <punto-connection></punto-connection>
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
