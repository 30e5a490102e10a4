"""Settings of a house: what it is called, its clock, its money. Every change is an event of the house's stream.

An event holds all settings as they were from then on; what they were before is in the event before it.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from msgspec import Meta, Struct

from punto.table.guards import MOST
from punto.table.money import Cents

MOST_DENOMINATIONS = 20
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Amount = Annotated[Cents, Meta(ge=0, lt=MOST)]
Denominations = Annotated[tuple[Annotated[Cents, Meta(gt=0, lt=MOST)], ...], Meta(max_length=MOST_DENOMINATIONS)]


class HouseSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a house has set. A new setting stands last and has a default: older events do not have it."""

    property_name: Annotated[str, Meta(max_length=100)] = ""
    """As reports and slips are headed; empty until the house says it."""
    time_zone: Annotated[str, Meta(max_length=64)] = "UTC"
    """The IANA name of the zone that local times are shown in."""
    day_begins: Annotated[int, Meta(ge=0, le=23)] = 6
    """The local hour at which a gaming day begins; it has the date of the day on which it begins."""
    currency: Annotated[str, Meta(pattern="^([A-Z]{3})?$")] = ""
    """The code of the currency, such as AUD; empty until the house says it."""
    denominations: Denominations = (100, 500, 2_500, 10_000, 50_000, 100_000, 500_000, 2_500_000)
    """The values of the house's chips, in rising order."""
    cash_threshold: Amount = 1_000_000
    """Cash of one patron in one gaming day from which on it is flagged; 0 flags nothing."""
    alert_hold_seconds: Annotated[int, Meta(ge=0, lt=MOST)] = 300
    """How long play may be held before the pit is alerted. Of this and every alert below, 0 has none raised."""
    alert_differential_percent: Annotated[int, Meta(ge=0, le=100)] = 90
    """The share of the differential allowed from which on it is near its limit."""
    alert_variance: Amount = 1
    """By how much the count of a closing may differ from the books."""
    alert_repeats: Annotated[int, Meta(ge=0, lt=1_000)] = 3
    """How many void or corrected rounds of one Dealer within twelve hours are too many."""
    alert_wager: Amount = 2_500_000
    """From which stake on a wager is large."""
    alert_win: Amount = 10_000_000
    """From which sum on what a patron wins in a round is large."""
    alert_deviations: Annotated[int, Meta(ge=0, le=100)] = 4
    """A wager whose win lies outside what theory allows is as rare, by chance, as so many standard deviations."""
    slips_by_two: bool = True
    """Whether fills and credits take two names: a slip that one person asks for and another confirms."""
    training_days: Annotated[int, Meta(ge=1, le=3_660)] = 365
    """After how many days a lesson of the school has to be passed again."""
    second_factor_required: bool = False
    """Whether managers and cashiers need a second factor to sign in."""
    staff_idle_minutes: Annotated[int, Meta(ge=0, le=60)] = 5
    """After how many minutes without input a session of staff is locked; 0 locks none."""

    @property
    def zone(self) -> ZoneInfo:
        """The zone that local times are shown in."""
        return ZoneInfo(self.time_zone)

    def local(self, at: int) -> datetime:
        """Return a time in milliseconds since 1970 as the clocks of the house show it."""
        return (_EPOCH + timedelta(milliseconds=at)).astimezone(self.zone)

    def day_start(self, day: date) -> int:
        """Return when the gaming day of a date begins, in milliseconds since 1970."""
        begins = datetime.combine(day, time(self.day_begins), self.zone)
        return (begins - _EPOCH) // timedelta(milliseconds=1)

    def day_of(self, at: int) -> date:
        """Return the date of the gaming day that a time is in."""
        day = self.local(at).date()
        return day if self.day_start(day) <= at else day - timedelta(days=1)
