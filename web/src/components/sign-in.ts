/** A form to sign in by name and password, then by the second factor. A sign-in link has a page of its own. */
import { css, html, LitElement } from "lit";
import "../access/second-factor";
import { unfinished } from "../api/account";
import { Refusal } from "../api/http";
import { signIn } from "../api/session";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";
import { refusalText } from "../i18n/refusal-text";
import { common } from "./style";

export class PuntoSignIn extends LitElement {
  static override properties = { refused: { state: true } };
  declare private refused: string;

  static override styles = [
    common,
    css`
    form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; }
    label { flex: 1 1 10rem; }
    p { margin: .4rem 0 0; }
  `,
  ];

  constructor() {
    super();
    this.refused = "";
    new LanguageController(this);
  }

  override render() {
    const mode = unfinished();
    if (mode) return html`<punto-second-factor mode=${mode}></punto-second-factor>`;
    return html`<form @submit=${this.submit}>
        <label>${t("sign_in.name")}<input name="name" autocomplete="username" required></label>
        <label>${t("sign_in.password")}<input name="password" type="password" autocomplete="current-password"
          required></label>
        <button class="main">${t("sign_in.enter")}</button>
      </form>
      <p role="alert" class="lost" ?hidden=${!this.refused}>${this.refused}</p>
      <p class="soft">${t("sign_in.or_link")}</p>`;
  }

  private async submit(event: SubmitEvent) {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    try {
      await signIn(String(form.get("name")), String(form.get("password")));
      location.reload();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused = refusalText(error.refused);
    }
  }
}
customElements.define("punto-sign-in", PuntoSignIn);
