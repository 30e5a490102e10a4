"""Chance: sealed shoes, the patrons' cut, commit and reveal, and practice shoes. docs/fairness.md states the scheme."""

from punto.shoe.cut import Contribution, Cut, Pledge
from punto.shoe.encoding import NEWEST, Format, ShoeError
from punto.shoe.hidden_shoe import HiddenShoe, ShoeKind, practice_shoe, sealed_shoe
from punto.shoe.record import PracticeRecord, PublishedCut, Record, as_json, practice_record, publish, read_record
from punto.shoe.seal import Seal, seal
from punto.shoe.secret import Secret, new_secret
from punto.shoe.shuffle import OutOfWords, draw, shuffle, words, words_of
from punto.shoe.verification import Check, recomputed_order, verify

__all__ = [
    "NEWEST",
    "Check",
    "Contribution",
    "Cut",
    "Format",
    "HiddenShoe",
    "OutOfWords",
    "Pledge",
    "PracticeRecord",
    "PublishedCut",
    "Record",
    "Seal",
    "Secret",
    "ShoeError",
    "ShoeKind",
    "as_json",
    "draw",
    "new_secret",
    "practice_record",
    "practice_shoe",
    "publish",
    "read_record",
    "recomputed_order",
    "seal",
    "sealed_shoe",
    "shuffle",
    "verify",
    "words",
    "words_of",
]
