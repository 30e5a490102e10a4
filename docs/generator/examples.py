"""Render examples in docstrings as blocks of Python, as on a page, instead of nested quotations."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


class Examples(griffe.Extension):
    """Fence every example in a docstring."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring and ">>> " in obj.docstring.value:
            obj.docstring.value = _EXAMPLE.sub(lambda found: f"```python\n{found[0]}\n```", obj.docstring.value)
