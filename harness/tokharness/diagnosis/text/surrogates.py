"""Faults that only surrogates show: they become something else than they should by design."""

from __future__ import annotations

import re

from tokharness.model import Cause
from tokharness.targets.subject import scalar_text

SURROGATE = re.compile("[\ud800-\udfff]")

_IN_WORDS = {"other ids": "different ids", "other text": "a different text"}
"""Words of the message for values of the cause, which are part of its fingerprint."""


def surrogate_causes(text: str, result: str) -> list[Cause]:
    """Causes of a text that fails only with its surrogates, not with U+FFFD in their place.

    By design a pair is joined and each lone surrogate becomes U+FFFD.
    """
    dropped = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    become = ["other text"]
    if result == scalar_text(text):
        become = ["other ids"]
    elif result == dropped:
        become.insert(0, "nothing")
    elif result == SURROGATE.sub("\ufffd", text):
        become.insert(0, "U+FFFD, also in pairs")
    return [
        Cause(
            "surrogates",
            (("become", what),),
            message=f"surrogates become {_IN_WORDS.get(what, what)}; a pair should be joined, and "
            "a lone surrogate should raise or become U+FFFD",
        )
        for what in become
    ]
