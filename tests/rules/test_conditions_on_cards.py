"""Conditions that ask the cards themselves: each key as its words say, exact from any shoe and in mid-round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest
from reference import brute_force, second_settlement
from reference.condition_reading import holds

from punto import CardsSeen, Composition, Coup, GameFileError, Rulebook, Unlawful, loads, odds, settle, simulate
from punto.audit.game_lines import line_of
from punto.cards import DECK, CardError
from punto.rules.conditions import FEATURES
from punto.rules.game_file import read_game
from punto.rules.hands.questions import LOOKS, QUESTIONS
from punto.rules.possible_lines import possible_lines

SEED = 20261118
When = dict[str, object]


def toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def game(*whens: When) -> str:
    line = {"pays": "1 to 1", "clause": "1"}
    lines = [{"outcome": f"o{at}", "when": when, **line} for at, when in enumerate(whens)]
    return (
        'key = "t"\ntitle = "T"\ndecks = { min = 1, max = 8 }\n'
        f'[[wager]]\nname = "W"\nclause = "1"\nlines = {toml(lines)}\n'
        '[clauses]\n"1" = { provision = "wager", by = "data", text = "x" }\n'
    )


def unchecked(*whens: When) -> Rulebook:
    """A game that may have lines that nothing reaches."""
    return read_game(game(*whens).encode(), "t.toml")


def coups(random: Random, number: int) -> Iterator[list[str]]:
    deck = [str(card) for card in DECK]
    for _ in range(number):
        yield second_settlement.play(random.choices(deck, k=6))[2]


def some_conditions(random: Random, number: int) -> list[When]:
    keys = sorted(QUESTIONS)
    found: list[When] = []
    for key in random.sample(keys, number):
        values = list(QUESTIONS[key].values)
        single = key in ("player_suit", "banker_suit")
        chosen = random.choice(values) if single else random.sample(values, min(len(values), random.randint(1, 3)))
        found.append({key: chosen})
    return found


@pytest.mark.parametrize("key", QUESTIONS)
def test_every_key_means_what_its_words_say(key: str) -> None:
    random = Random(f"{SEED} {key}")
    values = list(QUESTIONS[key].values)
    whens: list[When] = [{key: value} for value in values]
    if len(values) > 2 and key not in ("player_suit", "banker_suit"):
        whens.append({"not": {key: values[:2]}})
    books = [unchecked(when) for when in whens]
    for used in coups(random, 25):
        coup = Coup.deal(" ".join(used))
        hands = [[str(card) for card in hand] for hand in (coup.player, coup.banker)]
        for when, book in zip(whens, books, strict=True):
            expected = holds(when, *hands)
            assert (settle(book.wagers[0], coup).outcome == "o0") is expected, (when, used)
            file = {"wager": [{"name": "W", "lines": [{"when": when, "pays": "1 to 1"}]}]}
            audited = line_of(file, "W", (hands[0], hands[1]))
            assert (audited.result == "win") is expected, (when, used)


def test_cards_of_a_kind_are_counted() -> None:
    random = Random(SEED)
    for by, values in LOOKS.items():
        for whose in ("player", "banker", "both"):
            when: When = {"number_of": {"cards": whose, by: [values[0], values[-1]], "times": [1, 2]}}
            wager = unchecked(when).wagers[0]
            for used in coups(random, 10):
                coup = Coup.deal(" ".join(used))
                hands = [[str(card) for card in hand] for hand in (coup.player, coup.banker)]
                assert (settle(wager, coup).outcome == "o0") is holds(when, *hands), (when, used)


def compare_with_every_order(random: Random, *whens: When) -> None:
    """Odds, decided wagers and exact counts of a few cards, between rounds and in the middle of one."""
    book = unchecked(*whens)
    few = random.choices(random.sample(DECK, random.randint(2, 6)), k=random.randint(4, 7))
    one, two, three, four = few[:4]
    seen = random.choice(
        [
            CardsSeen(),
            CardsSeen(player=[one]),
            CardsSeen(player=[None, one], banker=[two]),
            CardsSeen(player=[one, two], banker=[three, four]),
            CardsSeen(player=[one, None, two]),
            CardsSeen(player=[one, two], banker=[None, three, four]),
        ]
    )
    left = list(few)
    for card in seen.cards:
        left.remove(card)
    met = brute_force.outcomes(book, seen, left)["W"]
    if not met:
        with pytest.raises((Unlawful, CardError)):
            odds(book, Composition(left), seen)
        return
    found = {each.outcome: each.probability for each in odds(book, Composition(left), seen)["W"].outcomes}
    assert {name: share for name, share in found.items() if share} == {
        name: Fraction(count, met.total()) for name, count in met.items()
    }, (whens, few, seen)
    possible = possible_lines(book.wagers, seen, Composition(left))["W"]
    assert {line.outcome for line in possible.lines} | ({"void"} if possible.void else set()) == set(met)


@pytest.mark.parametrize("seed", range(6))
def test_odds_are_those_of_every_order_of_a_few_cards(seed: int) -> None:
    random = Random(f"{SEED} {seed}")
    compare_with_every_order(random, *some_conditions(random, 3))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200))
def test_odds_are_those_of_every_order_of_many_small_shoes(seed: int) -> None:
    random = Random(f"{SEED} long {seed}")
    compare_with_every_order(random, *some_conditions(random, random.randint(1, 4)))


@pytest.mark.long
@pytest.mark.parametrize("key", sorted(QUESTIONS.keys() - FEATURES.keys()))
def test_every_key_is_simulated_as_it_is_counted(key: str) -> None:
    values = QUESTIONS[key].values
    book = unchecked({key: values[len(values) // 2]})
    expected, found = odds(book, 6)["W"], simulate(book, 1500, seed=SEED, decks=6)["W"]
    error = float(expected.variance / found.rounds) ** 0.5  # exact: a rare line may not come at all
    assert abs(float(found.mean_return - expected.expected_return)) < 4 * error


def test_wagers_on_cards_are_simulated_as_they_are_counted() -> None:
    book = unchecked({"every_card_colour": "red"}, {"player_third_rank": ["K", "Q"]}, {"sum": [0, 18]})
    expected, found = odds(book, 8)["W"], simulate(book, 300, seed=3)["W"]
    for one, other in zip(expected.outcomes, found.outcomes, strict=True):
        spread = float(one.probability * (1 - one.probability) * found.rounds) ** 0.5
        assert abs(other.count - float(one.probability) * found.rounds) < 4 * spread


def test_an_old_list_of_suits_is_refused_with_what_to_write() -> None:
    with pytest.raises(GameFileError, match="every_player_initial_card_suit if each card"):
        loads(game({"player_suit": ["h", "d"]}))
    loads(game({"player_suit": "h"}))
    both = unchecked({"player_suited_in": ["h", "d"]}).wagers[0]
    each = unchecked({"every_player_initial_card_suit": ["h", "d"]}).wagers[0]
    assert [settle(wager, "9h 8s Kd 7s").outcome for wager in (both, each)] == ["lose", "o0"]
    assert [settle(wager, "9h 8s Kh 7s").outcome for wager in (both, each)] == ["o0", "o0"]


@pytest.mark.parametrize(
    ("when", "message"),
    [
        ({"player_thrd_rank": "K"}, "unknown key; did you mean player_third_rank?"),
        ({"any_card_rank": "10"}, "expected one of A, 2, 3"),
        ({"every_card_colour": "blak"}, 'found "blak"; did you mean black?'),
        ({"number_of": {"cards": "all", "rank": "7", "times": 1}}, "number_of.cards: expected one of both, player"),
        ({"number_of": {"cards": "both", "times": 1}}, "number_of: expected one of rank, suit, colour, value"),
        ({"number_of": {"cards": "player", "rank": "7", "times": 4}}, "number_of.times: expected one of 0, 1, 2, 3"),
        ({"all": []}, "all: expected at least one condition"),
    ],
)
def test_mistakes_are_told_with_the_nearest_word(when: When, message: str) -> None:
    with pytest.raises(GameFileError) as refused:
        loads(game(when))
    assert message in str(refused.value)


def test_lines_on_cards_that_nothing_reaches_are_refused() -> None:
    with pytest.raises(GameFileError, match='"o1" of W is never reached'):
        loads(game({"every_card_colour": "red"}, {"every_card_suit": "h"}))
    with pytest.raises(GameFileError, match='"o0" of W is never reached'):
        loads(game({"winner": "player", "player_cards": 2, "every_card_rank": "K"}))


@pytest.mark.long
def test_how_many_alike_are_reached_depends_on_the_decks() -> None:
    """Five cards of a rank need two decks."""
    loads(game({"most_cards_of_one_rank": 6}))
    with pytest.raises(GameFileError, match="is never reached"):
        loads(game({"most_cards_of_one_rank": 5}).replace("max = 8", "max = 1"))


def test_cards_are_one_class_where_no_condition_tells_them_apart() -> None:
    from punto.rules.hands.hand_states import cards_apart, hands_of

    counted = Counter(cards_apart(hands_of(unchecked({"player_first_rank": "K"}).wagers)))
    assert sorted(counted.values()) == [4] * 10 + [12]
    coloured = Counter(cards_apart(hands_of(unchecked({"every_card_colour": "red"}).wagers)))
    assert len(coloured) == 20
