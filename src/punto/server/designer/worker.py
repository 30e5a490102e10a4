"""The process that works out figures apart from the server, which may end it at any time.

A request is a line with its name and its length, then that many bytes of JSON; an answer is a line with its length,
then the JSON. The process ends when its input does: with the server, however that ended.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from typing import BinaryIO

import msgspec

from punto.server.designer.figures import WORK
from punto.store.codec import encoder

MOST_MEMORY = 4 << 30
"""Bytes of address space, of which the compiled loops reserve much and use little."""
NICE = 5
"""The wager path of the server comes first."""


@cache
def decoder_of(name: str) -> msgspec.json.Decoder[msgspec.Struct]:
    """Return the decoder of a request, by the name of what is asked."""
    return msgspec.json.Decoder(WORK[name][0])


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until there are no more."""
    answers.write(b"ready\n")
    answers.flush()
    while line := requests.readline():
        name, length = line.decode().split()
        asked = decoder_of(name).decode(requests.read(int(length)))
        answer = encoder.encode(WORK[name][1](asked))
        answers.write(b"%d\n" % len(answer))
        answers.write(answer)
        answers.flush()


def _stay_small() -> None:
    os.nice(NICE)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


if __name__ == "__main__":
    _stay_small()
    with suppress(KeyboardInterrupt, BrokenPipeError):  # both mean that nobody asks any more
        serve(sys.stdin.buffer, sys.stdout.buffer)
