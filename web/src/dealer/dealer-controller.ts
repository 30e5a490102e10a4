/** The state of the Dealer's page and what staff can do there. It knows no markup. */
import type { ReactiveControllerHost } from "lit";
import type { Connection, Order } from "../api/connection";
import { Refusal } from "../api/http";
import type { KnownTable } from "../api/known-table";
import * as tablesApi from "../api/tables";
import type { Card, NextStep, PersonShown, ProcedureShown, StaffView, Told } from "../api/types";
import { PressPace, QUIET } from "../controllers/press-pace";
import { Timeout } from "../controllers/timeout";
import { t } from "../i18n/catalogue";
import { refusalText } from "../i18n/refusal-text";
import { areaText, isFinal, mayTake, needsAsking, positionsOf, requiredSteps, stepKey } from "../steps/next-step";
import { learnNames, unnamed } from "../steps/patron-name";
import { roundAfter } from "../table-view/shown-round";
import { TableController, type TableState, tableState } from "../table-view/table-controller";
import { CardEntry } from "./card-entry";
import { type Area, type KeyedWager, WagerEntry } from "./wager-entry";

const ROUNDS = 30;
const SEATS = "punto.seats.";
/** Events after which the roads and the last rounds are different. */
const ROUNDS_CHANGE = new Set([
  "RoundSettled",
  "RoundVoided",
  "RoundCorrected",
  "OverlookedWagerSettled",
  "ShoeLoaded",
  "ShoeEnded",
  "OutcomeAnnounced",
]);
const INITIAL_DEAL = 4;
const HAND_KEYS: Record<string, string> = { p: "player", b: "banker" };

export interface DealerPlace {
  connection: Connection;
  table: string;
  game: string;
  person: PersonShown | null;
  storage: Storage;
}

export interface DealerState extends TableState {
  view: StaffView | null;
  /** Whether the table is shown to this reader as to the public. */
  isPublic: boolean;
  /** The number of the last event in the view. */
  number: number;
  procedures: ProcedureShown[];
  /** The keys of what can have gone wrong at the table as it stands. */
  possible: readonly string[];
  tab: string;
  /** The step whose questions are open, by its key. */
  openStep: string | null;
  /** The step that was pressed once and is asked about, by its key. */
  askedStep: string | null;
  /** Whether Enter was pressed for a step that waits a moment for another press. */
  isArmed: boolean;
  /** Whether the form to call the pit is open. */
  isCalling: boolean;
  /** The irregularity that is being reported, and the one that was reported last. */
  chosenProcedure: string | null;
  reportedProcedure: string | null;
  refusal: string;
  /** No further command is given until the view includes this event. */
  awaitedNumber: number;
  isGiving: boolean;
  /** How often names have been learnt: elements that show names are drawn again. */
  named: number;
}

export class DealerController extends TableController<DealerState> {
  readonly person: PersonShown | null;
  private readonly storage: Storage;
  readonly cards = new CardEntry(() => this.giveCards());
  readonly entry = new WagerEntry((wager) => void this.placeKeyed(wager));
  private readonly pace: PressPace;
  private readonly armed = new Timeout(QUIET, () => this.takeArmed());
  private enterIsDown = false;
  private hasLearntSeats = false;
  /** Whether the rest of the initial deal is being drawn. */
  private isDealing = false;

  constructor(host: ReactiveControllerHost, { connection, table, game, person, storage }: DealerPlace) {
    super(host, connection, table, game, {
      ...tableState(connection),
      view: null,
      isPublic: false,
      number: 0,
      procedures: [],
      possible: [],
      tab: "layout",
      openStep: null,
      askedStep: null,
      isArmed: false,
      isCalling: false,
      chosenProcedure: null,
      reportedProcedure: null,
      refusal: "",
      awaitedNumber: 0,
      isGiving: false,
      named: 0,
    });
    this.person = person;
    this.storage = storage;
    this.pace = new PressPace(Date.now);
    this.readSeats();
  }

