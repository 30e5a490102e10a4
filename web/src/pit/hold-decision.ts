/** One hold: the matter, who reported it and when, its cards and wagers, whose it is, and every measure there is. */
import { css, html, LitElement, nothing } from "lit";
import "../steps/question-form";
import { holdsOf } from "../api/pit";
import { signedInPerson } from "../api/session";
import type { ClauseShown, HoldShown, HoldsShown, NextStep, Offered, PitTable, StaffView } from "../api/types";
import { cardText } from "../components/card";
import { common } from "../components/style";
import { IntervalController } from "../controllers/interval-controller";
import { LanguageController } from "../controllers/language-controller";
import { currentLanguage, type Key, nameOf, t } from "../i18n/catalogue";
import { amount, parseAmount } from "../i18n/money";
import { disabledReason } from "../i18n/refusal-text";
import { duration, toSecond } from "../i18n/time";
import { stepKey, stepLabel } from "../steps/next-step";
import { learnNames, patronName } from "../steps/patron-name";
import { ActPreview } from "./act-preview";
import { decisionStyle } from "./hold-style";
import { reasonBeside } from "./table-commands";
import { waitingAt } from "./table-order";

/** The kind of question for a field whose name is not the kind. */
const KINDS: Record<string, string> = {
  first: "card",
  lacking: "cards",
  set_aside: "cards",
  shoe: "words",
  reason: "words",
  uncovered: "words",
  player: "cards",
  banker: "cards",
  count: "number",
};

export class PuntoDecision extends LitElement {
  static override properties = {
    about: { attribute: false },
    view: { attribute: false },
    clauses: { attribute: false },
    told: { state: true },
    open: { state: true },
  };
  declare about: PitTable;
  declare view: StaffView;
  /** All clauses of the game. */
  declare clauses: readonly ClauseShown[];
  declare private told: HoldsShown | null;
  /** The key of the step whose questions are shown. */
  declare private open: string;
  private readonly act = new ActPreview(this, () => {
    this.open = "";
  });
  /** What the matter was last asked for: a table, the number of its last event, a language. */
  private asked = "";

  static override styles = [common, decisionStyle, css`h4 { margin: 0; }`];

  constructor() {
    super();
    this.clauses = [];
    this.told = null;
    this.open = "";
    new LanguageController(this);
    new IntervalController(this, 1_000);
  }

  override updated(): void {
    const wanted = `${this.about.table} ${this.about.number} ${currentLanguage()}`;
    if (!this.view.hold || wanted === this.asked) return;
    this.asked = wanted;
    void this.read();
  }

  private async read(): Promise<void> {
    const told = await holdsOf(this.about.table, currentLanguage());
    learnNames(told.names);
    this.told = told;
  }

  override render() {
    const { view, about } = this;
    if (!view.hold) return nothing;
    learnNames(about.names ?? {});
    const holds = this.told?.holds ?? [];
    const newest = holds.at(-1);
    const why = nameOf("provision", view.hold);
    return html`<section aria-label=${t("pit.hold_at", { table: about.table })}>
      <div class="head"><h3>${why.charAt(0).toUpperCase()}${why.slice(1)}</h3>
        <span class="soft"><slot></slot> ${t("seat.round", { round: view.round })}</span>
        ${
          newest?.at
            ? html`<span class="held-for">${t("pit.held_for", { time: duration(Date.now() - newest.at) })}</span>`
            : nothing
        }
        ${view.asked.length ? html`<span class="waits">${t("pit.waits_for_patrons")}</span>` : this.waiting()}</div>
      ${newest ? this.matter(newest) : nothing}
      ${holds.slice(0, -1).map((each) => {
        const matter = each.told || nameOf("provision", each.provision);
        return html`<p class="soft older">${t("pit.held_before", { matter })}</p>`;
      })}
      ${this.rule(newest?.rests_on ?? view.hold)}
      ${this.lying()}
      ${view.asked.length ? html`<p>${t("pit.not_answered", { patrons: view.asked.map(patronName) })}</p>` : nothing}
      ${this.measures()}
      ${this.act.view(patronName)}
    </section>`;
  }

  /** Whose the decision is. */
  private waiting() {
    const waiting = waitingAt(this.about);
    if (!waiting) return nothing;
    const { mine, role, clause } = waiting;
    return html`<span class="waits ${mine ? "mine" : ""}">${
      mine ? t("pit.yours") : t("pit.waits_for", { who: nameOf("duty", role) })
    }${clause ? ` § ${clause}` : ""}</span>`;
  }

  private matter(hold: HoldShown) {
    const who = hold.by === "automaton" ? t("pit.automaton") : nameOf("duty", hold.name || hold.position || "");
    const position = hold.position && hold.position !== hold.name ? nameOf("duty", hold.position) : "";
    return html`<p class="matter">${hold.told}</p>
      ${
        hold.at
          ? html`<p class="soft">${t("pit.reported", {
              who: position ? `${who}, ${position}` : who,
              time: toSecond(hold.at),
            })}${hold.noticed_by ? ` · ${t("pit.noticed_by", { who: hold.noticed_by })}` : ""}</p>`
          : nothing
      }
      ${hold.note ? html`<p>${t("pit.note_is", { note: hold.note })}</p>` : nothing}
      ${hold.round ? this.settled(hold.round) : nothing}`;
  }

