/** How long the session has lasted, what it brought, and the loss limit that the patron has set. */
import { css, html, LitElement, nothing } from "lit";
import { pageConnection } from "../../api/page-connection";
import type { OwnLimitShown } from "../../api/types";
import { common } from "../../components/style";
import { IntervalController } from "../../controllers/interval-controller";
import { LanguageController } from "../../controllers/language-controller";
import { t } from "../../i18n/catalogue";
import { amount, parseAmount, signed } from "../../i18n/money";
import { dateTime } from "../../i18n/time";

export class PuntoMyLimits extends LitElement {
  static override properties = {
    began: { type: Number },
    result: { type: Number },
    own: { attribute: false },
    wrong: { state: true },
  };
  /** When the session began, and what the patron has won since. */
  declare began: number;
  declare result: number;
  declare own: OwnLimitShown | null;
  declare private wrong: boolean;

  static override styles = [
    common,
    css`
    h2 { font-size: 1rem; margin-bottom: .3rem; } section + section { margin-top: 1.1rem; }
    dl { display: grid; grid-template-columns: auto 1fr; gap: .3rem 1rem; margin: 0 0 .6rem; }
    dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; font-weight: 650; }
    progress { width: 100%; height: .6rem; accent-color: var(--gold); } p { margin: .4rem 0; }
  `,
  ];

  constructor() {
    super();
    this.own = null;
    this.wrong = false;
    new LanguageController(this);
    new IntervalController(this, 1000);
  }

  override render() {
    const { result } = this;
    return html`<section><h2>${t("limits.session")}</h2><dl>
        <dt>${t("limits.since")}</dt><dd>${duration(Date.now() - this.began)}</dd>
        <dt>${t("limits.result")}</dt><dd class=${result < 0 ? "lost" : "won"}>${signed(result)}</dd></dl>
        <button @click=${() => this.dispatchEvent(new CustomEvent("restart"))}>${t("limits.restart")}</button></section>
      <section><h2>${t("limits.loss")}</h2>${this.limit()}
      <form class="stack" @submit=${this.set}>
        <label>${t("limits.set")}<input name="limit" inputmode="decimal" autocomplete="off"
          aria-invalid=${this.wrong}></label>
        ${this.wrong ? html`<p role="alert" class="lost">${t("money.no_amount")}</p>` : nothing}
        <div class="row"><button class="main">${t("limits.keep")}</button>
        ${
          this.own
            ? html`<button type="button"
          @click=${() => this.emit(null)}>${t("limits.lift")}</button>`
            : nothing
        }</div>
      </form><p class="soft">${t("limits.about")}</p></section>`;
  }

  private limit() {
    const { own } = this;
    const eased = own?.eased_from && own.eased_from <= pageConnection().now();
    const limit = eased ? own.eased_to : (own?.limit ?? null);
    if (!own || limit === null) return html`<p>${t("limits.none")}</p>`;
    const lost = Math.max(0, own.lost);
    return html`<dl><dt>${t("limits.most")}</dt><dd data-limit=${limit}>${amount(limit)}</dd>
        <dt>${t("limits.lost")}</dt><dd>${amount(lost)}</dd></dl>
      <progress max=${Math.max(1, limit)} value=${Math.min(lost, limit)} aria-label=${t("limits.lost")}></progress>
      ${
        own.eased_from && !eased
          ? html`<p class="soft" data-eased>${
              own.eased_to === null
                ? t("limits.lifted_from", { when: dateTime(own.eased_from) })
                : t("limits.raised_from", { limit: amount(own.eased_to), when: dateTime(own.eased_from) })
            }</p>`
          : nothing
      }`;
  }

  private set(event: SubmitEvent) {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const limit = parseAmount(String(new FormData(form).get("limit")));
    this.wrong = limit === null;
    if (limit === null) return;
    form.reset();
    this.emit(limit);
  }

  private emit(limit: number | null) {
    this.dispatchEvent(new CustomEvent("limit", { detail: limit }));
  }
}

function duration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((each) => String(each).padStart(2, "0")).join(":");
}
customElements.define("punto-my-limits", PuntoMyLimits);
