"""Pictures of every page, from a real server and rounds dealt by hand: ``make pictures`` writes them.

A page is one entry in ``PICTURES``: how a table comes to where it is worth looking at, and what the person at the page
does before the picture is taken. All are taken in both languages; the best of them are shown in the README.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import sleep
from typing import Any

from PIL import Image
from support.chromium import launched
from support.live import Someone, serving
from support.page_watch import DESKTOP, PHONE, Patron, browsing
from support.playing import PLACES, Give, House, over_http

from punto import APPROVED, Card, load
from punto.cards import DECK
from punto.rules.table_of_play import INITIAL_DEAL, Hand, next_card
from punto.server.access.identity import Duty
from punto.shoe.cut import Contribution

LANGUAGES = ("en", "zh")
LARGEST = 250_000
"""Bytes of a picture that is kept."""
COLOURS = 255


class Stage:
    """A house with a table of each game, a shoe well under way at all of them, and people to play at them."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.patron, *self.others = (self._patron(name) for name in ("Mei Lin", "Bo", "Chen", "Dita"))
        self.random = Random(8)
        self._cards: dict[str, list[Card]] = {}

    def _patron(self, name: str) -> Someone:
        added = self.house.cashier.post("/api/people", name=name, duty=Duty.PATRON.value)
        patron = self.house.live.by_link(added["link"])
        self.house.cashier.post("/api/cage/deposits", patron=patron.id, amount=50_000_000)
        return patron

    def table(self, game: str) -> str:
        """The table of a game: its shoe is begun when it is first looked at."""
        if game not in self._cards:
            self._cards[game] = list(DECK * load(game).usual_decks)
            self.random.shuffle(self._cards[game])
            self.house.table(game, name=game, betting_seconds=90)
            for _ in range(20 + 7 * APPROVED.index(game)):
                self.closed(game)
                play(self.dealer(game), self._cards[game])
                sleep(0.06)  # the server takes so much of one person, and no more
        return game

    def betting(self, table: str) -> None:
        """Open the betting, unless it is; a round whose time was up meanwhile is played first."""
        if self.phase(table) == "closed":
            play(self.dealer(table), self._cards[table])
        if self.phase(table) == "idle":
            self.dealer(table)("OpenBets")

    def closed(self, table: str) -> None:
        """Close the betting, unless it is."""
        if self.phase(table) == "idle":
            self.dealer(table)("OpenBets")
        if self.phase(table) == "betting":
            self.dealer(table)("CloseBets")

    def phase(self, table: str) -> str:
        phase: str = self.house.dealer.get(f"/api/tables/{table}")["view"]["phase"]
        return phase

    def dealer(self, table: str) -> Give:
        return over_http(self.house.dealer, table)

    def device(self, name: str, table: str) -> Someone:
        """A dealing device that reads cards, so that those of a hand can be chosen."""
        added = self.house.manager.post("/api/people", name=name, duty=Duty.DEVICE.value, table=table)
        return self.house.live.someone(added["token"])

    def lay(self, table: str, wagers: Sequence[tuple[Someone, int, str, int]]) -> None:
        """Have people buy in, and place these wagers: whose, at which position, on what, how much."""
        for who, position, wager, amount in wagers:
            who.done(table, "BuyIn", patron=who.id, amount=max(200_000, 2 * amount))
            who.done(table, "PlaceWager", patron=who.id, position=position, wager=wager, amount=amount)

    def wagers(self, game: str) -> list[tuple[Someone, int, str, int]]:
        """Wagers of four people on many areas of a game."""
        bo, chen, dita = self.others
        _, _, _, *side = (each.name for each in load(game).wagers)
        mine = [(self.patron, 5, "Banker", 50_000), (self.patron, 5, "Tie", 2_500)]
        mine += [(self.patron, 5, *each) for each in zip(side, (2_500, 10_000, 2_500, 500), strict=False)]
        others = [(bo, 2, "Player", 100_000), (bo, 2, side[0], 5_000), (chen, 4, "Banker", 250_000)]
        others += [(chen, 4, "Tie", 10_000), (dita, 7, "Player", 30_000), (dita, 7, side[1], 2_500)]
        return [*mine, *others, (dita, 5, "Player", 20_000)]


