"""Designing games: figures of a text, bounded in time; saved versions that nobody overwrites; one file by itself."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from support.playing import House

from punto import Coup, load, odds, settle
from punto.audit.log_audit import StoreAudit
from punto.audit.table_recomputed import games_by_digest
from punto.rules.game_library import APPROVED, LIBRARY, file_as_written, game_file
from punto.rules.toml_section import GameFileError
from punto.server.access.identity import Duty
from punto.server.designer.analysis import MOST_SECONDS, MOST_WAITING, Analysis
from punto.server.designer.design_routes import NEW_GAME
from punto.server.designer.figures import FiguresAsked
from punto.server.designer.one_file import OneFile, create_design_app
from punto.server.designer.saved_games import SavedGames
from punto.server.http.app import create_app
from punto.server.refused import Refused
from punto.server.running.lifecycle import Options, Serving, open_serving
from punto.store.events.design_events import GameSaved
from punto.store.events.house_events import HOUSE
from punto.store.house_journal import HouseJournal, journal_of
from punto.store.records import EventRecord

NEW = NEW_GAME.read_text("utf-8")
LANTERN = (Path(__file__).parents[2] / "docs" / "examples" / "lantern.toml").read_text("utf-8")
STATELESS = {
    "figures": {"text": NEW},
    "checks": {"text": NEW},
    "coup": {"text": NEW},
    "ratios": {"text": NEW, "wager": "Tie", "target": "10%", "allowed": {"win": "7..9"}},
}
ALLOWED = (Duty.DESIGNER, Duty.GAMING_SHIFT_MANAGER, Duty.ASSISTANT_CASINO_MANAGER)


@pytest.fixture(scope="module")
def designer(staffed: House) -> Any:
    return staffed[Duty.DESIGNER]


def asked(designer: Any, what: str, **body: Any) -> Any:
    return designer.post(f"/api/design/{what}", **body)


def found(designer: Any, what: str, **body: Any) -> Any:
    answer = asked(designer, what, **body)
    assert answer["mistake"] is None, answer
    return answer["found"]


# --- who may


@pytest.mark.parametrize("duty", [duty for duty in Duty if duty not in (Duty.PATRON, Duty.DEVICE)])
def test_games_are_designed_by_designers_and_managers_alone(staffed: House, duty: Duty) -> None:
    http, may = staffed[duty].http, duty in ALLOWED
    answers = [
        *(http.get(f"/api/design/{each}") for each in ("games", "conditions", "new")),
        *(http.post(f"/api/design/{each}", json=STATELESS[each]) for each in STATELESS),
    ]
    answers += [http.post("/api/design/games", json={"text": "no game"}), http.get("/api/design/games/none")]
    expected = [200] * 8 + [404] if may else [403] * 9
    assert [each.status_code for each in answers] == expected


def test_who_is_not_signed_in_or_a_patron_designs_nothing(staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    for someone, status in ((staffed.live.nobody(), 401), (ann, 403)):
        assert someone.http.get("/api/design/games").status_code == status
        for each, body in STATELESS.items():
            assert someone.http.post(f"/api/design/{each}", json=body).status_code == status
        assert someone.http.post("/api/design/games", json={"text": NEW}).status_code == status


# --- figures


@pytest.mark.parametrize("game", ["tiger", "baccarat"])
def test_the_figures_are_those_of_the_exact_odds(designer: Any, game: str) -> None:
    told = found(designer, "figures", text=game_file(game).decode(), decks=6)
    exact = odds(game, 6)
    assert [each["wager"] for each in told["wagers"]] == list(exact)
    for each in told["wagers"]:
        known = exact[each["wager"]]
        assert [Fraction(each[name]) for name in ("house_edge", "hit_frequency", "variance")] == [
            known.house_edge,
            known.hit_frequency,
            known.variance,
        ]
        chances = {line["outcome"]: Fraction(line["probability"]) for line in each["lines"]}
        assert chances == {one.outcome: one.probability for one in known.outcomes}
        assert sum(Fraction(line["contribution"]) for line in each["lines"]) == known.expected_return


def test_a_mistake_is_told_with_its_key_or_its_line(designer: Any) -> None:
    typed = NEW.replace('winner = "banker"', 'winer = "banker"', 1)
    assert asked(designer, "figures", text=typed)["mistake"] == {
        "sentence": "unknown key; did you mean winner?",
        "key": "wager[2].lines[1].when.winer",
        "line": None,
    }
    broken = asked(designer, "figures", text='key = "x"\ntitle = \n')["mistake"]
    assert (broken["key"], broken["line"]) == ("", 2)


def test_doubts_are_told_with_their_figures(designer: Any) -> None:
    typed = NEW.replace('"8 to 1"', '"12 to 1"').replace(
        '  { when = { winner = "tie" }, pays = "12',
        '  { outcome = "never", when = { winner = "tie", margin = 3 }, pays = "2 to 1", clause = "3.2" },\n'
        '  { when = { winner = "tie" }, pays = "12',
    )
    told = found(designer, "checks", text=typed)
    assert ("favours-patron", "Tie", None) in [(each["code"], each["wager"], each["outcome"]) for each in told]
    assert all(each["words"]["en"] and each["words"]["zh"] for each in told)
    tie = found(designer, "figures", text=typed)["wagers"][2]
    assert [(each["outcome"], each["never"]) for each in tie["lines"]] == [
        ("never", True),
        ("win", False),
        ("lose", False),
    ]


def test_other_pays_are_tried_without_touching_the_text(designer: Any) -> None:
    told = found(designer, "figures", text=NEW, decks=8, pays={"Tie": {"win": "9 to 1"}})
    (tie,) = [each for each in told["wagers"] if each["wager"] == "Tie"]
    assert (
        Fraction(tie["house_edge"]) == odds(load("baccarat").with_pays({"Tie": {"win": "9 to 1"}}), 8)["Tie"].house_edge
    )
    assert asked(designer, "figures", text=NEW, pays={"Tie": {"win": "nothing"}})["mistake"]


def test_a_coup_is_settled_by_the_text(designer: Any) -> None:
    told = found(designer, "coup", text=LANTERN, cards="4h Kh 4h Kc", stake=250)
    coup, book = Coup.deal("4h Kh 4h Kc"), load("docs/examples/lantern.toml")
    assert (told["player_total"], told["banker_total"], told["winner"]) == (8, 0, "player")
    assert [(each["wager"], each["outcome"], Fraction(each["pays"])) for each in told["wagers"]] == [
        (wager.name, settle(wager, coup).outcome, settle(wager, coup).pays) for wager in book.wagers
    ]
    drawn = found(designer, "coup", text=LANTERN)
    assert len(Coup.deal(" ".join(rank + suit for rank, suit in drawn["cards"])).player) >= 2
    for wrong in ("4h Kh", "4h Kh 4h Kc 2s", "4h zz 4h Kc", "4h 4h 4h 4h 4h 4h 4h 4h 4h"):
        assert asked(designer, "coup", text=LANTERN, cards=wrong)["mistake"]["key"] == "cards"


def test_ratios_are_found_for_a_target_edge(designer: Any) -> None:
    tables = found(designer, "ratios", text=NEW, wager="Tie", target="5%", allowed={"win": "1..30"}, decks=8)
    assert tables[0]["pays"] == {"win": "9 to 1"}
    assert (
        Fraction(tables[0]["house_edge"]) == odds(load("baccarat").with_pays({"Tie": {"win": 9}}), 8)["Tie"].house_edge
    )
    for wrong in ({"wager": "Nobody"}, {"target": "much"}, {"allowed": {"win": "9..8"}}):
        body = {"text": NEW, "wager": "Tie", "target": "5%", "allowed": {"win": "1..30"}} | wrong
        assert asked(designer, "ratios", **body)["mistake"]


def test_a_text_that_is_too_long_is_refused(designer: Any) -> None:
    assert designer.http.post("/api/design/figures", json={"text": " " * 60_001}).status_code == 422


# --- bounds


def heavy() -> str:
    """A game that holds and whose figures take long: every suited pair there is, a hundred times over."""
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
    alternatives = ", ".join(
        f'{{ player_pair_rank = "{one}", banker_pair_rank = "{other}", player_suit = "s", banker_suit = "h" }}'
        for one in ranks
        for other in ranks
    )
    line = f'  {{ outcome = "n", when = {{ not = {{ any = [{alternatives}] }} }}, pays = "1 to 1", clause = "3.2" }},\n'
    return NEW + "".join(
        f'\n[[wager]]\nname = "Heavy {number}"\nclause = "2.2"\nlines = [\n{line}]\n' for number in range(3)
    )


async def test_an_answer_that_does_not_come_is_cut_off() -> None:
    analysis = Analysis(most_seconds=0.05, program=("sh", "-c", "echo ready; exec sleep 60"))
    with pytest.raises(Refused) as refused:
        await analysis.figures(FiguresAsked(NEW))
    assert refused.value.refusal.case == "design-too-much"
    assert analysis._process is None, "it is ended, and the next request begins another"


async def test_only_so_many_requests_wait() -> None:
    analysis = Analysis(most_seconds=0.1, program=("sh", "-c", "echo ready; exec sleep 60"))
    some = [asyncio.create_task(analysis.figures(FiguresAsked(NEW))) for _ in range(MOST_WAITING + 1)]
    with pytest.raises(Refused) as refused:
        await some[-1]
    assert refused.value.refusal.case == "design-busy"
    for each in some:
        each.cancel()
    await asyncio.gather(*some, return_exceptions=True)
    await analysis.close()


@pytest.mark.long
async def test_what_takes_too_long_is_cut_off_and_holds_nobody_up() -> None:
    analysis, beats = Analysis(), 0
    await analysis.figures(FiguresAsked(NEW))  # its process has started: what follows takes no more than the figures
    analysis.most_seconds = 0.5

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.01)
            beats += 1

    beating = asyncio.create_task(beat())
    with pytest.raises(Refused) as refused:
        await analysis.figures(FiguresAsked(heavy()))
    beating.cancel()
    assert refused.value.refusal.case == "design-too-much"
    assert beats >= 5, "the event loop went on meanwhile"
    analysis.most_seconds = MOST_SECONDS
    assert b'"title":"My Game"' in bytes(await analysis.figures(FiguresAsked(NEW))), "another process answers the next"
    await analysis.close()


# --- saved versions


def version(text: str, number: int, key: str = "my-game") -> str:
    return text.replace('version = "1"', f'version = "{number}"').replace('key = "my-game"', f'key = "{key}"')


class Designed:
    """A house in this process, a designer and a manager of it."""

    def __init__(self, serving: Serving) -> None:
        self.serving, self.app = serving, create_app(serving.gateway)

    async def enter(self, duty: Duty) -> httpx.AsyncClient:
        people = self.serving.people
        person = await people.find_by_name(duty.value)
        assert person
        token = await people.use_link(await people.make_link(person.id, 60_000))
        headers = {"authorization": f"Bearer {token}"}
        return httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url="http://here", headers=headers)


async def post(client: httpx.AsyncClient, path: str, **body: Any) -> Any:
    return (await client.post(path, json=body)).json()


def saved(number: int, key: str = "my-game") -> GameSaved:
    text = version(NEW, number, key)
    return GameSaved(key, "My Game", str(number), sha256(text.encode()).hexdigest(), text)


def test_no_saved_version_takes_the_place_of_another() -> None:
    """Whatever is refused here is refused before anything is stored."""
    games, journal = {"tiger": load("tiger")}, HouseJournal()
    kept = SavedGames(games)
    kept.check(saved(1), journal, {})
    journal.take_in(EventRecord.of(saved(1), 0, "d", "Designer").stored(HOUSE, 1, b""))
    kept.begin(journal)
    assert games["my-game"].digest == saved(1).digest
    kept.check(saved(2), journal, {"t1": "tiger"})
    for wrong, tables, case in (
        (saved(1), {}, "game-unchanged"),
        (replace(saved(1), text="", digest="0"), {}, "game-version"),
        (saved(2), {"t1": "my-game"}, "game-in-use"),
        (saved(1, "tiger"), {}, "game-given"),
    ):
        with pytest.raises(Refused) as refused:
            kept.check(wrong, journal, tables)
        assert refused.value.refusal.case == case
    with pytest.raises(ValueError, match="not what its event says"):
        kept.take_in(replace(saved(2), digest="0"))
    assert games["my-game"].digest == saved(1).digest


@pytest.mark.long
async def test_a_saved_version_is_played_at_once_and_never_overwritten(tmp_path: Path) -> None:
    options = Options(str(tmp_path / "punto.db"))
    serving = await open_serving(options)
    house = Designed(serving)
    designer, manager = await house.enter(Duty.DESIGNER), await house.enter(Duty.GAMING_SHIFT_MANAGER)
    save = partial(post, designer, "/api/design/games")

    assert (await save(text=version(NEW, 1, "tiger")))["mistake"]["key"] == "key", "an approved game's key is taken"
    unreached = NEW.replace('{ winner = "tie" }, pays = "8', '{ winner = "tie", margin = 1 }, pays = "8')
    assert (await save(text=unreached))["mistake"]["key"] == "wager[3].lines[1]"
    assert (await serving.floor.read_journal()).saved_games == []

    saved = await save(text=NEW)
    assert (saved["game"], saved["version"]) == ("my-game", "1")
    assert (await save(text=NEW))["code"] == "cannot-be"
    assert "version 1" in (await save(text=NEW + "\n# other words"))["sentence"]
    second = await save(text=version(NEW, 2))
    assert second["digest"] != saved["digest"]
    assert serving.floor.games["my-game"].digest == second["digest"]

    assert (await manager.get("/api/games/my-game")).json()["digest"] == second["digest"]
    assert (await manager.post("/api/tables", json={"table": "new", "game": "my-game"})).status_code == 200
    assert "table new was created with my-game" in (await save(text=version(NEW, 3)))["sentence"]
    assert serving.floor.tables["new"].book.digest == second["digest"]

    listed = [
        each for each in (await designer.get("/api/design/games")).json() if not each["approved"] and not each["known"]
    ]
    assert [(each["version"], each["in_use"]) for each in listed] == [("2", True), ("1", False)]
    text = (await designer.get(f"/api/design/games/{saved['digest']}")).json()["text"]
    assert text == NEW, "the first version is still there"
    (first, _) = [each for each in await serving.store.read(HOUSE) if isinstance(each.event, GameSaved)]
    assert first.by == (await serving.people.find_by_name("Designer")).id  # type: ignore[union-attr]
    await serving.close()

    again = await open_serving(options)
    assert again.floor.tables["new"].book.digest == second["digest"], "served again, without a file"
    texts = [each.text.encode() for each in (await journal_of(again.store)).games.values()]
    assert await StoreAudit(again.store, games_by_digest(APPROVED, texts)).run() == []
    await again.close()


# --- one file


def test_one_file_is_saved_whole_and_nothing_that_another_program_wrote_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    file = OneFile(str(path))
    assert (file.text, path.exists()) == (NEW, False)
    file.save("draft = 1\n")
    assert path.read_text() == "draft = 1\n"
    path.write_text("another program was here")
    with pytest.raises(Refused) as refused:
        file.save(NEW)
    assert refused.value.refusal.case == "file-changed"
    assert path.read_text() == "another program was here"
    assert list(tmp_path.iterdir()) == [path], "no half-written file stays"


def test_an_approved_game_is_saved_under_a_new_name_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert OneFile("tiger").path == Path("tiger-draft.toml")
    copied = tmp_path / "copied.toml"
    copied.write_bytes(game_file("tiger"))
    assert OneFile(str(copied)).path == tmp_path / "copied-draft.toml"
    OneFile("tiger").save("mine")
    known = OneFile("royal-match")
    assert (known.path, known.text) == (Path("royal-match-draft.toml"), file_as_written("royal-match").decode())
    known.save("mine")
    for named in ("tiger", "royal-match", "a.txt", str(tmp_path)):
        with pytest.raises(GameFileError):
            OneFile(named)
    copied.write_bytes(b"\xff\xfe")
    with pytest.raises(GameFileError, match="UTF-8"):
        OneFile(str(copied))


async def test_only_pages_of_this_machine_reach_the_file(tmp_path: Path) -> None:
    file = OneFile(str(tmp_path / "mine.toml"))
    transport = httpx.ASGITransport(create_design_app(file))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8010") as client:
        assert (await client.get("/")).status_code == 200
        assert len((await client.get("/api/design/games")).json()) == len(APPROVED) + len(LIBRARY) + 1
        assert (await client.post("/api/design/games", json={"text": NEW})).json()["file"] == "mine.toml"
        for headers in ({"host": "evil.example"}, {"origin": "http://evil.example"}):
            answer = await client.post("/api/design/games", json={"text": "stolen"}, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "wrong-origin")
        assert (await client.get("/", headers={"host": "evil.example"})).status_code == 403
        assert (await client.get("/api/tables")).status_code == 404
    assert file.text == NEW
