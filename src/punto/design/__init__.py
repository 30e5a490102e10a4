"""Help for designers: what is unusual about a game, and what changed between two versions of it."""

from punto.design.game_check import GameFinding, Severity, check
from punto.design.version_diff import VersionChange, changes

__all__ = ["GameFinding", "Severity", "VersionChange", "changes", "check"]
