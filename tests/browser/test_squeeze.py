"""Squeezing on the pages: every card of a round by mouse, by fingers and by keys, and what others see of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.live import Someone
from support.long import others_long
from support.page_watch import DESKTOP, PHONE, TWO_FRAMES, Patron, browsing, open_bets, sit_down, staffed_house
from support.playing import House, over_http, until

from punto.table.guidance.dealer_automation import EVERYTHING

SIZES = ((1280, 720), (1440, 900), (390, 844), (844, 390))
CARD = "punto-squeeze .card"
LIFTED_FOR_OTHERS = "punto-hands punto-card .lifted"
Box = dict[str, float]


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose automatic tables lose no time between their steps."""
    with staffed_house(tmp_path_factory.mktemp("squeeze"), "--pace", "50") as made:
        yield made


# --- three ways to squeeze -------------------------------------------------------------------------------------------


class Squeezer:
    """A patron who lifts the cards before them a little, lets them fall back, and then turns them."""

    def __init__(self, patron: Patron, looked: Callable[[str], None]) -> None:
        self.patron, self.page, self.looked = patron, patron.page, looked

    def boxes(self) -> list[Box]:
        return [each.bounding_box() for each in self.page.locator(CARD).all()]

    def squeeze(self) -> None:
        raise NotImplementedError


class ByMouse(Squeezer):
    """One card after the other: the first by a corner, the next by a side."""

    def squeeze(self) -> None:
        (box, *more), mouse = self.boxes(), self.page.mouse
        across = 0.95 if more else 0.5
        at = (box["x"] + across * box["width"], box["y"] + 0.97 * box["height"])
        mouse.move(*at)
        mouse.down()
        mouse.move(at[0], at[1] - 0.5 * box["height"], steps=8)
        self.looked("mouse")
        mouse.up()
        self.patron.page.wait_for_selector("punto-squeeze #lifted", state="detached")
        mouse.move(*at)
        mouse.down()
        mouse.move(at[0] - (0.9 * box["width"] if more else 0), at[1] - 1.3 * box["height"], steps=8)
        mouse.up()


class ByTouch(Squeezer):
    """With a finger of each hand: both cards at once, while there are two."""

    def squeeze(self) -> None:
        cdp = self.page.context.new_cdp_session(self.page)
        boxes = self.boxes()
        at = [(box["x"] + 0.5 * box["width"], box["y"] + 0.96 * box["height"]) for box in boxes]

        def touch(kind: str, share: float) -> None:
            moved = [(x, y - share * box["height"]) for (x, y), box in zip(at, boxes, strict=True)]
            points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(moved)]
            cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if kind == "touchEnd" else points})

        touch("touchStart", 0)
        for share in (0.1, 0.2, 0.3, 0.4):
            touch("touchMove", share)
        until(lambda: self.page.locator("punto-squeeze #lifted").count() == len(boxes))
        self.looked("touch")
        touch("touchEnd", 0)
        self.page.wait_for_selector("punto-squeeze #lifted", state="detached")
        touch("touchStart", 0)
        for share in (0.3, 0.6, 0.9, 1.2):
            touch("touchMove", share)
        touch("touchEnd", 0)
        cdp.detach()


class ByKeys(Squeezer):
    """With the arrow keys on the card; Escape lets it fall, and Enter or a card lifted far enough reveals it."""

    def squeeze(self) -> None:
        card = self.page.locator(CARD).first
        for key in ("ArrowUp",) * 5 + ("ArrowLeft",) * 3:
            self.page.keyboard.press(key)  # the card has the keys: nobody has to look for it
        self.looked("keys")
        card.press("Escape")
        self.page.wait_for_selector("punto-squeeze #lifted", state="detached")
        if self.page.locator(CARD).count() == 1:
            card.press("Enter")
            return
        number = card.get_attribute("aria-label")
        for _ in range(25):
            if self.page.locator(CARD).first.get_attribute("aria-label") != number:
                return
            card.press("ArrowUp")


