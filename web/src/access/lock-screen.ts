/** The lock screen: it covers a page of staff where nothing was entered for some minutes, and keeps what is behind. */
import { css, html, LitElement, nothing } from "lit";
import { checkSession, noteInput, unlock } from "../api/account";
import { LOCKED } from "../api/http";
import { pageConnection } from "../api/page-connection";
import { signOut } from "../api/session";
import { common } from "../components/style";
import { IntervalController } from "../controllers/interval-controller";
import { LanguageController } from "../controllers/language-controller";
import { ListenerController } from "../controllers/listener-controller";
import { RequestStatus } from "../controllers/request-status";
import { t } from "../i18n/catalogue";

/** Milliseconds between two times that the server is told of input. */
const TOLD_EACH = 20_000;
const LOOKED_EACH = 5_000;

export class PuntoLock extends LitElement {
  static override properties = { locked: { state: true } };
  declare private locked: boolean;
  private readonly status = new RequestStatus(this);
  private toldAt = 0;
  private inputAt = Date.now();

  static override styles = [
    common,
    css`
    dialog {
      border: 1px solid var(--line); border-radius: 14px; background: var(--panel); color: inherit; padding: 1.4rem;
      width: min(26rem, 92vw);
    }
    dialog::backdrop { background: var(--felt-deep); }
    form { display: grid; gap: .7rem; }
    p { margin: 0; }
    .row { display: flex; gap: .6rem; }
  `,
  ];

  constructor() {
    super();
    this.locked = document.body.dataset.locked === "yes";
    new LanguageController(this);
    new ListenerController(this, LOCKED, () => (this.locked = true));
    new IntervalController(this, LOOKED_EACH, () => this.look());
    for (const kind of ["pointerdown", "keydown", "wheel"] as const)
      new ListenerController(this, kind, () => this.note());
  }

  /** Note input of the person at the page; the server is told of it now and then. */
  private note(): void {
    if (this.locked) return;
    this.inputAt = Date.now();
    if (this.inputAt - this.toldAt < TOLD_EACH) return;
    this.toldAt = this.inputAt;
    noteInput().catch(() => {}); // locked meanwhile, which shows, or the server is away
  }

  /** Ask the server whether the session is locked, once it should be; a page without requests would not know. */
  private look(): void {
    const minutes = Number(document.body.dataset.idle ?? 0);
    if (!this.locked && minutes && Date.now() - this.inputAt > minutes * 60_000) checkSession().catch(() => {});
  }

  override updated(): void {
    const dialog = this.renderRoot.querySelector("dialog");
    if (dialog && !dialog.open) dialog.showModal();
  }

  override render() {
    if (!this.locked) return nothing;
    const factor = document.body.dataset.factor === "yes";
    return html`<dialog aria-label=${t("lock.title")} @cancel=${(event: Event) => event.preventDefault()}>
      <form @submit=${this.submit}><h2>${t("lock.title")}</h2><p>${t("lock.about")}</p>
        <label>${t("lock.password")}<input name="password" type="password" autocomplete="current-password" autofocus
          maxlength="200"></label>
        ${
          factor
            ? html`<label>${t("lock.or_code")}<input name="code" maxlength="40" autocomplete="one-time-code"
              spellcheck="false"></label>`
            : nothing
        }
        <div class="row"><button class="main" ?disabled=${this.status.busy}>${t("lock.open")}</button>
          <button type="button" class="quiet" @click=${this.leave}>${t("lock.leave")}</button></div>
        ${this.status.view()}<p class="soft">${t("lock.none")}</p></form></dialog>`;
  }

  private async submit(event: SubmitEvent) {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const code = String(form.get("code") ?? "").trim();
    if ((await this.status.followRequest(unlock(String(form.get("password") ?? ""), code))) === null) return;
    if (document.body.dataset.locked === "yes") {
      location.reload(); // the page was loaded while it was locked, and knows nothing of its person
      return;
    }
    this.locked = false;
    this.inputAt = this.toldAt = Date.now();
    pageConnection().resume();
  }

  private leave() {
    void signOut().finally(() => location.assign("/"));
  }
}

customElements.define("punto-lock", PuntoLock);
