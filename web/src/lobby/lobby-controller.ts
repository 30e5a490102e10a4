/** The state of the lobby: every table of the house, live. */
import type { ReactiveControllerHost } from "lit";
import type { Connection } from "../api/connection";
import type { KnownTable } from "../api/known-table";
import * as tablesApi from "../api/tables";
import type { LobbyTable, PersonShown, Told } from "../api/types";
import { PageController } from "../controllers/page-controller";
import { totalOf, wagersBy } from "../table-view/laid-wagers";
import { type FoundRoad, GoodRoadBook, type GoodRoadRule, goodRoads, runsOf } from "./good-roads";
import { type Choice, EVERYTHING, extended, ordered } from "./table-order";

/** Events after which what a table's view does not carry, such as the drawn roads, is different. */
const LISTING_CHANGES = new Set([
  "OutcomeAnnounced",
  "RoundCorrected",
  "CardCorrected",
  "CardsRelaid",
  "RoundVoided",
  "ShoeLoaded",
  "ShoeEnded",
  "LimitsChanged",
  "TableOpened",
  "TableClosed",
  "BetsOpened", // the number of patrons: who buys in or cashes out is told to staff only
  "MethodChanged",
]);
const CHOICE_KEY = "punto.lobby";
/** Tables that can be played at once. */
export const MOST_AT_ONCE = 4;

export interface LobbyState {
  tables: LobbyTable[];
  /** Whether the tables are known. */
  loaded: boolean;
  choice: Choice;
  /** The names of the tables that are shown, in order. */
  order: readonly string[];
  rules: GoodRoadRule[];
  /** The tables to be played at once. */
  picked: readonly string[];
  /** The balance of the patron's account. */
  balance: number | null;
  /** The patron's chips and bets by table, in cents. */
  money: ReadonlyMap<string, number>;
}

export class LobbyController extends PageController<LobbyState> {
  private isConnected = false;
  private readonly book: GoodRoadBook;

  constructor(
    host: ReactiveControllerHost,
    private readonly connection: Connection,
    readonly person: PersonShown | null,
    private readonly storage: Storage,
  ) {
    const book = new GoodRoadBook(storage);
    const choice = { ...EVERYTHING, ...(JSON.parse(storage.getItem(CHOICE_KEY) ?? "{}") as Partial<Choice>) };
    const nothing = { tables: [], loaded: false, order: [], picked: [], balance: null, money: new Map() };
    super(host, { ...nothing, choice, rules: book.read() });
    this.book = book;
  }

  override hostConnected(): void {
    this.isConnected = true;
    this.releaseLater(() => {
      this.isConnected = false;
    });
    void this.load();
  }

  /** The games that are played, as keys and titles. */
  get games(): [string, string][] {
    return [...new Map(this.state.tables.map((each) => [each.game, each.title]))];
  }

  get shownTables(): LobbyTable[] {
    const { order, tables } = this.state;
    return order.flatMap((name) => tables.filter((each) => each.table === name));
  }

  /** The good roads of a table, by the patron's rules. */
  goodRoads({ roads }: LobbyTable): FoundRoad[] {
    return roads ? goodRoads(runsOf(roads.bead_plate), this.state.rules) : [];
  }

  choose(changes: Partial<Choice>): void {
    const choice = { ...this.state.choice, ...changes };
    this.storage.setItem(CHOICE_KEY, JSON.stringify(choice));
    this.change({ choice });
    this.putInOrder();
  }

  changeRule(rule: GoodRoadRule): void {
    const rules = this.state.rules.map((each) => (each.road === rule.road ? rule : each));
    this.book.write(rules);
    this.change({ rules });
    this.putInOrder();
  }

  /** Pick a table to be played with others at once, or drop it; a fifth one is not taken. */
  pick(table: string): void {
    const { picked } = this.state;
    if (picked.includes(table)) this.change({ picked: picked.filter((each) => each !== table) });
    else if (picked.length < MOST_AT_ONCE) this.change({ picked: [...picked, table] });
  }

  private readonly isGood = (table: LobbyTable): boolean => this.goodRoads(table).length > 0;

  private putInOrder(): void {
    this.change({ order: ordered(this.state.tables, this.state.choice, this.isGood) });
  }

  private async load(): Promise<void> {
    const tables = await tablesApi.lobby();
    if (!this.isConnected) return;
    const game = tables.some((each) => each.game === this.state.choice.game) ? this.state.choice.game : "";
    this.change({ tables, loaded: true, choice: { ...this.state.choice, game } });
    this.putInOrder();
    for (const { table } of tables) {
      const changed = (known: KnownTable, events: Told[]) => this.tableChanged(known, events);
      this.releaseLater(this.connection.watch(table, { changed }));
    }
    if (this.person?.duty === "patron") this.change({ balance: (await tablesApi.myAccount()).holds });
  }

  private tableChanged({ name, view, mine }: KnownTable, events: readonly Told[]): void {
    if (!view) return;
    if (mine && this.person) {
      const held = mine.chips + totalOf(wagersBy(view, this.person.id));
      if (held !== (this.state.money.get(name) ?? 0))
        this.change({ money: new Map([...this.state.money, [name, held]]) });
    }
    const { phase, deadline, round, hold } = view;
    this.changeTable(name, (known) => ({ ...known, phase, deadline, round, hold }));
    if (events.some((each) => LISTING_CHANGES.has(each.name))) void this.readTable(name);
  }

  private async readTable(name: string): Promise<void> {
    const table = await tablesApi.lobbyTable(name);
    this.changeTable(name, () => table);
    const { choice, order, tables } = this.state;
    this.change({ order: extended(order, tables, choice, this.isGood) });
  }

  private changeTable(name: string, changed: (table: LobbyTable) => LobbyTable): void {
    this.change({ tables: this.state.tables.map((each) => (each.table === name ? changed(each) : each)) });
  }
}