WAYS: dict[str, tuple[type[Squeezer], dict[str, int]]] = {
    "mouse": (ByMouse, DESKTOP),
    "touch": (ByTouch, PHONE),
    "keys": (ByKeys, DESKTOP),
}


class AtTheTable:
    """Ann, who has wagers on both hands of an automatic table, and Bob, who sits there too."""

    def __init__(self, quick: House, table: str, ann: Someone, bobs: Patron, pictures: Path) -> None:
        self.quick, self.table, self.ann, self.bobs, self.pictures = quick, table, ann, bobs, pictures
        self.shown = 0

    @property
    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.ann.get(f"/api/tables/{self.table}")["view"]
        return view

    def wager(self) -> None:
        until(lambda: self.view["phase"] != "betting")  # of a window under way there may be too little left
        until(lambda: self.view["phase"] == "betting")
        self.bobs.page.wait_for_selector("punto-areas[open]")  # heard grows only while Playwright is asked: catch up
        self.since = len(self.bobs.heard)
        for wager in ("Player", "Banker"):
            self.ann.done(self.table, "PlaceWager", patron=self.ann.id, position=1, wager=wager, amount=1_000)
        until(lambda: self.view["phase"] != "betting")

    def looked(self, page: Any, name: str) -> None:
        """Ann holds a card half lifted: Bob sees its back move, and was told no face."""
        page.wait_for_selector("punto-squeeze [part=face]")
        self.bobs.page.wait_for_selector(LIFTED_FOR_OTHERS)
        assert self.bobs.page.locator(f"{LIFTED_FOR_OTHERS} [part=face]").count() == 0
        assert self.bobs.text(".phase") == "Seat 1 squeezes"
        self.shown += 1
        for who, shown in (("ann", page), ("bob", self.bobs.page)):
            shown.screenshot(path=self.pictures / f"{name}-{self.shown}-{who}.png")
        if not any(card for hand in self.view["hands"].values() for card in hand):
            seen = self.ann.get(f"/api/tables/{self.table}/mine")["cards"]["player"]
            faces = [json.dumps(card, separators=(",", ":")) for card in seen]
            told = [frame for frame in self.bobs.heard[self.since :] if any(face in frame for face in faces)]
            assert told == [], f"Bob was told of {faces}"


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_every_card_of_a_round_is_squeezed_at_a_table_without_staff(
    chromium: Any, quick: House, way: str, tmp_path: Path
) -> None:
    squeezed_by, screen = WAYS[way]
    seconds: dict[str, Any] = {"betting_seconds": 5, "squeeze_seconds": 300}
    table = quick.table(device="sealed", method="A", automatic=EVERYTHING, **seconds)
    ann, bob = quick.patrons(2)
    with browsing(chromium, quick.live, ann, screen=screen) as anns, browsing(chromium, quick.live, bob) as bobs:
        ann.done(table, "BuyIn", patron=ann.id, amount=1_000_000)
        anns.sit(table)
        bobs.sit(table)
        at = AtTheTable(quick, table, ann, bobs, tmp_path)
        squeezer = squeezed_by(anns, lambda name: at.looked(anns.page, name))
        cards: set[tuple[str, int]] = set()
        while len({place for _, place in cards}) < 3:
            at.wager()
            cards |= squeeze_all(at, squeezer)
        assert {("player", 0), ("player", 1), ("banker", 0), ("banker", 1)} < cards
        events = quick.dealer.get(f"/api/tables/{table}/events", most=1000)
        assert turned_by(events) == {ann.id}, "nobody else turned a card of a round in which she had wagers"
        assert "squeezed" not in json.dumps(events)


def turned_by(events: list[dict[str, Any]]) -> set[str | None]:
    """Who turned the cards of the rounds in which a hand was passed."""
    turned, passed = set(), False
    for each in events:
        passed = each["name"] == "HandPassed" or (passed and each["name"] != "BetsOpened")
        if passed and each["name"] == "CardExposed":
            turned.add(each["body"]["by_patron"])
    return turned


