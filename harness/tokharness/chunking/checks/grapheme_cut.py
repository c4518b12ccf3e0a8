"""A cut inside a grapheme cluster: between a letter and its mark, or inside an emoji.

Why it matters: each part of a cluster is valid text, but shows another letter or another emoji: a
family becomes four people, and a chunk begins with an accent.

Oracle: invariant of UAX #29, as an extended grapheme cluster of the Unicode version that the report
names.

How it works: the chunks are placed in the text. A cut counts if it is inside a cluster that is not
longer than the limit.

Verdicts: *by design*: no chunker has promised more than whole characters; the number of splits with
such a cut is the measure.

Example::

    TOK608 fact  cut inside a grapheme cluster: before a mark

What to do: move a cut to the border of a cluster, if the language of the texts has marks.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from tokharness.chunking.splitting import Problem
from tokharness.model import Cause, Verdict
from tokharness.unicode.properties import category, graphemes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.chunking.splitting import Splitting
    from tokharness.chunking.texts import Trial

CODE = "TOK608"
NAME = "grapheme-cut"


def not_applicable(splitting: Splitting) -> str:
    """Return why the check has nothing to see, or ""."""
    return splitting.without_places()


def problems(splitting: Splitting, trial: Trial) -> Iterator[Problem]:
    """Yield the kinds of clusters in which a trial is cut."""
    spans = splitting.placed(trial)
    if spans is None or len(spans) < 2 or splitting.is_too_small(trial):
        return
    clusters = graphemes(trial.text)
    ends = list(accumulate(map(len, clusters)))
    by_place = {
        at: cluster
        for cluster, end in zip(clusters, ends, strict=True)
        for at in range(end - len(cluster) + 1, end)
    }
    found: dict[str, str] = {}
    for place in sorted({at for span in spans for at in span}):
        if (cluster := by_place.get(place)) is None:
            continue
        size = splitting.size(cluster)
        if size is None or size <= trial.limit:
            found.setdefault(_kind(trial.text, place), cluster)
    for kind, cluster in found.items():
        message = f"two chunks have parts of one cluster, {kind}"
        cause = Cause("cut inside a grapheme cluster", (("where", kind),), Verdict.FACT, message)
        yield Problem(cause, {"cluster": cluster})


def _kind(text: str, at: int) -> str:
    before, after = text[at - 1], text[at]
    if before + after == "\r\n":
        return "between CR and LF"
    if "\u200d" in (before, after):
        return "at a joiner"
    if category(after).startswith("M"):
        return "before a mark"
    if all("\U0001f1e6" <= char <= "\U0001f1ff" for char in (before, after)):
        return "inside a flag"
    return "elsewhere"
