/** A seat at a table: everything a patron needs for a round, and what he may want to know. */
import { html, LitElement, nothing } from "lit";
import "../components/clock";
import "../table-view/roads-board";
import "../components/tabs";
import "../components/sign-in";
import "../components/top-bar";
import "./wager-areas";
import "./shoe-cut";
import "../table-view/felt";
import "../table-view/hands";
import "./money-desk";
import "./loss-limit";
import "./chip-rack";
import "./sealed-shoes";
import "./squeeze";
import "./withdrawal-offer";
import "../components/rulebook";
import type { Answer, Order } from "../api/connection";
import type { KnownTable } from "../api/known-table";
import { pageConnection } from "../api/page-connection";
import { auditPath, signedInPerson } from "../api/session";
import * as tablesApi from "../api/tables";
import type { EdgeShown, GameShown, RefusedMessage, RoadsShown, RoundShown, Told } from "../api/types";
import { chipValues } from "../components/chip";
import { clauseText } from "../components/rulebook";
import { CutBook } from "../fairness/cut-book";
import { loadLanguage, nameOf, t } from "../i18n/catalogue";
import { LanguageController } from "../i18n/language-controller";
import { amount, signed } from "../i18n/money";
import { refusalText } from "../i18n/refusal-text";
import { historyList } from "../table-view/round-history";
import {
  correctionText,
  differentialText,
  net,
  removalText,
  roundText,
  settlementTable,
} from "../table-view/settlement";
import { follow, type HandName, nothingShown, putRight, type ShownRound, shownBefore } from "../table-view/shown-round";
import { type RackAction, TAKE_BACK } from "./chip-rack";
import { type Area, DragController, type Lifted } from "./drag-controller";
import { seatStyle } from "./seat-style";
import { SessionBook } from "./session-book";
import { type Change, type LaidWager, laidBy, missing, sum, takenBack, WagerChanges } from "./wager-changes";
import type { Offer } from "./withdrawal-offer";

const TABS = ["roads", "odds", "rules", "rounds", "shoe", "limits"] as const;
const KEYS: Record<string, RackAction> = { z: "undo", r: "repeat", d: "double", c: "clear" };
const NOTICED_FOR = 60_000;
/** After these the roads are drawn anew. */
const MARKED = new Set([
  "OutcomeAnnounced",
  "RoundCorrected",
  "CardCorrected",
  "RoundVoided",
  "ShoeLoaded",
  "ShoeEnded",
]);

/** The playing positions: 1, 2 and so on. */
const upTo = (positions: number): number[] => Array.from({ length: positions }, (_, each) => each + 1);

class PuntoSeat extends LitElement {
  static override properties = { said: { state: true } };
  static override styles = seatStyle;
  private readonly name = document.body.dataset.table!;
  private readonly gameKey = document.body.dataset.game!;
  private readonly person = signedInPerson();
  private readonly patron = this.person?.duty === "patron" ? this.person.id : null;
  private readonly changes = new WagerChanges(this.name, this.patron ?? "");
  private readonly book = new SessionBook(localStorage, `punto.session.${this.patron}.${this.name}`, Date.now);

  private readonly cutting = new CutBook(
    localStorage,
    `punto.cut.${this.patron}.${this.name}`,
    this.patron ?? "",
    (bytes) => crypto.getRandomValues(bytes),
  );

  private table: KnownTable | null = null;
  private game: GameShown | null = null;
  private edges: EdgeShown[] = [];
  private roads: RoadsShown | null = null;
  private rounds: RoundShown[] = [];
  private account: number | null = null;
  private shown: ShownRound = nothingShown(0);
  private last: LaidWager[] = [];
  private position = 0;
  private chip = -1;
  private tab: string = "roads";
  private clause: string | null = null;
  private waiting = new Set<string>();
  /** What is said aloud, and what was refused. */
  declare private said: string;
  private noticed = "";
  private noticeTimer = 0;
  private refused = "";
  private refusedTimer = 0;

  constructor() {
    super();
    this.said = "";
    this.last = JSON.parse(localStorage.getItem(this.lastKey) ?? "[]") as LaidWager[];
    new LanguageController(this);
    new DragController(
      this,
      () => this.open,
      (lifted, on) => void this.drop(lifted, on),
    );
  }

