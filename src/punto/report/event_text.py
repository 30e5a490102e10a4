"""Events of a table as sentences. The sentences are in ``texts``, under the names of the events."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from punto.cards import Card, Rank
from punto.rules.game_library import APPROVED, load
from punto.table.event import Event, Returned
from punto.table.play.shoes import ShoeEnded
from punto.table.play.table_management import TableOpened
from punto.table.settings import Limits
from punto.texts import Language, catalogue, fill, name_of, text


def event_text(event: Event, language: Language = Language.ENGLISH) -> str:
    """Return the sentence that says what an event did; its subject is the person who gave the command."""
    values = {name: _shown(getattr(event, name), language) for name in event.__struct_fields__}
    if isinstance(event, TableOpened) and event.game in APPROVED:
        values["game"] = load(event.game).title
    elif isinstance(event, ShoeEnded):  # the house's own decision, or a provision
        values["reason"] = name_of("reason", event.reason, language, name_of("provision", event.reason, language))
    sentence = fill(_template(event, language), values, language)
    recorder = getattr(event, "recorded_by", None)
    return text("events", "recorded", language, sentence=sentence, recorded_by=recorder) if recorder else sentence


@cache
def _sentences(language: Language) -> dict[str, dict[str, str]]:
    """Return the sentences of each event by their variant; the plain one has none.

    The variant ``FIELD`` is for events with that field, ``no-FIELD`` for those without it.
    """
    sentences: dict[str, dict[str, str]] = {}
    for key, sentence in {**catalogue("events", language), **catalogue("irregularities", language)}.items():
        subject, _, rest = key.partition(".")
        if subject == "event":
            name, _, variant = rest.partition(".")
            sentences.setdefault(name, {})[variant] = sentence
    return sentences


def _template(event: Event, language: Language) -> str:
    several = _sentences(language)[type(event).__name__]
    for variant, sentence in several.items():
        field = variant.removeprefix("no-")
        if field and _has(event, field) is (field == variant):
            return sentence
    return several[""]


def _has(event: Event, field: str) -> bool:
    """Return whether a field says anything; the first place is 0 and says something."""
    value = getattr(event, field)
    return value is not None if field == "place" else bool(value)


def card_sign(card: Card) -> str:
    """Return a card as people draw it: 4♥, 10♠."""
    return ("10" if card.rank is Rank.TEN else card.rank.value) + card.suit.symbol


def _shown(value: object, language: Language) -> object:
    """Return a field's value in a form that a text can take: cards as signs, wagers and limits as phrases."""
    match value:
        case Card():  # before tuple: a card is one too
            return card_sign(value)
        case tuple() if any(isinstance(each, Returned) for each in value):
            return catalogue("events", language)["wager.separator"].join(_returned(each, language) for each in value)
        case tuple():
            return tuple(_shown(each, language) for each in value)
        case Mapping() if all(isinstance(each, Limits) for each in value.values()):
            return tuple(_limits(str(wager), each, language) for wager, each in value.items())
    return value


def _returned(each: Returned, language: Language) -> str:
    about = {"patron": each.patron, "wager": each.wager, "amount": each.amount, "position": each.position}
    return text("events", "wager.returned", language, **about)


def _limits(wager: str, limits: Limits, language: Language) -> str:
    between = text("events", "limits.range", language, minimum=limits.minimum, maximum=limits.maximum)
    return text("events", "limits.of_wager", language, wager=wager, limits=between)
