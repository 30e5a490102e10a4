/** Placing, moving and taking back wagers: each intent becomes commands, and is undone as a whole. */
import type { Answer, Order } from "../../api/connection";
import { chipsOf } from "../../components/chip-stack";
import type { LaidWager } from "../../table-view/laid-wagers";
import type { Area, LiftedChip } from "./drag-controller";
import { Turns } from "./turns";
import { type Change, missingWagers, takeBackChanges, type WagerChanges } from "./wager-changes";

/** What a patron can do with the wagers on the layout. */
export type RackAction = "undo" | "repeat" | "double" | "clear";
/** Chosen instead of a chip: what is tapped then is taken back. */
export const TAKE_BACK = 0;

/** What a desk needs to know of a patron's seat. */
export interface Seat {
  /** The patron's wagers on the layout. */
  readonly mine: LaidWager[];
  readonly chips: number;
  /** Whether the table takes wagers now. */
  readonly open: boolean;
  /** The patron's wagers when bets last closed. */
  readonly last: LaidWager[];
  /** The values of the chips there are. */
  readonly chipValues: readonly number[];
  /** The least that a wager takes. */
  least(wager: string): number;
  give(order: Order, overtakes?: boolean): Promise<Answer>;
  /** Say that the patron has not as many chips as this. */
  tooFew(needed: number): void;
  /** Ask whether to make changes that were held up on their way. */
  ask(unsent: readonly Change[]): void;
  /** Show a wager as sent and not answered, or no longer. */
  markWaiting(wager: string, waiting: boolean): void;
}

export class WagerDesk {
  /** Chips are placed side by side; what depends on the wagers that lie there waits until they are answered. */
  private readonly turns = new Turns();

  constructor(
    private readonly seat: Seat,
    private readonly changes: WagerChanges,
  ) {}

  get can(): Record<RackAction, boolean> {
    const { open, mine, last } = this.seat;
    const some = mine.length > 0;
    return {
      undo: open && this.changes.canUndo,
      repeat: open && missingWagers(last, mine).length > 0,
      double: open && some,
      clear: open && some,
    };
  }

  act(action: RackAction): Promise<void> {
    return this.turns.alone(() => this.actNow(action));
  }

  private async actNow(action: RackAction): Promise<void> {
    if (!this.can[action]) return;
    const { mine, last } = this.seat;
    if (action === "undo") await this.send(this.changes.undo(), false);
    else if (action === "repeat") await this.sendWhole(missingWagers(last, mine));
    else if (action === "double") await this.sendWhole(mine);
    else await this.send(takeBackChanges(mine));
  }

  async place(area: Area, cents: number): Promise<void> {
    await this.turns.sideBySide(() => this.send([{ ...area, amount: cents }]));
  }

  /** Place what is missing of these wagers. */
  async placeAll(wanted: readonly LaidWager[]): Promise<void> {
    await this.turns.alone(() => this.sendWhole(missingWagers(wanted, this.seat.mine)));
  }

  /** Make changes that were held up, now that the patron has said so. */
  async sendAgain(unsent: readonly Change[]): Promise<void> {
    await this.turns.alone(() => this.send([...unsent]));
  }

  async takeBack({ position, wager }: Area): Promise<void> {
    const there = (each: LaidWager) => each.position === position && each.wager === wager;
    await this.turns.alone(() => this.send(takeBackChanges(this.seat.mine.filter(there))));
  }

  /** Take the uppermost chip back; all of them where the rest would be less than the wager takes. */
  takeBackOne(area: Area): Promise<void> {
    return this.turns.alone(() => this.takeBackOneNow(area));
  }

  private async takeBackOneNow({ position, wager }: Area): Promise<void> {
    const laid = this.seat.mine.find((each) => each.position === position && each.wager === wager);
    if (!laid) return;
    const top = chipsOf(laid.amount, this.seat.chipValues).at(-1)!;
    const taken = laid.amount - top < this.seat.least(wager) ? laid.amount : top;
    await this.send([{ position, wager, amount: -taken }]);
  }

  /** Drop a chip from the rack, or a wager, on an area; `null` is off the layout. */
  async drop({ amount: cents, from }: LiftedChip, on: Area | null): Promise<void> {
    if (!from && on) await this.place(on, cents);
    else if (from && !on) await this.takeBack(from);
    else if (from && on && (from.position !== on.position || from.wager !== on.wager))
      await this.turns.alone(() => this.move(from, on, cents));
  }

  /**
   * Place before taking back, so that a wager refused there stays; the other way round only for lack of chips.
   * Where it is put back, the refusal stays to be read.
   */
  private async move(from: Area, to: Area, cents: number): Promise<void> {
    const [away, there] = [
      { ...from, amount: -cents },
      { ...to, amount: cents },
    ];
    const refused = this.seat.chips < cents ? "not-enough-chips" : await this.send([there, away]);
    if (refused !== "not-enough-chips") return;
    if (!(await this.send([away])) && (await this.send([there]))) await this.putBack();
  }

  private async putBack(): Promise<void> {
    for (const each of this.changes.undo()) await this.seat.give(this.changes.order(each), false);
  }

  /** Place several wagers, or none of them where the patron has not the chips for all. */
  private async sendWhole(wagers: Change[]): Promise<void> {
    const needed = wagers.reduce((sum, each) => sum + each.amount, 0);
    if (needed > this.seat.chips) this.seat.tooFew(needed);
    else await this.send(wagers);
  }

  /** Send changes one after the other until one is refused; return the code of that refusal. */
  private async send(changes: Change[], toBeUndone = true): Promise<string | null> {
    const done: Change[] = [];
    let refused: string | null = null;
    for (const each of changes) {
      this.seat.markWaiting(each.wager, true);
      const answer = await this.seat.give(this.changes.order(each));
      this.seat.markWaiting(each.wager, false);
      if (answer.type === "refused") {
        refused = answer.code;
        if (refused === "expired") this.seat.ask(changes.slice(done.length));
        break;
      }
      done.push(each);
    }
    if (toBeUndone) this.changes.done(done);
    return refused;
  }
}
