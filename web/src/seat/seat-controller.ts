/** The state of a seat and what a patron can do there. It knows no markup. */
import type { ReactiveControllerHost } from "lit";
import type { Answer, Connection, Order } from "../api/connection";
import type { KnownTable } from "../api/known-table";
import * as tablesApi from "../api/tables";
import type { EdgeShown, PersonShown, PrivateView, PublicView, RoundShown, Told, ToldOf } from "../api/types";
import { chipValues, offeredChips } from "../components/chip";
import { Timeout } from "../controllers/timeout";
import { type CutBook, cutBookOf } from "../fairness/cut-book";
import { t } from "../i18n/catalogue";
import { amount } from "../i18n/money";
import { tableName } from "../i18n/table-name";
import { type LaidWager, totalOf, wagersBy } from "../table-view/laid-wagers";
import {
  correctionText,
  differentialText,
  netText,
  overlookedText,
  overriddenText,
  removalText,
  roundText,
} from "../table-view/settlement";
import { correctedRound, roundAfter } from "../table-view/shown-round";
import { TableController, type TableState, tableState } from "../table-view/table-controller";
import type { Area, LiftedChip } from "./betting/drag-controller";
import { type Bet, type Favourite, FavouriteBook } from "./betting/favourite-book";
import { firstSeat } from "./betting/first-seat";
import { LastBets } from "./betting/last-bets";
import { type Change, WagerChanges } from "./betting/wager-changes";
import { type RackAction, type Seat, TAKE_BACK, WagerDesk } from "./betting/wager-desk";
import type { Offer } from "./betting/withdrawal-offer";
import { PlayClock } from "./money/play-clock";
import { type PatronRefusal, refusalToPatron } from "./patron-refusal";
import type { Cue } from "./sound/sound-player";
import { cueOf } from "./sound/table-cues";

const ROUNDS = 60;
/** Rounds that are read when one more was played. */
const NEW_ROUNDS = 3;
const NOTICE_FOR = 60_000;
const REFUSAL_FOR = 7_000;
/** The chip in hand at first: the smallest that is worth this much. */
const FIRST_CHIP = 2_500;
const KEYS: Record<string, RackAction> = { z: "undo", r: "repeat", d: "double", c: "clear" };
/** Events after which the roads are different. */
const ROADS_CHANGE = new Set([
  "OutcomeAnnounced",
  "RoundCorrected",
  "CardCorrected",
  "CardsRelaid",
  "RoundVoided",
  "ShoeLoaded",
  "ShoeEnded",
]);

/** Commands that put a patron's chips down or take them up. */
const CHIPS_MOVE = new Set(["PlaceWager", "TakeBackWager"]);

export interface SeatPlace {
  connection: Connection;
  table: string;
  game: string;
  person: PersonShown | null;
  storage: Storage;
  /** Seconds from a settlement to the next betting, where the automaton deals. */
  pause?: number | null;
  sound?: (cue: Cue) => void;
}

export interface SeatState extends TableState {
  view: PublicView | null;
  /** What only this patron may see. */
  own: PrivateView | null;
  edges: EdgeShown[];
  account: number | null;
  /** The bets of the patron's last round: "repeat" places them again. None while it is not known which they were. */
  last: LaidWager[];
  /** The chosen position; 0 before the table is known. */
  position: number;
  chip: number | null;
  tab: string;
  /** Whether what is told beside the felt lies over it, where there is no room for both. */
  aside: boolean;
  /** Wagers that are sent and not answered yet. */
  waiting: ReadonlySet<string>;
  /** Spoken by screen readers. */
  announcement: string;
  notice: string;
  refusal: string;
  /** The clause by which that was refused. */
  refusedBy: string | null;
  /** Changes that were held up on their way: the patron is asked whether to make them now. */
  unsent: readonly Change[];
  favourites: readonly Favourite[];
  /** When the next betting opens, where an automaton opens it. */
  opensAt: number | null;
}

