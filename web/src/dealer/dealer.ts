/** The Dealer's page: what to announce and do next, the cards, the layout, and what to do when something goes wrong. */
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { face } from "../components/card";
import "../components/clock";
import { clauseText } from "../components/rulebook";
import "../table-view/roads-board";
import "../components/sign-in";
import "../components/tabs";
import "../components/top-bar";
import type { Card, GameShown, NextStep, ProcedureShown, RoadsShown, RoundShown, StaffView, Told } from "../api/types";
import "../table-view/felt";
import "../table-view/hands";
import type { Order } from "../api/connection";
import type { KnownTable } from "../api/known-table";
import { pageConnection } from "../api/page-connection";
import { auditPath, signedInPerson } from "../api/session";
import * as tablesApi from "../api/tables";
import { type Key, loadLanguage, nameOf, t } from "../i18n/catalogue";
import { LanguageController } from "../i18n/language-controller";
import { amount } from "../i18n/money";
import { refusalText } from "../i18n/refusal-text";
import { historyList } from "../table-view/round-history";
import { clauseButton, roundText } from "../table-view/settlement";
import { follow, type HandName, nothingShown, type ShownRound, shownBefore } from "../table-view/shown-round";
import "./question-form";
import "./card-pad";
import { dealerStyle } from "./dealer-style";
import { underWay, walk } from "./irregularity-desk";
import "./irregularity-desk";
import { CardKeys } from "./card-keys";
import { type PuntoPatrons, patronName } from "./patron-desk";
import { layoutList, payList } from "./pay-list";
import "./shoe-desk";
import { awaited, besides, called, deed, mayGive, positions, reasons, stepKey, waitingFor } from "./next-step";

const TABS = ["layout", "patrons", "shoe", "irregular", "rounds"] as const;
const ROUNDS_CHANGE = new Set([
  "RoundSettled",
  "RoundVoided",
  "RoundCorrected",
  "ShoeLoaded",
  "ShoeEnded",
  "OutcomeAnnounced",
]);
/** Which field of a step is asked for in which way. */
const KINDS: Record<string, string> = { lacking: "cards", set_aside: "cards", shoe: "words" };

/** After a finger or a mouse, Enter is for the next step again and not for the button that was pressed. */
function letGo(event: MouseEvent) {
  if (event.detail) (event.composedPath()[0] as Element).closest<HTMLElement>("button")?.blur();
}

class PuntoDealer extends LitElement {
  static override styles = dealerStyle;
  private readonly name = document.body.dataset.table!;
  private readonly gameKey = document.body.dataset.game!;
  private readonly person = signedInPerson();
  private readonly keys = new CardKeys();

  private table: KnownTable | null = null;
  private game: GameShown | null = null;
  private procedures: ProcedureShown[] = [];
  private roads: RoadsShown | null = null;
  private rounds: RoundShown[] = [];
  private shown: ShownRound = nothingShown(0);
  private tab: string = "layout";
  private clause: string | null = null;
  /** The card that is keyed and not exposed yet. */
  private card: Card | null = null;
  /** A step besides whose questions are open, and a procedure that was chosen or reported here. */
  private asking: string | null = null;
  private chosen: string | null = null;
  private reported: string | null = null;
  private refused = "";
  /** Until the table is known as it is after this event, nothing more is given. */
  private until = 0;
  private giving = false;

  constructor() {
    super();
    new LanguageController(this);
  }

