/** What a patron has on the layout, and the commands that change it. No limit is checked here: the table answers. */
import type { PublicView } from "../generated/api";
import type { Order } from "../server/socket";

export interface Laid {
  position: number;
  wager: string;
  amount: number;
}

/** What one patron has on the layout. */
export function laidBy(view: PublicView, patron: string): Laid[] {
  return view.wagers.filter((each) => each.patron === patron).map(({ position, wager, amount }) => ({ position, wager, amount }));
}

export const sum = (laid: readonly Laid[]) => laid.reduce((total, each) => total + each.amount, 0);

/** Commands of a patron at a table, each meant for the round that he sees: a late one does nothing in the next. */
export class Wagering {
  private placed: Laid[] = [];
  private round = 0;

  constructor(private readonly table: string, private readonly patron: string) {}

  /** Another round: what was placed in the one before cannot be undone. */
  inRound(round: number): void {
    if (round !== this.round) this.placed = [];
    this.round = round;
  }

  get canUndo(): boolean {
    return this.placed.length > 0;
  }

  place(laid: Laid): Order {
    return { command: "PlaceWager", ...this.about(), ...laid };
  }

  takeBack(laid: Laid): Order {
    return { command: "TakeBackWager", ...this.about(), ...laid };
  }

  /** It was placed, and is what undo takes back first. */
  done(laid: Laid): void {
    this.placed.push(laid);
  }

  /** What was placed last, to be taken back. */
  undo(): Laid | undefined {
    return this.placed.pop();
  }

  /** Everything was taken back. */
  cleared(): void {
    this.placed = [];
  }

  private about() {
    return { table: this.table, patron: this.patron, in_round: this.round };
  }
}

/** What has to be added so that the same lies there as last round. */
export function missing(last: readonly Laid[], now: readonly Laid[]): Laid[] {
  return last.flatMap((each) => {
    const there = now.find((other) => other.position === each.position && other.wager === each.wager)?.amount ?? 0;
    return each.amount > there ? [{ ...each, amount: each.amount - there }] : [];
  });
}