  // --- what the page is about --------------------------------------------------------------------------------------

  /** Every position that the person at this page may act in; none for a Dealer who only watches. */
  get positions(): ReadonlySet<string> {
    return this.isWatching ? new Set() : this.heldPositions;
  }

  private get heldPositions(): ReadonlySet<string> {
    return positionsOf(this.person, this.state.view?.acting ?? [], this.connection.now());
  }

  get isOnDuty(): boolean {
    return this.state.view?.on_duty === this.person?.id;
  }

  /** Whether the person is a Dealer and not the one on duty. Superiors need not sign on. */
  get isWatching(): boolean {
    const { view } = this.state;
    const isDealer = this.person?.duty === "Dealer" && this.heldPositions.size === 1;
    return isDealer && !this.isOnDuty && Boolean(view?.on_duty || view?.setting?.sign_on);
  }

  /** Whether wagers are keyed on the felt now. */
  get takesWagers(): boolean {
    const { view } = this.state;
    return view?.phase === "betting" && !view.hold && this.positions.size > 0;
  }

  /** The first step that play waits for and that the person at this page may take. */
  get mainStep(): NextStep | null {
    const { view } = this.state;
    const { positions } = this;
    return (view && requiredSteps(view).find((each) => mayTake(each, positions))) ?? null;
  }

  /** The step for which a card is keyed: its turning, or a draw that keying implies. */
  get cardStep(): NextStep | null {
    const { view } = this.state;
    const { mainStep, positions } = this;
    if (view?.hold) {
      return requiredSteps(view).find((each) => each.keyed.includes("card") && mayTake(each, positions)) ?? null;
    }
    return mainStep?.face_up || mainStep?.keyed.includes("card") ? mainStep : null;
  }

  /** How many cards of the initial deal one press draws: all that are left, where they are drawn face down. */
  get toDeal(): number {
    const { hands, hold } = this.state.view ?? { hands: {}, hold: null };
    const { mainStep } = this;
    if (hold || mainStep?.command !== "DrawCard" || mainStep.face_up) return 0;
    return Math.max(0, INITIAL_DEAL - Object.values(hands).flat().length);
  }

  get isBusy(): boolean {
    return this.state.isGiving || this.state.number < this.state.awaitedNumber;
  }

  override hostConnected(): void {
    super.hostConnected();
    this.releaseLater(this.armed.stop, () => this.cards.clear(), this.entry.stop);
  }

  // --- what happens ------------------------------------------------------------------------------------------------

  protected override async load(): Promise<void> {
    const [procedures] = await Promise.all([tablesApi.procedures(this.gameKey), this.readGame()]);
    this.change({ procedures });
    await this.readResults();
    this.showLastRound();
  }

  private async readResults(): Promise<void> {
    await Promise.all([this.readRoads(), this.readRounds(ROUNDS)]);
  }

  protected override tableChanged({ view, number }: KnownTable, events: readonly Told[]): void {
    if (!view) return;
    const [before, wasBusy] = [this.mainStep && stepKey(this.mainStep), this.isBusy];
    const isPublic = !("next" in view);
    this.change({
      view: isPublic ? null : (view as StaffView),
      isPublic,
      number: number ?? 0,
      shown: roundAfter(this.state.shown, view, events, null),
    });
    const { mainStep } = this;
    if (before !== (mainStep && stepKey(mainStep))) this.stepChanged(wasBusy);
    if (!view.hold) this.change({ reportedProcedure: null });
    this.readLayout(view as StaffView);
    this.giveCards();
    if (this.isDealing) void this.deal();
    if (!isPublic) void this.readNames(view as StaffView);
    if (!isPublic && !this.hasLearntSeats) void this.learnSeats((view as StaffView).chips);
    if (!isPublic && this.state.tab === "irregular") void this.readPossible();
    if (events.some((each) => ROUNDS_CHANGE.has(each.name))) void this.readResults();
  }

