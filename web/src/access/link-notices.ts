/** Tells a person of the sign-in links that others made for them, until they say that they know. */
import { css, html, LitElement, nothing } from "lit";
import { linkNotices, noticesSeen } from "../api/account";
import type { LinkNotice } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import { dateTime } from "../i18n/time";

export class PuntoLinkNotices extends LitElement {
  static override properties = { notices: { state: true } };
  declare private notices: LinkNotice[];

  static override styles = [
    common,
    css`
    section {
      display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; padding: .5rem clamp(.6rem, 2vw, 1.4rem);
      background: var(--held); border-bottom: 1px solid var(--gold);
    }
    ul { margin: 0; padding: 0; list-style: none; flex: 1; }
  `,
  ];

  constructor() {
    super();
    this.notices = [];
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void linkNotices().then((told) => (this.notices = told));
  }

  override render() {
    if (!this.notices.length) return nothing;
    return html`<section role="status" aria-label=${t("links.title")}>
      <ul>${this.notices.map((each) => html`<li>${sentence(each)}</li>`)}</ul>
      <button @click=${this.known}>${t("links.known")}</button></section>`;
  }

  private async known() {
    await noticesSeen(Math.max(...this.notices.map((each) => each.at)));
    this.notices = [];
  }
}

function sentence({ at, name, asked_by }: LinkNotice): string {
  const by = name ? nameOf("duty", name) : t("links.command_line");
  if (asked_by) return t("links.made_by_two", { by, asked: nameOf("duty", asked_by), time: dateTime(at) });
  return t("links.made", { by, time: dateTime(at) });
}
customElements.define("punto-link-notices", PuntoLinkNotices);
