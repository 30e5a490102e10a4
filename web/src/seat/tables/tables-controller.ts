/** The state of several tables on one page: a seat at each, one chip in hand, one connection. It knows no markup. */
import type { ReactiveControllerHost } from "lit";
import type { Connection } from "../../api/connection";
import * as tablesApi from "../../api/tables";
import type { LobbyTable, PersonShown } from "../../api/types";
import { ChildHost } from "../../controllers/child-host";
import { PageController } from "../../controllers/page-controller";
import type { Area, LiftedChip } from "../betting/drag-controller";
import { TAKE_BACK } from "../betting/wager-desk";
import { SeatController } from "../seat-controller";
import type { Cue } from "../sound/sound-player";

/** Tables on one page. */
export const MOST_TABLES = 4;

export interface TablesPlace {
  connection: Connection;
  person: PersonShown | null;
  storage: Storage;
  /** The tables to begin with. */
  names: readonly string[];
  /** Called with the tables that are shown, whenever they change. */
  shown: (names: readonly string[]) => void;
  sound: (cue: Cue) => void;
}

export interface TablesState {
  /** Every table of the house; null before they are known. */
  listed: LobbyTable[] | null;
  seats: readonly SeatController[];
  /** The table that was touched last: keys act there, and a phone shows it. */
  active: string;
  /** The chip in hand at all tables; null before one is chosen. */
  chip: number | null;
}

export class TablesController extends PageController<TablesState> {
  private isConnected = false;
  private readonly seatHost: ChildHost;

  constructor(
    page: ReactiveControllerHost,
    private readonly place: TablesPlace,
  ) {
    super(page, { listed: null, seats: [], active: "", chip: null });
    this.seatHost = new ChildHost(page);
  }

  override hostConnected(): void {
    this.isConnected = true;
    this.releaseLater(() => {
      this.isConnected = false;
    });
    void this.load();
  }

  override hostDisconnected(): void {
    super.hostDisconnected();
    for (const each of this.state.seats) each.hostDisconnected();
    this.change({ seats: [] });
  }

  get active(): SeatController | undefined {
    return this.state.seats.find((each) => each.table === this.state.active);
  }

  /** The chip in hand: the one that was chosen, or else the first that a table suggests. */
  get chip(): number | null {
    return this.state.chip ?? this.state.seats.find((each) => each.state.chip !== null)?.state.chip ?? null;
  }

  /** The chips that are offered at any of the tables. */
  get offered(): number[] {
    const known = this.state.seats.filter((each) => each.state.view?.setting);
    return [...new Set(known.flatMap((each) => each.offered))].sort((one, other) => one - other);
  }

  /** The tables that can be added. */
  get others(): LobbyTable[] {
    const { listed, seats } = this.state;
    if (!listed || seats.length >= MOST_TABLES) return [];
    return listed.filter((each) => !seats.some((seat) => seat.table === each.table));
  }

  add(table: string): void {
    const about = this.others.find((each) => each.table === table);
    if (!about) return;
    const { connection, person, storage } = this.place;
    const sound = (cue: Cue) => this.hear(table, cue);
    const seat = new SeatController(this.seatHost, { connection, table, game: about.game, person, storage, sound });
    seat.hostConnected();
    this.change({ seats: [...this.state.seats, seat] });
    this.tellShown();
    this.activate(table);
  }

  /** Leave a table; the last one stays. */
  remove(table: string): void {
    const { seats } = this.state;
    const seat = seats.find((each) => each.table === table);
    if (!seat || seats.length === 1) return;
    seat.hostDisconnected();
    const left = seats.filter((each) => each !== seat);
    this.change({ seats: left });
    this.tellShown();
    if (this.state.active === table) this.activate(left[0]!.table);
  }

  activate(table: string): void {
    const moves = this.state.active !== table;
    if (moves) this.change({ active: table });
    const { active, chip } = this;
    if (moves) active?.refreshFavourites();
    if (active && chip !== null && active.state.chip !== chip) active.chooseChip(chip);
  }

  activateNext(): void {
    const { seats, active } = this.state;
    const at = seats.findIndex((each) => each.table === active);
    if (seats.length) this.activate(seats[(at + 1) % seats.length]!.table);
  }

  chooseChip(chip: number): void {
    this.change({ chip });
    for (const each of this.state.seats) each.chooseChip(chip);
  }

  /** Drop a chip on a table; a bet is not carried from one table to another. */
  drop(lifted: LiftedChip, on: Area | null): void {
    const table = on?.table ?? lifted.from?.table;
    if (lifted.from && on && lifted.from.table !== on.table) return;
    const seat = this.state.seats.find((each) => each.table === table);
    if (!seat) return;
    this.activate(seat.table);
    void seat.drop(lifted, on);
  }

  pressKey(key: string): void {
    if (key.toLowerCase() === "n") this.activateNext();
    else if (/^\d$/.test(key)) {
      const chip = [TAKE_BACK, ...this.offered][Number(key)];
      if (chip !== undefined) this.chooseChip(chip);
    } else this.active?.pressKey(key);
  }

  /** Play what happens at the active table; of the others only that the patron has won. */
  private hear(table: string, cue: Cue): void {
    if (cue === "win" || table === this.state.active) this.place.sound(cue);
  }

  private async load(): Promise<void> {
    const listed = await tablesApi.lobby();
    if (!this.isConnected) return;
    this.change({ listed });
    const known = [...new Set(this.place.names)].filter((name) => listed.some((each) => each.table === name));
    for (const name of known.slice(0, MOST_TABLES)) this.add(name);
    if (known[0]) this.activate(known[0]);
  }

  private tellShown(): void {
    this.place.shown(this.state.seats.map((each) => each.table));
  }
}