export class SeatController extends TableController<SeatState> implements Seat {
  readonly person: PersonShown | null;
  readonly patron: string | null;
  /** Whether the patron has bet or chosen a seat here: before that, others may take the seat that is shown. */
  private seated = false;
  readonly cutting: CutBook;
  readonly desk: WagerDesk;
  readonly play: PlayClock;
  private readonly storage: Storage;
  private readonly changes: WagerChanges;
  private readonly favourites: FavouriteBook;
  private readonly lastBets: LastBets;
  private haveRounds = false;
  /** The decks whose edges were asked for. */
  private edgesFor = 0;
  /** Seconds from a settlement to the next betting, where an automaton deals. */
  readonly pause: number | null;
  private readonly sound: (cue: Cue) => void;
  private readonly noticeTimeout = new Timeout(NOTICE_FOR, () => this.closeNotice());
  private readonly refusalTimeout = new Timeout(REFUSAL_FOR, () => this.clearRefusal());

  constructor(host: ReactiveControllerHost, place: SeatPlace) {
    const { connection, table, game, person, storage } = place;
    const patron = person?.duty === "patron" ? person.id : null;
    const favourites = new FavouriteBook(storage, `punto.favourites.${patron}.${game}`);
    super(host, connection, table, game, {
      ...tableState(connection),
      view: null,
      own: null,
      edges: [],
      account: null,
      last: [],
      position: 0,
      chip: null,
      tab: "roads",
      aside: false,
      waiting: new Set(),
      announcement: "",
      notice: "",
      refusal: "",
      refusedBy: null,
      unsent: [],
      favourites: favourites.favourites,
      opensAt: null,
    });
    this.favourites = favourites;
    this.lastBets = new LastBets(storage, `punto.last-bets.${patron}.${table}`);
    this.pause = place.pause ?? null;
    this.sound = place.sound ?? (() => {});
    this.person = person;
    this.patron = patron;
    this.storage = storage;
    this.changes = new WagerChanges(table, patron ?? "");
    this.cutting = cutBookOf(storage, table, patron);
    this.desk = new WagerDesk(this, this.changes);
    this.play = new PlayClock(host, patron, storage);
  }

  override hostDisconnected(): void {
    super.hostDisconnected();
    this.noticeTimeout.stop();
    this.refusalTimeout.stop();
  }

  // --- what the page is about --------------------------------------------------------------------------------------

  /** What the table is called; nothing before its game is known. */
  get name(): string {
    const { game } = this.state;
    return game ? tableName(this.table, game.game, game.title) : "";
  }

  get mine(): LaidWager[] {
    return this.state.view && this.patron ? wagersBy(this.state.view, this.patron) : [];
  }

  /** The patron's wagers at the chosen seat. */
  get mineHere(): LaidWager[] {
    return this.mine.filter((each) => each.position === this.state.position);
  }

  get chips(): number {
    return this.state.own?.chips ?? 0;
  }

  /** Chips and wagers together. */
  get total(): number {
    return this.chips + totalOf(this.mine);
  }

  get last(): LaidWager[] {
    const { last, position } = this.state;
    const seats = new Set(last.map((each) => each.position));
    return seats.size === 1 ? last.map((each) => ({ ...each, position })) : last; // they move with the patron
  }

  get chipValues(): number[] {
    return chipValues(this.state.view?.setting?.stake_step ?? 100);
  }

  least(wager: string): number {
    return this.state.view?.setting?.limits[wager]?.minimum ?? 0;
  }

  /** The chips worth offering: none below what every wager takes at least. */
  get offered(): number[] {
    const { setting } = this.state.view ?? {};
    const least = Math.min(...Object.values(setting?.limits ?? {}).map((each) => each.minimum));
    return offeredChips(setting?.stake_step ?? 100, least);
  }

  /** The chip in hand unless the patron takes another. */
  private get usualChip(): number {
    return this.offered.find((each) => each >= FIRST_CHIP) ?? this.offered[0]!;
  }

