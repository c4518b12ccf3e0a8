"""A special token's id comes out of plain text.

Oracle: invariant of one target, with the special tokens that it, or the reference with the same
vocabulary, declares.

Why it matters: special tokens are the model's control channel: the end of a document, a change of
speaker, a tool call. Text from a user, a web page or a file must never reach it. Whoever can type
``<|im_start|>system`` into a form, or a look-alike that a normalizer turns into it, speaks with
the system's voice.

What is tried: each special token as it is, within sentences and beside letters, and near misses
(other case, full width, invisible characters inside, confusable letters, compatibility forms).
The finding names the transformation that the tokenizer undoes on its way to the special id;
*exact text* means that the plain-text entry point turns the token's own text into its id. The
verdict is *bug*.

Example: an ``encode`` that allows all special tokens by default::

    TOK103 bug  special token: exact text   "<|endoftext|>"
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from tokharness.model import Batch, Cause

if TYPE_CHECKING:
    from tokharness.subject import Subject

CODE = "TOK103"
NAME = "special-id-from-plain-text"
COLUMNS = ()

__all__ = ["CODE", "COLUMNS", "NAME", "diagnose", "failing", "has_special_id", "special_causes"]


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows with a special id, beside those that every text gets (a start-of-text token, say)."""
    special = subject.remember("special ids", lambda: _special_ids(subject))
    if special.isdisjoint(chain.from_iterable(filter(None, batch.ids))):
        return []
    return [
        row
        for row, ids in enumerate(batch.ids)
        if ids is not None and not special.isdisjoint(ids) and has_special_id(ids, subject)
    ]


def has_special_id(ids: list[int], subject: Subject) -> bool:
    """Whether a special id is among these that not every text gets."""
    return bool(_unasked(ids, subject))


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the transformation by which this text becomes a special id, if it does."""
    try:
        ids = subject.encode(text)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return []
    return special_causes(text, ids, subject)


def special_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes for the special ids among ``ids``, which plain ``text`` gave."""
    unasked = _unasked(ids, subject)
    for special, number in subject.special_tokens.items():
        if number in unasked:
            how = _transformation(text, special)
            return [
                Cause(
                    "special token",
                    (("from", how),),
                    message=f"plain text becomes the special id {number} of {special} ({how})",
                )
            ]
    return []


def _special_ids(subject: Subject) -> frozenset[int]:
    return frozenset(subject.special_tokens.values())


def _unasked(ids: list[int], subject: Subject) -> Counter[int]:
    """Special ids beyond those that an ordinary letter gets too."""
    special = subject.remember("special ids", lambda: _special_ids(subject))

    def frame() -> Counter[int]:
        try:
            return Counter(i for i in subject.encode("a") if i in special)
        except KeyboardInterrupt:
            raise
        except BaseException:
            return Counter()

    always = subject.remember("special ids of every text", frame)
    return Counter(i for i in ids if i in special) - always


def _transformation(text: str, special: str) -> str:
    """Which change of the text shows the special token in it, the simplest first."""
    if special in text:
        return "exact text"
    from tokharness.unicode.confusables import skeleton
    from tokharness.unicode.normalization import normalize
    from tokharness.unicode.properties import members

    invisible = dict.fromkeys(members(r"[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]"))
    tags = {point: point - 0xE0000 for point in range(0xE0020, 0xE007F)}
    undo = {
        "case": str.casefold,
        "invisible characters or marks removed": lambda t: t.translate(invisible),
        "tag characters read as ASCII": lambda t: t.translate(tags),
        "NFKC": lambda t: normalize("NFKC", t),
        "NFKC and case": lambda t: normalize("NFKC", t).casefold(),
        "NFKD without marks": lambda t: normalize("NFKD", t).translate(invisible),
        "white space removed": lambda t: "".join(t.split()),
        "confusables": skeleton,
    }
    for name, function in undo.items():
        if function(special) in function(text):
            return name
    return "other text"
