"""A notation for rounds: plain text that a dealer or a test lab can read and write, and that can be played."""

from punto.notation.script import NotationError, Script, parse
from punto.notation.script_player import Failure, run
from punto.notation.script_writer import write

__all__ = ["Failure", "NotationError", "Script", "parse", "run", "write"]
