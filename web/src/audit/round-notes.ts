/** Notes on a round, such as where a camera shows it: read by everyone who reads the log, added by those who may. */
import { css, html, LitElement, nothing } from "lit";
import * as auditApi from "../api/audit";
import { Refusal } from "../api/http";
import { may } from "../api/session";
import type { NoteShown } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import { refusalText } from "../i18n/refusal-text";
import { dateAndTime } from "../i18n/time";

export class PuntoNotes extends LitElement {
  static override properties = {
    table: {},
    round: { type: Number },
    notes: { state: true },
    refused: { state: true },
  };
  declare table: string;
  declare round: number | null;
  declare private notes: NoteShown[];
  declare private refused: string;

  static override styles = [
    common,
    css`
    :host { display: block; margin-top: .8rem; }
    h3 { font-size: .95rem; margin: 0 0 .3rem; }
    ul { list-style: none; margin: 0 0 .5rem; padding: 0; display: grid; gap: .35rem; }
    li { border-left: 3px solid var(--gold); padding-left: .6rem; font-size: .9rem; }
    .words { white-space: pre-line; overflow-wrap: anywhere; }
    form { display: flex; gap: .5rem; align-items: end; flex-wrap: wrap; }
    label { flex: 1 1 18rem; font-size: .82rem; }
    textarea { width: 100%; min-height: 2.3rem; font: inherit; padding: .3rem .5rem; }
    button { min-height: 2.3rem; }
  `,
  ];

  constructor() {
    super();
    this.table = "";
    this.round = null;
    this.notes = [];
    this.refused = "";
    new LanguageController(this);
  }

  protected override updated(changed: Map<string, unknown>): void {
    if ((changed.has("table") || changed.has("round")) && this.table && this.round !== null)
      void this.ask(() => auditApi.notesOf(this.table));
  }

  private async ask(request: () => Promise<NoteShown[]>): Promise<boolean> {
    this.refused = "";
    try {
      this.notes = await request();
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused = refusalText(error.refused);
      return false;
    }
  }

  private async add(event: Event) {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const note = String(new FormData(form).get("note"));
    if (await this.ask(() => auditApi.addNote(this.table, { note, round: this.round }))) form.reset();
  }

  override render() {
    const here = this.notes.filter((each) => each.round === this.round);
    const writes = may("write-notes");
    if (this.round === null || (!here.length && !writes)) return nothing;
    return html`<section aria-label=${t("notes.title")}><h3>${t("notes.title")}</h3>
      <ul>${here.map(
        (each) => html`<li><span class="words">${each.note}</span>
        <div class="soft">${nameOf("duty", each.name || each.by)} · ${dateAndTime(each.at)}</div></li>`,
      )}</ul>
      ${
        writes
          ? html`<form @submit=${this.add}><label>${t("notes.new")}<textarea name="note" required
        maxlength="2000" rows="1"></textarea></label><button>${t("notes.add")}</button></form>`
          : nothing
      }
      ${this.refused ? html`<p class="lost" role="alert">${this.refused}</p>` : nothing}</section>`;
  }
}
customElements.define("punto-notes", PuntoNotes);
