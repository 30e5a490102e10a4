/** Tells deliberate presses of Enter from a key that is held down or pressed again and again. */

/** Enter acts only after this long without any press, in milliseconds. */
export const QUIET = 500;
/** What cannot be taken back never follows another Enter sooner than this. */
const APART = 2_000;

/** What a press of Enter may do. */
export interface Enter {
  /** Whether it came after a pause. */
  quiet: boolean;
  /** Whether it may also do what cannot be taken back. */
  alone: boolean;
}

export class PressPace {
  private lastPress = Number.NEGATIVE_INFINITY;
  private lastEnter = Number.NEGATIVE_INFINITY;

  constructor(private readonly now: () => number) {}

  /** Whether the press just before was not Enter as well. */
  get isFirstEnter(): boolean {
    return this.lastPress !== this.lastEnter || this.now() - this.lastEnter >= QUIET;
  }

  /** Note a key or a tap other than Enter. */
  press(): void {
    this.lastPress = this.now();
  }

  /** Note Enter; repeats of a key that is held down count as presses and may do nothing. */
  enter(isRepeated: boolean): Enter {
    const at = this.now();
    const quiet = !isRepeated && at - this.lastPress >= QUIET;
    const alone = quiet && at - this.lastEnter >= APART;
    this.lastPress = this.lastEnter = at;
    return { quiet, alone };
  }

  /** Note Enter in a field: there it follows the digits at once, but never another Enter. */
  enterInField(isRepeated: boolean): boolean {
    const may = !isRepeated && this.isFirstEnter;
    this.lastPress = this.lastEnter = this.now();
    return may;
  }
}
