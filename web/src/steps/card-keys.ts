/** Cards as they are typed and keyed. */
import type { Card } from "../api/types";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
export const SUITS = ["s", "h", "c", "d"];
const HANDS = ["player", "banker"] as const;
type Hand = (typeof HANDS)[number];

/** Parse a card such as 4h, Td or 10d; null if it is none. */
export function cardTyped(text: string): Card | null {
  const found = /^(10|[a2-9tjqk])([shcd])$/i.exec(text.trim());
  return found ? ([found[1] === "10" ? "T" : found[1]!.toUpperCase(), found[2]!.toLowerCase()] as Card) : null;
}

export const cardsTyped = (text: string): Card[] | null => {
  const cards = text
    .trim()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(cardTyped);
  return cards.includes(null) ? null : (cards as Card[]);
};

/** Return cards in a row, null for each that is typed as "?"; null if one cannot be read. */
export const facesTyped = (text: string): (Card | null)[] | null => {
  const typed = text.split(/[\s,]+/).filter(Boolean);
  const cards = typed.map((each) => (each === "?" ? null : cardTyped(each)));
  return typed.length && typed.every((each, at) => each === "?" || cards[at]) ? cards : null;
};

/** Return hands in a row, each typed by its first letter or its name; null if one cannot be read. */
export const handsTyped = (text: string): Hand[] | null => {
  const typed = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const hands = typed.map((each) => HANDS.find((hand) => hand === each || hand[0] === each));
  return typed.length && !hands.includes(undefined) ? (hands as Hand[]) : null;
};

/** Reads a card from two keys: a rank, then a suit. */
export class CardKeys {
  rank: string | null = null;

  /** Take a key; return the card once it is complete, null before, undefined if the key is no part of a card. */
  key(key: string): Card | null | undefined {
    const low = key.toLowerCase();
    if (this.rank && SUITS.includes(low)) {
      const card = [this.rank, low] as Card;
      this.rank = null;
      return card;
    }
    const rank = low === "0" ? "T" : RANKS.find((each) => each.toLowerCase() === low);
    if (!rank) return undefined;
    this.rank = rank;
    return null;
  }
}

/** Return places in a row, each typed as a hand and a number such as P1; null if one cannot be read. */
export const placesTyped = (text: string): [Hand, number][] | null => {
  const typed = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const places = typed.map((each) => {
    const found = /^([pb])([123])$/.exec(each);
    return found ? ([found[1] === "p" ? "player" : "banker", Number(found[2]) - 1] as [Hand, number]) : null;
  });
  return typed.length && !places.includes(null) ? (places as [Hand, number][]) : null;
};
