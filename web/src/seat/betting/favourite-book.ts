/** A patron's favourite bets at a game. They are kept in the browser, and lie at the seat where they are placed. */
import type { Limits } from "../../api/types";
import type { LaidWager } from "../../table-view/laid-wagers";

export interface Bet {
  wager: string;
  amount: number;
}

export interface Favourite {
  name: string;
  bets: Bet[];
}

export const MOST_FAVOURITES = 6;
export const LONGEST_NAME = 16;

export const worth = ({ bets }: Favourite) => bets.reduce((sum, each) => sum + each.amount, 0);

/** Say why a favourite cannot be placed at a table: a bet outside its limits, or too few chips. */
export function hindrance(
  favourite: Favourite,
  limits: Readonly<Record<string, Limits>>,
  chips: number,
): "limits" | "chips" | null {
  const fits = ({ wager, amount }: Bet) => {
    const between = limits[wager];
    return between !== undefined && amount >= between.minimum && amount <= between.maximum;
  };
  if (!favourite.bets.every(fits)) return "limits";
  return worth(favourite) > chips ? "chips" : null;
}

export class FavouriteBook {
  constructor(
    private readonly store: Storage,
    private readonly key: string,
  ) {}

  /** The favourites as they are kept now: another table of the game may have changed them. */
  get favourites(): readonly Favourite[] {
    return JSON.parse(this.store.getItem(this.key) ?? "[]") as Favourite[];
  }

  /** Save bets under a name, in the place of those that had it. */
  save(name: string, laid: readonly LaidWager[]): void {
    const words = [...name.trim()].slice(0, LONGEST_NAME).join("");
    const bets = new Map<string, number>();
    for (const { wager, amount } of laid) bets.set(wager, (bets.get(wager) ?? 0) + amount);
    if (!words || !bets.size) return;
    const made = { name: words, bets: [...bets].map(([wager, amount]) => ({ wager, amount })) };
    const others = this.favourites.filter((each) => each.name !== words);
    this.keep([...others, made].slice(-MOST_FAVOURITES));
  }

  remove(name: string): void {
    this.keep(this.favourites.filter((each) => each.name !== name));
  }

  private keep(favourites: readonly Favourite[]): void {
    this.store.setItem(this.key, JSON.stringify(favourites));
  }
}
