"""A dispute packet: one round with everything needed to check it outside the house.

Who did what and when, by which clause; the cards, the wagers, what became of each; what went wrong and what was put
right later; and what shows that nothing was altered. Only what is in the log is told: a card that was never exposed
is not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from punto import __version__
from punto.audit.finding import Finding, finding
from punto.audit.table_recomputed import Game
from punto.books.round_log import ends_round
from punto.cards import Card
from punto.report.dispute.wager_lines import totals, wager_line
from punto.report.legend import Legend
from punto.report.rendering import fraction, money
from punto.report.round_index import events_of_round
from punto.report.verified_log import NoPacket, VerifiedLog, no_such_round, verified_log
from punto.rules.clause_texts import clause_text
from punto.rules.coup import Coup, exposed_total
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand
from punto.shoe import Record, ShoeError, read_record, verify
from punto.store.events.house_events import HOUSE, HeadNoted
from punto.store.events.shoe_events import SHOES, ShoePublished, ShoeSealed
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.round_events import CLOCK_MARGIN, as_json, every_event, number_at, time_of
from punto.store.trust.checkpoints import public_key_of
from punto.store.trust.signed_heads import Head
from punto.store.words import KeptWords, digests_in
from punto.table.event import Circumstances, Event, Irregularity, Returned, Settled
from punto.table.irregularities.correction import Correction, RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.void import RoundVoided
from punto.table.play.dealing import OutcomeAnnounced
from punto.table.play.debts import DebtPaid
from punto.table.play.settlement import RoundSettled
from punto.table.round import Phase
from punto.table.settings import Setting
from punto.table.table import Table
from punto.texts import Language, text

FORMAT = "punto-dispute-1"


async def dispute_packet(
    store: Reader,
    games: Mapping[str, Game],
    table: str,
    round_: int,
    to_head: bool = False,
    language: Language = Language.ENGLISH,
) -> dict[str, Any]:
    """Return the packet of a round; ``to_head`` adds the events from its end to the signed head that covers it.

    What happened is told in the language; everything else is as it is stored.

    Raises ``NoPacket`` if there is no such round, or the log does not lead to it.
    """
    events = await events_of_round(store, games, table, round_)
    if not events:
        raise NoPacket(await no_such_round(store, table, round_))
    verified = await verified_log(store, games, table, events)
    legend = Legend(language)
    await legend.look_up(store, events)
    opened, dealt, book = verified.opened, verified.dealt, verified.book
    piece = [each for each in events if each.number <= verified.end]
    shoe = await _shoe(store, table, opened, dealt)
    integrity = await _integrity(store, table, piece, verified, to_head, language)
    written = digests_in(*(each.body for each in events))
    findings = [*verified.findings, *_other_findings(table, integrity["head"], shoe)]
    return {
        "packet": FORMAT,
        "language": language.value,
        "software": f"Punto {__version__}",
        "table": table,
        "game": about_game(book),
        "round": round_,
        "opened": time_of(piece[0].at),
        **_ending(piece[-1]),
        "shoe": shoe,
        "setting": about_setting(opened.set_up),
        "hands": {hand.value: _hand(dealt, hand) for hand in Hand},
        "winner": _winner(piece, dealt),
        **_wagers(piece[-1].event, dealt),
        "irregularities": [
            _irregularity(each, book, legend) for each in events if isinstance(each.event, Irregularity)
        ],
        "corrections": [
            _correction(each)
            for each in events  # an earlier round may have been corrected while this one was played
            if isinstance(each.event, RoundCorrected | OverlookedWagerSettled) and each.event.round == round_
        ],
        "debts": await _debts(store, table, events, round_),
        "events": [_event(each, verified, book, legend) for each in events],
        "names": legend.names,
        "words": [_kept(each) for _, each in sorted((await store.words(written)).items())],
        "clauses": restated({clause for each in events for clause in cited(each.event, book)}, book, language),
        "integrity": integrity,
        "audit": {
            "up_to": events[-1].number,
            "findings": [_finding(each, language) for each in findings],
            "since": verified.since,
        },
    }


def about_game(book: Rulebook) -> dict[str, object]:
    effective = book.effective.isoformat() if book.effective else None
    about = {"key": book.key, "title": book.title, "version": book.version}
    return {**about, "effective": effective, "digest": book.digest}


def _ending(last: EventRecord) -> dict[str, object]:
    """Return whether the round was settled or is void, and when; it may also still be in play."""
    if not ends_round(last.event):
        return {"ending": "in play", "ended": None}
    return {"ending": "settled" if isinstance(last.event, RoundSettled) else "void", "ended": time_of(last.at)}


def about_setting(setting: Setting) -> dict[str, object]:
    limits = {
        name: {"minimum": money(each.minimum), "maximum": money(each.maximum)} for name, each in setting.limits.items()
    }
    return {
        "layout": setting.layout,
        "positions": setting.positions,
        "limits": limits,
        "stake_step": money(setting.stake_step),
        "differential": None if setting.differential is None else money(setting.differential),
        "area_capacity": setting.area_capacity,
        "decks": setting.decks,
        "device": setting.device.value,
        "method": setting.method,
        "hlga": setting.hlga,
        "confirms": setting.confirms.value,
        "managers_interchangeable": setting.managers_interchangeable,
        "betting_seconds": setting.betting_seconds,
        "answer_seconds": setting.answer_seconds,
        "squeeze_seconds": setting.squeeze_seconds,
        "sign_on": setting.sign_on,
        "second_person": list(setting.second_person),
        "second_person_above": money(setting.second_person_above),
        "second_person_seconds": setting.second_person_seconds,
        "reasons_required": setting.reasons_required,
        "room": setting.room,
        "burn": None
        if setting.burn is None
        else {"cards": setting.burn.cards, "first_exposed": setting.burn.exposes_first},
        "restricted": [
            {"position": each.position, "wager": each.wager, "capacity": each.capacity} for each in setting.restricted
        ],
    }


# --- cards -----------------------------------------------------------------------------------------------------------


def _hand(dealt: Table, hand: Hand) -> dict[str, object]:
    """Return the cards in their places; one that was never exposed is None, and then there is no total."""
    cards = [place.card for place in dealt.round.hands[hand]]
    numbers = [place.index for place in dealt.round.hands[hand]]
    shown = [str(card) if card else None for card in cards]
    return {"cards": shown, "numbers_in_shoe": numbers, "total": exposed_total(cards)}


def _winner(piece: Sequence[EventRecord], dealt: Table) -> str | None:
    """Return the outcome called last; None for a void round, or after a card was corrected."""
    if dealt.phase is not Phase.OUTCOME or isinstance(piece[-1].event, RoundVoided):
        return None
    called = [each.event.winner for each in piece if isinstance(each.event, OutcomeAnnounced)]
    return called[-1] if called else None


async def _shoe(store: Reader, table: str, opened: Table, dealt: Table) -> dict[str, object]:
    """Return the shoe of the round, with its record if it has been published by now."""
    assert opened.shoe is not None
    name, commitment, text = opened.shoe.name, None, None
    async for recorded in every_event(store, f"{table}{SHOES}"):
        match recorded.event:
            case ShoeSealed(shoe=shoe, commitment=told) if shoe == name:
                commitment = told
            case ShoePublished(shoe=shoe, record=told) if shoe == name:
                text = told
    about: dict[str, object] = {"name": name, "commitment": commitment, "record": None, "record_holds": None}
    if text is not None:
        exposed = {place.index: place.card for places in dealt.round.hands.values() for place in places if place.card}
        about |= {"record": json.loads(text), "record_holds": _holds(text, exposed)}
    return about


def _holds(text: str, exposed: Mapping[int, Card]) -> bool:
    """Return whether a shoe's record keeps every commitment and has the round's cards where they were dealt."""
    try:
        record = read_record(text)
    except ShoeError:
        return False
    agrees = exposed.items() <= dict(record.dealt).items()
    return isinstance(record, Record) and agrees and all(check.ok for check in verify(record))


# --- wagers ----------------------------------------------------------------------------------------------------------


def _wagers(last: Event, dealt: Table) -> dict[str, object]:
    """Return every wager with its result, and the totals; for a round in play only what lies on the layout."""
    if isinstance(last, RoundSettled):
        return {"wagers": [_settled(each) for each in last.wagers], "totals": totals(last.wagers)}
    if isinstance(last, RoundVoided):
        stake = money(sum(each.amount for each in last.wagers))
        sums = {"stake": stake, "winnings": money(0), "commission": money(0), "returned": stake}
        return {"wagers": [_handed_back(each, last.clause) for each in last.wagers], "totals": sums}
    return {"wagers": [_amount(each) for each in dealt.round.layout], "totals": None}


def _settled(each: Settled) -> dict[str, object]:
    return wager_line(each, each.pays)


def _handed_back(each: Returned, clause: str | None) -> dict[str, object]:
    """Return a wager of a void round in the same form as a settled one."""
    return {
        "patron": each.patron,
        "position": each.position,
        "wager": each.wager,
        "stake": money(each.amount),
        "settled": money(0),
        "result": "void",
        "outcome": "void",
        "pays": fraction(Fraction(0)),
        "winnings": money(0),
        "commission": money(0),
        "returned": money(each.amount),
        "clause": clause,
        "limit_clause": None,
    }


def _amount(each: Returned) -> dict[str, object]:
    return {"patron": each.patron, "position": each.position, "wager": each.wager, "amount": money(each.amount)}


# --- what went wrong -------------------------------------------------------------------------------------------------


def _kept(words: KeptWords) -> dict[str, object]:
    """Return what a person wrote with the salt, so that anyone can compute the digest; both are None once erased."""
    return {"digest": words.digest, "salt": words.salt.hex() if words.salt else None, "words": words.words}


def _irregularity(recorded: EventRecord, book: Rulebook, legend: Legend) -> dict[str, object]:
    event = recorded.event
    told = event.circumstances if isinstance(event, Irregularity) else None
    return {
        "number": recorded.number,
        "at": time_of(recorded.at),
        "event": recorded.name,
        "told": legend.event(event),
        "cites": list(cited(event, book)),
        "circumstances": _circumstances(legend.circumstances(told)) if told else None,
    }


def _circumstances(told: Circumstances) -> dict[str, object]:
    return {
        "round": told.round,
        "shoe": told.shoe,
        "next_card": told.card,
        "noticed_by": told.noticed_by,
        "authorised_by": told.authorised_by,
        "position": told.position.value,
        "acting_in": [role.value for role in told.acting_in],
        "wagers_before": [_amount(each) for each in told.wagers_before],
        "wagers_after": [_amount(each) for each in told.wagers_after],
        "note": told.note,
        "reason": told.reason,
        "second_person": told.second_person,
    }


def _correction(recorded: EventRecord) -> dict[str, object]:
    event, written = recorded.event, recorded
    assert isinstance(event, RoundCorrected | OverlookedWagerSettled)
    coup = event.coup if isinstance(event, RoundCorrected) else None
    return {
        "number": recorded.number,
        "at": time_of(written.at),
        "by": written.by,
        "position": written.position,
        "clause": event.clause,
        "void": isinstance(event, RoundCorrected) and coup is None,
        "hands": _coup(coup) if coup else None,
        "winner": coup.winner.value if coup else None,
        "wagers": [_corrected(each) for each in event.corrections],
        "totals": totals([each.after for each in event.corrections]),
    }


async def _debts(store: Reader, table: str, events: Sequence[EventRecord], round_: int) -> list[dict[str, object]]:
    """Return what corrections of the round left patrons owing, and every payment of theirs at this table since."""
    owing: Counter[str] = Counter()
    first = events[-1].number
    for each in events:
        if isinstance(each.event, RoundCorrected | OverlookedWagerSettled) and each.event.round == round_:
            first = min(first, each.number)
            for correction in each.event.corrections:
                owing[correction.after.patron] += correction.owed
    patrons = {patron for patron, owed in owing.items() if owed}
    if not patrons:
        return []
    later = [each async for each in every_event(store, table, first)]
    return [
        {"patron": patron, "left": money(owing[patron]), "paid": _payments(later, patron)} for patron in sorted(patrons)
    ]


def _payments(later: Sequence[EventRecord], patron: str) -> list[dict[str, object]]:
    return [
        {"number": each.number, "at": time_of(each.at), "amount": money(paid.amount), "paid_at": paid.paid_at}
        for each in later
        if isinstance(paid := each.event, DebtPaid) and paid.patron == patron
    ]


def _coup(coup: Coup) -> dict[str, object]:
    hands = {"player": (coup.player, coup.player_total), "banker": (coup.banker, coup.banker_total)}
    return {hand: {"cards": [str(card) for card in cards], "total": total} for hand, (cards, total) in hands.items()}


def _corrected(each: Correction) -> dict[str, object]:
    return {"before": _settled(each.before), "after": _settled(each.after), "owed": money(each.owed)}


# --- events and clauses ----------------------------------------------------------------------------------------------


def _event(recorded: EventRecord, verified: VerifiedLog, book: Rulebook, legend: Legend) -> dict[str, object]:
    """Return an event with everything its hash covers, its sentence and its clauses."""
    about = {"told": legend.event(recorded.event), "cites": list(cited(recorded.event, book))}
    return {**_link(recorded), **about, "hash_before": verified.hashes_before[recorded.number].hex()}


def _link(recorded: EventRecord) -> dict[str, object]:
    """Return an event with everything its hash covers except the hash before it; the body also as stored."""
    written = recorded
    stored = {"version": written.version, "milliseconds": written.at, "stored": written.body.decode()}
    return {**as_json(recorded), **stored}


def cited(event: Event, book: Rulebook) -> Iterator[str]:
    """Yield the clauses an event rests on, each once."""
    named: list[str | None] = [getattr(event, "clause", None)]
    if named == [None] and (provision := getattr(event, "provision", None)):
        named = [book.clause_of(provision)]
    settled: Iterable[Settled] = event.wagers if isinstance(event, RoundSettled) else ()
    if isinstance(event, RoundCorrected | OverlookedWagerSettled):
        settled = [each.after for each in event.corrections]
    named += [clause for each in settled for clause in (each.clause, each.limit_clause)]
    yield from dict.fromkeys(clause for clause in named if clause)


def restated(clauses: Collection[str], book: Rulebook, language: Language) -> list[dict[str, str]]:
    """Return clauses in our own words, in the order of the document."""
    found = [each for each in book.clauses.values() if each.number in clauses]
    return [{"clause": each.number, "text": clause_text(each, language)} for each in found]


# --- integrity -------------------------------------------------------------------------------------------------------


async def _integrity(
    store: Reader, table: str, piece: Sequence[EventRecord], verified: VerifiedLog, to_head: bool, language: Language
) -> dict[str, Any]:
    """Return the round's hashes, first and last, and the signed head that comes next."""
    first, last = piece[0], piece[-1]
    head = await _next_head(store, table, last)
    link = None
    if to_head and head:
        after = last.number
        link = [_link(each) async for each in every_event(store, table, after, up_to=int(head["number"]))]
    return {
        "first_event": first.number,
        "hash_before": verified.hashes_before[first.number].hex(),
        "last_event": last.number,
        "last_hash": last.hash.hex(),
        "head": head,
        "events_to_head": link,
        "how": text("reports", "dispute.how", language),
    }


