/** The hand that was passed to a patron and is theirs to turn now. */
import type { Card, PublicView } from "../../api/types";
import type { HandName } from "../../table-view/shown-round";

export interface PassedHand {
  hand: HandName;
  /** The cards of the hand as all see them; null is one face down. */
  cards: readonly (Card | null)[];
  /** Places of the cards that lie face down before this patron. */
  places: readonly number[];
}

/** Return the hand a patron has to turn, of two the one that goes first; null if none waits for them. */
export function passedHand(view: PublicView, patron: string | null): PassedHand | null {
  if (!patron || view.phase !== "dealing") return null;
  // The cards of the second hand lie covered until the first is turned.
  const turned: HandName[] = view.hand_in_turn ? [view.hand_in_turn] : ["player", "banker"];
  for (const hand of turned) {
    const cards = view.hands[hand]!;
    const places = cards.flatMap((card, place) =>
      card === null && holder(view, hand, place) === patron ? [place] : [],
    );
    if (places.length) return { hand, cards, places };
  }
  return null;
}

function holder({ handlers, single_cards }: PublicView, hand: HandName, place: number): string | undefined {
  return single_cards.find((each) => each.hand === hand && each.place === place)?.person ?? handlers[hand];
}
