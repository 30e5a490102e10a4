/** The sealed shoes of a table: the house's commitments, who cut them, and a check of those that have ended. */
import { css, html, LitElement, nothing } from "lit";
import * as shoesApi from "../../api/shoes";
import type { ShoeShown } from "../../api/types";
import { common } from "../../components/style";
import { LanguageController } from "../../controllers/language-controller";
import type { CutBook } from "../../fairness/cut-book";
import { type Check, verify } from "../../fairness/shoe-record";
import { t } from "../../i18n/catalogue";

const SHOWN = 6;

interface Verdict {
  checks: Check[];
  dealt: number;
  secret: string;
}

export class PuntoShoes extends LitElement {
  static override properties = {
    table: {},
    cutting: { attribute: false },
    patron: {},
    inUse: {},
    shoes: { state: true },
    verdicts: { state: true },
  };
  declare table: string;
  declare cutting: CutBook;
  declare patron: string | null;
  /** The shoe on the table. */
  declare inUse: string | null;
  declare private shoes: ShoeShown[] | null;
  declare private verdicts: Record<string, Verdict>;

  static override styles = [
    common,
    css`
    ol { list-style: none; margin: 0; padding: 0; display: grid; gap: .7rem; }
    li { border-bottom: 1px solid var(--line); padding-bottom: .6rem; display: grid; gap: .25rem; font-size: .9rem; }
    .head { display: flex; justify-content: space-between; gap: .5rem; align-items: baseline; flex-wrap: wrap; }
    dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .1rem .6rem; margin: 0; font-size: .82rem; }
    dt { color: var(--ink-soft); }
    dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
    ul { list-style: none; margin: 0; padding: 0; }
    ul li { border: 0; padding: 0 0 0 1.3em; text-indent: -1.3em; display: block; }
    .verdict { font-weight: 700; margin: .2rem 0; }
    p { margin: .2rem 0; }
    button { min-height: 2rem; padding: .2rem .7rem; justify-self: start; }
  `,
  ];

  constructor() {
    super();
    this.shoes = null;
    this.verdicts = {};
    new LanguageController(this);
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has("inUse")) void this.read();
  }

  private async read(): Promise<void> {
    this.shoes = await shoesApi.lastShoes(this.table, SHOWN);
  }

  override render() {
    if (!this.shoes) return html`<p class="soft">${t("seat.loading")}</p>`;
    if (!this.shoes.length) return html`<p class="soft">${t("shoes.none")}</p>`;
    return html`<p class="soft">${t("shoes.about")}</p><ol>${this.shoes.map((each) => this.shoe(each))}</ol>`;
  }

  private shoe(shoe: ShoeShown) {
    const verdict = this.verdicts[shoe.shoe];
    return html`<li data-shoe=${shoe.shoe}>
      <div class="head"><b>${shoe.shoe}</b><span class="soft">${this.state(shoe)}</span></div>
      ${shoe.cut ? html`<p>${this.cutBy(shoe)}</p>` : nothing}
      <details><summary>${t("shoes.digests")}</summary><dl>
        <dt>${t("shoes.commitment")}</dt><dd>${shoe.commitment}</dd>
        ${shoe.closed_list ? html`<dt>${t("shoes.list")}</dt><dd>${shoe.closed_list}</dd>` : nothing}
        ${shoe.cut ? html`<dt>${t("shoes.cut")}</dt><dd>${shoe.cut}</dd>` : nothing}
        ${verdict ? html`<dt>${t("shoes.secret")}</dt><dd>${verdict.secret}</dd>` : nothing}</dl></details>
      ${
        verdict
          ? this.verdict(shoe.shoe, verdict)
          : shoe.published
            ? html`<button @click=${() => this.check(shoe.shoe)}>${t("shoes.check")}</button>`
            : nothing
      }
    </li>`;
  }

  private cutBy({ pledges }: ShoeShown): string {
    if (!pledges.length) return t("shoes.cut_by_nobody");
    const mine = pledges.some((each) => each.patron === this.patron);
    return t(mine ? "shoes.cut_with_you" : "shoes.cut_by", { count: pledges.length });
  }

  private state(shoe: ShoeShown): string {
    if (shoe.published) return t("shoes.published");
    if (shoe.shoe === this.inUse) return t("shoes.in_use");
    return shoe.cut ? t("shoes.ended") : t("shoes.being_cut");
  }

  private async check(name: string) {
    const record = await shoesApi.shoeRecord(this.table, name);
    const checks = verify(record, this.cutting.noted(name));
    this.verdicts = { ...this.verdicts, [name]: { checks, dealt: record.dealt.length, secret: record.secret } };
  }

  private verdict(shoe: string, { checks, dealt }: Verdict) {
    const holds = checks.every((each) => each.holds);
    return html`<p class="verdict ${holds ? "won" : "lost"}"
      role="status">${t(holds ? "shoes.holds" : "shoes.fails", { dealt })}</p>
      <ul>${checks.map(
        ({ name, holds: each }) => html`<li class=${each ? "" : "lost"}>${each ? "✓" : "✗"}
        ${t(`check.${name}`)}</li>`,
      )}</ul>
      <p><a href=${shoesApi.recordPath(this.table, shoe)} download="${shoe}.json">${t("shoes.record")}</a> <span
        class="soft">punto verify-shoe</span></p>`;
  }
}
customElements.define("punto-shoes", PuntoShoes);
