/** The state of the pit: every table live, with its money and what waits there to be decided. */
import type { ReactiveControllerHost } from "lit";
import type { Connection } from "../api/connection";
import * as pitApi from "../api/pit";
import * as tablesApi from "../api/tables";
import type { GameShown, PersonShown, Pit, PitTable, StaffView, TableListed } from "../api/types";
import { PageController } from "../controllers/page-controller";
import { type PitEntry, sortTables } from "./table-order";

/** Milliseconds between two requests about one table, so that a busy table is not asked about at every event. */
const REQUEST_EVERY = 300;

/** Milliseconds after which tables and people that others have added are looked for. */
const LOOKED_AGAIN_AFTER = 5_000;

export interface PitState {
  pit: Pit | null;
  tables: ReadonlyMap<string, PitEntry>;
  games: ReadonlyMap<string, GameShown>;
  staff: PersonShown[];
  /** Names of people by their ids, as far as the reader may know them. */
  names: ReadonlyMap<string, string>;
  tab: string;
  /** The table whose details are shown; empty if none is. */
  chosen: string;
}

export interface PitPermissions {
  seePit: boolean;
  registerPatrons: boolean;
}

export class PitController extends PageController<PitState> {
  private isConnected = false;
  /** Tables whose details are out of date, and those that are being asked about. */
  private readonly stale = new Set<string>();
  private readonly asking = new Set<string>();

  constructor(
    host: ReactiveControllerHost,
    private readonly connection: Connection,
    private readonly permissions: PitPermissions,
  ) {
    super(host, {
      pit: null,
      tables: new Map(),
      games: new Map(),
      staff: [],
      names: new Map(),
      tab: "tables",
      chosen: "",
    });
  }

  override hostConnected(): void {
    if (!this.permissions.seePit) return;
    this.isConnected = true;
    const looking = setInterval(() => void this.lookAgain(), LOOKED_AGAIN_AFTER);
    this.releaseLater(
      () => clearInterval(looking),
      () => {
        this.isConnected = false;
      },
    );
    void this.load();
  }

  /** The tables in the order in which staff look at them. */
  get tables(): PitEntry[] {
    return sortTables(this.state.tables.values());
  }

  openTab(tab: string): void {
    this.change({ tab });
  }

  /** Show the details of a table; an empty name shows none. */
  choose(chosen: string): void {
    this.change({ chosen });
  }

  /** Show the details of a table that was just created. */
  async created({ table }: TableListed): Promise<void> {
    this.take(await pitApi.pitTable(table));
    this.choose(table);
  }

  private async load(): Promise<void> {
    const [pit, staff] = await Promise.all([pitApi.pit(), pitApi.staff()]);
    const known = this.permissions.registerPatrons ? await pitApi.people() : staff;
    if (!this.isConnected) return;
    this.change({ pit, staff, names: new Map(known.map((each) => [each.id, each.name])) });
    for (const each of pit.tables) this.take(each);
  }

  /** Find tables and staff that were added elsewhere since the page was opened. */
  private async lookAgain(): Promise<void> {
    if (document.hidden || !this.state.pit) return;
    try {
      const [listed, staff] = await Promise.all([pitApi.listTables(), pitApi.staff()]);
      const names = new Map([...this.state.names, ...staff.map((each) => [each.id, each.name] as const)]);
      this.change({ staff, names });
      for (const { table } of listed) if (!this.state.tables.has(table)) this.take(await pitApi.pitTable(table));
    } catch {
      // the server is away or limits the rate: the next look finds them
    }
  }

  private take(about: PitTable): void {
    if (!this.isConnected) return; // the answer came after the page was left
    const known = this.state.tables.get(about.table);
    this.change({ names: new Map([...this.state.names, ...Object.entries(about.names ?? {})]) });
    this.setTable({ about, view: known?.view ?? null });
    if (!known) this.watch(about.table);
    if (!this.state.games.has(about.game)) void this.readGame(about.game);
  }

  private setTable(entry: PitEntry): void {
    this.change({ tables: new Map(this.state.tables).set(entry.about.table, entry) });
  }

  private watch(table: string): void {
    const changed = ({ view }: { view: unknown }) => this.viewChanged(table, view as StaffView | null);
    this.releaseLater(this.connection.watch(table, { changed }));
  }

  private async readGame(key: string): Promise<void> {
    const game = await tablesApi.game(key);
    this.change({ games: new Map(this.state.games).set(key, game) });
  }

  private viewChanged(table: string, view: StaffView | null): void {
    const known = this.state.tables.get(table);
    if (!known || !view) return;
    this.setTable({ ...known, view });
    void this.refresh(table);
  }

  /** Ask for what the view does not carry: money, and what waits for whom. */
  async refresh(table: string): Promise<void> {
    this.stale.add(table);
    if (this.asking.has(table)) return;
    this.asking.add(table);
    while (this.isConnected && this.stale.delete(table)) {
      try {
        this.take(await pitApi.pitTable(table));
      } catch {
        this.stale.add(table); // the server is away or limits the rate: try again
      }
      await new Promise((over) => setTimeout(over, REQUEST_EVERY));
    }
    this.asking.delete(table);
  }
}
