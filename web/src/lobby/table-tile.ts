/** A table in the lobby: its game, limits, progress through the shoe, and big road. */
import { css, html, LitElement } from "lit";
import "../components/clock";
import { isStaff, signedInPerson } from "../api/session";
import type { LobbyTable } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, phaseForPatrons, t } from "../i18n/catalogue";
import { short } from "../i18n/money";
import { bigRoad } from "../table-view/road-drawing";

export class PuntoTile extends LitElement {
  static override properties = { about: { attribute: false } };
  declare about: LobbyTable;

  static override styles = [
    common,
    css`
    article {
      background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: .8rem; display: grid;
      gap: .55rem; position: relative;
    }
    article:hover, article:focus-within { border-color: var(--gold); }
    .head {
      display: flex; justify-content: space-between; gap: .5rem; align-items: start; min-height: 3rem;
      overflow-wrap: anywhere;
    }
    h2 { font-size: 1.1rem; } h2 a { color: inherit; text-decoration: none; }
    h2 a::after { content: ""; position: absolute; inset: 0; border-radius: 14px; }
    .phase {
      display: inline-block; font-size: .82rem; padding: .05rem .5rem; border-radius: 99px;
      background: var(--felt-deep); color: var(--ink-soft);
    }
    .phase.betting { background: var(--open); color: var(--open-ink); }
    .phase.held { background: var(--notice); color: var(--warn); }
    punto-clock { width: 2.6rem; height: 2.6rem; flex: none; }
    svg { display: block; width: 100%; border-radius: 4px; }
    dl { margin: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; font-size: .88rem; }
    dl div { display: flex; gap: .35rem; } dt { color: var(--ink-soft); }
    dd { margin: 0; font-variant-numeric: tabular-nums; }
    .shoe { height: 6px; border-radius: 3px; background: var(--felt-deep); overflow: hidden; }
    .shoe i { display: block; height: 100%; background: var(--gold); transform-origin: left; }
    .links { position: relative; z-index: 1; font-size: .88rem; justify-self: end; display: flex; gap: 1rem; }
  `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  override render() {
    const about = this.about;
    const limits = Object.values(about.limits);
    const least = Math.min(...limits.map((each) => each.minimum));
    const most = Math.max(...limits.map((each) => each.maximum));
    const used = about.shoe ? about.shoe.drawn / about.shoe.size : 0;
    const link = encodeURIComponent(about.table);
    return html`<article>
      <div class="head"><div>
        <h2><a href="/tables/${link}">${nameOf("game", about.title)}</a></h2>
        <span class="soft">${about.table}</span>
        <span class="phase ${about.hold ? "held" : about.phase}">${
          about.hold ? t("phase.held") : phaseForPatrons(about.phase)
        }</span>
      </div>${about.deadline ? html`<punto-clock .deadline=${about.deadline}></punto-clock>` : ""}</div>
      ${bigRoad(about.big_road, 20, t("lobby.road_of", { rounds: about.rounds }))}
      <div class="shoe" role="img" aria-label=${t("lobby.shoe_used", { percent: Math.round(100 * used) })}><i
        .style=${`width:${(100 * used).toFixed(1)}%`}></i></div>
      <dl>
        <div><dt>${t("lobby.limits")}</dt><dd>${limits.length ? `${short(least)} – ${short(most)}` : "–"}</dd></div>
        <div><dt>${t("lobby.seats")}</dt><dd>${about.patrons} / ${about.positions}</dd></div>
        <div><dt>${t("lobby.round")}</dt><dd>${about.round}</dd></div>
        <div><dt>${t("lobby.shoe")}</dt><dd>${about.shoe ? `${Math.round(100 * used)} %` : "–"}</dd></div>
        ${about.method ? html`<div><dt>${t("lobby.method")}</dt><dd>${about.method}</dd></div>` : ""}
        ${about.hlga ? html`<div><dd>${about.room ? `HLGA, ${about.room}` : "HLGA"}</dd></div>` : ""}
      </dl>
      <div class="links">${
        isStaff(signedInPerson())
          ? html`<a
        href="/dealer/${link}">${t("lobby.dealer")}</a>`
          : ""
      } <a
          href="/display/${link}">${t("lobby.display")}</a></div>
    </article>`;
  }
}
customElements.define("punto-tile", PuntoTile);
