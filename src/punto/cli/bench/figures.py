"""What a bench has measured."""

from __future__ import annotations

Figures = dict[str, object]
"""Figures by their names, and in words what work they are of; as they are printed."""
