/** The hand that was passed to a patron and is theirs to turn now. */
import type { Card, PublicView } from "../../api/types";
import { t } from "../../i18n/catalogue";
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
  for (const hand of handsInTurn(view)) {
    const cards = view.hands[hand]!;
    const places = cards.flatMap((card, place) =>
      card === null && holder(view, hand, place) === patron ? [place] : [],
    );
    if (places.length) return { hand, cards, places };
  }
  return null;
}

/** The hands whose cards are turned now: those of the second lie covered until the first is turned. */
const handsInTurn = ({ hand_in_turn }: PublicView): HandName[] =>
  hand_in_turn ? [hand_in_turn] : ["player", "banker"];

/** Return the patron who turns cards now, and the seat where they have a wager; null if nobody does. */
export function squeezer(view: PublicView): { patron: string; seat: number | null } | null {
  if (view.phase !== "dealing") return null;
  for (const hand of handsInTurn(view))
    for (const [place, card] of view.hands[hand]!.entries()) {
      const patron = card === null ? holder(view, hand, place) : undefined;
      if (patron) return { patron, seat: view.wagers.find((each) => each.patron === patron)?.position ?? null };
    }
  return null;
}

/** Say to whom cards are passed by the table's method of dealing; empty where no bet decides that. */
export function squeezeRule({ setting }: PublicView): string {
  return setting?.method === "A" ? t("squeeze.rule") : "";
}

function holder({ handlers, single_cards }: PublicView, hand: HandName, place: number): string | undefined {
  return single_cards.find((each) => each.hand === hand && each.place === place)?.person ?? handlers[hand];
}
