/** The switch for sounds and vibration, with their volume. */
import { css, html, LitElement, svg } from "lit";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { PopoverController } from "../../controllers/popover-controller";
import { t } from "../../i18n/catalogue";
import type { SoundPlayer } from "./sound-player";

export class PuntoSound extends LitElement {
  private readonly over = new PopoverController(this);
  static override properties = {
    player: { attribute: false },
    on: { state: true },
    volume: { state: true },
  };
  declare player: SoundPlayer;
  declare private on: boolean;
  declare private volume: number;

  static override styles = [
    common,
    css`
    :host { display: inline-block; position: relative; }
    button { min-height: 2.2rem; min-width: 2.2rem; padding: .2rem; display: grid; place-items: center; }
    svg { width: 1.3rem; height: 1.3rem; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
    .choice {
      position: absolute; z-index: 12; top: calc(100% + .4rem); right: 0; padding: .8rem; display: grid; gap: .7rem;
      background: var(--panel); border: 1px solid var(--line); border-radius: 14px; width: 13rem;
      box-shadow: 0 6px 24px rgb(0 0 0 / .6);
    }
    label.on { display: flex; gap: .6rem; align-items: center; font-size: 1rem; color: var(--ink); }
    input[type="checkbox"] { min-height: 0; width: 1.3rem; height: 1.3rem; }
    input[type="range"] { padding: 0; width: 100%; accent-color: var(--gold); }
    @media (max-height: 480px) { button { min-height: 1.8rem; min-width: 1.8rem; } }
  `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("player")) ({ on: this.on, volume: this.volume } = this.player.preference);
  }

  override render() {
    return html`<button aria-expanded=${this.over.opened} aria-label=${t(this.on ? "sound.is_on" : "sound.is_off")}
        @click=${this.over.toggle}>${icon(this.on)}</button>
      ${
        this.over.opened
          ? html`<div class="choice" role="group" aria-label=${t("sound.title")}>
        <label class="on"><input type="checkbox" .checked=${this.on} @change=${(event: Event) =>
          this.choose({ on: (event.target as HTMLInputElement).checked })}>${t("sound.title")}</label>
        <label>${t("sound.volume")}<input type="range" min="0" max="1" step=".05" .value=${String(this.volume)}
          ?disabled=${!this.on} @change=${(event: Event) =>
            this.choose({ volume: Number((event.target as HTMLInputElement).value) })}></label></div>`
          : ""
      }`;
  }

  private choose(changes: { on?: boolean; volume?: number }) {
    this.player.choose(changes);
    ({ on: this.on, volume: this.volume } = this.player.preference);
  }
}

function icon(on: boolean) {
  const waves = on ? "M16 8.5a5 5 0 0 1 0 7M19 6a9 9 0 0 1 0 12" : "M16 9.5l5 5M21 9.5l-5 5";
  return svg`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 9.5v5h3.5l4.5 4v-13l-4.5 4z"/>
    <path d=${waves}/></svg>`;
}
customElements.define("punto-sound", PuntoSound);
