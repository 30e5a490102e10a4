/** The bets of the last round in which a patron had any: "rebet" places them again, and no other ones. */
import type { EventSettled, RoundShown } from "../../api/types";
import type { LaidWager } from "../../table-view/laid-wagers";

interface Kept {
  round: number;
  wagers: LaidWager[];
}

const NONE: Kept = { round: 0, wagers: [] };

export class LastBets {
  private kept: Kept;
  /** Whether no later round can have had bets: it may, until the table has told which rounds were played meanwhile. */
  private certain = false;

  constructor(
    private readonly store: Storage,
    private readonly key: string,
  ) {
    this.kept = JSON.parse(store.getItem(key) ?? "null") ?? NONE;
  }

  /** The bets; none as long as it is not known which were the last. */
  get wagers(): LaidWager[] {
    return this.certain ? this.kept.wagers : [];
  }

  /** Take the bets that lie there when a round takes no more. */
  closed(round: number, wagers: readonly LaidWager[]): void {
    if (wagers.length) this.keep({ round, wagers: [...wagers] });
  }

  /** Take the bets of a round of which only its settlement was seen. */
  settled(round: number, mine: readonly EventSettled[]): void {
    if (mine.length && round > this.kept.round) this.keep({ round, wagers: mine.map(asLaid) });
  }

  /** Rounds were missed. */
  doubt(): void {
    this.certain = false;
  }

  /** Find out by the last rounds, the newest first, whether bets were made in one that was missed. */
  compare(rounds: readonly RoundShown[], current: number): void {
    if (this.certain) return;
    const newest = rounds.find((each) => each.void || each.mine?.length);
    const oldest = rounds.at(-1)?.round ?? current;
    const told = this.kept.round >= oldest - 1 && this.kept.round <= current;
    if (newest && newest.round > this.kept.round) {
      // Which bets a void round had is not told.
      if (newest.void) this.keep(NONE);
      else this.settled(newest.round, newest.mine ?? []);
    } else this.keep(told ? this.kept : NONE);
  }

  private keep(kept: Kept): void {
    this.kept = kept;
    this.certain = true;
    this.store.setItem(this.key, JSON.stringify(kept));
  }
}

const asLaid = ({ position, wager, stake }: EventSettled): LaidWager => ({ position, wager, amount: stake });
