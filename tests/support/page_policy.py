"""What a browser may find in a page itself: one script and one style, to the letter."""

from __future__ import annotations

import base64
import hashlib
import re

import httpx

SOURCES = {"script-src": "script", "style-src": "style"}


def policy_of(answer: httpx.Response, policy: str) -> str:
    """The content security policy that an answer must have: a page's also has the digests of what stands in it."""
    if not answer.headers.get("content-type", "").startswith("text/html"):
        return policy
    return "; ".join(
        [policy, *(f"{kind} 'self' 'sha256-{_digest(answer.text, tag)}'" for kind, tag in SOURCES.items())]
    )


def _digest(page: str, tag: str) -> str:
    (inlined,) = re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", page, re.DOTALL)
    return base64.b64encode(hashlib.sha256(inlined.encode()).digest()).decode()
