/** All tables at a glance, those that are held first. */
import { css, html, LitElement, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import "../components/clock";
import type { PitTable, StaffView } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { nameOf, t } from "../i18n/catalogue";
import { amount, short, signed } from "../i18n/money";
import { windowSeconds } from "../table-view/window-time";
import { type PitEntry, sortTables, total } from "./table-order";

export class PuntoBoard extends LitElement {
  static override properties = { tables: { attribute: false } };
  declare tables: PitEntry[];

  static override styles = [
    common,
    css`
    .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 12px; background: var(--panel); }
    table { font-size: .93rem; }
    th, td { padding: .35rem .6rem; vertical-align: middle; }
    thead th { background: var(--felt-deep); white-space: nowrap; position: sticky; top: 0; }
    tbody tr:last-child td, tbody tr:last-child th { border-bottom: 0; }
    tbody tr:hover { background: var(--panel-high); } tr.held, tr.held:hover { background: var(--held); }
    tbody th { font-size: 1rem; color: var(--ink); min-width: 9rem; }
    .name {
      border: 0; background: none; padding: 0; min-height: 0; font-weight: 700; color: var(--gold);
      text-decoration: underline; text-underline-offset: 3px;
    }
    .under { display: block; font-size: .8rem; font-weight: 400; color: var(--ink-soft); }
    .state { display: flex; align-items: center; gap: .5rem; min-width: 10rem; }
    .phase {
      display: inline-block; font-size: .82rem; padding: .1rem .55rem; border-radius: 99px;
      background: var(--felt-deep); color: var(--ink-soft);
    }
    .phase.betting { background: var(--open); color: var(--open-ink); }
    .phase.held { background: var(--notice); color: var(--warn); }
    .phase.shut { background: none; border: 1px dashed var(--line); }
    punto-clock { width: 2.2rem; height: 2.2rem; flex: none; }
    .open { min-height: 2.2rem; padding: .15rem .8rem; }
    .laid { min-width: 13rem; }
    .laid div { display: flex; white-space: nowrap; gap: .8rem; font-variant-numeric: tabular-nums; }
    .Player { color: var(--player-ink); }
    .Banker { color: var(--banker-ink); }
    .meter {
      position: relative; height: 6px; border-radius: 3px; background: var(--felt-deep); overflow: hidden;
      margin-top: .25rem;
    }
    .meter i { display: block; height: 100%; background: var(--gold); } .meter.over i { background: var(--banker-ink); }
    .shoe { min-width: 5.5rem; } .win { font-weight: 650; }
    @media (max-width: 720px) {
      .scroll { border: 0; background: none; }
      thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
      table, tbody { display: block; }
      tbody tr {
        display: grid; grid-template-columns: repeat(3, 1fr); background: var(--panel); border: 1px solid var(--line);
        border-radius: 12px; margin-bottom: .6rem; padding: .3rem;
      }
      tbody th, tbody td, tbody td.num { border: 0; text-align: left; padding: .25rem .4rem; }
      tbody tr:hover { background: var(--panel); }
      td.num[colspan] { grid-column: 1 / -1; }
      tbody th { grid-column: 1 / 3; }
      .laid, td:has(.state) { grid-column: 1 / -1; }
      td[data-label]::before { content: attr(data-label); display: block; font-size: .75rem; color: var(--ink-soft); }
    }
  `,
  ];

  constructor() {
    super();
    this.tables = [];
    new LanguageController(this);
  }

  override render() {
    const money = [t("pit.tray"), t("pit.drop"), t("pit.win"), t("pit.hold")];
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${t("pit.tables")}><table>
      <thead><tr><th>${t("pit.table")}</th><th>${t("pit.state")}</th><th>${t("pit.wagers")}</th>
      <th>${t("pit.shoe")}</th>
        ${money.map((each) => html`<th class="num">${each}</th>`)}</tr></thead>
      <tbody>${repeat(
        sortTables(this.tables),
        ({ about }) => about.table,
        (each) => this.row(each),
      )}</tbody></table></div>`;
  }

  private row({ about, view }: PitEntry) {
    const { money } = about;
    const held = Boolean(view?.hold);
    const phase = view?.phase ?? "shut";
    return html`<tr class=${held ? "held" : ""} data-table=${about.table}>
      <th scope="row"><button class="name" @click=${() => this.choose(about.table)}>${about.table}</button>
        <span class="under">${nameOf("game", about.title)}</span></th>
      <td><div class="state">${
        view?.deadline
          ? html`<punto-clock .deadline=${view.deadline}
        .seconds=${windowSeconds(view)}></punto-clock>`
          : nothing
      }
        <div><span class="phase ${held ? "held" : phase}">${held ? t("phase.held") : nameOf("phase", phase)}</span>
          <span class="under">${
            held
              ? nameOf("provision", view!.hold!)
              : html`${t("seat.round", { round: view?.round ?? 0 })}${this.dealer(about)}`
          }</span></div></div></td>
      <td class="laid">${view?.setting ? this.laid(about, view) : nothing}</td>
      <td class="shoe" data-label=${t("pit.shoe")}>${
        about.shoe && view
          ? this.shoe(view.cards_drawn, about.shoe.size, view.cutting_card_shown)
          : html`<span class="soft">${view?.setting ? t("pit.no_shoe") : "–"}</span>`
      }</td>
      ${
        money && view?.setting
          ? html`<td class="num" data-label=${t("pit.tray")}>${amount(
              (view.float_ ?? 0) + (view.commission ?? 0),
            )}</td><td class="num" data-label=${t("pit.drop")}>${amount(money.drop)}</td>
          <td class="num win ${money.win < 0 ? "lost" : money.win ? "won" : ""}"
            data-label=${t("pit.win")}>${signed(money.win)}</td><td
            class="num" data-label=${t("pit.hold")}>${money.hold_percent ?? "–"}</td>`
          : html`<td class="num" colspan="4">${
              about.management.some((each) => each.command === "OpenTable" && each.mine)
                ? html`<button class="open" @click=${() => this.choose(about.table)}>${t("pit.do.OpenTable")}
                  …</button>`
                : view?.counting
                  ? html`<span class="soft">${t("count.under_way")}</span>`
                  : nothing
            }</td>`
      }
    </tr>`;
  }

  private choose(table: string) {
    this.dispatchEvent(new CustomEvent("chosen", { detail: table }));
  }

  private dealer({ dealer, automatic }: PitTable) {
    if (automatic.length) return html` · ${t("pit.by_itself")}`;
    return dealer ? html` · ${nameOf("duty", dealer.name ?? dealer.person)}` : nothing;
  }

  private laid({ differential }: PitTable, view: StaffView) {
    const all = total(view.wagers);
    if (!differential) return html`<div>${short(all)}</div>`;
    const hands = [differential.higher, differential.lower].sort().reverse();
    const sides = all - hands.reduce((sum, each) => sum + total(view.wagers, each), 0);
    const { allowed, difference } = differential;
    const share = allowed ? Math.min(1, difference / allowed) : 0;
    return html`<div>${hands.map(
      (each) => html`<span
      class=${each}>${nameOf("wager", each)} ${short(total(view.wagers, each))}</span>`,
    )}${sides ? html`<span class="soft">+ ${short(sides)}</span>` : nothing}</div>
      ${
        allowed === null
          ? nothing
          : html`<div class="meter ${differential.excess ? "over" : ""}" role="img"
        aria-label=${t("pit.differential_is", { difference: amount(difference), allowed: amount(allowed) })}><i
        .style=${`width:${(100 * share).toFixed(1)}%`}></i></div>
        <span class="under">${t("pit.differential_short", {
          difference: short(difference),
          allowed: short(allowed),
        })}</span>`
      }`;
  }

  private shoe(drawn: number, size: number, last: boolean) {
    const percent = Math.round((100 * drawn) / size);
    return html`<span class="under">${last ? t("seat.cutting_card") : `${drawn} / ${size}`}</span><div class="meter"
      role="img"
      aria-label=${t("lobby.shoe_used", { percent })}><i .style=${`width:${percent}%`}></i></div>`;
  }
}
customElements.define("punto-board", PuntoBoard);
