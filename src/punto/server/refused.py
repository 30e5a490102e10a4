"""The exception that carries a refusal from any part of the server to its answer."""

from __future__ import annotations

from punto.table.refusal import Refusal, refuse


class Refused(Exception):
    """A request that is not carried out; the refusal says why."""

    def __init__(self, code: str | Refusal, *, case: str | None = None, **values: object) -> None:
        self.refusal = code if isinstance(code, Refusal) else refuse(code, None, case=case, **values)
        super().__init__(self.refusal.code)

    def __str__(self) -> str:
        return self.refusal.sentence()
