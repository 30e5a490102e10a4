/** The round on the felt: its cards and result stay in sight until the next deal. */
import type { Card, EventOutcomeAnnounced, EventSettled, PublicView, RoundShown, Told } from "../api/types";

export type HandName = "player" | "banker";
export type Hands = Record<HandName, (Card | null)[]>;
export type Outcome = Pick<EventOutcomeAnnounced, "player_total" | "banker_total" | "winner"> &
  Partial<EventOutcomeAnnounced>;

export interface ShownRound {
  round: number;
  hands: Hands;
  /** Point totals of the exposed cards. */
  totals: Record<HandName, number | null>;
  outcome: Outcome | null;
  /** The patron's own wagers, once settled. */
  settled: EventSettled[] | null;
  /** The wagers that won, once the outcome is announced. */
  winning: readonly string[];
  /** The clause by which the round is void; empty where no clause is given, null if it is not void. */
  void: string | null;
}

const NO_CARDS: Hands = { player: [], banker: [] };
const NO_TOTALS = { player: null, banker: null };

export function nothingShown(round: number): ShownRound {
  return { round, hands: NO_CARDS, totals: NO_TOTALS, outcome: null, settled: null, winning: [], void: null };
}

const anyCard = (hands: Hands) => hands.player.length + hands.banker.length > 0;

/** Show a round that was over before the page was opened. */
export function shownBefore(round: RoundShown): ShownRound {
  if (!round.player || !round.banker) return { ...nothingShown(round.round), void: round.clause ?? "" };
  return {
    round: round.round,
    hands: { player: round.player.cards, banker: round.banker.cards },
    totals: { player: round.player.total, banker: round.banker.total },
    outcome: { player_total: round.player.total, banker_total: round.banker.total, winner: round.winner! },
    settled: round.mine?.length ? round.mine : null,
    winning: [],
    void: null,
  };
}

/** Replace a finished round by its record where that has been corrected. */
export function correctedRound(shown: ShownRound, rounds: readonly RoundShown[]): ShownRound {
  const record = rounds.find((each) => each.round === shown.round);
  const over = shown.outcome !== null || shown.void !== null;
  return over && record && (record.corrected || (record.void && shown.void === null)) ? shownBefore(record) : shown;
}

function outcomeOf({ totals }: PublicView, winner: Outcome["winner"]): Outcome {
  return { player_total: totals.player!, banker_total: totals.banker!, winner };
}

/** Return the round after further events, with the cards of the current view. */
export function roundAfter(
  shown: ShownRound,
  view: PublicView,
  events: readonly Told[],
  patron: string | null,
): ShownRound {
  const another = !events.length && anyCard(view.hands as Hands) && shown.round !== view.round;
  let now = another ? nothingShown(view.round) : shown; // a table shown again: what was there is of an earlier round
  for (const { name, body } of events) {
    switch (name) {
      case "CardDrawn":
        if (now.outcome || now.void !== null || now.winning.length) now = nothingShown(view.round);
        break;
      case "OutcomeAnnounced":
        now = { ...now, outcome: body };
        break;
      case "CardCorrected":
      case "CardsRelaid":
        now = { ...now, outcome: null, winning: [] };
        break;
      case "RoundSettled":
        now = { ...now, round: body.round, settled: body.wagers.filter((each) => each.patron === patron) };
        break;
      case "RoundVoided":
        now = { ...now, round: body.round, void: body.clause ?? "" };
        break;
    }
  }
  if (view.winning.length) now = { ...now, winning: view.winning };
  // Announced before the page came.
  if (view.announced && !now.outcome) now = { ...now, outcome: outcomeOf(view, view.announced) };
  const hands = view.hands as Hands;
  return anyCard(hands) ? { ...now, round: view.round, hands, totals: view.totals as ShownRound["totals"] } : now;
}