  get open(): boolean {
    // With the table differential exceeded patrons are asked to lower or raise; the table says what helps.
    const { view, connected } = this.state;
    return Boolean(connected && this.patron && (view?.phase === "betting" || view?.hold === "differential-exceeded"));
  }

  private get positionKey(): string {
    return `punto.position.${this.patron}.${this.table}`;
  }

  /** Whether the patron can be told something that needs their attention: nothing of theirs is in play. */
  get atRest(): boolean {
    const { view } = this.state;
    if (!view || this.mine.length || this.offer) return false;
    const handlers = [...Object.values(view.handlers), ...view.single_cards.map(({ person }) => person), view.device];
    return !this.patron || !handlers.includes(this.patron);
  }

  /** What the patron may take back, while they are asked. */
  get offer(): Offer | null {
    const { view } = this.state;
    if (!view?.offer || !this.patron || !view.asked.includes(this.patron)) return null;
    return { ...view.offer, wagers: view.offer.wagers.filter((each) => each.patron === this.patron) };
  }

  // --- what happens ------------------------------------------------------------------------------------------------

  protected override async load(): Promise<void> {
    await this.readGame();
    await Promise.all([this.readRoads(), this.readFirstRounds(), this.readAccount()]);
  }

  private async readFirstRounds(): Promise<void> {
    await this.readRounds(ROUNDS);
    if (!this.mine.length) this.sitAsBefore(this.state.rounds);
    this.showLastRound();
    this.roundsRead();
  }

  private async readRoundsAgain(): Promise<void> {
    await this.readRounds(ROUNDS);
    this.roundsRead();
  }

  private async readNewestRounds(): Promise<void> {
    await this.readNewRounds(NEW_ROUNDS, ROUNDS);
    this.roundsRead();
  }

  /** Show what was corrected, and see whether bets were made that this page has not seen. */
  private roundsRead(): void {
    const { shown, rounds, view } = this.state;
    this.haveRounds = true;
    if (view) this.lastBets.compare(rounds, view.round);
    this.change({ shown: correctedRound(shown, rounds), last: this.lastBets.wagers });
  }

  /** Sit where the patron's last wagers were, unless they chose a seat since. */
  private sitAsBefore(rounds: readonly RoundShown[]): void {
    if (this.storage.getItem(this.positionKey)) return;
    const last = rounds.flatMap((each) => each.mine ?? [])[0]?.position;
    if (!last || last > (this.state.view?.setting?.positions ?? last)) return;
    this.seated = true;
    this.change({ position: last });
  }

  async readAccount(): Promise<void> {
    if (this.patron) this.change({ account: (await tablesApi.myAccount()).holds });
  }

  protected override tableChanged({ view, mine }: KnownTable, events: readonly Told[], resync: boolean): void {
    if (!view) return;
    this.change({ view, own: mine, shown: roundAfter(this.state.shown, view, events, this.patron) });
    this.changes.inRound(view.round, view.window);
    if (!this.open && this.state.unsent.length) this.change({ unsent: [] });
    if (resync) this.missedRounds();
    for (const each of events) this.eventHappened(each);
    const cue = cueOf(events, this.state.shown);
    if (cue) this.sound(cue);
    this.prepare(view);
  }

  /** Fetch the odds of the table's decks, and choose a chip and a position, once its setting is known. */
  private prepare(view: PublicView): void {
    const { setting } = view;
    if (!setting) return;
    if (setting.decks !== this.edgesFor) void this.readEdges(setting.decks);
    if (this.state.chip === null) {
      this.change({ chip: this.usualChip });
    }
    const kept = this.mine[0]?.position ?? Number(this.storage.getItem(this.positionKey));
    if (kept >= 1 && kept <= setting.positions) {
      this.seated = true;
      if (!this.state.position) this.change({ position: kept });
    }
    if (this.seated || this.state.waiting.size) return;
    const others = view.wagers.filter((each) => each.patron !== this.patron);
    const position = firstSeat(setting.positions, this.state.position, others);
    if (position !== this.state.position) this.change({ position });
  }

