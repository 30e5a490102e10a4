/** What every page at one table follows: its view, its game, its roads and its last rounds. */
import type { ReactiveControllerHost } from "lit";
import type { Connection } from "../api/connection";
import type { KnownTable } from "../api/known-table";
import * as tablesApi from "../api/tables";
import type { GameShown, RoadsShown, RoundShown, Told } from "../api/types";
import { PageController } from "../controllers/page-controller";
import { nothingShown, type ShownRound, shownBefore } from "./shown-round";
import { type Lifts, NOTHING_LIFTED, SqueezeRelay, withShown, withTold } from "./squeeze-relay";

export interface TableState {
  connected: boolean;
  game: GameShown | null;
  roads: RoadsShown | null;
  rounds: RoundShown[];
  /** The round on the felt; it stays there until the next deal. */
  shown: ShownRound;
  /** How cards are lifted that other patrons squeeze. */
  lifts: Lifts;
}

export const tableState = (connection: Connection): TableState => ({
  connected: connection.connected,
  game: null,
  roads: null,
  rounds: [],
  shown: nothingShown(0),
  lifts: NOTHING_LIFTED,
});

export abstract class TableController<State extends TableState> extends PageController<State> {
  /** Shows others how this patron squeezes. */
  readonly squeezes: SqueezeRelay;

  constructor(
    host: ReactiveControllerHost,
    protected readonly connection: Connection,
    readonly table: string,
    protected readonly gameKey: string,
    initial: State,
  ) {
    super(host, initial);
    this.squeezes = new SqueezeRelay(table, (message) => connection.show(message));
  }

  override hostConnected(): void {
    this.releaseLater(
      this.connection.subscribe(() => this.changeTable({ connected: this.connection.connected })),
      this.connection.watch(this.table, {
        changed: (table, events, resync) => {
          this.changeTable({ lifts: withTold(this.state.lifts, events) });
          this.tableChanged(table, events, resync);
        },
        squeezed: (message) => this.changeTable({ lifts: withShown(this.state.lifts, message) }),
      }),
      this.squeezes.stop,
    );
    void this.load();
  }

  /** Fetch what the table's feed does not carry. */
  protected abstract load(): Promise<void>;
  protected abstract tableChanged(table: KnownTable, events: readonly Told[], resync: boolean): void;

  protected changeTable(changes: Partial<TableState>): void {
    this.change(changes as Partial<State>);
  }

  protected async readGame(): Promise<void> {
    this.changeTable({ game: await tablesApi.game(this.gameKey) });
  }

  protected async readRoads(): Promise<void> {
    this.changeTable({ roads: await tablesApi.roads(this.table) });
  }

  protected async readRounds(most: number): Promise<void> {
    this.changeTable({ rounds: await tablesApi.rounds(this.table, most) });
  }

  /** Read the newest rounds, and keep those known before; if some between them are missing, read all that are kept. */
  protected async readNewRounds(newest: number, kept: number): Promise<void> {
    const read = await tablesApi.rounds(this.table, newest);
    const { rounds } = this.state;
    const oldest = read.at(-1)?.round ?? 0;
    if (!rounds.some((each) => each.round >= oldest - 1)) return this.readRounds(kept);
    this.changeTable({ rounds: [...read, ...rounds.filter((each) => each.round < oldest)].slice(0, kept) });
  }

  /** On a page that has just been opened, show the last round until a card is dealt. */
  protected showLastRound(): void {
    const { rounds, shown } = this.state;
    if (rounds[0] && !shown.hands.player.length) this.changeTable({ shown: shownBefore(rounds[0]) });
  }
}
