/** Cards as the Dealer keys them: each waits a moment to be seen, then is given; several may be keyed ahead. */
import type { Card } from "../api/types";
import { QUIET } from "../controllers/press-pace";
import { Timeout } from "../controllers/timeout";
import { CardKeys } from "../steps/card-keys";

export class CardEntry {
  /** The card that is keyed and not given yet. */
  card: Card | null = null;
  private readonly keys = new CardKeys();
  private readonly rest = new Timeout(QUIET, () => this.finish());
  private queue: Card[] = [];

  /** `give` is called when there is a card to give. */
  constructor(private readonly give: () => void) {}

  /** The rank of a card that is half keyed. */
  get rank(): string | null {
    return this.keys.rank;
  }

  /** The next card to give. */
  get next(): Card | null {
    return this.queue[0] ?? null;
  }

  /** Take a key; the rank of the next card finishes the one before. */
  key(key: string): void {
    const before = this.card;
    const card = this.keys.key(key);
    if (card === undefined) return;
    if (before) this.finish();
    if (card) this.show(card);
  }

  /** Take a whole card, as from the pad. */
  take(card: Card): void {
    this.finish();
    this.show(card);
  }

  private show(card: Card): void {
    this.card = card;
    this.rest.restart();
  }

  /** Give the card that is shown, without waiting any longer. */
  private finish(): void {
    this.rest.stop();
    if (this.card) this.queue.push(this.card);
    this.card = null;
    this.give();
  }

  /** Note that the next card was given. */
  given(): void {
    this.queue.shift();
  }

  /** Forget everything that is keyed and not given. */
  clear(): void {
    this.rest.stop();
    this.keys.rank = null;
    this.card = null;
    this.queue = [];
  }
}
