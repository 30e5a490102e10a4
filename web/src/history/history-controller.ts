/** The state of a patron's history: what is asked for, the days found, and the sessions that are opened. */
import type { ReactiveControllerHost } from "lit";
import * as historyApi from "../api/history";
import { Refusal } from "../api/http";
import type {
  LinePlayed,
  PlayDay,
  PlayHistory,
  ReceiptsShown,
  RoundPlayed,
  SessionShown,
  StillReading,
} from "../api/types";
import { PageController } from "../controllers/page-controller";
import { refusalText } from "../i18n/refusal-text";
import { tableName } from "../i18n/table-name";

export interface OpenedSession {
  lines: LinePlayed[];
  more: number | null;
}

/** The receipts of a line of a table. */
export interface OpenedReceipts extends ReceiptsShown {
  table: string;
  number: number;
}

export interface HistoryState {
  wanted: historyApi.Wanted;
  /** All days that have been read so far, and the sums of everything. */
  found: PlayHistory | null;
  reading: StillReading | null;
  /** The sessions whose rounds are shown, by table and number. */
  opened: Record<string, OpenedSession>;
  replay: RoundPlayed | null;
  receipts: OpenedReceipts | null;
  /** The table whose shoes are shown. */
  shoes: string | null;
  refusal: string;
}

export const sessionKey = ({ table, session }: SessionShown) => `${table} ${session}`;

export class HistoryController extends PageController<HistoryState> {
  /** A session at each table, which tells its game. */
  private readonly tables = new Map<string, SessionShown>();

  constructor(host: ReactiveControllerHost, wanted: historyApi.Wanted) {
    const nothing = { found: null, reading: null, replay: null, receipts: null, shoes: null };
    super(host, { wanted, opened: {}, ...nothing, refusal: "" });
  }

  override hostConnected(): void {}

  /** Return what a table is called; its id, as long as no session there was read. */
  nameOf(table: string): string {
    const { game, title } = this.tables.get(table) ?? {};
    return game && title ? tableName(table, game, title) : table;
  }

  /** Read the newest days of what is wanted. */
  async show(wanted: historyApi.Wanted): Promise<void> {
    this.change({ wanted, opened: {}, refusal: "" });
    await this.read(null, []);
    const newest = this.state.found?.days[0]?.sessions[0];
    if (newest) await this.open(newest);
  }

  async showMore(): Promise<void> {
    const { found } = this.state;
    if (found?.more) await this.read(found.more, found.days);
  }

  private async read(before: number | null, known: readonly PlayDay[]): Promise<void> {
    await this.ask(async () => {
      const found = await historyApi.history(this.state.wanted, before, (reading) => this.change({ reading }));
      for (const each of found.days.flatMap((day) => day.sessions)) this.tables.set(each.table, each);
      this.change({ found: { ...found, days: [...known, ...found.days] }, reading: null });
    });
  }

  /** Read the rounds of a session, or earlier ones. */
  async open(session: SessionShown): Promise<void> {
    const known = this.state.opened[sessionKey(session)];
    if (known && known.more === null) return;
    await this.ask(async () => {
      const { lines, more } = await historyApi.session(session.table, session.session, known?.more ?? null);
      const opened = { lines: [...(known?.lines ?? []), ...lines], more };
      this.change({ opened: { ...this.state.opened, [sessionKey(session)]: opened } });
    });
  }

  async replay(table: string, number: number): Promise<void> {
    await this.ask(async () => this.change({ replay: await historyApi.round(table, number) }));
  }

  async showReceipts(table: string, number: number): Promise<void> {
    await this.ask(async () =>
      this.change({ receipts: { table, number, ...(await historyApi.receipts(table, number)) } }),
    );
  }

  showShoes(table: string): void {
    this.change({ shoes: table });
  }

  endShoes(): void {
    this.change({ shoes: null });
  }

  endReceipts(): void {
    this.change({ receipts: null });
  }

  endReplay(): void {
    this.change({ replay: null });
  }

  private async ask(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.change({ refusal: refusalText(error.refused), reading: null });
    }
  }
}
