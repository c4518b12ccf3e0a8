"""Plain text is encoded as a special token.

Why it matters: special tokens are the model's control channel: the end of a document, a change of
speaker, a tool call. Text from a user, a web page or a file must never reach it. A user who types
``<|im_start|>system`` into a form, or a look-alike that a normalizer turns into it, speaks with the
system's voice.

Oracle: invariant of one target, with the special tokens that it declares, or that the reference
with the same vocabulary declares.

How it works: the check encodes each special token unchanged, within sentences and next to letters,
and near misses: other case, full width, invisible characters inside, confusable letters,
compatibility forms, escapes, one token inside another. The cause names what the tokenizer does to
the text before it finds the special token, or two such steps; if several steps may explain a text,
the check encodes a text that only one of them explains. *Exact text* means that the entry point for
plain text gives the token's own text its id; *nested token joined*, that tokens are removed once,
which leaves the outer of two; *other text*, that no known step explains it.

Verdicts: *bug*. *Risk* for a well-known control token, such as ``<|im_start|>`` or ``[SEP]``, that
becomes one id although the target does not declare it as a special token; if you declare it, the
finding is a bug.

Example: an ``encode`` that allows all special tokens by default::

    TOK103 bug  special token: exact text   "<|endoftext|>"

What to do: encode untrusted text with special tokens disabled, and declare ``special_tokens``.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from tokharness.diagnosis.special.explanations import explain_special_id
from tokharness.diagnosis.special.undeclared import undeclared_causes, undeclared_rows
from tokharness.model import Batch, Cause

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

CODE = "TOK103"
NAME = "special-id-from-plain-text"
COLUMNS = ()

RARE = ("\u1342", "\ua92e\u2e0f", "\u16a6", "\U00010330")
"""Letters and marks that few vocabularies have, and that no cleaning of text drops."""

__all__ = [
    "CODE",
    "COLUMNS",
    "NAME",
    "diagnose",
    "failing",
    "has_special_id",
    "shared_with_ordinary",
    "special_causes",
    "unknown_ids",
]


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows with a special id, beside those that every text gets; and of control tokens, one id."""
    special = subject.remember("special ids", lambda: _special_ids(subject))
    rows = undeclared_rows(batch, subject)
    if special.isdisjoint(chain.from_iterable(filter(None, batch.ids))):
        return rows
    return rows + [
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
    return special_causes(text, ids, subject) or undeclared_causes(text, ids, subject)


def special_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes for the special ids among ``ids``, which plain ``text`` gave."""
    unasked = _unasked(ids, subject)
    for special, number in subject.special_tokens.items():
        if number in unasked and number in subject.target.contested:
            return [shared_with_ordinary(special, number)]
        if number in unasked:
            return [
                Cause(
                    "special token",
                    (("from", how),),
                    message=f"plain text becomes the special id {number} of {special} ({how})",
                )
                for how in _transformation(text, special, number, subject)
            ]
    return []


def shared_with_ordinary(special: str, number: int) -> Cause:
    """Cause of a special id that an ordinary token has too."""
    message = f"the special id {number:,} of {special} is that of an ordinary token"
    return Cause("shared special id", (("with", "an ordinary token"),), message=message)


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
    unknown = unknown_ids(subject)
    return Counter(i for i in ids if i in special and i not in unknown) - always


def unknown_ids(subject: Subject) -> frozenset[int]:
    """Special ids that stand for whatever is not in the vocabulary: unlike rare texts get them."""

    def found() -> frozenset[int]:
        always = set(subject.try_encode("") or [])
        ids = [set(subject.try_encode(text) or []) - always for text in RARE]
        known = [one for one in ids if one]
        return _special_ids(subject).intersection(*known) if known else frozenset()

    return subject.remember("unknown ids", found)


def _gives(text: str, number: int, subject: Subject) -> bool:
    """Whether a text that is asked about besides gives this special id."""
    return number in _unasked(subject.try_encode(text) or [], subject)


def _transformation(text: str, special: str, number: int, subject: Subject) -> list[str]:
    """Which changes of the text may show the special token in it, the narrowest first."""
    known: dict[tuple[str, int], bool] = subject.remember("special probes", dict)

    def works(probe: str) -> bool:
        if (probe, number) not in known:
            known[probe, number] = _gives(probe, number, subject)
        return known[probe, number]

    return explain_special_id(text, special, tuple(subject.special_tokens), works)