  /** Drop what was meant for another step. */
  private stepChanged(wasBusy: boolean): void {
    this.disarm();
    this.change({ askedStep: null });
    // A Dealer who keys fast has begun the next card before the last one was answered.
    const keysAhead = this.cardStep && (wasBusy || this.cards.next);
    if (!keysAhead) this.forgetKeys();
  }

  /** Follow which areas there are, and learn who wagers at which position. */
  private readLayout({ setting, wagers }: StaffView): void {
    this.entry.positions = setting?.positions ?? 0;
    this.entry.wagers = this.state.game?.wagers.map((each) => each.wager) ?? [];
    for (const each of wagers) this.entry.seats.set(each.position, each.patron);
    if (!this.takesWagers && this.entry.picked) this.entry.leave();
  }

  /** Ask for the names of people who have come to the table. */
  private async readNames({ chips, acting, on_duty }: StaffView): Promise<void> {
    const staff = [...acting.map((each) => each.person), on_duty ?? ""].filter(Boolean);
    if (!unnamed([...Object.keys(chips), ...staff]).length) return;
    try {
      this.learn(await tablesApi.names(this.table));
    } catch {
      // the ids are shown until the next change of the table
    }
  }

  private learn(names: Record<string, string>): void {
    learnNames(names);
    this.change({ named: this.state.named + 1 });
  }

  /** Forget what was keyed: it was meant for another step. */
  private forgetKeys(): void {
    this.cards.clear();
    this.change({ refusal: "" });
  }

  private async readPossible(): Promise<void> {
    try {
      this.change({ possible: await tablesApi.possible(this.table) });
    } catch {
      // what was possible before stays; the table refuses what is not
    }
  }

  /** Who sits where outlives a round and a reload of this page. */
  private readSeats(): void {
    const stored = JSON.parse(this.storage.getItem(SEATS + this.table) ?? "[]") as [number, string][];
    for (const [position, patron] of stored) this.entry.seats.set(position, patron);
  }

  /** Learn from the table who sits where: another Dealer may have begun at another device. */
  private async learnSeats(chips: StaffView["chips"]): Promise<void> {
    this.hasLearntSeats = true;
    try {
      for (const { position, patron } of await tablesApi.seats(this.table)) {
        if (!chips[this.entry.seats.get(position) ?? ""]) this.entry.seats.set(position, patron);
      }
      this.change({});
    } catch {
      this.hasLearntSeats = false; // the next change of the table asks again
    }
  }

  seat(position: number, patron: string): void {
    this.entry.seat(position, patron);
    this.storage.setItem(SEATS + this.table, JSON.stringify([...this.entry.seats]));
    this.change({});
  }

  // --- what staff do -----------------------------------------------------------------------------------------------

  /** Give a command, by default for the round that is shown; return whether it was carried out. */
  async give(order: object, inThisRound = true): Promise<boolean> {
    if (this.isBusy) return false;
    this.change({ isGiving: true, refusal: "" });
    const answer = await this.connection.give({
      ...order,
      ...(inThisRound ? { in_round: this.state.view!.round } : {}),
      table: this.table,
    } as Order);
    if (answer.type === "done") this.change({ isGiving: false, awaitedNumber: answer.last });
    else this.change({ isGiving: false, refusal: refusalText(answer) });
    return answer.type === "done";
  }

  /** Buy in a guest by name, at a position if it is known; return whether that was carried out. */
  async seatGuest(name: string, amount: number, position: number | null): Promise<boolean> {
    if (this.isBusy) return false;
    this.change({ isGiving: true, refusal: "" });
    try {
      const { patron, last } = await tablesApi.seatGuest(this.table, name, amount);
      this.learn({ [patron.id]: patron.name });
      if (position) this.seat(position, patron.id);
      this.change({ isGiving: false, awaitedNumber: last });
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.change({ isGiving: false, refusal: refusalText(error.refused) });
      return false;
    }
  }

