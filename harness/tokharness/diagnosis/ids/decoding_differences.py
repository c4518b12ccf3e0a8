"""Kinds of differences between the decoded texts of a target and of its reference."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.text.normal_forms import FORMS
from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.model import Cause, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterable

UNCOMPARED = (TargetDeath, MemoryError, SkippedTextError)
RUN = re.compile("\ufffd+")

OF_A_TEXT = frozenset({"a space at the start", "white space", "normal form", "other text"})
"""Kinds that the check of the round trip may report too."""

OF_UNKNOWN_IDS = frozenset({"unknown ids refused", "unknown ids accepted", "text of unknown ids"})

MESSAGES = {
    "unknown ids refused": "decode raises on ids without a token, which the reference decodes",
    "unknown ids accepted": "decode gives a text for ids on which the reference raises",
    "text of unknown ids": "ids without a token decode to a different text than with the reference",
    "special tokens left out": "decode leaves out special tokens, which the reference shows",
    "special tokens shown": "decode shows special tokens, which the reference leaves out",
    "special tokens refused": "decode raises on special tokens, which the reference decodes",
    "parts of characters refused": "decode raises on bytes that form no character, which the "
    "reference decodes to U+FFFD",
    "number of U+FFFD": "a part of a character becomes another number of U+FFFD",
    "bytes dropped": "bytes that form no character decode to nothing, and with the reference to "
    "U+FFFD",
    "runs of bytes": "where bytes form no character, one side has U+FFFD for these alone, and the "
    "other for each byte of the tokens around them, too",
    "ids refused": "decode raises on ids that the reference decodes",
    "a space at the start": "decoded text begins with a space on one side only",
    "a space at the end": "decoded text ends with the space that stands between words",
    "white space": "decoded text has other white space than with the reference",
    "normal form": "decoded text is normalized, and with the reference it is not",
    "other text": "ids decode to a different text than with the reference",
    "other bytes": "decode_bytes gives other bytes than that of the reference",
}

VERDICTS = {
    **dict.fromkeys(
        (
            *("unknown ids refused", "unknown ids accepted", "text of unknown ids"),
            *("special tokens left out", "special tokens shown", "number of U+FFFD"),
            "runs of bytes",
        ),
        Verdict.FACT,
    ),
    "bytes dropped": Verdict.RISK,
}
"""Verdicts for kinds that are a matter of design, unless the user named the reference."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A sequence of ids that target and reference decode differently; some kinds may name it."""

    kinds: tuple[str, ...]
    ids: tuple[Any, ...]
    got: Any
    want: Any


def kind_cause(kind: str, *, claims_parity: bool) -> Cause:
    """Make the cause of a kind of difference."""
    verdict = Verdict.BUG if claims_parity else VERDICTS.get(kind, Verdict.BUG)
    return Cause("decoding", (("differs", kind),), verdict, MESSAGES[kind])


def kinds_of_difference(
    got: Any, want: Any, special: Iterable[str], *, known: bool
) -> tuple[str, ...]:
    """Kinds that may name the difference of two results, each a text or Raised; () if equal.

    ``special`` are the texts of the special tokens among the ids, ``known`` says that all ids have
    a token.
    """
    if any(isinstance(r, Raised) and isinstance(r.error, UNCOMPARED) for r in (got, want)):
        return ()
    if isinstance(got, Raised) or isinstance(want, Raised):
        if isinstance(got, Raised) is isinstance(want, Raised):
            return ()
        if isinstance(want, Raised):
            return ("unknown ids accepted",)
        return ("ids refused",) if known else ("unknown ids refused",)
    if got == want:
        return ()
    return _kinds_for_texts(got, want, special) if known else ("text of unknown ids",)


def _kinds_for_texts(got: str, want: str, special: Iterable[str]) -> tuple[str, ...]:
    tokens = sorted(special, key=len, reverse=True)
    if tokens and _without(want, tokens) == got:
        return ("special tokens left out",)
    if tokens and _without(got, tokens) == want:
        return ("special tokens shown",)
    if got.replace("\ufffd", "") == want.replace("\ufffd", ""):
        same_places = RUN.sub("\ufffd", got) == RUN.sub("\ufffd", want)
        fewer = got.count("\ufffd") < want.count("\ufffd")
        names = (("number of U+FFFD", same_places or not fewer), ("bytes dropped", fewer))
        return tuple(name for name, fits in names if fits)
    if _has_whole_runs(got, want) or _has_whole_runs(want, got):
        return ("runs of bytes",)
    if want in (f" {got}", got.removeprefix(" ")):
        return ("a space at the start",)
    if "".join(got.split()) == "".join(want.split()):
        return ("white space",)
    if any(form(want) == got for form in FORMS.values()):
        return ("normal form",)
    return ("other text",)


def _has_whole_runs(text: str, other: str) -> bool:
    """Whether the texts are equal, but for longer runs of U+FFFD in place of whole characters.

    A run has at least a U+FFFD for each byte that it stands for in the other text.
    """
    first, *literals = RUN.split(text)
    ends = {len(first)} if other.startswith(first) else set()
    for run, literal in zip(RUN.findall(text), literals, strict=True):
        ends = {
            after + len(literal)
            for start in ends
            for after in range(start + 1, start + len(run) + 1)
            if other.startswith(literal, after) and _fits(other[start:after], run)
        }
    return "\ufffd" in text and len(other) in ends


def _fits(part: str, run: str) -> bool:
    return "\ufffd" in part and len(part.replace("\ufffd", "\0").encode()) <= len(run)


def _without(text: str, tokens: list[str]) -> str:
    for token in tokens:
        text = text.replace(token, "")
    return text
