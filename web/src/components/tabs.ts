/** Tabs that choose which panel is shown; arrow keys move between them. */
import { css, html, LitElement } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { common } from "./style";

export interface Tab {
  key: string;
  name: string;
}

export class PuntoTabs extends LitElement {
  static override properties = { tabs: { attribute: false }, shown: {}, label: {} };
  declare tabs: Tab[];
  declare shown: string;
  declare label: string;

  static override styles = [
    common,
    css`
    :host { display: block; container-type: inline-size; }
    .tabs { display: flex; gap: .1rem; flex-wrap: wrap; border-bottom: 1px solid var(--line); }
    /* Where a panel scrolls, its tabs stay in sight, and cover the padding above them. */
    :host([sticky]) .tabs {
      position: sticky; top: 0; z-index: 2; background: var(--panel); box-shadow: 0 -1rem var(--panel);
    }
    .tabs button {
      border: 0; border-bottom: 3px solid transparent; border-radius: 0; background: none; padding: .4rem .36rem;
      font-size: .88rem; white-space: nowrap;
    }
    .tabs button[aria-selected="true"] { border-bottom-color: var(--gold); color: var(--gold); }
    @media (max-width: 480px) { .tabs button { font-size: .86rem; padding: .4rem .38rem; } }
    @container (max-width: 290px) { .tabs { gap: 0; } .tabs button { font-size: .78rem; padding: .4rem .17rem; } }
    .panel { padding: .8rem 0; }
  `,
  ];

  override render() {
    const tab = this.tabs.find((each) => each.key === this.shown) ?? this.tabs[0]!;
    return html`<div class="tabs" role="tablist" aria-label=${this.label} @keydown=${this.move}>${repeat(
      this.tabs,
      (each) => each.key,
      (each) => html`
        <button role="tab" id="tab-${each.key}" aria-controls="panel" aria-selected=${each === tab}
          tabindex=${each === tab ? 0 : -1}
          @click=${() => this.choose(each.key)}>${each.name}</button>`,
    )}</div>
      <div class="panel" id="panel" role="tabpanel" aria-labelledby="tab-${tab.key}" tabindex="0"><slot></slot></div>`;
  }

  private choose(key: string) {
    this.shown = key;
    this.dispatchEvent(new CustomEvent("shown", { detail: key }));
  }

  private move(event: KeyboardEvent) {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    const at = this.tabs.findIndex((each) => each.key === this.shown);
    const next = this.tabs[(at + by + this.tabs.length) % this.tabs.length]!;
    this.choose(next.key);
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`#tab-${next.key}`)?.focus());
  }
}
customElements.define("punto-tabs", PuntoTabs);
