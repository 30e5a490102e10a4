"""Printed pay tables against the rulebook: every game in both languages, every misprint, and what people type."""

from __future__ import annotations

from fractions import Fraction

import pytest

from punto import APPROVED, Rulebook, load, odds
from punto.report.dossier.pay_lines import line_name, pays
from punto.report.felt.felt_check import FeltCheck, FeltVerdict, check_felt
from punto.report.felt.printed_lines import printed_pays
from punto.rules.rulebook import Line, Wager
from punto.texts import Language

ENGLISH, CHINESE = Language
LANTERN = "docs/examples/lantern.toml"
TIGER = """TIGER BACCARAT
| Winning Wager | Pays |
|---|---|
"Banker"	0.95 to 1
"Player"	1 to 1
"Tie"	8 to 1
"Single Tiger" Pair	4 to 1
"Double Tiger" Pair	20 to 1
"Twin Tiger" Pair	100 to 1
"Tiger" when "Banker" wins with two cards totalling six points	12 to 1
"Tiger" when "Banker" wins with three cards totalling six points	20 to 1
"Small Tiger"	22 to 1
"Big Tiger"	50 to 1
"Tiger Tie"	35 to 1
"""


def differing(found: FeltCheck) -> list[tuple[str, str, str | None]]:
    return [
        (each.verdict.value, each.wager.name if each.wager else "", each.line.outcome if each.line else None)
        for each in found.lines
        if each.verdict.is_difference
    ]


def printed(book: Rulebook, language: Language) -> list[tuple[Wager, Line, str]]:
    return [
        (wager, line, f"{line_name(wager, line, language)} ..... {pays(line.pays, language)}")
        for wager in book.wagers
        for line in wager.lines
    ]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("game", [*APPROVED, LANTERN])
def test_what_a_game_prints_is_equal_and_every_line_is_found(game: str, language: Language) -> None:
    book = load(game)
    found = check_felt(book, "\n".join(text for _, _, text in printed(book, language)))
    assert differing(found) == []
    assert [(each.wager, each.line) for each in found.lines] == [(w, line) for w, line, _ in printed(book, language)]


@pytest.mark.long
@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("game", ["tiger", "fabulous-4", "dragon-tiger"])
def test_every_misprinted_ratio_is_found_at_its_line_and_every_missing_line_is_named(
    game: str, language: Language
) -> None:
    book = load(game)
    lines = printed(book, language)
    for at, (wager, line, _) in enumerate(lines):
        if not line.pays:
            continue
        others = [text for number, (_, _, text) in enumerate(lines) if number != at]
        wrong = f"{line_name(wager, line, language)} {pays(line.pays + 3, language)}"
        assert differing(check_felt(book, "\n".join([*others[:at], wrong, *others[at:]]))) == [
            ("differs", wager.name, line.outcome)
        ]
        assert differing(check_felt(book, "\n".join(others))) == [("missing", wager.name, line.outcome)]


def test_the_approved_documents_own_tables_are_equal() -> None:
    assert check_felt(load("tiger"), TIGER).is_equal
    fabulous = """
    "Banker" with point total of 4 | Push
    "Banker" with point total of 1 | 2 to 1
    "Banker" with any other point total except for point total of 4 or 1 | 1 to 1
    "Player" with a point total of 4 | 1 to 2
    "Player" with a point total of 1 | 2 to 1
    "Player" with any other point total except for point total of 4 or 1 | 1 to 1
    "Tie" | 8 to 1
    "Player Fabulous 4" | 50 to 1
    "Banker Fabulous 4" | 25 to 1
    Player/Banker "Precious Pair" wagers
    Pair of Diamond 4's | 30 to 1
    Other Pairs of 4's (except Pair of Diamond 4's) | 15 to 1
    Diamond Pairs (except Pair of Diamond 4's) | 12 to 1
    Other Pairs (except Pair of Diamond 4's, Other Pairs of 4's and Diamond Pairs) | 9 to 1
    """
    assert differing(check_felt(load("fabulous-4"), fabulous)) == []
    baccarat = "Banker 0.95 to 1\nPlayer 1 to 1\nTie 8 to 1\nPlayer Pair or Banker Pair 11 to 1"
    assert check_felt(load("baccarat"), baccarat).is_equal
    assert differing(check_felt(load("baccarat"), baccarat.replace("11", "12"))) == [
        ("differs", "Player Pair", "win"),
        ("differs", "Banker Pair", "win"),
    ]


