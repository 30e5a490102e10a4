/** How long a patron has been playing, what it brought, when to remind them, and the loss limit they have set. */
import { css, html, LitElement, nothing } from "lit";
import { pageConnection } from "../../api/page-connection";
import type { OwnLimitShown } from "../../api/types";
import { common } from "../../components/style";
import { IntervalController } from "../../controllers/interval-controller";
import { LanguageController } from "../../controllers/language-controller";
import { t } from "../../i18n/catalogue";
import { amount, parseAmount, signed } from "../../i18n/money";
import { dateTime, duration } from "../../i18n/time";
import { type PlayClockState, playedFor } from "./play-clock";

export class PuntoMyLimits extends LitElement {
  static override properties = {
    play: { attribute: false },
    own: { attribute: false },
    wrong: { state: true },
  };
  declare play: PlayClockState;
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
    return html`<section><h2>${t("limits.session")}</h2>${this.visit()}${this.reminder()}</section>
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

  private visit() {
    const { now } = this.play;
    if (!now) return html`<p class="soft">${t("seat.loading")}</p>`;
    const tone = (net: number) => (net < 0 ? "lost" : net > 0 ? "won" : "");
    return html`<dl><dt>${t("limits.since")}</dt><dd>${duration(playedFor(this.play, Date.now()))}</dd>
        <dt>${t("limits.result")}</dt><dd data-visit=${now.visit.net}
          class=${tone(now.visit.net)}>${signed(now.visit.net)}</dd>
        <dt>${t("limits.played_today")}</dt><dd>${duration(playedFor(this.play, Date.now(), "today"))}</dd>
        <dt>${t("limits.today")}</dt><dd class=${tone(now.today.net)}>${signed(now.today.net)}</dd></dl>`;
  }

  private reminder() {
    const chosen = this.play.now?.reality_check ?? 0;
    const choose = (event: Event) =>
      this.dispatchEvent(new CustomEvent("remind", { detail: Number((event.target as HTMLSelectElement).value) }));
    return html`<label>${t("reality.every")}<select name="reality" @change=${choose}>${[0, 15, 30, 60].map(
      (minutes) =>
        html`<option value=${minutes} ?selected=${minutes === chosen}>${
          minutes ? t("reality.minutes", { minutes }) : t("reality.off")
        }</option>`,
    )}</select></label>`;
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

customElements.define("punto-my-limits", PuntoMyLimits);
