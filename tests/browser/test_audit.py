"""The audit page: a round is found, replayed event by event, exported; logs and shoes are proved whole, or not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.audited import NOTE, Played, play, tamper
from support.live import Someone, serving
from support.long import others_long
from support.page_watch import Patron, browsing, staffed_house
from support.playing import House, until

from punto import load
from punto.server.access.identity import Duty

FOUND = "punto-find ol a"
NOW = "punto-replay .now"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with staffed_house(tmp_path_factory.mktemp("audited")) as made:
        yield made


def rounds(page: Any) -> list[str]:
    return [text.split()[0] for text in page.locator(FOUND).all_inner_texts()]


def step_to(page: Any, event: str) -> None:
    """Press the arrow until an event of this kind is shown."""
    page.keyboard.press("Home")
    for _ in range(80):
        if page.get_attribute(NOW, "data-event") == event:
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"the round has no {event}")


def test_a_round_is_found_and_stepped_through(chromium: Any, served: House, played: Played, auditor: Someone) -> None:
    with browsing(chromium, served.live, auditor) as somebody:
        page = somebody.page
        somebody.open("/")
        page.click('punto-lobby a[href="/audit"]')
        page.wait_for_selector("punto-audit select")
        page.select_option("punto-audit label.table select", played.table)
        until(lambda: rounds(page) == ["4", "3", "2", "1"])
        page.select_option("punto-find select[name=marked]", "irregular")
        page.fill("punto-find input[name=last]", "3")
        page.click("punto-find button.main")
        until(lambda: rounds(page) == ["3", "2"])
        page.locator(FOUND).first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_selector(NOW)
        assert page.url.endswith(f"/audit/{played.table}/2")
        stepped_through(page, played)
        page.reload()  # the address leads to the round again
        page.wait_for_selector(NOW)
        assert "Round 2" in page.inner_text("punto-replay h2")
        page.go_back()
        until(lambda: page.locator(NOW).count() == 0)


def stepped_through(page: Any, played: Played) -> None:
    """Forward, backward, by the slider and by itself: the felt, who, what, and by which clause."""
    assert page.get_attribute(NOW, "data-event") == "BetsOpened"
    step_to(page, "CardsDrawnTogether")
    assert page.inner_text(f"{NOW} .position") == "Dealer"
    assert NOTE in page.inner_text(NOW)
    assert "5.8" in page.inner_text("punto-replay [aria-current]")
    page.click(f"{NOW} button.clause")
    assert load("baccarat").clauses["5.8"].text in page.inner_text("punto-replay dialog")
    assert page.inner_text("punto-replay dialog h2").endswith("5.8")
    page.keyboard.press("Escape")
    step_to(page, "WithdrawalOffered")
    held = page.inner_text("punto-replay .phase")
    assert held.startswith("Held: ")
    assert "drawn together" in held
    step_to(page, "WithdrawalAnswered")
    assert page.inner_text(f"{NOW} .position") == "Patron"
    assert played.ann.id in page.inner_text(NOW)
    step_to(page, "CardExposed")
    up = "punto-replay punto-card .turn.up"
    assert (page.locator("punto-replay punto-card").count(), page.locator(up).count()) == (4, 1)
    page.keyboard.press("ArrowLeft")
    until(lambda: page.locator(up).count() == 0)
    page.keyboard.press("End")
    until(lambda: page.locator(up).count() == 4)
    assert "Settles round 2" in page.inner_text(f"{NOW} .told")
    assert page.locator("punto-replay .settlement tbody tr").count() == 2
    assert "+" in page.inner_text("punto-replay .money .changed >> nth=-1")
    last = int(page.get_attribute("punto-replay input[type=range]", "max"))
    page.locator("punto-replay input[type=range]").fill("0")
    assert page.inner_text("punto-replay .place") == f"1 / {last + 1}"
    page.click('punto-replay button[aria-label="Play"]')
    until(lambda: int(page.inner_text("punto-replay .place").split()[0]) >= 3)
    page.click('punto-replay button[aria-label="Pause"]')


def test_who_acted_for_whom_and_what_was_corrected_is_told_in_chinese(
    chromium: Any, served: House, played: Played, auditor: Someone
) -> None:
    with browsing(chromium, served.live, auditor, "zh") as somebody:
        page = somebody.page
        somebody.open(f"/audit/{played.table}/3")
        page.wait_for_selector(NOW)
        page.keyboard.press("End")
        assert page.get_attribute(NOW, "data-event") == "RoundVoided"
        assert (page.inner_text(f"{NOW} .position"), page.inner_text(f"{NOW} .acting")) == ("荷官", "代理赌区经理")
        assert "作废" in page.inner_text(f"{NOW} .told")
        page.click('punto-replay a[title="下一局"]')
        until(lambda: "第 4 局" in page.inner_text("punto-replay h2"))
        page.keyboard.press("End")
        assert page.get_attribute(NOW, "data-event") == "RoundCorrected"
        until(lambda: page.locator("punto-replay punto-hands .total").all_inner_texts() == ["9", "9"])
        page.click('punto-top button[lang="en"]')  # the words of the log change with the language
        until(lambda: "Corrects round 4" in page.inner_text(f"{NOW} .told"))


def test_a_chain_and_a_shoe_are_proved_whole(
    chromium: Any, served: House, sealed: tuple[str, str], auditor: Someone
) -> None:
    table, shoe = sealed
    with browsing(chromium, served.live, auditor) as somebody:
        page = somebody.page
        somebody.open(f"/audit/{table}")
        verify(page)
        page.wait_for_selector("punto-integrity .verdict.whole")
        told = page.inner_text("punto-integrity .verdict.whole")
        assert "All in order" in told
        assert "Events 1 to" in told
        last = served.dealer.get(f"/api/tables/{table}")["number"]
        assert f"1 to {last}," in told
        assert re.search(r"[0-9a-f]{64}", told)
        page.click(f'punto-integrity [data-shoe="{shoe}"] button')
        page.wait_for_selector("punto-integrity .shoe .verdict.uncut")
        assert page.locator("punto-integrity .shoe .check.no").count() == 0
        assert page.locator("punto-integrity .shoe .check").count() >= 10


def verify(page: Any) -> None:
    page.wait_for_selector(FOUND)
    page.click("punto-tabs #tab-integrity")
    page.wait_for_selector("punto-integrity .shoe")
    page.click("punto-integrity button.main")


@pytest.mark.long
def test_a_changed_byte_is_named_after_a_restart(chromium: Any, tmp_path: Path) -> None:
    with staffed_house(tmp_path) as made:
        played, token = play(made), made[Duty.AUDITOR].token
    number = tamper(made.database, played.table, "WagerPlaced", b'"amount":20000', b'"amount":29000')
    with serving(made.database, tmp_path) as live:
        auditor = live.someone(token)
        for language, words in (("en", "is not what was stored"), ("zh", "与存储时不符")):
            with browsing(chromium, live, auditor, language) as somebody:
                somebody.open(f"/audit/{played.table}")
                verify(somebody.page)
                somebody.page.wait_for_selector("punto-integrity .verdict.broken")
                assert somebody.page.get_attribute(".finding", "data-event") == str(number)
                told = somebody.text(".finding")
                assert str(number) in told
                assert words in told


@pytest.mark.parametrize("language", others_long(["en", "zh"]))
def test_the_packet_is_downloaded(
    chromium: Any, served: House, played: Played, auditor: Someone, language: str
) -> None:
    with browsing(chromium, served.live, auditor, language) as somebody:
        page = somebody.page
        somebody.open(f"/audit/{played.table}/2")
        page.wait_for_selector(NOW)
        content = {}
        for kind in ("json", "pdf"):
            with page.expect_download() as downloading:
                page.click(f'punto-replay a[download][href*="packet.{kind}"]')
            assert downloading.value.suggested_filename == f"{played.table}-round-2.{kind}"
            content[kind] = Path(downloading.value.path()).read_bytes()
        assert content["pdf"].startswith(b"%PDF")
        packet = json.loads(content["json"])
        assert (packet["round"], packet["language"]) == (2, language)
        assert packet["events"][0]["told"].startswith({"en": "Opens", "zh": "开始"}[language])


@pytest.mark.long
def test_others_are_refused_with_a_sentence(chromium: Any, served: House, played: Played) -> None:
    with browsing(chromium, served.live, played.ann) as patron:
        refused(patron, f"/audit/{played.table}/2", "The log is for staff and auditors only")
    with browsing(chromium, served.live, played.ann, "zh") as patron:
        refused(patron, "/audit", "只有员工和稽核员可以查看记录")
    with browsing(chromium, served.live) as nobody:
        refused(nobody, "/audit", "Sign in")
        assert nobody.page.locator("punto-sign-in").count() == 1


def refused(somebody: Patron, path: str, words: str) -> None:
    somebody.open(path)
    assert words in somebody.text("punto-audit [role=alert] >> nth=0")
    assert somebody.page.locator("punto-replay").count() == 0
    assert all("403" in each for each in somebody.faults)
    somebody.faults.clear()  # a browser says itself that it was refused


@pytest.mark.parametrize("language", others_long(["en", "zh"]))
@pytest.mark.long
def test_axe_finds_nothing_serious(
    chromium: Any, served: House, played: Played, sealed: tuple[str, str], auditor: Someone, language: str
) -> None:
    with browsing(chromium, served.live, auditor, language) as somebody:
        page = somebody.page
        somebody.open(f"/audit/{played.table}/2")
        page.wait_for_selector(NOW)
        page.keyboard.press("End")
        assert somebody.hindrances() == []
        somebody.open(f"/audit/{sealed[0]}")
        verify(page)
        page.wait_for_selector("punto-integrity .verdict.whole")
        page.click("punto-integrity .shoe button")
        page.wait_for_selector("punto-integrity .shoe .verdict")
        assert somebody.hindrances() == []
