/** The page of a game: how it is played, for anyone. */
import { css, html, LitElement } from "lit";
import "../components/clause-dialog";
import "../components/how-to-play";
import "../components/top-bar";
import * as tablesApi from "../api/tables";
import type { EdgeShown, GameShown } from "../api/types";
import type { PuntoClauseDialog } from "../components/clause-dialog";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { loadLanguage, nameOf, t } from "../i18n/catalogue";

class PuntoGame extends LitElement {
  static override properties = { game: { state: true }, edges: { state: true } };
  declare private game: GameShown | null;
  declare private edges: EdgeShown[];
  private readonly decks = Number(document.body.dataset.decks);

  static override styles = [
    common,
    css`
    :host { display: flex; flex-direction: column; min-height: 100dvh; }
    main { width: min(100%, 78rem); margin: 0 auto; padding: .7rem clamp(.6rem, 2vw, 1.4rem); }
    .loading { text-align: center; margin-top: 20vh; }
  `,
  ];

  constructor() {
    super();
    this.game = null;
    this.edges = [];
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load(document.body.dataset.game!);
  }

  private async load(key: string): Promise<void> {
    [this.game, this.edges] = await Promise.all([tablesApi.game(key), tablesApi.edges(key, this.decks)]);
  }

  protected override updated(): void {
    if (this.game) document.title = `${t("how.title")} · ${nameOf("game", this.game.title)} · Punto`;
  }

  private show({ detail }: CustomEvent<string>): void {
    this.renderRoot.querySelector<PuntoClauseDialog>("punto-clause-dialog")!.show(detail);
  }

  override render() {
    const { game } = this;
    return html`<punto-top home heading=${game ? `${nameOf("game", game.title)} · ${t("how.title")}` : ""}></punto-top>
      <main>${
        game
          ? html`<punto-how-to-play .game=${game} .edges=${this.edges} .decks=${this.decks}
              @clause=${this.show}></punto-how-to-play>`
          : html`<p class="soft loading">${t("seat.loading")}</p>`
      }</main>
      <punto-clause-dialog .game=${game}></punto-clause-dialog>`;
  }
}

await loadLanguage();
customElements.define("punto-game", PuntoGame);