  private async readEdges(decks: number): Promise<void> {
    this.edgesFor = decks;
    this.change({ edges: await tablesApi.edges(this.gameKey, decks) });
  }

  private eventHappened(told: Told): void {
    const { shown } = this.state;
    switch (told.name) {
      case "BetsOpened":
      case "BetsReopened":
        this.change({ opensAt: null, unsent: [] });
        this.clearRefusal();
        this.announce(t("announce.open"));
        break;
      case "BetsClosed":
        this.rememberWagers();
        if (this.state.chip === TAKE_BACK) this.change({ chip: this.usualChip });
        this.announce(t("announce.closed"));
        break;
      case "OutcomeAnnounced":
        this.announce(roundText(shown));
        break;
      case "RoundSettled":
        this.rememberSettled(told);
        if (this.pause) this.change({ opensAt: told.at + 1000 * this.pause });
        if (shown.settled?.length) {
          this.announce(`${roundText(shown)}. ${netText(shown.settled)}`);
          void this.play.refresh();
        }
        void this.readNewestRounds();
        break;
      case "RoundVoided":
        this.announce(roundText(shown));
        void this.readNewestRounds();
        break;
      case "DifferentialExceeded":
        this.notify(differentialText(told.body));
        break;
      case "ReadingOverridden":
        this.notify(overriddenText(told.body));
        break;
      case "WagerRemoved":
        if (told.body.patron === this.patron) this.notify(removalText(told.body));
        break;
      case "OverlookedWagerSettled":
        if (told.body.patron === this.patron) void this.notifyOverlooked(told);
        break;
      case "RoundCorrected":
        void this.notifyCorrection(told);
        break;
      case "ShoeLoaded":
        this.announce(t("announce.shoe"));
        break;
    }
    if (ROADS_CHANGE.has(told.name)) void this.readRoads();
  }

  private async notifyCorrection({ body }: ToldOf<"RoundCorrected">): Promise<void> {
    await this.readRoundsAgain();
    this.notify(correctionText(body.round, this.state.rounds));
  }

  private async notifyOverlooked({ body }: ToldOf<"OverlookedWagerSettled">): Promise<void> {
    await this.readRoundsAgain();
    this.notify(overlookedText(body));
  }

  /** Remember the bets that lie on the layout when no more are taken. */
  private rememberWagers(): void {
    const { view } = this.state;
    if (view && view.phase !== "betting") this.lastBets.closed(view.round, this.mine);
    this.change({ last: this.lastBets.wagers });
  }

  /** Remember the bets of a round whose closing was missed. */
  private rememberSettled({ body: { round, wagers } }: ToldOf<"RoundSettled">): void {
    this.lastBets.settled(
      round,
      wagers.filter((each) => each.patron === this.patron),
    );
    this.change({ last: this.lastBets.wagers });
  }

  /** Rounds were perhaps played that this page has not seen. */
  private missedRounds(): void {
    this.lastBets.doubt();
    this.rememberWagers();
    if (this.haveRounds) void this.readRoundsAgain(); // otherwise they are being read
  }

  private announce(announcement: string): void {
    this.change({ announcement });
  }

  /** Show something besides the round for a while, or until it is closed. */
  private notify(notice: string): void {
    this.change({ notice, announcement: notice });
    this.noticeTimeout.restart();
  }

  private refuse({ sentence, clause }: PatronRefusal): void {
    this.change({ refusal: sentence, refusedBy: clause, announcement: sentence });
    this.refusalTimeout.restart();
  }

  clearRefusal(): void {
    this.change({ refusal: "", refusedBy: null });
  }

  // --- what the patron does ----------------------------------------------------------------------------------------

  /** Give a command; once it is done, what was refused before is overtaken, unless the command only mends that. */
  async give(order: Order, overtakes = true): Promise<Answer> {
    const answer = await this.connection.give({ ...order, table: this.table } as Order);
    if (answer.type === "refused") this.refuse(refusalToPatron(answer, order.command));
    else if (overtakes) this.clearRefusal();
    if (answer.type === "done" && CHIPS_MOVE.has(order.command)) this.sound("chip");
    return answer;
  }

