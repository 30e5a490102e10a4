"""A second reading of conditions: a ``when`` table held against the cards of a coup, as texts such as ``4h``.

Shares no code with the package. What a key means is taken from its words, as the page for designers explains them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from reference.second_settlement import total, value

When = dict[str, Any]
Cards = Sequence[str]


def holds(when: When, player: Cards, banker: Cards) -> bool:
    return all(_key(key, wanted, player, banker) for key, wanted in when.items())


def _key(key: str, wanted: Any, player: Cards, banker: Cards) -> bool:
    if key == "not":
        return not holds(wanted, player, banker)
    if key in ("any", "all"):
        found = [holds(each, player, banker) for each in wanted]
        return any(found) if key == "any" else all(found)
    if key == "number_of":
        return _number(wanted, player, banker)
    values = wanted if isinstance(wanted, list) else [wanted]
    words = key.split("_")
    if words[0] in ("every", "any", "most") and len(words) > 1:
        return _set(words, values, player, banker)
    return _fact(key, words, player, banker) in values


def look(card: str, by: str) -> Any:
    if by == "rank":
        return card[0]
    if by == "suit":
        return card[1]
    if by == "colour":
        return {"h": "red", "d": "red", "s": "black", "c": "black"}[card[1]]
    assert by == "value"
    return value(card)


def _number(wanted: When, player: Cards, banker: Cards) -> bool:
    cards = {"player": list(player), "banker": list(banker), "both": [*player, *banker]}[wanted["cards"]]
    by = next(name for name in ("rank", "suit", "colour", "value") if name in wanted)
    kinds = wanted[by] if isinstance(wanted[by], list) else [wanted[by]]
    times = wanted["times"] if isinstance(wanted["times"], list) else [wanted["times"]]
    return len([card for card in cards if look(card, by) in kinds]) in times


def _set(words: list[str], values: list[Any], player: Cards, banker: Cards) -> bool:
    if "initial" in words:
        player, banker = player[:2], banker[:2]
    cards = list(player) if "player" in words else list(banker) if "banker" in words else [*player, *banker]
    looks = [look(card, words[-1]) for card in cards]
    if words[0] == "every":
        return set(looks) <= set(values)
    if words[0] == "any":
        return bool(set(looks) & set(values))
    return Counter(looks).most_common(1)[0][1] in values


def _fact(key: str, words: list[str], player: Cards, banker: Cards) -> Any:
    if words[0] in ("player", "banker"):
        hand = player if words[0] == "player" else banker
        return _fact_of_hand("_".join(words[1:]), words[1:], hand)
    if words[0] == "initial":
        player, banker = player[:2], banker[:2]
    one, other = total(player), total(banker)
    match words[-1]:
        case "winner":
            return "tie" if one == other else "player" if one > other else "banker"
        case "margin":
            return max(one, other) - min(one, other)
        case "sum":
            return one + other
        case "natural":
            return total(player[:2]) in (8, 9) or total(banker[:2]) in (8, 9)
        case "cards":
            return len(player) + len(banker)
    pairs = [hand[0][0] for hand in (player, banker) if hand[0][0] == hand[1][0]]
    return len(pairs) if key == "pairs" else len(pairs) == 2 and pairs[0] == pairs[1]


def _fact_of_hand(what: str, words: list[str], hand: Cards) -> Any:
    if words[0] in ("first", "second", "third"):
        place = ("first", "second", "third").index(words[0])
        return look(hand[place], words[1]) if len(hand) > place else None
    one, other = hand[0], hand[1]
    return {
        "total": total(hand),
        "initial_total": total(hand[:2]),
        "natural": total(hand[:2]) in (8, 9),
        "cards": len(hand),
        "pair": one[0] == other[0],
        "pair_rank": one[0] if one[0] == other[0] else None,
        "suited": one[1] == other[1],
        "suit": one[1] if one[1] == other[1] else None,
        "suited_in": one[1] if one[1] == other[1] else None,
        "one_colour": look(one, "colour") == look(other, "colour"),
    }[what]
