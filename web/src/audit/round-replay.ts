/** A round replayed: the felt after each event, who brought it about, what they did and by which clause. */
import { html, LitElement } from "lit";
import "../components/clause-dialog";
import type { PuntoClauseDialog } from "../components/clause-dialog";
import { KeyController } from "../controllers/key-controller";
import { LanguageController } from "../controllers/language-controller";
import { currentLanguage, t } from "../i18n/catalogue";
import "./round-notes";
import { ReplayController } from "./replay-controller";
import { replayStyle } from "./replay-style";
import { type ReplayActions, replayView } from "./replay-view";

export class PuntoReplay extends LitElement {
  static override properties = { table: {}, round: { type: Number } };
  declare table: string;
  declare round: number | null;
  static override styles = replayStyle;

  private readonly replay = new ReplayController(this, currentLanguage());
  private shownStep: unknown = null;

  private readonly actions: ReplayActions = {
    showClause: (clause) => this.renderRoot.querySelector<PuntoClauseDialog>("punto-clause-dialog")!.show(clause),
    openRound: (event, round) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // as a link: into another tab
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("chosen", { detail: round }));
    },
  };

  constructor() {
    super();
    this.table = "";
    this.round = null;
    new LanguageController(this);
    new KeyController(this, "input, select, textarea, [role=tab]", (event, target) => {
      const onControl = Boolean(target.matches?.("button, a, summary"));
      if (this.replay.pressKey(event.key, onControl)) event.preventDefault();
    });
  }

  protected override willUpdate(): void {
    this.replay.show(this.table, this.round, currentLanguage());
  }

  /** Keep the line of the shown step in sight. */
  protected override updated(): void {
    const { at, steps } = this.replay.state;
    if (steps[at] === this.shownStep) return;
    this.shownStep = steps[at];
    this.renderRoot.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  override render() {
    const { game, progress, refusal, replayed, steps, at } = this.replay.state;
    if (refusal) return html`<p class="lost" role="alert">${refusal}</p>`;
    if (progress) {
      const text = t("audit.reading", { ...progress });
      return html`<p class="soft" role="status">${text}</p><progress aria-label=${text} max=${progress.of}
        value=${progress.read}></progress>`;
    }
    const now = steps[at];
    if (!replayed || !now)
      return html`<p class="soft">${this.round === null ? t("audit.choose") : t("seat.loading")}</p>`;
    return html`${replayView(this.replay, replayed, now, this.actions)}
      <punto-notes .table=${this.table} .round=${this.round}></punto-notes>
      <punto-clause-dialog .game=${game}></punto-clause-dialog>`;
  }
}
customElements.define("punto-replay", PuntoReplay);
