/** A form in which patrons choose which good roads they are told of, and from what length on. */
import { css, html, LitElement } from "lit";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";
import { FEWEST, type GoodRoadRule, MOST, within } from "./good-roads";

export class PuntoGoodRoadSettings extends LitElement {
  static override properties = { rules: { attribute: false } };
  declare rules: readonly GoodRoadRule[];

  static override styles = [
    common,
    css`
    h2 { font-size: 1.15rem; margin-bottom: .3rem; } p { margin: 0 0 .6rem; }
    .rule { display: grid; grid-template-columns: minmax(0, 1fr) 5rem; gap: .6rem; align-items: center; }
    .rule label { display: flex; gap: .6rem; align-items: center; color: var(--ink); font-size: 1rem; padding: .3rem; }
    .rule input[type="checkbox"] { width: 1.3rem; min-height: 1.3rem; accent-color: var(--gold); flex: none; }
    .how { display: block; font-size: .82rem; color: var(--ink-soft); }
  `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  override render() {
    return html`<h2>${t("good.title")}</h2><p class="soft">${t("good.about")}</p>
      ${this.rules.map(
        (rule) => html`<div class="rule">
        <label><input type="checkbox" name=${rule.road} .checked=${rule.wanted}
          @change=${(event: Event) => this.change({ ...rule, wanted: (event.target as HTMLInputElement).checked })}>
          <span>${t(`good.${rule.road}`)}<span class="how">${t(`good.${rule.road}.how`)}</span></span></label>
        <input type="number" name="${rule.road}-least" min=${FEWEST} max=${MOST} .value=${String(rule.least)}
          aria-label=${t("good.least", { road: t(`good.${rule.road}`) })} ?disabled=${!rule.wanted}
          @change=${(event: Event) => this.changeLeast(rule, event.target as HTMLInputElement)}></div>`,
      )}`;
  }

  private changeLeast(rule: GoodRoadRule, input: HTMLInputElement) {
    const least = within(input.valueAsNumber);
    if (least === undefined) input.value = String(rule.least);
    else this.change({ ...rule, least });
  }

  private change(rule: GoodRoadRule) {
    this.dispatchEvent(new CustomEvent("changed", { detail: rule }));
  }
}
customElements.define("punto-good-road-settings", PuntoGoodRoadSettings);
