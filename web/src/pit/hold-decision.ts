/** One hold: why play is held, by which clause, for whom it waits, and buttons for the people who may decide it. */
import { css, html, LitElement, nothing } from "lit";
import type { Order } from "../api/connection";
import { pageConnection } from "../api/page-connection";
import type { ClauseShown, Offered, PitTable, StaffView } from "../api/types";
import { common } from "../components/style";
import { LanguageController } from "../controllers/language-controller";
import { RequestStatus } from "../controllers/request-status";
import { nameOf, t } from "../i18n/catalogue";
import { amount, parseAmount } from "../i18n/money";
import { disabledReason } from "../i18n/refusal-text";
import { type Waiting, waitingAt } from "./pending-decision";

export class PuntoDecision extends LitElement {
  static override properties = {
    about: { attribute: false },
    view: { attribute: false },
    clauses: { attribute: false },
    order: { state: true },
  };
  declare about: PitTable;
  declare view: StaffView;
  /** All clauses of the game. */
  declare clauses: readonly ClauseShown[];
  declare private order: number[];
  private readonly status = new RequestStatus(this);

  static override styles = [
    common,
    css`
    section {
      display: grid; gap: .55rem; padding: .7rem .9rem; background: #2e2408; border: 1px solid #8a6a1c;
      border-left: 4px solid var(--gold); border-radius: 12px;
    }
    .head { display: flex; gap: .2rem .8rem; flex-wrap: wrap; align-items: baseline; }
    h3 { font-size: 1.05rem; color: var(--warn); }
    p { margin: 0; }
    .clause { font-size: .88rem; }
    summary { cursor: pointer; }
    .clause ul { padding: .2rem 0 0 1rem; }
    .waits { margin-left: auto; font-weight: 650; }
    .mine { color: var(--gold); }
    ul { list-style: none; margin: 0; padding: 0; }
    .laid {
      display: grid; grid-template-columns: minmax(8rem, 14rem) 8rem minmax(10rem, 14rem) auto; justify-content: start;
      gap: .2rem 1rem; align-items: center; padding: .3rem 0; border-top: 1px solid #5a4616; overflow-wrap: anywhere;
      font-variant-numeric: tabular-nums;
    }
    @media (max-width: 720px) { .laid { grid-template-columns: 1fr 1fr; } .waits { margin-left: 0; } }
    input.amount { width: 8rem; min-height: 2.2rem; padding: .2rem .5rem; text-align: right; }
    input.note { flex: 1 1 12rem; min-height: 2.4rem; }
    ol { display: flex; gap: .4rem; flex-wrap: wrap; list-style: none; padding: 0; margin: 0; }
    ol li {
      display: flex; gap: .2rem; align-items: center; background: var(--felt-deep); border-radius: 8px;
      padding: .1rem .2rem .1rem .6rem;
    }
    ol li button { min-height: 2rem; padding: 0 .5rem; }
    .row button { min-height: 2.4rem; }
  `,
  ];

  constructor() {
    super();
    this.clauses = [];
    this.order = [];
    new LanguageController(this);
  }

  override render() {
    const waiting = waitingAt(this.about);
    const { view } = this;
    if (!view.hold) return nothing;
    const why = nameOf("provision", view.hold);
    return html`<section aria-label=${t("pit.hold_at", { table: this.about.table })}>
      <div class="head"><h3>${why.charAt(0).toUpperCase()}${why.slice(1)}</h3>
        <span class="soft"><slot></slot> ${t("seat.round", { round: view.round })}</span>
        ${
          waiting
            ? html`<span class="waits ${waiting.mine ? "mine" : ""}">${
                waiting.mine ? t("pit.yours") : t("pit.waits_for", { who: nameOf("duty", waiting.role) })
              }${waiting.clause ? ` § ${waiting.clause}` : ""}</span>`
            : nothing
        }</div>
      ${this.rule(view.hold)}
      ${view.asked.length ? html`<p>${t("pit.not_answered", { count: view.asked.length })}</p>` : nothing}
      ${waiting?.mine ? this.decide(waiting) : nothing}
      ${this.status.view()}
    </section>`;
  }

