/** The page of a person's own sign-in: password and second factor; and for a patron their limits over all tables. */
import { css, html, LitElement, nothing } from "lit";
import "../components/sign-in";
import "../components/top-bar";
import "../access/second-factor";
import "./house-limits";
import { askToRemoveOwnFactor, factorState } from "../api/account";
import { choosePassword, signedInPerson } from "../api/session";
import type { FactorState } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { loadLanguage, t } from "../i18n/catalogue";

class PuntoAccount extends LitElement {
  static override properties = { factor: { state: true }, settingUp: { state: true } };
  declare private factor: FactorState | null;
  declare private settingUp: boolean;
  private readonly password = new RequestStatus(this);
  private readonly removal = new RequestStatus(this);

  static override styles = [
    common,
    css`
    main { max-width: 40rem; margin: 0 auto; padding: 1rem; display: grid; gap: 1rem; }
    section { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: 1rem; }
    h2 { font-size: 1.05rem; margin: 0 0 .6rem; }
    form, .stack { display: grid; gap: .7rem; justify-items: start; max-width: 24rem; }
    label, input { width: 100%; }
    p { margin: 0; }
  `,
  ];

  constructor() {
    super();
    this.factor = null;
    this.settingUp = false;
    new LanguageController(this);
  }

  protected override async firstUpdated(): Promise<void> {
    if (signedInPerson()) this.factor = await factorState();
  }

  protected override updated(): void {
    document.title = `${t("account.title")} · Punto`;
  }

  override render() {
    return html`<punto-top home heading=${t("account.title")}></punto-top>
      <main>${signedInPerson() ? this.own() : html`<section><punto-sign-in></punto-sign-in></section>`}</main>`;
  }

  private own() {
    return html`<section aria-label=${t("account.password")}><h2>${t("account.password")}</h2>
      <form @submit=${this.setPassword}>
        <label>${t("account.old_password")}<input type="password" name="old" autocomplete="current-password"></label>
        <label>${t("lobby.new_password")}<input type="password" name="password" autocomplete="new-password"
          required></label>
        <button class="main" ?disabled=${this.password.busy}>${t("lobby.set")}</button>${this.password.view()}
      </form></section>
      <section aria-label=${t("factor.title")}><h2>${t("factor.title")}</h2>
        ${this.factor ? this.secondFactor(this.factor) : nothing}</section>
      ${signedInPerson()?.duty === "patron" ? html`<punto-house-limits></punto-house-limits>` : nothing}`;
  }

  private secondFactor({ is_set, required, recovery_left }: FactorState) {
    if (this.settingUp) return html`<punto-second-factor mode="set-up"></punto-second-factor>`;
    if (!is_set)
      return html`<div class="stack"><p>${t("factor.about")}</p>
        <button class="main" @click=${() => (this.settingUp = true)}>${t("factor.begin")}</button></div>`;
    return html`<div class="stack"><p>${t("factor.in_use", { count: recovery_left })}</p>
      ${required ? html`<p class="soft">${t("factor.required")}</p>` : nothing}
      <button ?disabled=${this.removal.busy} @click=${this.askRemoval}>${t("factor.ask_removal")}</button>
      ${this.removal.view()}</div>`;
  }

  private async askRemoval() {
    await this.removal.followRequest(askToRemoveOwnFactor(), t("factor.removal_asked"));
  }

  private async setPassword(event: SubmitEvent) {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const typed = new FormData(form);
    const asked = choosePassword(String(typed.get("password")), String(typed.get("old")));
    const set = asked.then(() => true);
    if (await this.password.followRequest(set, t("lobby.password_set"))) form.reset();
  }
}

await loadLanguage();
customElements.define("punto-account", PuntoAccount);