def test_a_misprint_has_the_edge_that_it_would_cost() -> None:
    found = check_felt(load("tiger"), TIGER.replace("35 to 1", "53 to 1"))
    book = load("tiger")
    as_printed = odds(book.with_pays({"Tiger Tie": {"win": 53}}))["Tiger Tie"].house_edge
    assert found.edges == {"Tiger Tie": (odds(book)["Tiger Tie"].house_edge, as_printed)}
    assert as_printed < 0


def test_misspelt_names_extra_lines_and_repeats_are_told_apart() -> None:
    found = check_felt(load("tiger"), TIGER.replace('"Small Tiger"', "Smal Tiger") + "Lucky Seven 7 to 1\nTie 8:1\n")
    assert differing(found) == [("misspelt", "Small Tiger", "win"), ("extra", "", None)]
    (wrong,) = [each.misspelt for each in found.lines if each.misspelt]
    assert wrong == (("smal", "small"),)
    twice = differing(check_felt(load("tiger"), f"{TIGER}Tie 9 to 1\n"))
    assert twice == [("extra", "Tie", "win")]
    pushes = [each for each in found.lines if each.verdict is FeltVerdict.PUSH_NOT_PRINTED]
    assert [each.wager.name for each in pushes if each.wager] == ["Player", "Banker"]


@pytest.mark.parametrize(
    ("words", "ratio"),
    [
        ("Tie 8 to 1", "8"),
        ("Tie 8:1", "8"),
        ("Tie：８：１", "8"),
        ("Tie 9 for 1", "8"),
        ("Tie 8x", "8"),
        ("Tie 8to1", "8"),
        ("Banker 95%", "19/20"),
        ("Banker 1 to 1 less 5% commission", "19/20"),
        ("Player even money", "1"),
        ("Banker six 1/2", "1/2"),
        ("Jackpot 1,000 to 1", "1000"),
        ("8 to 1 Tie", "8"),
        ("和 1 赔 8", "8"),
        ("和 8 赔 1", "8"),
        ("庄 6 点 2 赔 1", "1/2"),
        ("和 8 倍", "8"),
        ("庄 1 比 1 佣金5%", "19/20"),
        ("庄 退回", "0"),
    ],
)
def test_ratios_are_read_in_every_form_that_people_print(words: str, ratio: str) -> None:
    assert [each.pays for each in printed_pays(words)] == [Fraction(ratio)]


def test_several_ratios_in_a_line_and_headings_are_read() -> None:
    text = "Tiger 12:1 / 20:1\nTiger Pair\n Single (one hand) 4:1\n Double 20:1\n Twin 100:1"
    read = [(each.words, each.heading, each.pays) for each in printed_pays(text)]
    assert read[:2] == [("Tiger", "", Fraction(12)), ("Tiger", "", Fraction(20))]
    assert [each[1] for each in read[2:]] == ["Tiger Pair"] * 3
    assert not {"differs", "extra"} & {verdict for verdict, _, _ in differing(check_felt(load("tiger"), text))}
    in_brackets = printed_pays("Tiger 12 to 1 (two cards), 20 to 1 (three cards)")
    assert [each.words for each in in_brackets] == ["Tiger two cards", "Tiger three cards"]


@pytest.mark.parametrize("text", ["", "\n\n", "Tiger Baccarat", "Tie pays eight", "5 to 0", "\u0000\u0001"])
def test_a_text_without_a_ratio_is_not_a_pay_table(text: str) -> None:
    with pytest.raises(ValueError, match="no pay ratio in the text"):
        check_felt(load("tiger"), text)