  async take(step: NextStep, answers: object = {}): Promise<boolean> {
    const done = await this.give({ command: step.command, ...step.values, ...answers });
    if (done) this.change({ openStep: null });
    return done;
  }

  takeMainStep(): void {
    const { mainStep } = this;
    this.disarm();
    if (!mainStep || this.isBusy || mainStep.keyed.length || !this.finishEntry()) return;
    if (this.toDeal > 1) void this.deal();
    else void this.take(mainStep);
  }

  /** Draw the rest of the initial deal, card after card, as far as nothing else comes up. */
  private async deal(): Promise<void> {
    if (this.isBusy) return;
    this.isDealing = this.toDeal > 0;
    if (this.isDealing) this.isDealing = await this.take(this.mainStep!);
    if (this.isDealing) await this.deal();
  }

  /** Send what is keyed on the felt before play goes on; return whether nothing of it lacks a patron. */
  private finishEntry(): boolean {
    const { entry } = this;
    entry.pick(null);
    if (entry.lacksPatron) this.change({ refusal: t("dealer.who_sits", { position: entry.picked!.position }) });
    return !entry.lacksPatron;
  }

  /** Give the cards that are keyed, one after another, each after the draws that it implies. */
  private giveCards(): void {
    const { cardStep } = this;
    const card = this.cards.next;
    if (!card || this.isBusy) this.change({});
    else if (cardStep) void this.giveCard(cardStep, card);
    else {
      this.cards.clear();
      this.change({ refusal: t("dealer.no_card_due") });
    }
  }

  private async giveCard(step: NextStep, card: Card): Promise<void> {
    const isDraw = !step.keyed.includes("card");
    const done = await this.take(step, isDraw ? {} : { card });
    if (!done) this.cards.clear();
    else if (!isDraw) this.cards.given();
    this.giveCards();
  }

  /** Place a wager keyed on the felt; the next one need not wait for its answer. */
  private async placeKeyed(wager: KeyedWager): Promise<void> {
    const answer = await this.giveWager("PlaceWager", wager);
    this.entry.answered(wager);
    const refusal = answer.type === "done" ? this.state.refusal : `${areaText(wager)}: ${refusalText(answer)}`;
    this.change({ refusal });
  }

  /** Take back what is keyed, or the whole wager of the area that is picked. */
  async takeBack(patron: string): Promise<void> {
    const { amount, picked } = this.entry;
    if (!picked) return;
    const lies = this.state.view?.wagers.find(
      (each) => each.patron === patron && each.position === picked.position && each.wager === picked.wager,
    );
    const answer = await this.giveWager("TakeBackWager", { ...picked, patron, amount: amount || (lies?.amount ?? 0) });
    if (answer.type === "done") this.entry.clearDigits();
    this.change({ refusal: answer.type === "done" ? "" : refusalText(answer) });
  }

  private giveWager(command: "PlaceWager" | "TakeBackWager", wager: KeyedWager) {
    return this.connection.give({ command, ...wager, in_round: this.state.view!.round, table: this.table });
  }

  /** Take a step that asks nothing, after a question if it cannot be undone; open or close the questions of another. */
  choose(step: NextStep): void {
    const key = stepKey(step);
    const { askedStep } = this.state;
    if (step.keyed.length) this.open(key);
    else if (needsAsking(step) && askedStep !== key) this.change({ askedStep: key });
    else {
      this.change({ askedStep: null });
      void this.take(step);
    }
  }

  /** Open or close the questions of a step. */
  open(key: string): void {
    this.change({ openStep: this.state.openStep === key ? null : key, askedStep: null });
  }

  /** Do not do what was asked about. */
  dropAsked(): void {
    this.change({ askedStep: null });
  }