  private get lastKey() {
    return `punto.last.${this.patron}.${this.name}`;
  }

  private get view() {
    return this.table?.view ?? null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.keyed);
    pageConnection().onstate = () => this.requestUpdate();
    pageConnection().watch(this.name, { changed: (table, events) => this.changed(table, events) });
    void this.begin();
  }

  private async begin() {
    this.game = await tablesApi.game(this.gameKey);
    document.title = `${nameOf("game", this.game.title)} · Punto`;
    this.requestUpdate();
    await Promise.all([this.drawRoads(), this.readRounds(true), this.readAccount()]);
    this.requestUpdate();
  }

  private async drawRoads() {
    this.roads = await tablesApi.roads(this.name);
    this.requestUpdate();
  }

  private async readRounds(first = false) {
    this.rounds = await tablesApi.rounds(this.name, 60);
    if (first && !this.mine.length) this.sitAsBefore();
    if (first && this.rounds[0] && !this.shown.hands.player.length) this.shown = shownBefore(this.rounds[0]);
    this.shown = putRight(this.shown, this.rounds);
    this.requestUpdate();
  }

  /** Where one had wagers last, one sits again. */
  private sitAsBefore() {
    const last = this.rounds.flatMap((each) => each.mine ?? [])[0]?.position;
    if (last && last <= (this.view?.setting?.positions ?? last)) this.position = last;
  }

  private async readAccount() {
    if (this.patron) this.account = (await tablesApi.myAccount()).holds;
    this.requestUpdate();
  }

  // --- what happens -------------------------------------------------------------------------------------------------

  private changed(table: KnownTable, events: Told[]) {
    this.table = table;
    const view = table.view;
    if (!view) return;
    this.changes.inRound(view.round);
    this.shown = follow(this.shown, view, events, this.patron);
    for (const each of events) this.happened(each);
    if (table.mine) this.book.has(this.total);
    this.settle(view.setting?.decks);
    this.requestUpdate();
  }

  /** What has to be there once the table is known: the odds of its decks, a chip and a position. */
  private settle(decks: number | undefined) {
    if (decks && !this.edges.length)
      void tablesApi.edges(this.gameKey, decks).then((edges) => {
        this.edges = edges;
        this.requestUpdate();
      });
    const setting = this.view?.setting;
    if (!setting) return;
    if (this.chip < 0) this.chip = chipValues(setting.stake_step).find((each) => each >= 2_500) ?? setting.stake_step;
    if (!this.position) {
      const kept = this.mine[0]?.position ?? Number(localStorage.getItem("punto.position"));
      const taken = new Set(this.view!.wagers.map((each) => each.position));
      const free = upTo(setting.positions).find((each) => !taken.has(each));
      this.position = kept >= 1 && kept <= setting.positions ? kept : (free ?? 1);
    }
  }

  private happened(told: Told) {
    switch (told.name) {
      case "BetsOpened":
      case "BetsReopened":
        this.say(t("announce.open"));
        break;
      case "BetsClosed":
        this.remember();
        this.say(t("announce.closed"));
        break;
      case "OutcomeAnnounced":
        this.say(roundText(this.shown));
        break;
      case "RoundSettled":
        if (this.shown.settled?.length)
          this.say(`${roundText(this.shown)}. ${t("seat.net", { net: signed(net(this.shown.settled)) })}`);
        void this.readRounds();
        break;
      case "RoundVoided":
        this.say(roundText(this.shown));
        void this.readRounds();
        break;
      case "DifferentialExceeded":
        this.notice(differentialText(told.body));
        break;
      case "WagerRemoved":
        if (told.body.patron === this.patron) this.notice(removalText(told.body));
        break;
      case "RoundCorrected":
        void this.readRounds().then(() => this.notice(correctionText(told.body.round, this.rounds)));
        break;
      case "ShoeLoaded":
        this.say(t("announce.shoe"));
        break;
    }
    if (MARKED.has(told.name)) void this.drawRoads();
  }

  /** What the patron may take back, while he is asked. */
  private get offer(): Offer | null {
    const offer = this.view?.offer;
    if (!offer || !this.patron || !this.view!.asked.includes(this.patron)) return null;
    return { ...offer, wagers: offer.wagers.filter((each) => each.patron === this.patron) };
  }

  /** What lies there when bets close is what "repeat" repeats. */
  private remember() {
    if (!this.mine.length) return;
    this.last = this.mine;
    localStorage.setItem(this.lastKey, JSON.stringify(this.last));
  }

  /** Something that happened besides the round, to be seen for a while or until it is closed. */
  private notice(words: string) {
    this.noticed = words;
    this.say(words);
    clearTimeout(this.noticeTimer);
    this.noticeTimer = window.setTimeout(() => {
      this.noticed = "";
      this.requestUpdate();
    }, NOTICED_FOR);
    this.requestUpdate();
  }

  private say(words: string) {
    this.said = words;
  }

  // --- what the patron does -----------------------------------------------------------------------------------------

  private get mine(): LaidWager[] {
    return this.view && this.patron ? laidBy(this.view, this.patron) : [];
  }

  private get chips(): number {
    return this.table?.mine?.chips ?? 0;
  }

  private get total(): number {
    return this.chips + sum(this.mine);
  }

  private get open(): boolean {
    // With the table differential exceeded patrons are asked to lower or raise; what helps, the table says.
    return Boolean(this.patron && (this.view?.phase === "betting" || this.view?.hold === "differential-exceeded"));
  }

  private async give(order: Order): Promise<Answer> {
    const answer = await pageConnection().give({ ...order, table: this.name } as Order);
    if (answer.type === "refused") this.refuse(this.toMe(answer));
    return answer;
  }

  /** Why something was not done, where the server's sentence would speak of the patron as of somebody else. */
  private toMe(refused: RefusedMessage): string {
    const values = refused.values ?? {};
    if (refused.code === "unknown-patron") return t("seat.buy_first");
    if (refused.code === "not-enough-chips")
      return t("seat.too_few", { chips: amount(Number(values.chips)), amount: amount(Number(values.amount)) });
    return refusalText(refused);
  }

  private refuse(sentence: string) {
    this.refused = sentence;
    this.say(sentence);
    clearTimeout(this.refusedTimer);
    this.refusedTimer = window.setTimeout(() => {
      this.refused = "";
      this.requestUpdate();
    }, 7_000);
    this.requestUpdate();
  }

  /** Place and take back, one after the other and no further than the first that is refused; the code of that one. */
  private async change(changes: Change[], toBeUndone = true): Promise<string | null> {
    const done: Change[] = [];
    let refused: string | null = null;
    for (const each of changes) {
      this.waiting.add(each.wager);
      this.requestUpdate();
      const answer = await this.give(this.changes.order(each));
      this.waiting.delete(each.wager);
      if (answer.type === "refused") {
        refused = answer.code;
        break;
      }
      done.push(each);
    }
    if (toBeUndone) this.changes.done(done);
    this.requestUpdate();
    return refused;
  }

  /** A chip on an area; or, with the hand chosen instead of a chip, what lies there taken back. */
  private async tap(area: Area) {
    if (this.chip === TAKE_BACK) await this.takeBack(area);
    else await this.change([{ ...area, amount: this.chip }]);
  }

  private async takeBack({ position, wager }: Area) {
    await this.change(takenBack(this.mine.filter((each) => each.position === position && each.wager === wager)));
  }

  private async drop({ amount: cents, from }: Lifted, on: Area | null) {
    if (on) this.position = on.position;
    if (!from && on) await this.change([{ ...on, amount: cents }]);
    else if (from && !on) await this.takeBack(from);
    else if (from && on && (from.position !== on.position || from.wager !== on.wager)) await this.move(from, on, cents);
  }

  /** Placed first, so that a wager that is refused there stays where it is; taken back first only where it has to be. */
  private async move(from: Area, to: Area, cents: number) {
    const [away, there] = [
      { ...from, amount: -cents },
      { ...to, amount: cents },
    ];
    const refused = this.chips < cents ? "not-enough-chips" : await this.change([there, away]);
    if (refused !== "not-enough-chips") return;
    if (!(await this.change([away])) && (await this.change([there]))) await this.change(this.changes.undo(), false);
  }

  private async act(action: RackAction) {
    if (!this.can[action]) return;
    if (action === "undo") await this.change(this.changes.undo(), false);
    else if (action === "repeat") await this.change(missing(this.last, this.mine));
    else await this.change(action === "double" ? this.mine : takenBack(this.mine));
  }

  private get can(): Record<RackAction, boolean> {
    const some = this.mine.length > 0;
    return {
      undo: this.open && this.changes.canUndo,
      repeat: this.open && missing(this.last, this.mine).length > 0,
      double: this.open && some,
      clear: this.open && some,
    };
  }

  private async moveMoney(event: CustomEvent<{ command: "BuyIn" | "CashOut"; amount: number }>) {
    const { command, amount: cents } = event.detail;
    const answer = await this.give({ command, patron: this.patron!, amount: cents } as Order);
    if (answer.type !== "done") return;
    if (command === "BuyIn") this.book.broughtIn(cents);
    else this.book.tookAway(cents);
    this.dialog("money").close();
    await this.readAccount();
  }

  private async answer(event: CustomEvent<[number, string][] | null>) {
    await this.give({ command: "AnswerWithdrawal", wagers: event.detail, in_window: this.view?.window } as Order);
  }

  private choosePosition(position: number, wager?: string) {
    if (wager && position === this.position && this.open) void this.tap({ position, wager });
    this.position = position;
    localStorage.setItem("punto.position", String(position));
    this.requestUpdate();
  }

  private keyed = (event: KeyboardEvent) => {
    const target = event.composedPath()[0] as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches?.("input:not([type=radio]), select, dialog *"))
      return;
    const action = KEYS[event.key.toLowerCase()];
    if (action) void this.act(action);
    const values = [TAKE_BACK, ...chipValues(this.view?.setting?.stake_step ?? 100)];
    const chosen = /^\d$/.test(event.key) ? values[Number(event.key)] : undefined;
    if (chosen !== undefined) {
      this.chip = chosen;
      this.requestUpdate();
    }
  };

  private dialog(name: string): HTMLDialogElement {
    return this.renderRoot.querySelector<HTMLDialogElement>(`dialog.${name}`)!;
  }

  private openMoney() {
    void this.readAccount();
    this.dialog("money").showModal();
  }

  private showClause = (clause: string) => {
    this.clause = clause;
    this.requestUpdate();
    this.dialog("clause").showModal();
  };

  // --- what is seen -------------------------------------------------------------------------------------------------

  override render() {
    const { game, view } = this;
    return html`<punto-top home heading=${game ? nameOf("game", game.title) : ""}></punto-top>
      <p class="unseen" role="status" aria-live="polite">${this.said}</p>
      ${pageConnection().connected || !view ? nothing : html`<p class="away" role="alert">${t("seat.away")}</p>`}
      ${
        this.noticed
          ? html`<p class="noticed"><span>${this.noticed}</span><button
        @click=${() => {
          this.noticed = "";
          this.requestUpdate();
        }}>${t("seat.close")}</button></p>`
          : nothing
      }
      ${game && view ? this.atTable() : html`<p class="soft loading">${t("seat.loading")}</p>`}
      <dialog class="clause" aria-label=${t("clause.title")}>${this.clauseShown()}</dialog>
      <dialog class="money" aria-label=${t("money.title")}><punto-money-desk .account=${this.account} .chips=${this.chips}
        @move=${this.moveMoney}></punto-money-desk>
        <p role="alert" class="lost">${this.refused}</p><button @click=${() => this.dialog("money").close()}>${t("seat.close")}</button></dialog>`;
  }

  private atTable() {
    return html`<main>
      <section class="table" aria-label=${t("seat.table", { table: this.name })}>
        ${this.head()}
        <div class="felt">
          ${
            this.view!.deadline && !this.offer
              ? html`<punto-clock .deadline=${this.view!.deadline}
            .seconds=${this.view!.setting?.betting_seconds ?? null}></punto-clock>`
              : nothing
          }
          <punto-hands .round=${this.shown} ?past=${this.view!.phase === "betting" || this.view!.phase === "idle"}></punto-hands>
          ${this.result()}
          ${this.demands()}
          <punto-felt .wagers=${this.game!.wagers.map((each) => each.wager)} .positions=${this.view!.setting?.positions ?? 0}
            .laid=${this.view!.wagers} .mine=${this.position} .patron=${this.patron ?? ""}
            @chosen=${(event: CustomEvent<{ position: number; wager?: string }>) =>
              this.choosePosition(event.detail.position, event.detail.wager)}></punto-felt>
        </div>
        ${
          this.patron
            ? this.seat()
            : html`<div class="guest">${
                this.person ? html`<p>${t("seat.not_patron")}</p>` : html`<punto-sign-in></punto-sign-in>`
              }</div>`
        }
      </section>
      <aside aria-label=${t("seat.about")}>${this.side()}</aside>
    </main>`;
  }

  private head() {
    const view = this.view!;
    const held = view.hold !== null;
    return html`<div class="head">
      <div class="phase ${held ? "held" : view.phase}">${held ? t("seat.held", { why: nameOf("hold", view.hold!) }) : nameOf("phase", view.phase)}</div>
      <span class="soft">${t("seat.round", { round: view.round })}</span>
      ${view.cutting_card_shown ? html`<span class="tag">${t("seat.cutting_card")}</span>` : nothing}
      ${
        this.patron
          ? html`<div class="money-line">
        <span>${t("seat.chips")} <strong data-chips=${this.chips}>${amount(this.chips)}</strong></span>
        <span>${t("seat.on_layout")} <strong>${amount(sum(this.mine))}</strong></span>
        ${this.table?.mine?.owes ? html`<span class="lost">${t("seat.owes", { amount: amount(this.table.mine.owes) })}</span>` : nothing}
        <button class=${this.total ? "" : "main"}
          @click=${() => this.openMoney()}>${t("seat.money")}</button></div>`
          : nothing
      }
    </div>`;
  }

  private result() {
    const said = roundText(this.shown);
    if (!said) return html`<div class="result"></div>`;
    const settled = this.shown.settled;
    return html`<div class="result">
      <span class="outcome">${said}</span>
      ${
        settled?.length
          ? html`<details class="mine"><summary><span
        class="net ${net(settled) < 0 ? "lost" : "won"}">${signed(net(settled))}</span> ${t("seat.details")}</summary><div
        class="list">${settlementTable(settled, this.showClause)}</div></details>`
          : nothing
      }
    </div>`;
  }

  /** What waits for this patron: an offer, cards he was passed, the dealing device. */
  private demands() {
    const view = this.view!;
    const passed = (["player", "banker"] as HandName[]).filter(
      (hand) => view.handlers[hand] === this.patron && this.patron,
    );
    return html`
      ${
        this.patron && view.setting?.device === "sealed"
          ? html`<punto-cut .table=${this.name} .cutting=${this.cutting} ?waiting=${!view.shoe}></punto-cut>`
          : nothing
      }
      ${
        this.offer
          ? html`<punto-withdrawal .offer=${this.offer} .seconds=${view.setting?.answer_seconds ?? null}
        @answered=${this.answer}></punto-withdrawal>`
          : nothing
      }
      ${passed.map((hand) => {
        const places = view.hands[hand]!.flatMap((card, place) => (card ? [] : [place]));
        return places.length
          ? html`<punto-my-cards .hand=${hand} .places=${places} .seen=${this.table?.mine?.cards[hand]}
          @order=${(event: CustomEvent<Order>) => this.give(event.detail)}></punto-my-cards>`
          : nothing;
      })}
      ${
        view.device && view.device === this.patron
          ? html`<div class="row device"><span>${t("device.yours")}</span>
        <button class="main" @click=${() => this.give({ command: "DrawCard" } as Order)}>${t("device.draw")}</button>
        <button @click=${() => this.give({ command: "GiveUpDevice" } as Order)}>${t("device.give_up")}</button></div>`
          : nothing
      }`;
  }

  private seat() {
    const setting = this.view!.setting;
    if (!setting) return html`<p class="soft">${t("seat.shut")}</p>`;
    const at = (laid: LaidWager) => laid.position === this.position;
    const others = this.view!.wagers.filter((each) => at(each) && each.patron !== this.patron);
    return html`<div class="own">
      <div class="row place"><label class="inline">${t("seat.position")}
        <select @change=${(event: Event) => this.choosePosition(Number((event.target as HTMLSelectElement).value))}>${upTo(
          setting.positions,
        ).map(
          (each) => html`<option ?selected=${each === this.position} value=${each}>${each}</option>`,
        )}</select></label>
        <span class="refused" role="alert">${this.refused}</span>${this.refused ? nothing : html`<span class="soft keys">${t("seat.keys")}</span>`}</div>
      <punto-areas ?open=${this.open} .wagers=${this.game!.wagers} .edges=${this.edges} .limits=${setting.limits} .laid=${this.mine.filter(at)}
        .others=${others} .position=${this.position} .waiting=${new Set(this.waiting)}
        @placed=${(event: CustomEvent<string>) => this.tap({ position: this.position, wager: event.detail })}
        @taken=${(event: CustomEvent<string>) => this.takeBack({ position: this.position, wager: event.detail })}></punto-areas>
      <punto-rack .step=${setting.stake_step} .chosen=${this.chip} .can=${this.can}
        @chip=${(event: CustomEvent<number>) => {
          this.chip = event.detail;
          this.requestUpdate();
        }}
        @action=${(event: CustomEvent<RackAction>) => this.act(event.detail)}></punto-rack>
    </div>`;
  }

  /** A shoe that the house has not sealed has nothing that could be checked; only patrons have limits. */
  private get tabs() {
    return TABS.filter(
      (each) => (each !== "shoe" || this.view?.setting?.device === "sealed") && (each !== "limits" || this.patron),
    );
  }

  private side() {
    const tabs = this.tabs.map((key) => ({ key, name: t(`tab.${key}`) }));
    return html`<punto-tabs .tabs=${tabs} .shown=${this.tab} label=${t("seat.about")}
      @shown=${(event: CustomEvent<string>) => {
        this.tab = event.detail;
        this.requestUpdate();
      }}>${this.panel()}</punto-tabs>`;
  }

  private panel() {
    const { game, view } = this;
    const setting = view?.setting;
    switch (this.tab) {
      case "odds":
        return html`<punto-odds .game=${game!} .edges=${this.edges} .limits=${setting?.limits ?? {}} .decks=${setting?.decks ?? 0}
          @clause=${(event: CustomEvent<string>) => this.showClause(event.detail)}></punto-odds>`;
      case "rules":
        return html`<punto-rules .game=${game!}></punto-rules>`;
      case "rounds":
        return historyList(this.rounds, this.showClause, auditPath(this.name));
      case "limits":
        return html`<punto-my-limits .book=${this.book} .total=${this.total} .own=${this.table?.mine?.own_limit ?? null}
          @limit=${(event: CustomEvent<number | null>) => this.give({ command: "LimitLoss", limit: event.detail } as Order)}></punto-my-limits>`;
      case "shoe":
        return html`<punto-shoes .table=${this.name} .cutting=${this.cutting} .patron=${this.patron} .inUse=${view?.shoe ?? null}></punto-shoes>`;
      default:
        return html`<punto-roads .roads=${this.roads}></punto-roads>
          ${
            this.roads?.shoe
              ? html`<p class="soft">${t("seat.shoe", { drawn: view!.cards_drawn, size: this.roads.shoe.size })} ·
            ${setting ? t("seat.setting", { decks: setting.decks }) : ""}</p>`
              : nothing
          }`;
    }
  }

  private clauseShown() {
    if (!this.clause || !this.game) return nothing;
    return html`${clauseText(this.game, this.clause)}<button @click=${() => this.dialog("clause").close()}>${t("seat.close")}</button>`;
  }
}

await loadLanguage();
customElements.define("punto-seat", PuntoSeat);