  private get view(): StaffView | null {
    const view = this.table?.view;
    return view && "next" in view ? (view as StaffView) : null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.keyed);
    addEventListener("click", letGo);
    pageConnection().onstate = () => this.requestUpdate();
    pageConnection().watch(this.name, { changed: (table, events) => this.changed(table, events) });
    void this.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.keyed);
    removeEventListener("click", letGo);
  }

  private async begin() {
    [this.game, this.procedures] = await Promise.all([
      tablesApi.game(this.gameKey),
      tablesApi.procedures(this.gameKey),
    ]);
    document.title = `${t("dealer.title")} · ${this.name} · Punto`;
    await this.drawAnew();
    if (this.rounds[0] && !this.shown.hands.player.length) this.shown = shownBefore(this.rounds[0]);
    this.requestUpdate();
  }

  private async drawAnew() {
    [this.roads, this.rounds] = await Promise.all([tablesApi.roads(this.name), tablesApi.rounds(this.name, 30)]);
    this.requestUpdate();
  }

  // --- what happens -------------------------------------------------------------------------------------------------

  private changed(table: KnownTable, events: Told[]) {
    const [before, ours] = [this.main && stepKey(this.main), this.busy];
    this.table = table;
    if (!table.view) return;
    this.shown = follow(this.shown, table.view, events, null);
    const { main } = this;
    // Whoever keys fast has begun the next card before the last one was answered.
    if (before !== (main && stepKey(main)) && !(ours && main?.keyed.includes("card"))) this.stepChanged();
    if (!table.view.hold) this.reported = null;
    if (events.some((each) => ROUNDS_CHANGE.has(each.name))) void this.drawAnew();
    this.requestUpdate();
  }

  /** Another step: what was keyed for the one before is not for this one. */
  private stepChanged() {
    this.card = null;
    this.keys.rank = null;
    this.refused = "";
  }

  // --- what the Dealer does -----------------------------------------------------------------------------------------

  private get held(): Set<string> {
    return positions(this.person, this.view?.acting ?? []);
  }

  /** The first step that play waits for and that whoever is here may take. */
  private get main(): NextStep | null {
    const { view, held } = this;
    return (view && awaited(view).find((each) => mayGive(each, held))) ?? null;
  }

  private get busy(): boolean {
    return this.giving || (this.table?.number ?? 0) < this.until;
  }

  private async give(order: object, now = true): Promise<boolean> {
    if (this.busy) return false;
    this.giving = true;
    this.refused = "";
    this.requestUpdate();
    const answer = await pageConnection().give({
      ...order,
      ...(now ? { in_round: this.view!.round } : {}),
      table: this.name,
    } as Order);
    this.giving = false;
    if (answer.type === "done") this.until = answer.last;
    else this.refused = refusalText(answer);
    this.requestUpdate();
    return answer.type === "done";
  }

  private async take(step: NextStep, more: object = {}) {
    const done = await this.give({ command: step.command, ...step.values, ...more });
    if (done) this.asking = null;
    return done;
  }

  private takeMain() {
    const { main } = this;
    if (!main || this.busy) return;
    if (!main.keyed.length) void this.take(main);
    else if (main.keyed.includes("card") && this.card) void this.expose(main, this.card);
  }

  private async expose(step: NextStep, card: Card) {
    this.card = null;
    if (!(await this.take(step, { card }))) this.card ??= card;
    this.requestUpdate();
  }

  private async report(order: object) {
    if (!(await this.give(order))) return;
    this.reported = this.chosen;
    this.chosen = null;
    this.tab = "layout";
    this.requestUpdate();
  }

  private async move(event: CustomEvent<object>) {
    const desk = event.target as PuntoPatrons;
    if (await this.give(event.detail, false)) desk.clear();
  }

  private keyCard(card: Card) {
    this.card = card;
    this.requestUpdate();
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("button.big")?.focus());
  }

  private keyed = (event: KeyboardEvent) => {
    const target = event.composedPath()[0] as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches?.("input, select, textarea, dialog *")) return;
    const { main } = this;
    const presses = target.matches?.("button, a, summary, [role=tabpanel] *");
    if ((event.key === "Enter" || event.key === " ") && !presses && main && !this.view?.hold) {
      event.preventDefault();
      if (!event.repeat) this.takeMain();
    } else if (event.key === "Escape") this.stepChanged();
    else if (main?.keyed.includes("card")) this.keyPart(event.key);
    else if (main?.keyed.includes("hand")) {
      const hand = { p: "player", b: "banker" }[event.key.toLowerCase()];
      if (hand) void this.take(main, { hand });
    }
    this.requestUpdate();
  };

  private keyPart(key: string) {
    const card = this.keys.key(key);
    if (card !== undefined) this.card = card;
  }

  private showClause = (clause: string) => {
    this.clause = clause;
    this.requestUpdate();
    this.renderRoot.querySelector<HTMLDialogElement>("dialog")!.showModal();
  };

  private openTab(tab: string) {
    this.tab = tab;
    this.requestUpdate();
  }

  // --- what is seen -------------------------------------------------------------------------------------------------

  override render() {
    const { game, view } = this;
    return html`<punto-top home heading=${game ? `${t("dealer.title")} · ${nameOf("game", game.title)} · ${this.name}` : ""}></punto-top>
      ${pageConnection().connected || !view ? nothing : html`<p class="away" role="alert">${t("seat.away")}</p>`}
      ${game && view ? this.atTable(view) : this.table?.view ? this.stranger() : html`<p class="soft loading">${t("seat.loading")}</p>`}
      <dialog aria-label=${t("clause.title")}>${this.clause && game ? clauseText(game, this.clause) : nothing}
        <button @click=${() => this.renderRoot.querySelector("dialog")!.close()}>${t("seat.close")}</button></dialog>`;
  }

  private stranger() {
    return html`<div class="stranger">${this.person ? html`<p>${t("dealer.not_staff")}</p>` : html`<punto-sign-in></punto-sign-in>`}</div>`;
  }

  private atTable(view: StaffView) {
    const said = [called(this.main?.call ?? null), this.main ? deed(this.main) : ""].filter(Boolean).join(". ");
    return html`<main><div class="left">
      <p class="unseen" role="status" aria-live="polite">${said}</p>
      ${this.now(view)}
      <section class="felt" aria-label=${t("seat.table", { table: this.name })}>
        <punto-hands .round=${this.shown} ?past=${view.phase === "betting" || view.phase === "idle"}></punto-hands>
        <div class="with">${(["player", "banker"] as HandName[]).map(
          (hand) =>
            html`<span>${view.handlers[hand] ? t("dealer.with", { patron: patronName(view.handlers[hand]!) }) : ""}</span>`,
        )}</div>
        <p class="outcome">${roundText(this.shown)} ${
          view.corrected && (view.phase === "idle" || view.phase === "betting")
            ? html`<span class="tag">${t("rounds.corrected")}</span>`
            : nothing
        }</p>
        <punto-felt .wagers=${this.game!.wagers.map((each) => each.wager)} .positions=${view.setting?.positions ?? 0} .laid=${view.wagers}
          .mine=${0} .patron=${""}></punto-felt>
      </section></div>
      <aside aria-label=${t("seat.about")}>${this.side(view)}</aside></main>`;
  }

  private now(view: StaffView) {
    const { main } = this;
    const first = main ?? awaited(view)[0] ?? null;
    const procedure = underWay(this.procedures, this.reported, view);
    return html`<section class="now ${view.hold ? "held" : ""}" aria-label=${t("dealer.next")}>
      ${this.head(view)}
      ${first?.call ? html`<p class="call">${called(first.call)}</p>` : nothing}
      ${first ? reasons(first, this.showClause) : nothing}
      ${view.hold ? this.decisions(view) : this.step(first, main)}
      ${this.refused ? html`<p class="refused" role="alert">${this.refused}</p>` : nothing}
      ${procedure ? walk(procedure, view, this.showClause) : nothing}
      ${this.more(view)}
    </section>`;
  }

  private head(view: StaffView) {
    const method = view.setting?.method;
    return html`<div class="head">
      <span class="phase ${view.phase}">${view.hold ? t("phase.held") : nameOf("phase", view.phase)}</span>
      <span class="soft">${t("seat.round", { round: view.round })}</span>
      ${method ? html`<span class="soft">${t("dealer.method", { method })}</span>` : nothing}
      ${view.device ? html`<span class="tag">${t("dealer.device", { patron: patronName(view.device) })}</span>` : nothing}
      ${view.cutting_card_shown ? html`<span class="tag">${t("seat.cutting_card")}</span>` : nothing}
      ${
        view.deadline
          ? html`<punto-clock .deadline=${view.deadline}
        .seconds=${(view.offer ? view.setting?.answer_seconds : view.setting?.betting_seconds) ?? null}></punto-clock>`
          : nothing
      }
      <button class="trouble" @click=${() => this.openTab("irregular")}>${t("dealer.trouble")}</button>
    </div>`;
  }

  /** In the course of play: one step, as large as it can be. */
  private step(first: NextStep | null, main: NextStep | null): TemplateResult | typeof nothing {
    if (!first) return nothing;
    if (!main) return html`<p class="waiting">${waitingFor(first)}</p><p class="soft">${deed(first)}</p>`;
    if (main.command === "LoadShoe") return html`<p class="task">${deed(main)}</p>${this.shoeDesk()}`;
    if (main.keyed.includes("card")) return this.keying(main);
    if (main.keyed.includes("hand")) {
      return html`<p class="task">${deed(main)}</p><div
        class="row">${["player", "banker"].map(
          (hand) => html`<button class="main big" data-command=${main.command} ?disabled=${this.busy}
        @click=${() => this.take(main, { hand })}>${t("dealer.first", { hand: nameOf("winner", hand) })}<kbd>${hand[0]!.toUpperCase()}</kbd></button>`,
        )}</div>`;
    }
    const pays = this.view!.to_settle;
    return html`${pays ? payList(pays, this.showClause) : nothing}${this.button(main)}`;
  }

  private button(step: NextStep, enabled = true) {
    return html`<button class="main big" data-command=${step.command} ?disabled=${this.busy || !enabled}
      @click=${() => this.takeMain()}>${deed(step)}<kbd>Enter</kbd></button>`;
  }

  private keying(step: NextStep) {
    const half = this.keys.rank;
    return html`<div class="keying"><p class="task ${step.hand}">${deed(step)}</p>
      <div class="keyed ${this.card ? "whole" : ""}" aria-hidden="true">${this.card ? face(this.card) : (half ?? "?")}</div>
      <punto-card-pad .card=${this.card} .rank=${half} @keyed=${(event: CustomEvent<Card>) => this.keyCard(event.detail)}></punto-card-pad>
      <div class="row"><button class="main big" data-command=${step.command} ?disabled=${this.busy || !this.card}
        @click=${() => this.takeMain()}>${t("dealer.expose")}<kbd>Enter</kbd></button>
        <p class="soft keys">${t("dealer.keys")}</p></div></div>`;
  }

  /** In a hold: every decision that is open, with its buttons for whoever may take it. */
  private decisions(view: StaffView) {
    const held = this.held;
    const open = awaited(view).filter((each) => each.role !== "patron" || !view.offer);
    const waiting = [...new Set(open.filter((each) => !mayGive(each, held)).map(waitingFor))];
    const mine = open.filter((each) => mayGive(each, held));
    const asked = mine.filter((each) => each.keyed.length && !each.keyed.includes("card"));
    const clause = open[0]?.clause ?? view.offer?.clause;
    return html`<p class="title">${nameOf("hold", view.hold!)} ${clause ? clauseButton(clause, this.showClause) : nothing}</p>
      ${view.offer ? this.answers(view) : nothing}
      ${
        view.differential?.excess
          ? html`<p class="reasons">${t("dealer.apart", {
              higher: nameOf("wager", view.differential.higher),
              lower: nameOf("wager", view.differential.lower),
              difference: amount(view.differential.difference),
              allowed: amount(view.differential.allowed ?? 0),
            })}</p>`
          : nothing
      }
      ${waiting.map((each) => html`<p class="waiting">${each}</p>`)}
      ${mine.some((each) => each.keyed.includes("card")) ? this.keying(mine.find((each) => each.keyed.includes("card"))!) : nothing}
      <div class="row">${mine
        .filter((each) => !each.keyed.length)
        .map(
          (each, index) => html`<button class="big ${index ? "" : "main"}"
        data-command=${each.command} ?disabled=${this.busy} @click=${() => this.take(each)}>${deed(each)}</button>`,
        )}</div>
      ${asked.length === 1 ? this.form(asked[0]!) : this.openForms(asked)}`;
  }

  /** Several of which one is chosen: each a button that opens its questions. */
  private openForms(steps: NextStep[]): TemplateResult | typeof nothing {
    if (!steps.length) return nothing;
    const asked = steps.find((each) => stepKey(each) === this.asking);
    return html`<div class="more">${steps.map(
      (each) => html`<button data-command=${each.command} aria-expanded=${each === asked}
      ?disabled=${this.busy} @click=${() => this.besides(each)}>${deed(each)}</button>`,
    )}</div>
      ${asked ? this.form(asked) : nothing}`;
  }

  /** Patrons who were asked whether they take back wagers, and what they answered. */
  private answers(view: StaffView) {
    const { wagers } = view.offer!;
    const lies = (one: (typeof wagers)[number]) =>
      view.wagers.some(
        (each) => each.patron === one.patron && each.position === one.position && each.wager === one.wager,
      );
    const patrons = [...new Set(wagers.map((each) => each.patron))];
    return html`<table class="answers"><thead><tr><th>${t("dealer.patron")}</th><th>${t("settled.wager")}</th><th>${t("dealer.answer")}</th></tr></thead>
      <tbody>${patrons.map((patron) => {
        const his = wagers.filter((each) => each.patron === patron);
        const back = his.filter((each) => !lies(each)).reduce((sum, each) => sum + each.amount, 0);
        const answer = view.asked.includes(patron)
          ? t("dealer.not_answered")
          : back
            ? t("dealer.took_back", { amount: amount(back) })
            : t("dealer.stands");
        return html`<tr data-patron=${patron}><td>${patronName(patron)}</td><td>${his
          .map((each) => `${nameOf("wager", each.wager)} ${amount(each.amount)}`)
          .join(", ")}</td><td>${answer}</td></tr>`;
      })}</tbody></table>`;
  }

  /** What may be done besides, and steps of others that wait. */
  private more(view: StaffView) {
    const held = this.held;
    const may = [...(view.hold ? [] : awaited(view).filter((each) => each !== this.main)), ...besides(view)].filter(
      (each) => mayGive(each, held),
    );
    return this.openForms(may);
  }

  private besides(step: NextStep) {
    if (!step.keyed.length) void this.take(step);
    else this.asking = this.asking === stepKey(step) ? null : stepKey(step);
    this.requestUpdate();
  }

  private form(step: NextStep) {
    const asked = step.keyed.map((name) => ({ name, kind: KINDS[name] ?? name, label: t(`field.${name}` as Key) }));
    return html`<div class="form"><h3>${deed(step)} ${step.clause ? clauseButton(step.clause, this.showClause) : nothing}</h3>
      <punto-ask .asked=${asked} .view=${this.view!} act=${deed(step)}
        @told=${(event: CustomEvent<object>) => this.take(step, event.detail)}></punto-ask></div>`;
  }

  private shoeDesk() {
    return html`<punto-shoe-desk class="form" .table=${this.name} .view=${this.view!} .size=${this.roads?.shoe?.size ?? 0}
      @order=${(event: CustomEvent<object>) => this.give(event.detail)}></punto-shoe-desk>`;
  }

  private side(view: StaffView) {
    const tabs = TABS.map((key) => ({ key, name: t(`dealer.tab.${key}` as Key) }));
    return html`<punto-tabs .tabs=${tabs} .shown=${this.tab} label=${t("seat.about")}
      @shown=${(event: CustomEvent<string>) => this.openTab(event.detail)}>${this.panel(view)}</punto-tabs>`;
  }

  private panel(view: StaffView) {
    switch (this.tab) {
      case "patrons":
        return html`<punto-patrons .view=${view} @order=${this.move}></punto-patrons>`;
      case "shoe":
        return view.shoe || view.phase !== "idle" ? this.shoeDesk() : html`<p class="soft">${t("shoe.none")}</p>`;
      case "irregular":
        return html`<punto-irregular .procedures=${this.procedures} .view=${view} .chosen=${this.chosen} .refused=${this.refused}
          @choose=${(event: CustomEvent<string | null>) => {
            this.chosen = event.detail;
            this.refused = "";
            this.requestUpdate();
          }}
          @clause=${(event: CustomEvent<string>) => this.showClause(event.detail)}
          @order=${(event: CustomEvent<object>) => this.report(event.detail)}></punto-irregular>`;
      case "rounds":
        return html`<punto-roads .roads=${this.roads}></punto-roads>${historyList(this.rounds, this.showClause, auditPath(this.name))}`;
      default:
        return layoutList(
          view,
          this.game!.wagers.map((each) => each.wager),
        );
    }
  }
}

await loadLanguage();
customElements.define("punto-dealer", PuntoDealer);
