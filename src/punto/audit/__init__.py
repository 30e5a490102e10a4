"""Independent checks of a log: every round and balance recomputed by code that shares nothing with the engine."""

from punto.audit.recomputation import Auditor, recompute

__all__ = ["Auditor", "recompute"]
