"""The tokens that no text gives, or that only a shortcut of the encoder gives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness.diagnosis.reachability.own_texts import own_texts
from tokharness.diagnosis.reachability.states import NOT_REACHED, UNREACHABLE
from tokharness.diagnosis.reachability.tokens import (
    NOT_UTF8,
    SECOND_ID,
    TEXT_UNKNOWN,
    reach_of_tokens,
)
from tokharness.diagnosis.state import random_causes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.targets.subject import Subject

__all__ = ["merge_orphans", "texts_without_reach"]

BYTE_FALLBACK = re.compile("<0x[0-9A-F]{2}>")
NO_FAULT = (SECOND_ID, TEXT_UNKNOWN)
NEVER_IN_UTF8 = frozenset(bytes([byte]) for byte in (0xC0, 0xC1, *range(0xF5, 0x100)))


def texts_without_reach(subject: Subject) -> Mapping[int, str | bytes]:
    """Return the texts of the tokens that no text gives, by id.

    Left out are second ids of a token, tokens of single bytes that are there in case of need, and
    tokens whose text is segmented at random: other checks report these, or count them.
    """
    return subject.cache.get_or_compute("texts without reach", lambda: _without_reach(subject))


def _without_reach(subject: Subject) -> dict[int, str | bytes]:
    own, reach = own_texts(subject), reach_of_tokens(subject)
    twice: set[str | bytes] = set()
    if subject.target.can("decode_single_token_bytes"):
        twice = {text for number, text in own.items() if reach[number].witness}
    found = {}
    for number, text in own.items():
        one = reach[number]
        if one.state not in (UNREACHABLE, NOT_REACHED) or not one.reason:
            continue
        if text in NEVER_IN_UTF8 or one.reason in NO_FAULT or text in twice:
            continue
        if one.reason == NOT_UTF8 and text == "\ufffd":  # a byte that is not shown
            continue
        if _is_byte_fallback(number, subject):
            continue
        if not (isinstance(text, str) and random_causes(text, subject)):
            found[number] = text
    return found


def _is_byte_fallback(number: int, subject: Subject) -> bool:
    """Whether a token is for a byte of characters that have no token, as SentencePiece has them."""
    if not subject.target.can("token_text"):
        return False
    text = subject.target.call("token_text", number)
    return isinstance(text, str) and BYTE_FALLBACK.fullmatch(text) is not None


def merge_orphans(subject: Subject) -> Mapping[int, str | bytes]:
    """Return the tokens that are produced only as a whole pre-token, by id, with their texts."""
    if subject.reference is None or not subject.reference.can("merge_orphans"):
        return {}
    own, reach = own_texts(subject), reach_of_tokens(subject)
    numbers = subject.ask_reference("merge_orphans", [n for n in own if reach[n].witness])
    return (
        {n: own[n] for n in numbers if type(n) is int and n in own}
        if isinstance(numbers, list)
        else {}
    )