def play(dealer: Give, cards: list[Card]) -> None:
    """Deal a coup from the front of these cards, and settle it."""
    hands: dict[Hand, list[Card]] = {Hand.PLAYER: [], Hand.BANKER: []}
    for hand in INITIAL_DEAL:
        dealer("DrawCard")
        hands[hand].append(cards.pop(0))
    for hand in (Hand.PLAYER, Hand.BANKER):
        for place, card in enumerate(hands[hand]):
            dealer("ExposeCard", hand=hand, place=place, card=card)
    while drawn := next_card(*([card.point_value for card in hands[hand]] for hand in (Hand.PLAYER, Hand.BANKER))):
        dealer("DrawCard")
        hands[drawn].append(cards.pop(0))
        dealer("ExposeCard", hand=drawn, place=2, card=hands[drawn][-1])
    dealer("AnnounceOutcome")
    dealer("SettleRound")


# --- what is shown ---------------------------------------------------------------------------------------------------


def at_lobby(stage: Stage) -> str:
    for game in APPROVED:
        stage.table(game)
    for game in ("tiger", "dragon-tiger"):
        stage.betting(stage.table(game))
    return "/"


def at_betting(game: str) -> Callable[[Stage], str]:
    def prepare(stage: Stage) -> str:
        table = stage.table(game)
        stage.betting(table)
        stage.lay(table, stage.wagers(game))
        return f"/tables/{table}"

    return prepare


def at_four_tables(stage: Stage) -> str:
    """Bets at two tables, a round being dealt at the third, and one settled at the fourth."""
    one, other, third, fourth = APPROVED[:4]
    for game in (third, fourth, one, other):
        at_betting(game)(stage)
    dealer = stage.dealer(third)
    stage.closed(third)
    for _ in PLACES:
        dealer("DrawCard")
    stage.closed(fourth)
    play(stage.dealer(fourth), [Card.parse(each) for each in ["2s", "Ah", "3d", "Ad", "Ks", "4c"]])
    return f"/tables?show={','.join(APPROVED[:4])}"


def at_settled(stage: Stage) -> str:
    """A three-card 6 that pays Tiger, in the game where there is most to see."""
    table = stage.table("tiger")
    if not stage.house.dealer.get(f"/api/tables/{table}")["view"]["wagers"]:
        at_betting("tiger")(stage)
    stage.closed(table)
    play(stage.dealer(table), [Card.parse(each) for each in ["2s", "Ah", "3d", "Ad", "Ks", "4c"]])
    return f"/tables/{table}"


def at_squeeze(stage: Stage) -> str:
    table = stage.house.table("baccarat", name="salon", device="card-reading", method="A")
    dealer, ann = stage.dealer(table), stage.patron
    dealer("OpenBets")
    stage.lay(table, [(ann, 5, "Banker", 300_000), (stage.others[0], 2, "Player", 100_000)])
    dealer("CloseBets")
    device = stage.device("shoe of the salon", table)
    for sequence, card in enumerate(("9c", "4h", "Kd", "5s")):
        device.post(f"/api/tables/{table}/cards", shoe=f"{table} shoe", sequence=sequence, card=card)
        dealer("DrawCard")
    dealer("ChooseFirstHand", hand="banker")
    dealer("PassHand", hand="banker", patron=ann.id)
    ann.done(table, "LookAtCards", hand="banker")
    return f"/tables/{table}"


def at_cut(stage: Stage) -> str:
    """A shoe is sealed and waits to be cut; two others are in its list."""
    table = stage.house.table("tiger-no-commission", name="pearl", device="sealed")
    shoe = stage.house.dealer.post(f"/api/tables/{table}/shoes")["shoe"]
    for number, each in enumerate(stage.others[:2], 10):
        each.post(f"/api/tables/{table}/shoes/{shoe}/pledges", commitment=f"{number}" * 32)
    return f"/tables/{table}"


