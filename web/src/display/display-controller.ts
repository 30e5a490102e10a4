/** The state of the display beside a table. */
import type { ReactiveControllerHost } from "lit";
import type { Connection } from "../api/connection";
import type { KnownTable } from "../api/known-table";
import * as tablesApi from "../api/tables";
import type { EdgeShown, PublicView, Told } from "../api/types";
import { Timeout } from "../controllers/timeout";
import { correctedRound, roundAfter } from "../table-view/shown-round";
import { TableController, type TableState, tableState } from "../table-view/table-controller";

const ROUNDS = 5;
const CORRECTION_SHOWN_FOR = 60_000;
/** Events after which the roads and the last rounds are different. */
const ROUNDS_CHANGE = new Set([
  "OutcomeAnnounced",
  "RoundCorrected",
  "CardCorrected",
  "CardsRelaid",
  "RoundVoided",
  "RoundSettled",
  "ShoeLoaded",
  "ShoeEnded",
  "TableOpened",
  "TableClosed",
]);

export interface DisplayState extends TableState {
  view: PublicView | null;
  edges: EdgeShown[];
  /** The round that was corrected last, for a while. */
  corrected: number | null;
}

export class DisplayController extends TableController<DisplayState> {
  private readonly correctionTimeout = new Timeout(CORRECTION_SHOWN_FOR, () => this.change({ corrected: null }));

  constructor(host: ReactiveControllerHost, connection: Connection, table: string, game: string) {
    super(host, connection, table, game, { ...tableState(connection), view: null, edges: [], corrected: null });
  }

  override hostDisconnected(): void {
    super.hostDisconnected();
    this.correctionTimeout.stop();
  }

  protected override async load(): Promise<void> {
    await this.readGame();
    await this.readResults();
    this.showLastRound();
  }

  private async readResults(): Promise<void> {
    await Promise.all([this.readRoads(), this.readRounds(ROUNDS)]);
    this.change({ shown: correctedRound(this.state.shown, this.state.rounds) });
  }

  protected override tableChanged({ view }: KnownTable, events: readonly Told[], resync: boolean): void {
    if (!view) return;
    this.change({ view, shown: roundAfter(this.state.shown, view, events, null) });
    const decks = view.setting?.decks;
    if (decks && !this.state.edges.length) void this.readEdges(decks);
    for (const each of events) if (each.name === "RoundCorrected") this.showCorrection(each.body.round);
    if (resync || events.some((each) => ROUNDS_CHANGE.has(each.name))) void this.readResults();
  }

  private async readEdges(decks: number): Promise<void> {
    this.change({ edges: await tablesApi.edges(this.gameKey, decks) });
  }

  private showCorrection(round: number): void {
    this.change({ corrected: round });
    this.correctionTimeout.restart();
  }
}
