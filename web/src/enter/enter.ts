/** The page of a sign-in link. The link stands behind the # of the address, which no browser sends to a server. */
import { css, html, LitElement, nothing } from "lit";
import "../components/top-bar";
import { applyLink } from "../api/account";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { loadLanguage, t } from "../i18n/catalogue";

class PuntoEnter extends LitElement {
  static override properties = { link: { state: true } };
  declare private link: string;
  private readonly status = new RequestStatus(this);

  static override styles = [
    common,
    css`
    main {
      max-width: 26rem; margin: 12vh auto; padding: 2rem; text-align: center; background: var(--panel);
      border: 1px solid var(--line); border-radius: 16px; display: grid; gap: 1rem; justify-items: center;
    }
    button { font-size: 1.2rem; padding: .7rem 2rem; }
    p { margin: 0; }
  `,
  ];

  constructor() {
    super();
    this.link = location.hash.slice(1);
    history.replaceState(null, "", "/enter"); // neither the history nor a picture of the screen keeps it
    new LanguageController(this);
  }

  protected override updated(): void {
    document.title = `${t("enter.title")} · Punto`;
  }

  override render() {
    return html`<punto-top home heading=${t("enter.title")}></punto-top>
      <main>${
        this.link
          ? html`<p>${t("enter.once")}</p>
            <button class="main" autofocus ?disabled=${this.status.busy} @click=${this.enter}>${t("enter.go")}</button>`
          : html`<p>${t("enter.no_link")}</p>`
      }${this.status.view() || nothing}<p><a href="/">${t("enter.tables")}</a></p></main>`;
  }

  private async enter() {
    const entered = await this.status.followRequest(applyLink(this.link));
    if (entered) location.replace("/");
    else this.link = "";
  }
}

await loadLanguage();
customElements.define("punto-enter", PuntoEnter);
