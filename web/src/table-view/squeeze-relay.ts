/** What patrons show each other while they squeeze: how a card lies, never what it is. */
import type { ShowSqueeze, SqueezedMessage, Told } from "../api/types";
import { HEIGHT, type Lift, WIDTH } from "../components/card-geometry";
import { Timeout } from "../controllers/timeout";
import type { HandName } from "./shown-round";

/** How cards are lifted, by hand and place. */
export type Lifts = Readonly<Record<string, Lift>>;

/** One and the same value, so that what is drawn by it is not drawn again for nothing. */
export const NOTHING_LIFTED: Lifts = {};

/** Milliseconds between two messages: the server passes on fifteen a second. */
const SHOWN_EACH = 70;

/** Return the lifts after another page has shown one. */
export function withShown(lifts: Lifts, { hand, place, held, to }: SqueezedMessage): Lifts {
  const { [`${hand}-${place}`]: _, ...others } = lifts;
  return to ? { ...others, [`${hand}-${place}`]: { held, to: to as Lift["to"] } } : others;
}

/** Return the lifts after something has happened: then cards may have been turned, passed on or taken away. */
export function withTold(lifts: Lifts, events: readonly Told[]): Lifts {
  return events.some((each) => each.name !== "CardsLookedAt") ? NOTHING_LIFTED : lifts;
}

const within = (at: number, length: number) => Math.round(Math.min(2 * length, Math.max(-length, at)));

/** Sends how cards lie, the newest of each, no more often than is passed on. */
export class SqueezeRelay {
  private readonly waiting = new Map<string, ShowSqueeze>();
  private readonly pause = new Timeout(SHOWN_EACH, () => this.next());
  private pausing = false;

  constructor(
    private readonly table: string,
    private readonly send: (message: ShowSqueeze) => void,
  ) {}

  show(hand: HandName, place: number, lift: Lift | null): void {
    const key = `${hand}-${place}`;
    const held = lift?.held ?? this.waiting.get(key)?.held ?? "se";
    const to: [number, number] | null = lift && [within(lift.to[0], WIDTH), within(lift.to[1], HEIGHT)];
    this.waiting.set(key, { command: "ShowSqueeze", table: this.table, hand, place, held, to } as ShowSqueeze);
    if (!this.pausing) this.next();
  }

  stop = (): void => {
    this.pause.stop();
    this.waiting.clear();
    this.pausing = false;
  };

  private next(): void {
    const [first] = this.waiting;
    this.pausing = Boolean(first);
    if (!first) return;
    this.waiting.delete(first[0]);
    this.send(first[1]);
    this.pause.restart();
  }
}
