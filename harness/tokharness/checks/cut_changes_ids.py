"""A text gets different ids than its parts, though it is cut where a cut is proven to change none.

Why it matters: prefix caches, routers, parallel encoders and chunkers encode a text in parts. A
library that itself cuts long texts, to encode the parts in parallel or to bound the work, changes
the ids of long texts only, so that short tests never show it: a model that was trained on whole
documents then reads other tokens than it was trained on.

Oracle: a proof. The reference proves from the file between which characters a cut is *neutral*: the
ids of the text before it and of the text after it, joined, are those of the whole (``tokharness
seams`` shows the proof). A text is cut at such places, and the target encodes the parts and the
whole. The check speaks if they disagree although each two neighbouring parts agree with the text
that they make, and the reference agrees with itself on all of them. Then what is far away from a
cut changes the ids, such as a window, a limit or a number of threads. If already two neighbouring
parts disagree, the target differs from its reference in a short text, which TOK201 reports; so it
does with a text that is cut off at its end.

How it works: some of the sampled texts of each family, and long texts of words, digits, lines of
code, Chinese and emoji, of up to 20,000 characters. Texts in which the reference proves no neutral
cut are not checked.

Verdicts: *bug*. The cause is *cuts long texts* if the text still fails with other characters far
from the difference, and *characters far away change ids* if it does not, whatever its length: for
example where a program encodes ASCII in a way of its own. *Fact* if the target cuts off long texts
at a number of tokens: then no cut of them is checked.

Example: an encoder that encodes each 4,096 characters of a text on their own::

    TOK116 bug  cuts long texts   "the quick brown fox..."

What to do: cut only where ``tokharness seams`` proves that a cut is neutral, or encode the whole
text.
"""

from __future__ import annotations

from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.comparisons import compared
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.ids.distant_text import (
    CUTS_LONG,
    FAR,
    LEAST_PARTS,
    cuts_of,
    distant_causes,
    ids_of_parts,
    is_cut_off,
    joined_ids,
)
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.model import Batch, Cause, Failure, Verdict
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK116"
NAME = "cut-changes-ids"
REQUIRES = ("reference.seams",)
COLUMNS = ()

__all__ = ["CODE", "COLUMNS", "NAME", "REQUIRES", "audit", "diagnose", "evidence", "failing"]

STRIDE = 9
"""Only every ninth of the sampled rows is checked: its parts cost as much as the text again."""

TRUNCATES = Cause(
    "long texts not checked",
    (("since", "they are cut off"),),
    Verdict.FACT,
    "the target cuts off texts at a number of tokens, so that cuts of long texts are not checked",
)

SIZES = (300, 1_200, 5_000, 20_000)
"""Characters of the long texts, each more than a power of two that is used as a window."""

UNITS = (
    "the quick brown fox jumps over the lazy dog, isn't it? ",
    "12 345 6,789 0x1F 2024-05-06\n",
    "def f(x):\n    return x + 1  # ok\n\n",
    "\u4eca\u5929 \u5929\u6c14 \u5f88 \u597d\n",
    "caf\u00e9 nai\u0308ve \U0001f600 \U0001f468\u200d\U0001f469 ok\r\n",
)


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose ids are not those of their parts, of some of the sampled rows."""
    rows = batch.sampled_rows if len(batch.texts) == 1 else batch.sampled_rows[::STRIDE]
    cuts = cuts_of(subject) if rows else None
    if cuts is None:
        return []
    texts = map(batch.texts.__getitem__, rows)
    parts = [cuts.parts(text) if is_scalar(text) else [] for text in texts]
    encoded = encode_all([*chain.from_iterable(parts)], subject)
    ends = list(accumulate(map(len, parts), initial=0))
    found = []
    for row, start, end in zip(rows, ends, ends[1:], strict=False):
        if end - start < LEAST_PARTS:
            continue
        joined = joined_ids(encoded[start:end], subject)
        whole = without_affixes(batch.ids[row] or [], subject)
        if joined is not None and joined != whole and distant_causes(batch.texts[row], subject):
            found.append(row)
    return found


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the cause if the ids of a text depend on text far away."""
    return distant_causes(text, subject)


def audit(subject: Subject) -> Iterator[Failure]:
    """Look at long texts, the shorter first; if all of them are cut off, say so."""
    if _truncates(subject):
        yield Failure(TRUNCATES)
    for size in SIZES:
        for unit in UNITS:
            text = (unit * (size // len(unit) + 1))[:size]
            if causes := distant_causes(text, subject):
                yield Failure(causes[0], text=_shortest(text, causes, subject))
                return


def _truncates(subject: Subject) -> bool:
    """Whether the ids of each long text are the first of its parts."""
    cuts = cuts_of(subject)
    if cuts is None:
        return False
    compared_any = False
    for unit in UNITS:
        text = unit * (SIZES[-1] // len(unit))
        parts, whole = cuts.parts(text), subject.encode(text)
        joined = None if len(parts) < LEAST_PARTS else ids_of_parts(parts, subject)
        if joined is None or whole is None:
            continue
        if not is_cut_off(without_affixes(whole, subject), joined):
            return False
        compared_any = True
    return compared_any


def _shortest(text: str, causes: list[Cause], subject: Subject) -> str:
    """Return the start of a text that still fails so, by halves of what may be left out."""
    passes, fails = 0, len(text)
    while fails - passes > 1:
        middle = (passes + fails) // 2
        if distant_causes(text[:middle], subject) == causes:
            fails = middle
        else:
            passes = middle
    return text[:fails]


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return the parts of a text, and the ids of the whole next to those of the parts."""
    cuts = cuts_of(subject)
    if cuts is None or cause not in (CUTS_LONG, FAR):
        return {}
    parts = cuts.parts(text)
    joined, whole = ids_of_parts(parts, subject), subject.encode(text)
    if joined is None or whole is None:
        return {}
    shown = [part[:40] for part in parts[:8]]
    return {"parts": shown, **compared(without_affixes(whole, subject), joined, subject)}
