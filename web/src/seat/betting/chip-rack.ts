/** The patron's chips: the one to place next, and actions on the wagers that lie on the layout. */
import { css, html, LitElement, nothing } from "lit";
import { chip } from "../../components/chip";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { t } from "../../i18n/catalogue";
import { short } from "../../i18n/money";
import { type RackAction, TAKE_BACK } from "./wager-desk";

export const ACTIONS: RackAction[] = ["undo", "repeat", "double", "clear"];

export class PuntoRack extends LitElement {
  static override properties = {
    values: { attribute: false },
    chosen: { type: Number },
    can: { attribute: false },
  };
  /** The chips that are offered. */
  declare values: readonly number[];
  declare chosen: number | null;
  /** Which actions are possible now; null where there are none here. */
  declare can: Record<RackAction, boolean> | null;

  static override styles = [
    common,
    css`
    .rack { display: flex; gap: .3rem 1rem; flex-wrap: wrap; align-items: center; justify-content: space-between; }
    .chips { display: flex; gap: .25rem; }
    label {
      cursor: grab; display: block; touch-action: none; user-select: none; -webkit-user-select: none;
      -webkit-touch-callout: none;
    }
    label.hand { cursor: pointer; }
    .back {
      display: grid; place-items: center; width: 3rem; height: 3rem; border-radius: 50%;
      border: 2px dashed var(--ink-soft); color: var(--ink); font-size: 1.5rem; line-height: 1;
    }
    input:checked + .back { border: 3px solid var(--gold); color: var(--gold); }
    input:focus-visible + .back { outline: 3px solid var(--focus); outline-offset: 3px; }
    label svg {
      width: 3rem; height: 3rem; display: block; filter: drop-shadow(0 2px 3px rgb(0 0 0 / .5));
      transition: transform .12s;
    }
    input { position: absolute; opacity: 0; width: 1px; height: 1px; min-height: 0; padding: 0; }
    input:checked + svg {
      transform: translateY(-5px); outline: 3px solid var(--gold); outline-offset: 1px; border-radius: 50%;
    }
    input:focus-visible + svg { outline: 3px solid var(--focus); outline-offset: 3px; border-radius: 50%; }
    .actions { display: flex; gap: .35rem; flex-wrap: wrap; }
    @media (max-width: 480px) {
      .rack { justify-content: center; }
      .chips { gap: .15rem; }
      label svg, .back { width: 2.55rem; height: 2.55rem; }
      .actions { width: 100%; display: grid; grid-template-columns: repeat(4, 1fr) auto; }
      .actions button { padding: .4rem .2rem; }
    }
    @media (max-height: 480px) {
      .rack { flex-wrap: nowrap; }
      label svg, .back { width: 2.4rem; height: 2.4rem; }
      .actions { flex-wrap: nowrap; } .actions button { min-height: 2.3rem; padding: .2rem .5rem; }
    }
  `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  override render() {
    return html`<div class="rack">
      <div class="chips" role="radiogroup" aria-label=${t("rack.chip")}>${this.values.map(
        (value) => html`<label data-chip=${value}>
        <input type="radio" name="chip" .checked=${value === this.chosen} aria-label=${short(value)}
          @change=${() => this.emit("chip", value)}>${chip(value)}</label>`,
      )}
        <label class="hand" title=${t("rack.take_back")}><input type="radio" name="chip"
          .checked=${this.chosen === TAKE_BACK}
          aria-label=${t("rack.take_back")} @change=${() => this.emit("chip", TAKE_BACK)}><span class="back"
            aria-hidden="true">↩</span></label></div>
      ${this.can ? this.actions(this.can) : nothing}
    </div>`;
  }

  private actions(can: Record<RackAction, boolean>) {
    return html`<div class="actions">${ACTIONS.map(
      (each) => html`<button ?disabled=${!can[each]}
        @click=${() => this.emit("action", each)}>${t(`rack.${each}`)}</button>`,
    )}<slot></slot></div>`;
  }

  private emit(name: string, detail: unknown) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
customElements.define("punto-rack", PuntoRack);