  /** The settled round that the matter is about. */
  private settled(round: NonNullable<HoldShown["round"]>) {
    return html`<p>${t("seat.round", { round: round.round })} ·
      ${nameOf("winner", "player")} ${round.player.map(cardText).join(" ")} ·
      ${nameOf("winner", "banker")} ${round.banker.map(cardText).join(" ")}</p>
      <ul>${round.wagers.map(
        (each) => html`<li class="laid"><span>${patronName(each.patron)}</span><span
          class="soft">${t("seat.position")} ${each.position}</span><span>${nameOf("wager", each.wager)}
            <b>${amount(each.stake)}</b></span>
            <span>${t("pit.handed_back", { amount: amount(each.returned) })}</span></li>`,
      )}</ul>`;
  }

  /** The cards and wagers of the round in play. */
  private lying() {
    const { hands, wagers, together } = this.view;
    const dealt = Object.entries(hands).filter(([, cards]) => cards.length);
    if (!dealt.length && !wagers.length && !together.length) return nothing;
    return html`<details class="lying" open><summary>${t("pit.cards_and_wagers")}</summary>
      ${
        dealt.length
          ? html`<p class="cards">${dealt.map(
              ([hand, cards]) => html`<span>${nameOf("winner", hand)}
                ${cards.map((card) =>
                  card
                    ? html`<b>${cardText(card)}</b> `
                    : html`<span class="down" title=${t("pit.face_down")}>▮</span>`,
                )}</span>`,
            )}</p>`
          : nothing
      }
      ${together.length ? html`<p>${t("pit.out_together", { count: together.length })}</p>` : nothing}
      <ul>${wagers.map(
        (each) => html`<li class="laid"><span>${patronName(each.patron)}</span><span
          class="soft">${t("seat.position")} ${each.position}</span><span>${nameOf("wager", each.wager)}
            <b>${amount(each.amount)}</b></span></li>`,
      )}</ul></details>`;
  }

  /** The clause that play is held under, with its subclauses. */
  private rule(provision: string) {
    const own = this.clauses.find((each) => each.provision === provision);
    if (!own) return nothing;
    const below = this.clauses.filter((each) => each.clause.startsWith(`${own.clause}.`));
    const line = ({ clause, words }: ClauseShown) => html`<b>§ ${clause}</b> ${words[currentLanguage()]}`;
    return below.length
      ? html`<details class="clause soft"><summary>${line(own)}</summary><ul>${below.map(
          (each) => html`<li>${line(each)}</li>`,
        )}</ul></details>`
      : html`<p class="clause soft">${line(own)}</p>`;
  }

  // --- measures -----------------------------------------------------------------------------------------------------

  /** The positions that the reader holds or acts in here. */
  private get positions(): ReadonlySet<string> {
    const me = signedInPerson();
    const acting = this.view.acting.filter(({ person, until }) => person === me?.id && (!until || until > Date.now()));
    return new Set([me?.duty ?? "", ...acting.map((each) => each.role)]);
  }

  /** Every step that the reader may take. The cards may be laid again wherever one may be corrected. */
  private get steps(): NextStep[] {
    const { positions } = this;
    const mine = this.view.next.filter((each) => each.by.some((role) => positions.has(role)));
    const again = mine
      .filter((each) => each.command === "OrderCard")
      .map((each) => ({ ...each, command: "OrderRelaying", keyed: ["faces"] }));
    return [...mine, ...again];
  }

  private measures() {
    const { steps } = this;
    const removals = this.about.waiting.filter((each) => each.command === "RemoveWager" && each.mine);
    const shown = steps.filter((each) => each.command !== "RemoveWager");
    const open = shown.find((each) => stepKey(each) === this.open);
    const group = (label: Key, some: NextStep[]) =>
      some.length
        ? html`<div class="group"><span class="soft">${t(label)}</span>${some.map(
            (each) => html`<button data-command=${each.command} class=${each.must || each.on_behalf ? "main" : ""}
              aria-expanded=${each === open} ?disabled=${this.act.status.busy}
              @click=${() => this.choose(each)}>${stepLabel(each)}</button>`,
          )}</div>`
        : nothing;
    return html`${removals.length ? this.removals(removals) : nothing}
      ${group(
        "pit.group.decide",
        shown.filter((each) => each.must && !each.on_behalf),
      )}
      ${group(
        "pit.group.patrons",
        shown.filter((each) => each.on_behalf),
      )}
      ${group(
        "pit.group.measures",
        shown.filter((each) => !each.must && !each.on_behalf),
      )}
      ${open ? this.form(open) : nothing}`;
  }

