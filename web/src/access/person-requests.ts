/** What waits for a second person: sign-in links, and second factors to be removed. */
import { css, html, LitElement, nothing } from "lit";
import { confirmRequest, personRequests } from "../api/account";
import type { AddedPerson, RequestShown } from "../api/types";
import { common } from "../components/style";
import { IntervalController } from "../controllers/interval-controller";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { nameOf, t } from "../i18n/catalogue";
import { dateTime } from "../i18n/time";

const READ_EACH = 5000;

export class PuntoPersonRequests extends LitElement {
  static override properties = { requests: { state: true } };
  declare private requests: RequestShown[];
  private readonly status = new RequestStatus(this);

  static override styles = [
    common,
    css`
    section { border: 1px solid var(--gold); border-radius: 12px; padding: .8rem 1rem; background: var(--held); }
    h2 { font-size: 1rem; margin: 0 0 .4rem; }
    ul { margin: 0; padding: 0; list-style: none; display: grid; gap: .4rem; }
    li { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; justify-content: space-between; }
  `,
  ];

  constructor() {
    super();
    this.requests = [];
    new LanguageController(this);
    new IntervalController(this, READ_EACH, () => void this.read());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.read();
  }

  /** Read what waits. */
  async read(): Promise<void> {
    this.requests = await personRequests().catch(() => this.requests);
  }

  override render() {
    if (!this.requests.length) return this.status.view();
    return html`<section aria-label=${t("requests.title")}><h2>${t("requests.title")}</h2>
      <ul>${this.requests.map((each) => this.row(each))}</ul>${this.status.view() || nothing}</section>`;
  }

  private row(each: RequestShown) {
    const told = { name: nameOf("duty", each.name), asked: nameOf("duty", each.asked_by_name) };
    return html`<li data-request=${each.id}><span>${t(`requests.${each.what}`, told)} <span
      class="soft">${dateTime(each.asked_at)}</span></span>${
        each.yours
          ? html`<button class="main" ?disabled=${this.status.busy}
        @click=${() => this.confirm(each)}>${t("requests.confirm")}</button>`
          : html`<span class="soft">${t("requests.other")}</span>`
      }</li>`;
  }

  private async confirm({ id }: RequestShown) {
    const done = await this.status.followRequest(confirmRequest(id), t("requests.confirmed"));
    if (done) this.dispatchEvent(new CustomEvent<AddedPerson>("confirmed", { detail: done }));
    await this.read();
  }
}
customElements.define("punto-person-requests", PuntoPersonRequests);