def face_down(view: dict[str, Any], hand: str) -> list[tuple[str, int]]:
    return [(hand, place) for place, card in enumerate(view["hands"][hand]) if card is None]


def _turned(at: AtTheTable, page: Any, hand: str, down: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Wait until a card is turned and the page shows it; which are still face down."""
    until(lambda: face_down(at.view, hand) != down)
    left = face_down(at.view, hand)
    until(lambda: page.locator(CARD).count() <= len(left) or at.view["hand_in_turn"] != hand)
    return left


def squeeze_all(at: AtTheTable, squeezer: Squeezer) -> set[tuple[str, int]]:
    """Squeeze whatever is passed until the round is over; which cards these were."""
    cards: set[tuple[str, int]] = set()
    page = squeezer.page
    while True:
        until(lambda: page.locator(CARD).count() or at.view["phase"] not in ("closed", "dealing"))
        view = at.view
        if view["phase"] not in ("closed", "dealing"):
            return cards
        hand = view["hand_in_turn"]
        if hand is None:  # a hand is turned, and the page has still to take its cards away
            continue
        down = face_down(view, hand)
        squeezer.squeeze()
        cards |= set(down) - set(_turned(at, page, hand, down))


# --- what is said where one looks ------------------------------------------------------------------------------------


def within(page: Any, selector: str, size: tuple[int, int]) -> list[Box]:
    """The boxes of all such elements, each of which is wholly on the screen."""
    boxes: list[Box] = [each.bounding_box() for each in page.locator(selector).all()]
    for box in boxes:
        assert box["x"] >= 0, (selector, size, box)
        assert box["y"] >= 0, (selector, size, box)
        assert box["x"] + box["width"] <= size[0] + 0.5, (selector, size, box)
        assert box["y"] + box["height"] <= size[1] + 0.5, (selector, size, box)
    return boxes


UNSEEN = {"en": "Reveal card 1 of the Player hand", "zh": "开牌：闲家第 1 张"}


@pytest.mark.parametrize("language", others_long(["zh", "en"]))
def test_a_refusal_is_told_beside_the_card_which_falls_back(chromium: Any, staffed: House, language: str) -> None:
    table = staffed.table("baccarat", method="A", device="sealed")
    staffed.load_sealed_shoe(table)
    (ann,) = staffed.patrons(1)
    dealer = over_http(staffed.dealer, table)
    with browsing(chromium, staffed.live, ann, language) as anns:
        sit_down(table, anns)
        open_bets(dealer, anns)
        anns.lay("Player")
        dealer("CloseBets")
        for _ in range(4):
            dealer("DrawCard")
        dealer("PassHand", hand="player", patron=ann.id)
        anns.peek()
        reveal = anns.page.locator("punto-my-cards .main").first
        assert reveal.get_attribute("aria-label") == UNSEEN[language], "it is lifted a little, and not named yet"
        anns.page.locator(CARD).first.press("Enter")
        anns.page.wait_for_selector("punto-my-cards p.refused[role=alert]")
        anns.page.wait_for_selector("punto-squeeze [part=face]", state="detached")
        for size in SIZES:
            anns.page.set_viewport_size({"width": size[0], "height": size[1]})
            anns.page.evaluate(TWO_FRAMES)
            for selector in ("h2", "p", "button"):
                assert within(anns.page, f"punto-my-cards {selector}", size)
            cards = within(anns.page, CARD, size)
            assert len(cards) == 2
            large = 0.85 * size[0] if size[0] < size[1] else 1.1 * 0.5 * size[1]
            assert sum(box["width"] for box in cards) > large, size
        assert anns.hindrances() == []
        dealer("ChooseFirstHand", hand="player")
        anns.page.locator("punto-my-cards button").last.click()
        until(lambda: anns.page.locator(CARD).count() == 1)
        assert anns.page.locator("punto-my-cards p.refused").count() == 0
        assert anns.page.locator("punto-my-cards .up [part=face]").count() == 1, "the card turned stays in view"
