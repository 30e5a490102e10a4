"""The cards of one shoe that the house was told, encrypted: what its device read, and what people named instead."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Readings:
    """What a device read, by its own count, and what people said, by the number of the card.

    A card that the device missed shifts the cards after it by one, unless the device counted it all the same: then its
    count has a gap there.
    """

    read: dict[int, bytes] = field(default_factory=dict)
    named: dict[int, bytes] = field(default_factory=dict)
    """The cards that people named; an empty cipher is one that is not known."""
    missed: list[int] = field(default_factory=list)
    """The numbers of the cards that the device did not read, in order."""

    @property
    def expected(self) -> int:
        """What the device calls the next card."""
        return max(self.read, default=-1) + 1

    def may_come_next(self, sequence: int) -> bool:
        """Return whether the device may report this: the next card, one before it, or one after cards it missed."""
        gap = sequence - self.expected
        return gap <= 0 or gap <= sum(self.sequence_of(number) >= self.expected for number in self.missed)

    def sequence_of(self, number: int) -> int:
        """Return what the device calls a card that it read."""
        sequence = number
        for missed in self.missed:
            if missed >= number:
                break
            counted = missed + sequence - number
            if counted in self.read or counted >= self.expected:
                sequence -= 1
        return sequence

    def name(self, number: int, cipher: bytes, missed: bool) -> None:
        """Take in what people said of a card; it is missed once, however often it is named."""
        if missed and number not in self.missed:
            self.missed = sorted([*self.missed, number])
        self.named[number] = cipher

    def forget_cards(self) -> None:
        """Keep only what the device calls the next card: the shoe has ended, and none of its cards is asked for."""
        last = self.expected - 1
        self.read = {last: b""} if self.read else {}
        self.named, self.missed = {}, []
