/** The guard of a table: the exact edge of every wager from the unseen cards, and whose side wagers follow it. */
import { css, html, LitElement, nothing } from "lit";
import { guardOf } from "../../api/pit";
import type { GuardShown, PatronWeighed, WagerEdge } from "../../api/types";
import { common } from "../../components/style";
import { IntervalController } from "../../controllers/interval-controller";
import { LanguageController } from "../../controllers/language-controller";
import { nameOf, t } from "../../i18n/catalogue";
import { dateTime } from "../../i18n/time";

const READ_EVERY = 5_000;
const RATIO = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

export class PuntoGuard extends LitElement {
  static override properties = {
    table: { type: String },
    number: { type: Number },
    told: { state: true },
    open: { state: true },
  };
  declare table: string;
  /** Of the table's last event: when it grows, cards may have been exposed. */
  declare number: number;
  declare private told: GuardShown | null;
  declare private open: boolean;

  static override styles = [
    common,
    css`
    :host { display: block; margin-top: .8rem; }
    summary { cursor: pointer; font-weight: 600; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; padding: .2rem .5rem .2rem 0; border-top: 1px solid var(--line); }
    .num { text-align: right; font-variant-numeric: tabular-nums; }
    .for-patron, .shuffle-or-limit { color: var(--banker-ink); font-weight: 700; }
    .exact { color: var(--ink-soft); font-size: .8rem; overflow-wrap: anywhere; }
  `,
  ];

  constructor() {
    super();
    this.told = null;
    this.open = false;
    new LanguageController(this);
    new IntervalController(this, READ_EVERY, () => void this.read());
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has("table")) this.told = null;
    if (changed.has("table") || changed.has("number") || changed.has("open")) void this.read();
  }

  /** Nothing is asked for while the panel is closed: the figures cost the server a little time. */
  private async read(): Promise<void> {
    if (!this.open || document.hidden) return;
    const { table } = this;
    try {
      const told = await guardOf(table);
      if (table === this.table) this.told = told;
    } catch {
      // The server is away or limits the rate: the next time asks again.
    }
  }

  override render() {
    const toggled = (event: Event) => {
      this.open = (event.target as HTMLDetailsElement).open;
    };
    return html`<details @toggle=${toggled}><summary>${t("guard.title")}</summary>
      ${this.told ? this.figures(this.told) : html`<p class="soft">${t("guard.reading")}</p>`}</details>`;
  }

  private figures(told: GuardShown) {
    return html`<p class="soft">${t("guard.confidential")}</p>
      <p>${told.unseen ? t("guard.unseen", { count: told.unseen }) : t("guard.no_shoe")}</p>
      ${told.edges.length ? this.edges(told.edges) : nothing}
      <h4>${t("guard.patrons")}</h4>
      ${told.patrons.length ? this.patrons(told) : html`<p class="soft">${t("guard.no_patrons")}</p>`}
      ${told.weighing ? html`<p class="soft" role="status">${t("guard.weighing")}</p>` : nothing}
      <p class="soft">${t("guard.rates", { alarm: oneIn(told.false_alarm), watch: oneIn(told.false_watch) })}</p>`;
  }

  private edges(edges: readonly WagerEdge[]) {
    return html`<table class="edges"><thead><tr><th>${t("odds.wager")}</th><th class="num">${t("guard.edge")}</th>
      <th>${t("guard.exact")}</th></tr></thead><tbody>${edges.map(
        (each) => html`<tr data-wager=${each.wager}><td>${nameOf("wager", each.wager)}</td>
        <td class="num ${each.favours_patron ? "for-patron" : ""}">${each.percent}${
          each.favours_patron ? html` <span>${t("guard.favours_patron")}</span>` : nothing
        }</td><td class="exact">${each.house_edge}</td></tr>`,
      )}</tbody></table>`;
  }

  private patrons({ patrons, names }: GuardShown) {
    return html`<table class="patrons"><thead><tr><th>${t("pit.patron")}</th><th class="num">${t("guard.rounds")}</th>
      <th class="num">${t("guard.ratio")}</th><th>${t("odds.wager")}</th><th>${t("guard.since")}</th>
      <th>${t("guard.advice")}</th></tr></thead>
      <tbody>${patrons.map((each) => this.patron(each, names))}</tbody></table>`;
  }

  private patron(each: PatronWeighed, names: GuardShown["names"]) {
    const name = names[each.patron] ?? each.patron;
    return html`<tr data-patron=${each.patron}><td>${name || t("dealer.name_erased")}</td>
      <td class="num">${each.rounds}</td><td class="num">${RATIO.format(each.ratio)}</td>
      <td>${each.wager ? nameOf("wager", each.wager) : nothing}</td><td>${dateTime(each.since)}</td>
      <td class=${each.advice}>${t(`guard.advice.${each.advice}`)}</td></tr>`;
  }
}

/** A rate such as 1/1000, as the number of patrons among whom it is one. */
function oneIn(rate: string): string {
  return RATIO.format(Number(rate.split("/")[1] ?? 1));
}
customElements.define("punto-guard", PuntoGuard);
