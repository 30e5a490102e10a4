/** The switch between themes: as the system has it, light, or dark. `head.js` applies the choice when a page loads. */
import { css, html, LitElement, svg } from "lit";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";
import { common } from "./style";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const STORED = "punto.theme";

const SIGNS = {
  auto: svg`<circle cx="10" cy="10" r="7"/><path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor"/>`,
  light: svg`<circle cx="10" cy="10" r="3.6" fill="currentColor"/>
    <path d="M10 1v3M10 16v3M1 10h3M16 10h3M3.6 3.6l2.1 2.1M14.3 14.3l2.1 2.1M16.4 3.6l-2.1 2.1M5.7 14.3l-2.1 2.1"/>`,
  dark: svg`<path d="M15.5 12.6A7 7 0 0 1 7.4 4.5a7 7 0 1 0 8.1 8.1z" fill="currentColor"/>`,
};

function storedTheme(): Theme {
  return THEMES.find((each) => each === localStorage.getItem(STORED)) ?? "auto";
}

/** Show the page in a theme, and remember it for the next visit. */
function chooseTheme(theme: Theme): void {
  if (theme === "auto") {
    localStorage.removeItem(STORED);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(STORED, theme);
    document.documentElement.dataset.theme = theme;
  }
}

export class PuntoTheme extends LitElement {
  static override properties = { theme: { state: true } };
  declare private theme: Theme;

  static override styles = [
    common,
    css`
    :host { display: inline-block; }
    button { min-height: 2.2em; padding: .25em .5em; display: grid; place-items: center; }
    svg { width: 1.2em; height: 1.2em; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; }
    @media (max-height: 480px) { button { min-height: 1.8rem; padding: .1rem .4rem; } }
    @media (max-width: 560px) { button { padding: .2rem .35rem; } }
  `,
  ];

  constructor() {
    super();
    this.theme = storedTheme();
    new LanguageController(this);
  }

  override render() {
    const name = t(`theme.${this.theme}`);
    return html`<button aria-label=${name} title=${name} @click=${this.turn}><svg viewBox="0 0 20 20"
      aria-hidden="true">${SIGNS[this.theme]}</svg></button>`;
  }

  /** Turn to what is not shown now, then to the other, then back to the system's: the first press is always seen. */
  private turn() {
    const order: Theme[] = matchMedia("(prefers-color-scheme: light)").matches
      ? ["auto", "dark", "light"]
      : ["auto", "light", "dark"];
    this.theme = order[(order.indexOf(this.theme) + 1) % order.length]!;
    chooseTheme(this.theme);
  }
}
customElements.define("punto-theme", PuntoTheme);