  chooseProcedure(chosenProcedure: string | null): void {
    this.change({ chosenProcedure, refusal: "" });
  }

  async report(order: object): Promise<void> {
    if (!(await this.give(order))) return;
    this.change({ reportedProcedure: this.state.chosenProcedure, chosenProcedure: null, tab: "layout" });
  }

  /** Open the list of what can have gone wrong. */
  openTrouble(): void {
    this.chooseProcedure(null);
    this.openTab("irregular");
  }

  openTab(tab: string): void {
    this.change({ tab });
    if (tab === "irregular") void this.readPossible();
  }

  toggleCalling(): void {
    this.change({ isCalling: !this.state.isCalling });
  }

  /** Call the pit to the table and say what about. */
  async callPit(note: string): Promise<void> {
    if (await this.give({ command: "CallPit", note }, false)) this.change({ isCalling: false, chosenProcedure: null });
  }

  signOn(): void {
    void this.give({ command: "SignOn" }, false);
  }

  /** Sign off; it is asked about once. */
  signOff(): void {
    const isAsked = this.state.askedStep === "SignOff";
    this.change({ askedStep: isAsked ? null : "SignOff" });
    if (isAsked) void this.give({ command: "SignOff" }, false);
  }

  // --- keys and taps -----------------------------------------------------------------------------------------------

  keyCard(card: Card): void {
    this.cards.take(card);
    this.change({});
  }

  pickArea(area: Area): void {
    if (!this.takesWagers) return;
    this.entry.pick(area);
    this.change({
      refusal: this.entry.lacksPatron ? t("dealer.who_sits", { position: this.entry.picked!.position }) : "",
    });
  }

  /** Change what is keyed on the felt. */
  changeEntry(change: (entry: WagerEntry) => void): void {
    change(this.entry);
    this.change({});
  }

  /** Note a tap anywhere on the page. */
  tap(): void {
    this.pace.press();
    this.disarm();
  }

  /** Note that a key was released. */
  releaseKey(key: string): void {
    if (key === "Enter" || key === " ") this.enterIsDown = false;
  }

  /** Note Enter in a field or on a control other than the next step; return whether it may act there. */
  enterOnControl(isRepeated: boolean, inField: boolean): boolean {
    this.disarm();
    return inField ? this.pace.enterInField(isRepeated) : this.pace.enter(isRepeated).quiet;
  }

  /** Act on Enter pressed on the page itself. */
  pressEnter(isRepeated: boolean): void {
    const isAgain = isRepeated || !this.pace.isFirstEnter;
    const enter = this.pace.enter(isRepeated);
    const { mainStep } = this;
    this.disarm();
    this.enterIsDown = true;
    if (this.entry.picked) this.changeEntry((entry) => entry.enter(enter, isAgain));
    else if (!mainStep || mainStep.keyed.length || this.state.view?.hold) return;
    else if (!isFinal(mainStep)) enter.quiet && this.takeMainStep();
    else if (enter.alone) {
      this.armed.restart();
      this.change({ isArmed: true });
    }
  }

  /** Take the step that Enter was pressed for: no press has followed, and the key is not held down. */
  private takeArmed(): void {
    if (this.enterIsDown) this.disarm();
    else this.takeMainStep();
  }

  private disarm(): void {
    this.armed.stop();
    if (this.state.isArmed) this.change({ isArmed: false });
  }

  /** Act on a key other than Enter; return whether it is used up. */
  pressKey(key: string): boolean {
    this.tap();
    const { cardStep, mainStep } = this;
    const hand = HAND_KEYS[key.toLowerCase()];
    if (this.takesWagers && this.entry.key(key)) this.change({});
    else if (key === "Escape" || key === "Backspace") this.forgetKeys();
    else if (cardStep) this.cards.key(key);
    else if (mainStep?.keyed.includes("hand") && hand) void this.take(mainStep, { hand });
    else return false;
    this.change({});
    return true;
  }
}
