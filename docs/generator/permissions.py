"""The role matrix: what the house permits to each duty, generated from the permissions of the server."""

from __future__ import annotations

from punto.server.access.identity import Duty
from punto.server.access.permissions import Permission

_SHORT = {
    Duty.PATRON: "patron",
    Duty.PIT_SUPERVISOR: "Supervisor",
    Duty.ASSISTANT_CASINO_MANAGER: "Assistant",
    Duty.GAMING_SHIFT_MANAGER: "Shift",
}


def matrix() -> str:
    """Return a table with a line for each permission and a column for each duty."""
    duties = list(Duty)
    names = [_SHORT.get(each, each.value) for each in duties]
    lines = [f"| permission | {' | '.join(names)} |", f"|---{'|:-:' * len(duties)}|"]
    for permission in Permission:
        marks = ["✓" if permission.is_given_to(duty) else "" for duty in duties]
        lines.append(f"| `{permission.value}` | {' | '.join(marks)} |")
    return "\n".join(lines)