def at_checked(stage: Stage) -> str:
    """A shoe that two patrons cut has ended, and can be checked."""
    house, table = stage.house, stage.house.table("baccarat", name="jade", device="sealed")
    shoe = house.dealer.post(f"/api/tables/{table}/shoes")
    path = f"/api/tables/{table}/shoes/{shoe['shoe']}"
    cutters = {
        each: Contribution(b"", bytes([number] * 32)) for number, each in enumerate([stage.patron, *stage.others])
    }
    for each, told in cutters.items():
        each.post(f"{path}/pledges", commitment=told.commitment(bytes.fromhex(shoe["anchor"]), each.id).hex())
    house.dealer.post(f"{path}/list")
    for each, told in cutters.items():
        each.post(f"{path}/contributions", words="", nonce=told.nonce.hex())
    dealer = stage.dealer(table)
    dealer("LoadShoe", shoe=shoe["shoe"])
    stage.closed(table)
    for _ in INITIAL_DEAL:
        dealer("DrawCard")
    for hand, place in PLACES:
        dealer("ExposeCard", hand=hand, place=place)
    house.manager.done(table, "Refer", matter="the picture is taken")
    house.manager.done(table, "DecideReferral", void=True)
    house.manager.done(table, "EndShoe")
    return f"/tables/{table}"


def check_a_shoe(page: Any) -> None:
    choose_tab(page, "shoe")
    page.locator("punto-shoes button").first.click()
    page.wait_for_selector("punto-shoes .verdict")


def at_withdrawal(stage: Stage) -> str:
    table = stage.house.table("tiger", name="river", answer_seconds=120)
    dealer = stage.dealer(table)
    dealer("OpenBets")
    stage.lay(table, stage.wagers("tiger"))
    dealer("CloseBets")
    dealer("ReportDrawnTogether", count=2, order_known=True)
    return f"/tables/{table}"


def lift_a_corner(page: Any) -> None:
    page.wait_for_selector("punto-squeeze")
    box = page.locator("punto-squeeze svg").last.bounding_box()
    x, y = box["x"] + box["width"] - 3, box["y"] + box["height"] - 3
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 0.72 * box["width"], y - 0.5 * box["height"], steps=8)


def at_leisure(stage: Stage) -> str:
    """The patron has set a loss limit, and looks at the panels beside the table."""
    table = stage.table("tiger")
    stage.patron.done(table, "BuyIn", patron=stage.patron.id, amount=50_000)
    stage.patron.done(table, "LimitLoss", limit=100_000)
    return f"/tables/{table}"


def open_settlement(page: Any) -> None:
    page.click("details.mine summary")


def open_tab(name: str) -> Callable[[Any], None]:
    return lambda page: choose_tab(page, name)


def choose_tab(page: Any, name: str) -> None:
    """Open a tab beside the felt, which a phone keeps behind a button."""
    more = page.locator("punto-seat button.more")
    if more.is_visible():
        more.click()
    page.click(f"punto-tabs #tab-{name}")


def at_display(stage: Stage) -> str:
    table = stage.table("dragon-tiger")
    dealer = stage.dealer(table)
    stage.closed(table)
    for _ in INITIAL_DEAL:
        dealer("DrawCard")
    for (hand, place), card in {("player", 0): "7h", ("player", 1): "Ts", ("banker", 0): "2d"}.items():
        dealer("ExposeCard", hand=hand, place=place, card=Card.parse(card))
    return f"/display/{table}"


# --- the staff's pages -----------------------------------------------------------------------------------------------


def deal_on_the_felt(page: Any) -> None:
    """A coup settled by the file."""
    page.click("#tab-play")
    page.fill("input[name=cards]", "9h 2c Kd 3s")
    page.click("#deal")
    page.wait_for_selector("tr[data-wager=Player][data-result=win]")


def staff(duty: Duty) -> Callable[[Stage], Someone]:
    return lambda stage: stage.house[duty]


def at(path: str) -> Callable[[Stage], str]:
    """A page where everything is there already."""
    return lambda _: path


def dealt(stage: Stage, game: str, name: str, *cards: str) -> Give:
    """A table of its own with wagers on it, and the cards of the initial deal turned up; its Dealer goes on."""
    dealer = stage.dealer(stage.house.table(game, name=name))
    dealer("OpenBets")
    stage.lay(name, stage.wagers(game))
    dealer("CloseBets")
    for _ in INITIAL_DEAL:
        dealer("DrawCard")
    for (hand, place), card in zip(PLACES, cards, strict=True):
        dealer("ExposeCard", hand=hand, place=place, card=Card.parse(card))
    return dealer


