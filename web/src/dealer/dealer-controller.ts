/** The state of the Dealer's page and what staff can do there. It knows no markup. */
import type { ReactiveControllerHost } from "lit";
import type { Connection, Order } from "../api/connection";
import { Refusal } from "../api/http";
import type { KnownTable } from "../api/known-table";
import * as tablesApi from "../api/tables";
import type { Card, NextStep, PersonShown, ProcedureShown, StaffView, Told } from "../api/types";
import { refusalText } from "../i18n/refusal-text";
import { roundAfter } from "../table-view/shown-round";
import { TableController, type TableState, tableState } from "../table-view/table-controller";
import { CardKeys } from "./card-keys";
import { mayTake, positionsOf, requiredSteps, stepKey } from "./next-step";
import { learnNames, unnamed } from "./patron-name";

const ROUNDS = 30;
/** Events after which the roads and the last rounds are different. */
const ROUNDS_CHANGE = new Set([
  "RoundSettled",
  "RoundVoided",
  "RoundCorrected",
  "ShoeLoaded",
  "ShoeEnded",
  "OutcomeAnnounced",
]);
const HAND_KEYS: Record<string, string> = { p: "player", b: "banker" };

export interface DealerPlace {
  connection: Connection;
  table: string;
  game: string;
  person: PersonShown | null;
}

export interface DealerState extends TableState {
  view: StaffView | null;
  /** Whether the table is shown to this reader as to the public. */
  isPublic: boolean;
  /** The number of the last event in the view. */
  number: number;
  procedures: ProcedureShown[];
  tab: string;
  /** The card that is keyed and not exposed yet, and the rank of one that is half keyed. */
  card: Card | null;
  rank: string | null;
  /** The step whose questions are open, by its key. */
  openStep: string | null;
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
  private readonly keys = new CardKeys();

  constructor(host: ReactiveControllerHost, { connection, table, game, person }: DealerPlace) {
    super(host, connection, table, game, {
      ...tableState(connection),
      view: null,
      isPublic: false,
      number: 0,
      procedures: [],
      tab: "layout",
      card: null,
      rank: null,
      openStep: null,
      chosenProcedure: null,
      reportedProcedure: null,
      refusal: "",
      awaitedNumber: 0,
      isGiving: false,
      named: 0,
    });
    this.person = person;
  }

  // --- what the page is about --------------------------------------------------------------------------------------

  /** Every position that the person at this page may act in. */
  get positions(): ReadonlySet<string> {
    return positionsOf(this.person, this.state.view?.acting ?? [], this.connection.now());
  }

  /** The first step that play waits for and that the person at this page may take. */
  get mainStep(): NextStep | null {
    const { view } = this.state;
    const { positions } = this;
    return (view && requiredSteps(view).find((each) => mayTake(each, positions))) ?? null;
  }

  get isBusy(): boolean {
    return this.state.isGiving || this.state.number < this.state.awaitedNumber;
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
    // A Dealer who keys fast has begun the next card before the last one was answered.
    const keysAhead = wasBusy && mainStep?.keyed.includes("card");
    if (before !== (mainStep && stepKey(mainStep)) && !keysAhead) this.forgetKeys();
    if (!view.hold) this.change({ reportedProcedure: null });
    if (!isPublic) void this.readNames(view as StaffView);
    if (events.some((each) => ROUNDS_CHANGE.has(each.name))) void this.readResults();
  }

  /** Ask for the names of people who have come to the table. */
  private async readNames({ chips, acting }: StaffView): Promise<void> {
    if (!unnamed([...Object.keys(chips), ...acting.map((each) => each.person)]).length) return;
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
    this.keys.rank = null;
    this.change({ card: null, rank: null, refusal: "" });
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

  /** Buy in a guest by name; return whether that was carried out. */
  async seatGuest(name: string, amount: number): Promise<boolean> {
    if (this.isBusy) return false;
    this.change({ isGiving: true, refusal: "" });
    try {
      const { patron, last } = await tablesApi.seatGuest(this.table, name, amount);
      this.learn({ [patron.id]: patron.name });
      this.change({ isGiving: false, awaitedNumber: last });
      return true;
    } catch (error) {
      this.change({ isGiving: false, refusal: error instanceof Refusal ? refusalText(error.refused) : String(error) });
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
    const { card } = this.state;
    if (!mainStep || this.isBusy) return;
    if (!mainStep.keyed.length) void this.take(mainStep);
    else if (mainStep.keyed.includes("card") && card) void this.expose(mainStep, card);
  }

  private async expose(step: NextStep, card: Card): Promise<void> {
    this.change({ card: null });
    if (!(await this.take(step, { card }))) this.change({ card: this.state.card ?? card });
  }

  /** Take a step that asks nothing; open or close the questions of another. */
  choose(step: NextStep): void {
    const key = stepKey(step);
    if (!step.keyed.length) void this.take(step);
    else this.change({ openStep: this.state.openStep === key ? null : key });
  }

  chooseProcedure(chosenProcedure: string | null): void {
    this.change({ chosenProcedure, refusal: "" });
  }

  async report(order: object): Promise<void> {
    if (!(await this.give(order))) return;
    this.change({ reportedProcedure: this.state.chosenProcedure, chosenProcedure: null, tab: "layout" });
  }

  keyCard(card: Card): void {
    this.change({ card });
  }

  openTab(tab: string): void {
    this.change({ tab });
  }

  /** Act on a key; return whether it is used up. On a control Enter and the space bar press that control. */
  pressKey(key: string, onControl: boolean, isRepeated: boolean): boolean {
    const { mainStep } = this;
    if ((key === "Enter" || key === " ") && !onControl && mainStep && !this.state.view?.hold) {
      if (!isRepeated) this.takeMainStep();
      return true;
    }
    const hand = HAND_KEYS[key.toLowerCase()];
    if (key === "Escape") this.forgetKeys();
    else if (mainStep?.keyed.includes("card")) this.keyPart(key);
    else if (mainStep?.keyed.includes("hand") && hand) void this.take(mainStep, { hand });
    return false;
  }

  private keyPart(key: string): void {
    const card = this.keys.key(key);
    this.change({ rank: this.keys.rank, ...(card === undefined ? {} : { card }) });
  }
}
