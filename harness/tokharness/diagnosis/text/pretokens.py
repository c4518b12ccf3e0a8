"""Pre-tokens of a text by the explainer, and a target that reads each of them only up to an end.

A port that passes pre-tokens as strings of C ends each at U+0000, and a buffer of fixed size keeps
the start of a long pre-token.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate, chain, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

SIZES: Final = (16, 20, 32, 50, 64, 100, 127, 128, 200, 255, 256, 500, 511, 512, 1000, 1023, 1024)
"""Usual sizes of a buffer for a pre-token, also without the byte that ends a string."""


def _first_characters(size: int, word: bytes) -> bytes:
    return word.decode()[:size].encode()


ENDS: Final[Mapping[str, tuple[int, Callable[[bytes], bytes]]]] = {
    "at U+0000": (0, lambda word: word.partition(b"\0")[0]),
    **{f"after {size:,} bytes": (size, itemgetter(slice(size))) for size in SIZES},
    **{f"after {size:,} characters": (size, partial(_first_characters, size)) for size in SIZES},
}
"""Where pre-tokens end early: a size, and what returns the bytes of a pre-token before the end."""

PARAMETER: Final = "of each pre-token"


def short_word_causes(text: str, result: str, subject: Subject) -> list[Cause]:
    """Return the ends of pre-tokens that turn ``text`` into ``result``, if some lose their rest."""
    if len(result) >= len(text) or subject.explainer is None or not is_scalar(text):
        return []
    words = [word.encode() for word in words_in_text(text, subject.explainer) or []]
    longest = max(map(len, words), default=0)
    return [
        Cause(
            "truncated",
            ((PARAMETER, f"each pre-token {end}"),),
            message=f"each pre-token is cut off {end}",
        )
        for end, (size, short) in ENDS.items()
        if size < longest and (size or "\0" in text)
        if b"".join(map(short, words)).decode("utf-8", "replace") == result
        or "".join(short(word).decode("utf-8", "ignore") for word in words) == result
    ]


def ids_of_short_words(cause: Cause, subject: Subject, text: str) -> list[int] | None:
    """Return the reference's ids of the pre-tokens of a text that end as a cause says.

    Nothing is known of a pre-token that ends inside a character.
    """
    end = dict(cause.parameters)[PARAMETER].removeprefix("each pre-token ")
    words = None if subject.explainer is None else words_in_text(text, subject.explainer)
    if words is None or not is_scalar(text):
        return None
    try:
        parts = [ENDS[end][1](word.encode()).decode() for word in words]
    except UnicodeDecodeError:
        return None
    ids = [subject.reference_ids(part) for part in parts if part]
    return None if None in ids else list(chain.from_iterable(filter(None, ids)))


def words_in_text(text: str, explainer: Target) -> list[str] | None:
    """Return the parts of a text that the explainer's pre-tokens stand for.

    A stage may have written a character for each byte. None if the text is changed before.
    """
    pretokens = explainer.call("pretokens", text) if explainer.can("pretokens") else None
    if pretokens is None or isinstance(pretokens, Raised):
        return None
    data, ends = (
        text.encode("utf-8", "surrogatepass"),
        [*accumulate(map(len, pretokens), initial=0)],
    )
    if "".join(pretokens) == text:
        return list(pretokens)
    if ends[-1] != len(data):
        return None
    try:
        return [data[start:end].decode() for start, end in pairwise(ends)]
    except UnicodeDecodeError:
        return None