def at_third_card(stage: Stage) -> str:
    """Player draws a third card on 5."""
    dealt(stage, "baccarat", "harbour", "2h", "3s", "4d", "Ah")
    return "/dealer/harbour"


def at_settling(stage: Stage) -> str:
    dealt(stage, "dragon-tiger", "garden", "2h", "6s", "9d", "9h")("AnnounceOutcome")
    return "/dealer/garden"


def tell_of(procedure: str) -> Callable[[Any], None]:
    def pose(page: Any) -> None:
        page.click("button.trouble")
        page.click(f"punto-irregular [data-procedure={procedure}]")
        page.wait_for_selector("punto-irregular punto-ask")

    return pose


def at_two_cards_at_once(stage: Stage) -> str:
    """After the initial deal two cards came at once, in an order that nobody can tell."""
    dealer = dealt(stage, "tiger", "quay", "2h", "3s", "4d", "Ah")
    dealer("ReportDrawnTogether", count=2, order_known=False)
    return "/dealer/quay"


def at_differential(stage: Stage) -> str:
    """One table is held because the wagers on the two hands lie too far apart; others go on."""
    table = stage.house.table("baccarat", name="north", differential=100_000)
    dealer = stage.dealer(table)
    dealer("OpenBets")
    bo, chen, dita = stage.others
    stage.lay(table, [(bo, 2, "Player", 50_000), (chen, 4, "Banker", 250_000), (dita, 6, "Banker", 30_000)])
    dealer("CloseBets")
    return "/pit"


def look_into_it(page: Any) -> None:
    page.click('tr[data-table="north"] button.name')
    page.wait_for_selector("punto-pit-detail #tab-play")


def make_report(page: Any) -> None:
    page.click("punto-tabs #tab-shift")
    page.click("punto-shift button.main")
    page.wait_for_selector("punto-shift tfoot")


def step_on(page: Any) -> None:
    """To where the third card is about to be turned."""
    page.keyboard.press("End")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")


def verify_everything(page: Any) -> None:
    page.click("punto-tabs #tab-integrity")
    page.locator("punto-integrity button.main").first.click()
    page.wait_for_selector("punto-integrity .verdict")


def at_replay(stage: Stage) -> str:
    table = stage.table("tiger")
    at_settled(stage)
    rounds = stage.house.dealer.get(f"/api/tables/{table}/rounds")
    return f"/audit/{table}/{rounds[0]['round']}"


def nothing(_: Any) -> None:
    """The page is taken as it is."""


@dataclass(frozen=True)
class Picture:
    """A picture of a page."""

    name: str
    prepare: Callable[[Stage], str]
    """Brings things to where they are worth looking at, and tells which page shows them."""
    ready: str
    """What the page shows once it is complete."""
    pose: Callable[[Any], None] = nothing
    """What the person at the page does before the picture is taken."""
    looks: Callable[[Stage], Someone | None] = lambda stage: stage.patron
    """Who looks at it; nobody stands for a person who is not signed in."""
    phone: bool = False
    """Whether it is taken on a phone as well."""
    best: tuple[str, ...] = ()
    """The files of it that the README shows."""


KEYS, STEP, DECISION = "punto-card-pad", ".now button.big", "punto-decision button"
BEST_SEATS = {"tiger": ("seat-tiger-en", "seat-tiger-zh-phone")}