  ask(unsent: readonly Change[]): void {
    this.clearRefusal();
    this.change({ unsent: this.open ? [...this.state.unsent, ...unsent] : [] });
  }

  /** Make the changes that were held up, or leave them. */
  async answerUnsent(send: boolean): Promise<void> {
    const { unsent } = this.state;
    this.change({ unsent: [] });
    if (send) await this.desk.sendAgain(unsent);
  }

  /** Place favourite bets at the patron's seat, as far as they do not lie there. */
  async placeFavourite(bets: readonly Bet[]): Promise<void> {
    await this.desk.placeAll(bets.map((each) => ({ ...each, position: this.state.position })));
  }

  /** Read the favourites again, which another table of the game may have changed. */
  refreshFavourites(): void {
    this.change({ favourites: this.favourites.favourites });
  }

  saveFavourite(name: string): void {
    this.favourites.save(name, this.mineHere);
    this.refreshFavourites();
  }

  removeFavourite(name: string): void {
    this.favourites.remove(name);
    this.refreshFavourites();
  }

  markWaiting(wager: string, isWaiting: boolean): void {
    const waiting = new Set(this.state.waiting);
    if (isWaiting) waiting.add(wager);
    else waiting.delete(wager);
    this.change({ waiting });
  }

  /** Put the chosen chip on an area; or, with "take back" chosen, take back the uppermost one there. */
  async tap(area: Area): Promise<void> {
    const { chip } = this.state;
    if (chip === TAKE_BACK) await this.desk.takeBackOne(area);
    else if (chip !== null) await this.desk.place(area, chip);
  }

  /** Say why nothing happens, to a patron who bets while no bets are taken. */
  tooLate(): void {
    const why = this.state.connected ? "seat.bets_closed" : "seat.not_connected";
    if (this.patron) this.refuse({ sentence: t(why), clause: null });
  }

  tooFew(needed: number): void {
    const sentence = t("seat.too_few", { chips: amount(this.chips), amount: amount(needed) });
    this.refuse({ sentence, clause: null });
  }

  async drop(lifted: LiftedChip, on: Area | null): Promise<void> {
    await this.desk.drop(lifted, on);
  }

  /** Return whether the money was moved. */
  async moveMoney(command: "BuyIn" | "CashOut", cents: number): Promise<boolean> {
    const answer = await this.give({ command, patron: this.patron!, amount: cents } as Order);
    if (answer.type !== "done") return false;
    void this.readAccount();
    void this.play.refresh();
    return true;
  }

  async answerOffer(wagers: [number, string][] | null): Promise<void> {
    await this.give({ command: "AnswerWithdrawal", wagers, in_window: this.state.view?.window } as Order);
  }

  /** Move to another seat; not away from bets, which would be out of sight. */
  choosePosition(position: number): void {
    if (this.mine.length && !this.mine.some((each) => each.position === position)) {
      this.refuse({ sentence: t("seat.move_later", { seat: this.mine[0]!.position }), clause: null });
      return;
    }
    this.seated = true;
    this.change({ position });
    this.storage.setItem(this.positionKey, String(position));
  }

  chooseChip(chip: number): void {
    this.change({ chip });
  }

  pressKey(key: string): void {
    const action = KEYS[key.toLowerCase()];
    if (action) void this.desk.act(action);
    const values = [TAKE_BACK, ...this.offered];
    const chip = /^\d$/.test(key) ? values[Number(key)] : undefined;
    if (chip !== undefined) this.chooseChip(chip);
  }

  openTab(tab: string): void {
    this.change({ tab });
    if (tab === "limits") void this.play.refresh(); // the patron may play elsewhere too
  }

  showAside(aside: boolean): void {
    this.change({ aside });
  }

  closeNotice(): void {
    this.change({ notice: "" });
  }
}
