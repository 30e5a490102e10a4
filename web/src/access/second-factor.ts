/** The second factor of a sign-in: its code is asked for, or one is set up with an app and recovery codes. */
import { css, html, LitElement, nothing } from "lit";
import { offerFactor, setFactor, showCode } from "../api/account";
import type { FactorOffered } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { t } from "../i18n/catalogue";

export class PuntoSecondFactor extends LitElement {
  static override properties = { mode: {}, offer: { state: true }, codes: { state: true } };
  /** Whether a code is asked for, or a second factor is set up. */
  declare mode: "show" | "set-up";
  declare private offer: FactorOffered | null;
  /** The recovery codes, once it is set up. */
  declare private codes: readonly string[] | null;
  private readonly status = new RequestStatus(this);

  static override styles = [
    common,
    css`
    :host { display: block; max-width: 34rem; }
    form, .stack { display: grid; gap: .7rem; justify-items: start; }
    p { margin: 0; }
    .key { font-family: ui-monospace, monospace; font-size: 1rem; overflow-wrap: anywhere; user-select: all; }
    .codes { columns: 2; gap: 2rem; padding: 0; margin: 0; list-style: none; font-family: ui-monospace, monospace; }
    input { letter-spacing: .1em; }
  `,
  ];

  constructor() {
    super();
    this.mode = "show";
    this.offer = null;
    this.codes = null;
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.mode === "set-up") void this.begin();
  }

  private async begin() {
    this.offer = await this.status.followRequest(offerFactor());
  }

  override render() {
    if (this.codes) return this.recovery(this.codes);
    if (this.mode === "show") return this.form(t("factor.code_asked"), t("factor.or_recovery"));
    return this.offer ? this.setUp(this.offer) : this.status.view();
  }

  private form(asked: string, hint = "") {
    return html`<form @submit=${this.submit}><p>${asked}</p>
      <label>${t("factor.code")}<input name="code" required maxlength="40" autocomplete="one-time-code"
        autocapitalize="characters" spellcheck="false"></label>
      ${hint ? html`<p class="soft">${hint}</p>` : nothing}
      <button class="main" ?disabled=${this.status.busy}>${t("factor.go")}</button>${this.status.view()}</form>`;
  }

  private setUp({ key, address }: FactorOffered) {
    return html`<div class="stack"><p>${t("factor.set_up")}</p>
      <p class="key">${key.match(/.{1,4}/g)?.join(" ")}</p>
      <p><a href=${address}>${t("factor.open_app")}</a></p>${this.form(t("factor.then_code"))}</div>`;
  }

  private recovery(codes: readonly string[]) {
    return html`<div class="stack"><p role="status">${t("factor.is_set")}</p><p>${t("factor.recovery")}</p>
      <ul class="codes">${codes.map((each) => html`<li>${each}</li>`)}</ul>
      <button class="main" @click=${this.done}>${t("factor.kept")}</button></div>`;
  }

  private async submit(event: SubmitEvent) {
    event.preventDefault();
    const code = String(new FormData(event.target as HTMLFormElement).get("code"));
    if (this.offer) {
      this.codes = (await this.status.followRequest(setFactor(this.offer.sealed, code)))?.codes ?? null;
    } else if (await this.status.followRequest(showCode(code))) {
      this.done();
    }
  }

  private done() {
    location.reload();
  }
}
customElements.define("punto-second-factor", PuntoSecondFactor);