PICTURES = (
    Picture("lobby", at_lobby, "punto-tile", phone=True, best=("lobby-en",)),
    *(
        Picture(f"seat-{game}", at_betting(game), "punto-areas .name", phone=True, best=BEST_SEATS.get(game, ()))
        for game in APPROVED
    ),
    Picture("tables", at_four_tables, "punto-areas .name", phone=True, best=("tables-en",)),
    Picture("seat-squeeze", at_squeeze, "punto-squeeze", lift_a_corner, phone=True, best=("seat-squeeze-zh",)),
    Picture("seat-withdrawal", at_withdrawal, "punto-withdrawal", phone=True),
    Picture("seat-settled", at_settled, "details.mine", open_settlement, phone=True, best=("seat-settled-en-phone",)),
    *(
        Picture(f"seat-{tab}", at_leisure, "punto-areas", open_tab(tab))
        for tab in ("odds", "rules", "rounds", "limits")
    ),
    Picture("seat-cut", at_cut, "punto-cut section", phone=True),
    Picture("seat-shoe", at_checked, "punto-areas", check_a_shoe, phone=True),
    Picture("display", at_display, "punto-limits-board", looks=lambda _: None, best=("display-en",)),
    Picture("dealer", at_third_card, KEYS, looks=staff(Duty.DEALER), phone=True, best=("dealer-en",)),
    Picture("dealer-settling", at_settling, STEP, looks=staff(Duty.DEALER), phone=True),
    Picture("dealer-irregular", at("/dealer/harbour"), KEYS, tell_of("drawn-together"), staff(Duty.DEALER)),
    Picture("dealer-held", at_two_cards_at_once, ".now.held .walk", looks=staff(Duty.PIT_MANAGER), phone=True),
    Picture("pit", at_differential, DECISION, looks=staff(Duty.PIT_MANAGER), phone=True, best=("pit-en",)),
    Picture("pit-table", at("/pit"), DECISION, look_into_it, staff(Duty.PIT_MANAGER)),
    Picture("pit-people", at("/pit"), DECISION, open_tab("people"), staff(Duty.ASSISTANT_CASINO_MANAGER)),
    Picture("pit-shift", at("/pit"), DECISION, make_report, staff(Duty.PIT_MANAGER)),
    Picture(
        "design", at("/design"), "tbody[data-wager=Tie]", deal_on_the_felt, staff(Duty.DESIGNER), best=("design-en",)
    ),
    Picture("audit", at_replay, "punto-replay .now", step_on, staff(Duty.AUDITOR), phone=True, best=("audit-en",)),
    Picture("audit-integrity", at_replay, "punto-replay .now", verify_everything, staff(Duty.AUDITOR)),
)


# --- taking them -----------------------------------------------------------------------------------------------------


def take(chromium: Any, stage: Stage, picture: Picture) -> dict[str, bytes]:
    """A picture in both languages and on every screen it is taken on, by their names."""
    path, taken = picture.prepare(stage), {}
    someone = picture.looks(stage)
    theme = "dark" if someone in (stage.patron, None) else "light"  # so that both are seen
    for language in LANGUAGES:
        for screen in (DESKTOP, PHONE) if picture.phone else (DESKTOP,):
            with browsing(chromium, stage.house.live, someone, language, screen, theme=theme) as at:
                taken[f"{picture.name}-{language}{'-phone' if screen is PHONE else ''}"] = _shot(at, path, picture)
    return taken


def _shot(at: Patron, path: str, picture: Picture) -> bytes:
    at.open(path)
    at.page.wait_for_selector(picture.ready)
    at.page.wait_for_load_state("networkidle")
    picture.pose(at.page)
    at.page.wait_for_timeout(250)
    return _smaller(at.page.screenshot())


def _smaller(png: bytes) -> bytes:
    """The same with few colours: flat areas and letters lose nothing, and it is a third of the size."""
    smaller = BytesIO()
    Image.open(BytesIO(png)).convert("RGB").quantize(COLOURS).save(smaller, "PNG", optimize=True)
    return smaller.getvalue()


def main(everything: Path, best: Path, wanted: Sequence[str]) -> None:
    """Take the pictures whose names begin so, or all of them."""
    kept = {name for each in PICTURES for name in each.best}
    for folder in (everything, best):
        folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place, launched() as chromium, serving(f"{place}/punto.db", Path(place)) as live:
        stage = Stage(House(live, f"{place}/punto.db"))
        for picture in PICTURES:
            if wanted and not picture.name.startswith(tuple(wanted)):
                continue
            for name, png in take(chromium, stage, picture).items():
                (everything / f"{name}.png").write_bytes(png)
                if name in kept:
                    assert len(png) <= LARGEST, f"{name} is too large: {len(png)} bytes"
                    (best / f"{name}.png").write_bytes(png)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
