/** Favourite bets: one tap places them; what lies on the layout is saved under a name, and a name is deleted. */
import { css, html, LitElement } from "lit";
import type { Limits } from "../../api/types";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import { PopoverController } from "../../controllers/popover-controller";
import { nameOf, t } from "../../i18n/catalogue";
import { short } from "../../i18n/money";
import { type Favourite, hindrance, LONGEST_NAME, worth } from "./favourite-book";

export class PuntoFavourites extends LitElement {
  private readonly over = new PopoverController(this);
  static override properties = {
    favourites: { attribute: false },
    limits: { attribute: false },
    chips: { type: Number },
    open: { type: Boolean },
    laid: { type: Boolean },
  };
  declare favourites: readonly Favourite[];
  declare limits: Readonly<Record<string, Limits>>;
  declare chips: number;
  /** Whether the table takes wagers now, and whether the patron has some on the layout. */
  declare open: boolean;
  declare laid: boolean;

  static override styles = [
    common,
    css`
    :host { display: contents; }
    .star { min-width: 2.6rem; padding: .2rem .5rem; color: var(--gold); font-size: 1.15rem; line-height: 1; }
    .quick { display: none; max-width: 8.5rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    @media (min-width: 1200px) { .quick { display: block; } }
    .sheet {
      position: absolute; z-index: 6; bottom: calc(100% + .4rem); right: .2rem; width: min(24rem, calc(100vw - 1.4rem));
      max-height: min(24rem, calc(100dvh - 8rem)); overflow: auto; display: grid; gap: .5rem; padding: .7rem;
      background: var(--panel); border: 1px solid var(--line); border-radius: 14px;
      box-shadow: 0 6px 24px rgb(0 0 0 / .6);
    }
    ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .35rem; }
    li { display: flex; gap: .35rem; }
    .one {
      flex: 1; min-width: 0; text-align: left; display: flex; gap: .2rem .6rem; flex-wrap: wrap; padding: .35rem .7rem;
    }
    .one b { color: var(--gold); } .one .bets { font-size: .8rem; color: var(--ink-soft); width: 100%; }
    .one .worth { margin-left: auto; font-variant-numeric: tabular-nums; }
    .remove { min-width: 2.6rem; padding: 0; }
    form { display: flex; gap: .35rem; } form input { flex: 1; min-width: 0; }
    p { margin: 0; font-size: .9rem; }
  `,
  ];

  constructor() {
    super();
    this.favourites = [];
    new LanguageController(this);
  }

  override render() {
    const [first] = this.favourites;
    return html`${first ? this.quick(first) : ""}<button class="star" aria-expanded=${this.over.opened}
        aria-label=${t("favourites.title")} title=${t("favourites.title")}
        @click=${this.over.toggle}>★</button>
      ${this.over.opened ? this.sheet() : ""}`;
  }

  /** The first favourite is one tap away, where there is room for it. */
  private quick(favourite: Favourite) {
    return html`<button class="quick" ?disabled=${!this.open || hindrance(favourite, this.limits, this.chips) !== null}
      @click=${() => this.place(favourite)}>${favourite.name}</button>`;
  }

  private sheet() {
    return html`<div class="sheet" role="group" aria-label=${t("favourites.title")}>
      ${
        this.favourites.length
          ? html`<ul>${this.favourites.map((each) => this.one(each))}</ul>`
          : html`<p class="soft">${t("favourites.none")}</p>`
      }
      <form @submit=${this.save}><input name="favourite" autocomplete="off" maxlength=${LONGEST_NAME} required
          aria-label=${t("favourites.name")} placeholder=${t("favourites.name")}>
        <button ?disabled=${!this.laid} title=${this.laid ? "" : t("favourites.lay_first")}>${t("favourites.save")}
        </button></form></div>`;
  }

  private one(favourite: Favourite) {
    const { name, bets } = favourite;
    const hindered = hindrance(favourite, this.limits, this.chips);
    const said = bets.map(({ wager, amount }) => `${nameOf("wager", wager)} ${short(amount)}`).join(" · ");
    return html`<li><button class="one" ?disabled=${!this.open || hindered !== null}
        @click=${() => this.place(favourite)}><b>${name}</b><span class="worth">${short(worth(favourite))}</span>
        <span class="bets">${hindered ? t(`favourites.${hindered}`) : said}</span></button>
      <button class="remove" aria-label=${t("favourites.remove", { name })}
        @click=${() => this.emit("removed", name)}>✕</button></li>`;
  }

  private place(favourite: Favourite) {
    this.over.close();
    this.emit("chosen", favourite.bets);
  }

  private save(event: SubmitEvent) {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    this.emit("saved", new FormData(form).get("favourite"));
    form.reset();
  }

  private emit(name: string, detail: unknown) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
customElements.define("punto-favourites", PuntoFavourites);
