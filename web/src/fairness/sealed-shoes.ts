/** The sealed shoes of a table: the house's commitments, who cut them, and a check of those that have ended. */
import { css, html, LitElement, nothing } from "lit";
import * as shoesApi from "../api/shoes";
import type { ShoeShown } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { t } from "../i18n/catalogue";
import { dateTime } from "../i18n/time";
import { type CutBook, cutBookOf } from "./cut-book";
import { shoeNumber } from "./shoe-name";
import { type Check, verify } from "./shoe-record";

const SHOWN = 6;
/** What a shoe that nobody cut has nothing to say about. */
const OF_A_CUT: ReadonlySet<string> = new Set(["contributions", "cut", "list", "ending"]);

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
    past: { type: Boolean },
    shoes: { state: true },
    verdicts: { state: true },
  };
  declare table: string;
  /** What the seat's page noted while the shoes were cut; away from the table it is read when a shoe is checked. */
  declare cutting?: CutBook;
  declare patron: string | null;
  /** The shoe on the table. */
  declare inUse: string | null;
  /** Whether only those that have ended are shown, away from the table. */
  declare past: boolean;
  declare private shoes: ShoeShown[] | null;
  declare private verdicts: Record<string, Verdict>;

  static override styles = [
    common,
    css`
    ol { list-style: none; margin: 0; padding: 0; display: grid; gap: .7rem; }
    li { border-bottom: 1px solid var(--line); padding-bottom: .6rem; display: grid; gap: .25rem; font-size: .9rem; }
    .head { display: flex; justify-content: space-between; gap: .5rem; align-items: baseline; flex-wrap: wrap; }
    h2 { font-size: 1rem; margin: .8rem 0 .4rem; }
    dl { margin: 0; font-size: .82rem; }
    dt { font-weight: 650; margin-top: .4rem; }
    dd { margin: 0; color: var(--ink-soft); }
    code { display: block; overflow-wrap: anywhere; max-height: 9em; overflow-y: auto; }
    ul { list-style: none; margin: 0; padding: 0; }
    ul li { border: 0; padding: 0 0 0 1.3em; text-indent: -1.3em; display: block; }
    .verdict { font-weight: 700; margin: .2rem 0; }
    p { margin: .2rem 0; }
    button { justify-self: stretch; }
  `,
  ];

  constructor() {
    super();
    this.shoes = null;
    this.verdicts = {};
    this.past = false;
    new LanguageController(this);
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has("inUse") || changed.has("table")) void this.read();
  }

  private async read(): Promise<void> {
    this.shoes = await shoesApi.lastShoes(this.table, SHOWN);
  }

  override render() {
    const { shoes } = this;
    if (!shoes) return html`<p class="soft">${t("seat.loading")}</p>`;
    if (!shoes.length) return html`<p class="soft">${t("shoes.none")}</p>`;
    const ended = shoes.filter((each) => each.published);
    const others = shoes.filter((each) => !each.published);
    const toCheck = ended.length ? this.list(ended) : html`<p class="soft">${t("shoes.not_ended")}</p>`;
    if (this.past) return html`<p>${t("shoes.about")}</p>${toCheck}`;
    return html`<p>${t("shoes.about")}</p>
      <h2>${t("shoes.ended_first")}</h2>
      ${toCheck}
      ${others.length ? html`<h2>${t("shoes.now")}</h2>${this.list(others)}` : nothing}
      <p>${t("shoes.can_cut")}</p>`;
  }

  private list(shoes: readonly ShoeShown[]) {
    return html`<ol>${shoes.map((each) => this.shoe(each))}</ol>`;
  }

  private shoe(shoe: ShoeShown) {
    const verdict = this.verdicts[shoe.shoe];
    return html`<li data-shoe=${shoe.shoe}>
      <div class="head"><b>${t("shoes.number", { number: shoeNumber(this.table, shoe.shoe) })}</b><span
        class="soft">${t("shoes.sealed", { when: dateTime(shoe.sealed_at ?? 0) })} · ${this.state(shoe)}</span></div>
      ${
        verdict
          ? this.verdict(shoe, verdict)
          : shoe.published
            ? html`<button class="main" @click=${() => this.check(shoe.shoe)}>${t("shoes.check")}</button>`
            : nothing
      }
      ${shoe.cut ? html`<p>${this.cutBy(shoe)}</p>` : nothing}
      <details><summary>${t("shoes.digests")}</summary><dl>
        ${this.digest("commitment", shoe.commitment)} ${this.digest("list", shoe.closed_list)}
        ${this.digest("cut", shoe.cut)} ${this.digest("secret", verdict?.secret ?? null)}</dl></details>
    </li>`;
  }

  /** A number that was published, and what it lets a patron check. */
  private digest(name: "commitment" | "list" | "cut" | "secret", digits: string | null) {
    if (!digits) return nothing;
    return html`<dt>${t(`shoes.${name}`)}</dt><dd>${t(`shoes.${name}_how`)} <code>${digits}</code></dd>`;
  }

  private cutBy({ pledges }: ShoeShown): string {
    if (!pledges.length) return t("shoes.cut_by_nobody");
    const mine = pledges.some((each) => each.patron === this.patron);
    const about = mine ? "shoes.cut_with_you" : this.patron ? "shoes.cut_without_you" : "shoes.cut_by";
    return t(about, { count: pledges.length });
  }

  private state(shoe: ShoeShown): string {
    if (shoe.published) return t("shoes.published");
    if (shoe.shoe === this.inUse) return t("shoes.in_use");
    return shoe.cut ? t("shoes.ended") : t("shoes.being_cut");
  }

  private async check(name: string) {
    const cutting = this.cutting ?? cutBookOf(localStorage, this.table, this.patron);
    const record = await shoesApi.shoeRecord(this.table, name);
    const checks = verify(record, cutting.noted(name));
    this.verdicts = { ...this.verdicts, [name]: { checks, dealt: record.dealt.length, secret: record.secret } };
  }

  private verdict({ shoe, pledges }: ShoeShown, { checks, dealt }: Verdict) {
    const holds = checks.every((each) => each.holds);
    const told = checks.filter((each) => !each.holds || pledges.length || !OF_A_CUT.has(each.name));
    return html`<p class="verdict ${holds ? "won" : "lost"}"
      role="status">${t(holds ? "shoes.holds" : "shoes.fails", { dealt })}</p>
      <ul>${told.map(
        ({ name, holds: each }) => html`<li class=${each ? "" : "lost"}>${each ? "✓" : "✗"}
        ${t(`shoes.held.${name}`)}</li>`,
      )}</ul>
      <p><a href=${shoesApi.recordPath(this.table, shoe)} download="${shoe}.json">${t("shoes.record")}</a> <span
        class="soft">punto verify-shoe</span></p>`;
  }
}
customElements.define("punto-shoes", PuntoShoes);