async def _next_head(store: Reader, table: str, last: EventRecord) -> dict[str, Any] | None:
    """Return the first head noted at this event or later, and whether it is signed and agrees with the log."""
    public_key, noted = await public_key_of(store) or "", None
    async for recorded in every_event(store, HOUSE, await number_at(store, HOUSE, last.at - CLOCK_MARGIN)):
        event = recorded.event
        if isinstance(event, HeadNoted) and event.table == table and event.number >= last.number:
            noted = event, recorded.at
            break
    if noted is None:
        return None
    nearest, at = noted
    head = Head(nearest.table, nearest.number, nearest.hash, nearest.signature, public_key)
    there = await store.read(table, head.number - 1, 1)
    agrees = bool(there) and (there[0].number, there[0].hash.hex()) == (head.number, head.hash)
    return {**head.as_dict(), "noted": time_of(at), "is_signed": head.is_signed, "agrees_with_log": agrees}


def _other_findings(table: str, head: dict[str, Any] | None, shoe: dict[str, object]) -> Iterator[Finding]:
    """Yield what is wrong with the signed head and the shoe's record."""
    if head and not head["is_signed"]:
        yield finding(table, head["number"], "head-not-signed")
    if head and not head["agrees_with_log"]:
        yield finding(table, head["number"], "head-differs")
    if shoe["record_holds"] is False:
        yield finding(table, None, "shoe-record")


def _finding(found: Finding, language: Language) -> dict[str, object]:
    return {"event": found.number, "code": found.code, "finding": found.sentence(language)}
