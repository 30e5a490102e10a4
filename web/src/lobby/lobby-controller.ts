/** The state of the lobby: every table of the house, live. */
import type { ReactiveControllerHost } from "lit";
import type { Connection } from "../api/connection";
import type { KnownTable } from "../api/known-table";
import * as tablesApi from "../api/tables";
import type { LobbyTable, PersonShown, Told } from "../api/types";
import { PageController } from "../controllers/page-controller";

/** Events after which what a table's view does not carry, such as the drawn road, is different. */
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

export interface LobbyState {
  tables: LobbyTable[];
  /** The game whose tables are shown; empty for all. */
  game: string;
  /** The balance of the patron's account. */
  balance: number | null;
}

export class LobbyController extends PageController<LobbyState> {
  private isConnected = false;

  constructor(
    host: ReactiveControllerHost,
    private readonly connection: Connection,
    readonly person: PersonShown | null,
  ) {
    super(host, { tables: [], game: "", balance: null });
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
    const { game, tables } = this.state;
    return tables.filter((each) => !game || each.game === game);
  }

  chooseGame(game: string): void {
    this.change({ game });
  }

  private async load(): Promise<void> {
    const tables = await tablesApi.lobby();
    if (!this.isConnected) return;
    this.change({ tables });
    for (const { table } of tables) {
      const changed = (known: KnownTable, events: Told[]) => this.tableChanged(known, events);
      this.releaseLater(this.connection.watch(table, { changed }));
    }
    if (this.person?.duty === "patron") this.change({ balance: (await tablesApi.myAccount()).holds });
  }

  private tableChanged({ name, view }: KnownTable, events: readonly Told[]): void {
    if (!view) return;
    const { phase, deadline, round, hold, cards_drawn } = view;
    this.changeTable(name, (known) => ({
      ...known,
      phase,
      deadline,
      round,
      hold,
      shoe: known.shoe && { ...known.shoe, drawn: cards_drawn },
    }));
    if (events.some((each) => LISTING_CHANGES.has(each.name))) void this.readTable(name);
  }

  private async readTable(name: string): Promise<void> {
    const table = await tablesApi.lobbyTable(name);
    this.changeTable(name, () => table);
  }

  private changeTable(name: string, changed: (table: LobbyTable) => LobbyTable): void {
    this.change({ tables: this.state.tables.map((each) => (each.table === name ? changed(each) : each)) });
  }
}
