/**
 * Wagers as they are keyed on the felt: an area, an amount, the next area.
 *
 * A keyed wager is sent with the next press, or after a pause. Enter pressed again and again sends nothing: the wager
 * stays on the felt as keyed until another key or a tap sends it.
 */
import { type Enter, QUIET } from "../controllers/press-pace";
import { Timeout } from "../controllers/timeout";
import { parseAmount } from "../i18n/money";

export interface Area {
  position: number;
  wager: string;
}

export interface KeyedWager extends Area {
  patron: string;
  amount: number;
}

const MOST_DIGITS = 10;
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
const turned = (index: number, count: number) => (index + count) % count;

export class WagerEntry {
  /** The area that is picked; null while Enter is for the next step. */
  picked: Area | null = null;
  digits = "";
  /** Wagers that are keyed and not answered yet. */
  keyed: KeyedWager[] = [];
  /** The patron at each position, as last known. */
  readonly seats = new Map<number, string>();
  /** Whether an amount was keyed at a position without a patron. */
  lacksPatron = false;
  wagers: readonly string[] = [];
  positions = 0;
  private readonly sent = new Set<KeyedWager>();
  private readonly rest = new Timeout(QUIET, () => this.send());

  constructor(private readonly give: (wager: KeyedWager) => void) {}

  get amount(): number {
    return parseAmount(this.digits) ?? 0;
  }

  get patron(): string | null {
    return (this.picked && this.seats.get(this.picked.position)) ?? null;
  }

  /** Pick an area; what was keyed for the one before is sent. */
  pick(area: Area | null): void {
    if (!this.keep()) return;
    this.picked = area;
    this.send();
  }

  /** Take a key other than Enter; return whether it was one of an entry. */
  key(key: string): boolean {
    const arrow = ARROWS[key];
    if (arrow) this.move(...arrow);
    else if (!this.picked) return false;
    else if (key === "Tab") this.pick(this.nextArea());
    else if (key === "Escape") this.leave();
    else if (key === "Backspace") this.digits = this.digits.slice(0, -1);
    else if (/^[0-9.]$/.test(key) && this.digits.length < MOST_DIGITS) this.digits += key;
    else return false;
    this.send();
    return true;
  }

  /** Go on to the next area with what is keyed, or to the next position if nothing is. */
  enter({ quiet }: Enter, isAgain: boolean): void {
    if (isAgain) this.rest.stop();
    if (!this.picked || !(this.digits || quiet)) return;
    const next = this.digits ? this.nextArea() : this.areaAt(this.picked.position + 1, 0);
    if (!this.keep()) return;
    this.picked = next;
    if (!isAgain) this.rest.restart();
  }

  addChip(cents: number): void {
    this.send();
    const sum = this.amount + cents;
    this.digits = sum % 100 ? (sum / 100).toFixed(2) : String(sum / 100);
  }

  clearDigits(): void {
    this.digits = "";
  }

  seat(position: number, patron: string): void {
    this.seats.set(position, patron);
    this.lacksPatron = false;
  }

  /** Leave the felt; an amount that is not complete is forgotten. */
  leave(): void {
    this.digits = "";
    this.lacksPatron = false;
    this.picked = null;
    this.send();
  }

  /** Send nothing more without a press. */
  readonly stop = (): void => this.rest.stop();

  /** Send every wager that is keyed. */
  send(): void {
    this.rest.stop();
    for (const each of this.keyed) {
      if (this.sent.has(each)) continue;
      this.sent.add(each);
      this.give(each);
    }
  }

  /** Note that a wager was answered, whatever the answer. */
  answered(wager: KeyedWager): void {
    this.sent.delete(wager);
    this.keyed = this.keyed.filter((each) => each !== wager);
  }

  /** Keep the amount as a keyed wager; return whether the entry may go on. */
  private keep(): boolean {
    const { amount, patron, picked } = this;
    this.lacksPatron = Boolean(picked && amount && !patron);
    if (this.lacksPatron) return false;
    if (picked && amount && patron) this.keyed = [...this.keyed, { ...picked, patron, amount }];
    this.digits = "";
    return true;
  }

  private move(seats: number, areas: number): void {
    const { picked, wagers } = this;
    if (!picked) this.pick(this.areaAt(1, 0));
    else this.pick(this.areaAt(picked.position + seats, turned(wagers.indexOf(picked.wager) + areas, wagers.length)));
  }

  private nextArea(): Area {
    const { position, wager } = this.picked!;
    const next = this.wagers.indexOf(wager) + 1;
    return next < this.wagers.length ? this.areaAt(position, next) : this.areaAt(position + 1, 0);
  }

  private areaAt(position: number, index: number): Area {
    return { position: turned(position - 1, this.positions) + 1, wager: this.wagers[index]! };
  }
}