  private choose(step: NextStep): void {
    this.act.drop();
    if (questions(step).length || step.command === "OrderWithdrawal" || step.keyed.includes("wagers")) {
      this.open = this.open === stepKey(step) ? "" : stepKey(step);
      return;
    }
    this.open = "";
    void this.propose(step, {});
  }

  private propose(step: NextStep, values: object): Promise<void> {
    const order = {
      command: step.command,
      ...step.values,
      ...values,
      table: this.about.table,
      in_round: this.view.round,
    };
    return this.act.propose(order, stepLabel(step));
  }

  private form(step: NextStep) {
    if (step.keyed.includes("wagers")) return this.answer(step);
    if (step.command === "OrderWithdrawal") return this.offer(step);
    const told = (event: CustomEvent<Record<string, unknown>>) => {
      const { faces, ...values } = event.detail;
      void this.propose(step, faces ? { ...values, order: faces } : values);
    };
    return html`<punto-ask .asked=${questions(step)} .view=${this.view} act=${t("pit.try")} @told=${told}></punto-ask>`;
  }

  /** To whom withdrawal is offered: every patron with a wager that is not decided, or some of them. */
  private offer(step: NextStep) {
    const patrons = [...new Set(this.view.wagers.map((each) => each.patron))];
    const send = (event: SubmitEvent) => {
      event.preventDefault();
      const chosen = new FormData(event.target as HTMLFormElement).getAll("patron").map(String);
      void this.propose(step, { patrons: chosen.length === patrons.length ? [] : chosen });
    };
    return html`<form class="row" @submit=${send}>${patrons.map(
      (each) => html`<label class="check"><input type="checkbox" name="patron" value=${each}
        checked>${patronName(each)}</label>`,
    )}<button class="main">${t("pit.try")}</button></form>`;
  }

  /** What a patron says to an offer: everything, nothing or, where each stands alone, some wagers. */
  private answer(step: NextStep) {
    const { offer } = this.view;
    const open = offer?.wagers.filter((each) => each.patron === step.patron) ?? [];
    const send = (event: SubmitEvent) => {
      event.preventDefault();
      const chosen = new FormData(event.target as HTMLFormElement).getAll("wager").map(Number);
      void this.propose(step, { wagers: chosen.map((each) => [open[each]!.position, open[each]!.wager]) });
    };
    return html`<div class="row"><button class="main"
        @click=${() => this.propose(step, { wagers: null })}>${t("dealer.answer_all")}</button>
      <button @click=${() => this.propose(step, { wagers: [] })}>${t("dealer.answer_nothing")}</button></div>
      ${
        offer?.whole || open.length < 2
          ? nothing
          : html`<form class="row" @submit=${send}>${open.map(
              (each, at) =>
                html`<label class="check"><input type="checkbox" name="wager" value=${at}>${nameOf(
                  "wager",
                  each.wager,
                )} ${amount(each.amount)}</label>`,
            )}<button>${t("dealer.answer_chosen")}</button></form>`
      }`;
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
      <ul>${about.map((each) => this.removal(each, differential.excess))}</ul>`;
  }

  private removal(each: Offered, excess: number) {
    const {
      patron,
      position,
      wager,
      amount: stake,
    } = each.values as { patron: string; position: number; wager: string; amount: number };
    const why = each.refused ? disabledReason(each.refused) : "";
    return html`<li class="laid"><span>${patronName(patron)}</span><span
      class="soft">${t("seat.position")} ${position}</span>
      <span>${nameOf("wager", wager)} <b>${amount(stake)}</b></span>
      <span class="row"><input class="amount" inputmode="decimal" autocomplete="off"
        aria-label=${t("pit.take_off", { patron: patronName(patron) })} .value=${amount(Math.min(stake, excess))}>
      <button class="main" ?disabled=${this.act.status.busy || Boolean(why)} title=${why}
        @click=${(event: Event) => this.takeOff(event, each)}>${t("pit.do.RemoveWager")}</button>
      ${reasonBeside(why)}</span></li>`;
  }

  private async takeOff(event: Event, { values }: Offered) {
    const field = (event.target as HTMLElement).closest("li")!.querySelector("input")!;
    const cents = parseAmount(field.value);
    if (!cents) return this.act.status.say(t("money.no_amount"), true);
    const order = { ...values, command: "RemoveWager", amount: cents };
    await this.act.propose({ ...order, table: this.about.table, in_round: this.view.round }, t("pit.do.RemoveWager"));
  }
}

/** What has to be asked before a step can be tried out; how many cards are put aside is the reader's to say. */
function questions(step: NextStep) {
  const keyed = step.command === "OrderCardsAside" ? ["count"] : step.keyed;
  const asked = keyed
    .filter((name) => name !== "reason" && name !== "wagers")
    .map((name) => ({ name, kind: KINDS[name] ?? name, label: t(`field.${name}` as Key) }));
  if (step.command !== "OrderReturn") return asked;
  return [...asked, { name: "amount", kind: "amount", label: t("pit.part_returned"), optional: true }];
}
customElements.define("punto-decision", PuntoDecision);
