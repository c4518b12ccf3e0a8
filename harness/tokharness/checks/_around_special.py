"""Text around a special token: what ``encode_special`` owes for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.checks._attempt import Raised, called
from tokharness.checks._each import frame, without_frame
from tokharness.checks._entry_points import has_special_text
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.subject import Subject

__all__ = ["around_special"]

AROUND = (("a", "b"), ("Hello", " world"), (" a ", " b "), ("a\n", "\nb"), ("", "b"), ("a", ""))
MOST_TOKENS = 48

LOST = Cause(
    "text around a special token",
    (("is", "lost"),),
    message="encode_special loses or changes the text around a special token",
)
SPLIT = Cause(
    "text around a special token",
    (("is", "split otherwise"),),
    Verdict.RISK,
    "encode_special splits the text around a special token otherwise than alone",
)
NO_ID = Cause(
    "special token",
    (("at", "encode_special"),),
    message="encode_special does not give a special token its id",
)


def around_special(subject: Subject) -> Iterator[Failure]:
    """Encode each special token between texts; one failure for each way it goes wrong."""
    if not subject.target.can("encode_special"):
        return
    failed: dict[Cause, list[str]] = {}
    tokens = list(subject.target.special_tokens.items())
    for special, number in tokens[:: -(-len(tokens) // MOST_TOKENS) or 1]:
        for before, after in AROUND:
            text = before + special + after
            cause = _cause(before, special, number, after, subject)
            if cause is not None:
                failed.setdefault(cause, []).append(text)
    for cause, texts in failed.items():
        yield Failure(cause, count=len(texts), text=min(texts, key=lambda t: (len(t), t)))


def _cause(before: str, special: str, number: int, after: str, subject: Subject) -> Cause | None:
    """Return what is wrong between two texts, if anything is."""
    alone = [subject.try_encode(part) for part in (before, after)]
    got = called(subject.target.tokenizer.encode_special, before + special + after)
    left, right = alone
    if left is None or right is None or has_special_text(before + after, subject):
        return None
    if isinstance(got, Raised):
        return NO_ID
    ids = list(got)
    start, end = frame(subject)
    left, right = without_frame(left, subject), without_frame(right, subject)
    if ids == [*start, *left, number, *right, *end]:
        return None
    core = without_frame(ids, subject)
    if core.count(number) != 1:
        return NO_ID if number not in core else SPLIT  # of two tokens that begin alike
    place = core.index(number)
    parts = (core[:place], core[place + 1 :])
    same = all(
        _text(a, subject) == _text(b, subject) for a, b in zip(parts, (left, right), strict=True)
    )
    return SPLIT if same else LOST


def _text(ids: list[int], subject: Subject) -> object:
    """Text of some ids; None where they have none."""
    text = called(subject.target.decode, ids)
    return None if isinstance(text, Raised) else text
