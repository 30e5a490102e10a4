"""Arguments that say which cards are in the shoe and which are on the table."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from punto.cards import DECK, Card, CardError, Composition, parse_cards
from punto.cli.main import BadInput, whole_number
from punto.cli.output import input_text
from punto.rules import CardsSeen, Hand, Rulebook
from punto.rules.table_of_play import next_card

_MOST_OF_ONE_CARD = 10_000


def add_shoe_arguments(parser: ArgumentParser, mid_round: bool = True) -> None:
    """Add arguments for commands about a shoe, between rounds or also in the middle of one."""
    shoe = parser.add_mutually_exclusive_group()
    shoe.add_argument("--decks", type=whole_number, help="a full shoe of this many decks (default 8)")
    file = 'the cards not yet exposed, as JSON: {"As": 5, "Ah": 4, ...}; - reads standard input'
    shoe.add_argument("--shoe", metavar="FILE", help=file)
    parser.add_argument("--seen", metavar="CARDS", default="", help='cards gone from the shoe, such as "4h Ks"')
    if not mid_round:
        parser.set_defaults(dealt="")
        return
    dealt = 'the cards of this round already exposed, such as "P:4h,7d B:Ks"; ? is a card face down'
    parser.add_argument("--dealt", metavar="HANDS", default="", help=dealt)


def shoe_of(book: Rulebook, arguments: Namespace) -> Composition:
    """Return the unexposed cards: of a full shoe all but those seen and dealt, of a file all but those seen."""
    gone = list(parse_cards(arguments.seen))
    if arguments.shoe is not None:
        shoe = _read(arguments.shoe)
    else:
        shoe = book.shoe(book.usual_decks if arguments.decks is None else arguments.decks)
        gone += cards_dealt(arguments).cards
    try:
        return shoe.without(gone)
    except CardError as error:
        raise BadInput(f"--seen and --dealt take more than the shoe holds: {error}") from None


def shoe_json(cards: Composition, arguments: Namespace, mid_round: bool = True) -> dict[str, object]:
    """Return the cards that an answer is about, for its JSON; of a shoe from a file the count of each card."""
    dealt = cards_dealt(arguments)
    full = len(cards) + len(dealt.cards) + len(parse_cards(arguments.seen))
    told: dict[str, object] = {
        "decks": None if arguments.shoe is not None else full // len(DECK),
        "cards": len(cards),
        "seen": [str(card) for card in parse_cards(arguments.seen)],
    }
    if mid_round:
        hands = ("player", "banker")
        told["dealt"] = {name: [card and str(card) for card in getattr(dealt, name)] for name in hands}
    if arguments.shoe is not None:
        told["composition"] = {str(card): count for card, count in cards.items()}
    return told


def cards_dealt(arguments: Namespace) -> CardsSeen:
    """Parse ``P:4h,7d B:Ks`` into the cards exposed in each hand."""
    hands: dict[str, tuple[Card | None, ...]] = {"P": (), "B": ()}
    for word in arguments.dealt.split():
        name, colon, cards = word.partition(":")
        if not colon or name.upper() not in hands or not cards:
            raise BadInput(f'--dealt {arguments.dealt!r}: expected hands such as "P:4h,7d B:Ks", found {word!r}')
        if hands[name.upper()]:
            raise BadInput(f"--dealt {arguments.dealt!r}: {word!r} gives a hand that was given before")
        hands[name.upper()] = tuple(None if card == "?" else Card.parse(card) for card in cards.split(",") if card)
    seen = CardsSeen(hands["P"], hands["B"])
    if not _third_cards_called_for(seen):
        raise BadInput(f"--dealt {arguments.dealt!r}: a third card lies face down only where the others call for it")
    return seen


def _third_cards_called_for(seen: CardsSeen) -> bool:
    """Return whether a third card that lies face down follows from the cards before it, all of them exposed."""
    hands = {Hand.PLAYER: seen.player, Hand.BANKER: seen.banker}
    down = [hand for hand, cards in hands.items() if cards[2:] == (None,)]
    if not down:
        return True
    player, banker = ([card.point_value for card in cards if card] for cards in hands.values())
    return min(len(player), len(banker)) >= 2 and down == [next_card(player, banker)]


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object; raise ``ValueError`` if it names a card twice, since one of the two would be lost."""
    names = [name.strip().upper() for name, _ in pairs]
    if repeated := [name for name, _ in pairs if names.count(name.strip().upper()) > 1]:
        raise ValueError(f"{repeated[0]} is named twice")
    return dict(pairs)


def _read(file: str) -> Composition:
    text = input_text(file)
    try:
        content = json.loads(text, object_pairs_hook=_once_each)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{file}: not JSON: {error}") from None
    if not isinstance(content, dict):
        raise BadInput(f'{file}: expected an object such as {{"As": 5, "Ah": 4}}')
    cards: list[Card] = []
    for name, count in content.items():
        if type(count) is not int or not 0 <= count <= _MOST_OF_ONE_CARD:
            raise BadInput(f"{file}: {name}: expected a whole number 0 to {_MOST_OF_ONE_CARD:,}, found {count!r}")
        try:
            cards += [Card.parse(name)] * count
        except CardError as error:
            raise BadInput(f"{file}: {error}") from None
    if not cards:
        raise BadInput(f"{file}: expected at least one card")
    return Composition(cards)