  /** The clause that play is held under, with its subclauses. */
  private rule(provision: string) {
    const own = this.clauses.find((each) => each.provision === provision);
    if (!own) return nothing;
    const below = this.clauses.filter((each) => each.clause.startsWith(`${own.clause}.`));
    const line = ({ clause, text }: ClauseShown) => html`<b>§ ${clause}</b> <span lang="en">${text}</span>`;
    return below.length
      ? html`<details class="clause soft"><summary>${line(own)}</summary><ul>${below.map(
          (each) => html`<li>${line(each)}</li>`,
        )}</ul></details>`
      : html`<p class="clause soft">${line(own)}</p>`;
  }

  private decide(waiting: Waiting) {
    return html`
      ${waiting.form === "removal" ? this.removals(waiting.about) : nothing}
      ${waiting.form === "order" ? this.ordering(waiting.about[0]!) : nothing}
      ${waiting.form === "elsewhere" ? html`<p>${t("pit.elsewhere")}</p>` : nothing}
      <div class="row">${waiting.choices.map(
        ({ offered, label, order }, at) => html`
          <button class=${at ? "" : "main"} ?disabled=${this.status.busy || Boolean(offered.refused)}
            title=${offered.refused ? disabledReason(offered.refused) : ""}
              @click=${() => this.give(order)}>${label}</button>`,
      )}
        <input class="note" name="note" aria-label=${t("pit.note")} placeholder=${t("pit.note")}
          maxlength="300"></div>`;
  }

  private removals(about: Offered[]) {
    const { differential } = this.about;
    if (!differential) return nothing;
    return html`<p>${t("pit.exceeded", {
      higher: nameOf("wager", differential.higher),
      lower: nameOf("wager", differential.lower),
      on_higher: amount(differential.on_higher),
      on_lower: amount(differential.on_lower),
      difference: amount(differential.difference),
      allowed: amount(differential.allowed ?? 0),
      excess: amount(differential.excess),
    })}</p>
      <ul>${about.map((each) => {
        const {
          patron,
          position,
          wager,
          amount: stake,
        } = each.values as { patron: string; position: number; wager: string; amount: number };
        return html`<li class="laid"><span>${patron}</span><span
          class="soft">${t("seat.position")} ${position}</span><span>${nameOf("wager", wager)}
            <b>${amount(stake)}</b></span>
          <span class="row"><input class="amount" inputmode="decimal" autocomplete="off"
            aria-label=${t("pit.take_off", { patron })}
            .value=${amount(Math.min(stake, differential.excess))}>
          <button class="main" ?disabled=${this.status.busy || Boolean(each.refused)}
            title=${each.refused ? disabledReason(each.refused) : ""}
            @click=${(event: Event) => this.takeOff(event, each)}>${t("pit.do.RemoveWager")}</button></span></li>`;
      })}</ul>`;
  }

  private ordering(about: Offered) {
    const known = about.values.order as number[];
    if (this.order.length !== known.length || known.some((each) => !this.order.includes(each))) this.order = [...known];
    return html`<p>${t("pit.order_is")}</p>
      <ol>${this.order.map(
        (card, at) => html`<li>${t("pit.card_number", { card })}<button aria-label=${t("pit.earlier", { card })}
        ?disabled=${!at} @click=${() => this.earlier(at)}>‹</button></li>`,
      )}</ol>
      <div class="row"><button class="main" ?disabled=${this.status.busy}
        @click=${() => this.give({ command: "FixOrder", order: this.order } as Order)}>${t(
          "pit.do.FixOrder",
        )}</button></div>`;
  }

  private earlier(at: number) {
    const order = [...this.order];
    [order[at - 1], order[at]] = [order[at]!, order[at - 1]!];
    this.order = order;
  }

  private async takeOff(event: Event, { values }: Offered) {
    const field = (event.target as HTMLElement).closest("li")!.querySelector("input")!;
    const cents = parseAmount(field.value);
    if (!cents) return this.status.say(t("money.no_amount"), true);
    await this.give({ command: "RemoveWager", ...values, amount: cents } as Order);
  }

  private async give(order: Order) {
    const note = this.renderRoot.querySelector<HTMLInputElement>("input.note")?.value.trim();
    await this.status.followCommand(
      pageConnection().give({
        ...order,
        table: this.about.table,
        in_round: this.view.round,
        ...(note ? { note } : {}),
      } as Order),
    );
  }
}
customElements.define("punto-decision", PuntoDecision);
