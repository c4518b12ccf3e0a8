"""Changes of a gate: cases of the run whose ids or decoded texts differ from those of the baseline.

A baseline has digests of all cases, not their ids, so that the earlier ids are unknown. A unit
whose texts changed, such as a unit of a family that uses the tokens of the vocabulary, shows
nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokharness.changes import CASES, Change, change_fingerprint, change_of
from tokharness.gate.file_changes import example_of
from tokharness.targets.digests import first_difference
from tokharness.targets.packed_digests import unpack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.baseline import Baseline
    from tokharness.results.report import TargetReport

MAX_EXAMPLES, MAX_FAMILIES = 20, 5


def case_changes(target: TargetReport, baseline: Baseline) -> Iterator[Change]:
    """Yield a change if results of cases differ; it fails whatever the verdict of findings.

    The change has no examples if edits of the file explain all known texts.
    """
    if target.digests is None:
        return
    yield from _not_taken(target, baseline)
    texts: Counter[str] = Counter()
    changed_blocks = []
    for (family, number), packed in sorted(target.digests.digests.items()):
        if before := baseline.digests.get((family, number)):
            old, new = unpack(before), unpack(packed)
            difference = first_difference(old, new)
            texts[family] += len(difference.rows) + len(difference.ranges)
            if difference:
                changed_blocks.append(
                    [family, number, [block.results.hex() for block in new.blocks]]
                )
    if not changed_blocks:
        return
    edits = target.snapshot.edits if target.snapshot else ()
    explained = {text for edit in edits for text in edit.texts}
    unexplained = [one for one in target.digests.changed if one.text not in explained]
    yield Change(
        "changed-ids",
        CASES,
        _message(+texts),
        change_fingerprint("changed-ids", CASES, changed_blocks),
        examples=tuple(map(example_of, unexplained[:MAX_EXAMPLES])),
        count=texts.total(),
    )


def _not_taken(target: TargetReport, baseline: Baseline) -> Iterator[Change]:
    """Yield a change for families that ran, but whose digests only the baseline has."""
    digests = {} if target.digests is None else target.digests.digests
    before, now = ({family for family, _ in units} for units in (baseline.digests, digests))
    ran = {family.family for family in target.families if family.cases}
    if lost := sorted((before & ran) - now):
        message = f"the ids of all cases of {', '.join(lost)} were not compared with the baseline"
        yield change_of("check-not-run", "the comparison of cases", message)


def _message(texts: Counter[str]) -> str:
    """Count the texts by family."""
    families = [f"{count:,} of {family}" for family, count in texts.most_common(MAX_FAMILIES)]
    if len(texts) > MAX_FAMILIES:
        families.append(f"{len(texts) - MAX_FAMILIES} more families")
    total = texts.total()
    have = "text of the run has" if total == 1 else "texts of the run have"
    return f"{total:,} {have} different ids, or decode to other text: {', '.join(families)}"
