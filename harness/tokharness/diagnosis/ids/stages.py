"""The stages of a tokenizer: added tokens, normalizer, pre-tokenizer, model and others.

If both sides show their stages, the first stage after which the text differs makes the difference.
Otherwise the texts of the tokens show the stage: other characters come from the normalizer, tokens
across the end of a pre-token from the pre-tokenizer, and other tokens of the same pre-tokens from
the model.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

ADDED, NORMALIZER, PRE_TOKENIZER, MODEL = "added tokens", "normalizer", "pre-tokenizer", "model"
POST_PROCESSOR, DECODER = "post-processor", "decoder"

STAGE_OF_KIND: Mapping[str, str] = {
    "special token": ADDED,
    "shared special id": ADDED,
    "normalizer": NORMALIZER,
    "case folding": NORMALIZER,
    "dropped characters": NORMALIZER,
    "replaced characters": NORMALIZER,
    "pre-token split": PRE_TOKENIZER,
    "read as another class": PRE_TOKENIZER,
    "merge order": MODEL,
    "vocabulary": MODEL,
    "decoding": DECODER,
    **{stage: stage for stage in (ADDED, PRE_TOKENIZER, MODEL, POST_PROCESSOR, DECODER)},
}
"""The stage of each kind of cause that does not name a stage."""

PARTS_OF_WORDS = re.compile("^##|@@$|</w>$")

STAGE_OF_TABLE: Mapping[str, str] = {"split": PRE_TOKENIZER, "case mapping": NORMALIZER}
"""The stage of Unicode data that has another name."""


def different_stage(
    text: str, ids: Sequence[Any], subject: Subject, pinned: Target | None = None
) -> str | None:
    """Return the first stage after which the texts differ; None if a side does not show its stages.

    An added token that only one side finds shows in the ids. The reference may be ``pinned`` to the
    Unicode versions of the target.
    """
    reference, target = pinned or subject.reference, subject.target
    if reference is None or not is_scalar(text):
        return None
    theirs, ours = stages_of(text, reference), stages_of(text, target)
    if theirs is None or ours is None:
        return None
    added = {*reference.added_tokens.values(), *target.added_tokens.values()}
    wanted = subject.reference_ids(text) or []
    if [number for number in ids if number in added] != [one for one in wanted if one in added]:
        return ADDED
    if (PRE_TOKENIZER in ours) != (PRE_TOKENIZER in theirs):
        return _stage_of_formats(ours, theirs)
    for stage in (NORMALIZER, PRE_TOKENIZER, MODEL):
        if stage not in ours or stage not in theirs or ours[stage] == theirs[stage]:
            continue
        is_cut = stage == NORMALIZER and "".join(ours[stage]) == "".join(theirs[stage])
        return ADDED if is_cut else stage
    return None


def _stage_of_formats(ours: Mapping[str, list[str]], theirs: Mapping[str, list[str]]) -> str | None:
    """Return the first different stage of two formats; only one of them has a pre-tokenizer.

    Where the one marks spaces in its normalizer, the other may do it in its pre-tokenizer, so that
    the text that their models get is compared.
    """
    given = ["".join(one.get(PRE_TOKENIZER, one.get(NORMALIZER, ()))) for one in (ours, theirs)]
    if given[0] != given[1]:
        return NORMALIZER
    return MODEL if ours.get(MODEL) != theirs.get(MODEL) else None


def inferred_stage_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the stage that the texts of the tokens show, as a weak cause."""
    reference = subject.reference
    stages = None if reference is None else stages_of(text, reference)
    if stages is None or reference is None or PRE_TOKENIZER not in stages or MODEL not in stages:
        return []
    tokens = _texts(ids, reference)
    if tokens is None:
        return []
    wanted = stages[MODEL]
    if "".join(_without_marks(wanted)) == "".join(stages[PRE_TOKENIZER]):
        tokens, wanted = _without_marks(tokens), _without_marks(wanted)
    if "".join(tokens) != "".join(wanted):
        return [inferred(NORMALIZER, "its tokens have other characters")]
    ends = set(accumulate(map(len, stages[PRE_TOKENIZER])))
    if not ends <= set(accumulate(map(len, tokens))):
        return [inferred(PRE_TOKENIZER, "a token crosses the end of a pre-token")]
    return [inferred(MODEL, "its pre-tokens are the same, and their tokens are not")]


def inferred(stage: str, why: str) -> Cause:
    """Make the weak cause that only names a stage."""
    message = f"the {stage} of the target does something else than that of the reference: {why}"
    return Cause(stage, (("differs", "tokens"),), message=message, weak=True)


def _without_marks(tokens: Iterable[str]) -> list[str]:
    """Remove marks of tokens that continue or end a word; marks are no part of the text."""
    return [PARTS_OF_WORDS.sub("", token) or token for token in tokens]


def _texts(ids: Sequence[Any], reference: Target) -> list[str] | None:
    if not reference.can("token_text"):
        return None
    texts = reference.call_each("token_text", ids)
    return None if any(isinstance(text, Raised) for text in texts) else texts


def stages_of(text: str, target: Target, method: str = "stages") -> dict[str, list[str]] | None:
    """Return the text after each stage of a target that shows them, by the name of the stage.

    The result is also None for a long text, whose parts after a stage are too many to be received
    whole, and for a method of the user with this name that gives something else.
    """
    if not target.can(method):
        return None
    rows = target.call(method, text)
    if not isinstance(rows, list | tuple) or not all(map(_is_pair, rows)):
        return None
    stages = {stage: list(texts) for stage, texts in rows}
    is_whole = all(isinstance(text, str) for texts in stages.values() for text in texts)
    return stages if is_whole else None


def _is_pair(row: Any) -> bool:
    is_pair = isinstance(row, list | tuple) and len(row) == 2
    return is_pair and isinstance(row[0], str) and isinstance(row[1], list | tuple)


def stage_evidence(text: Any, cause: Cause, subject: Subject) -> dict[str, str]:
    """Return the stage of a difference, and the text after each stage that differs."""
    reference = subject.reference
    if reference is None or not isinstance(text, str) or not reference.can("stages"):
        return {}
    parameters = dict(cause.parameters)
    table, _, _ = parameters.get("of", "").partition(",")
    stage = STAGE_OF_KIND.get(cause.kind) or STAGE_OF_TABLE.get(table, table)
    ours, theirs = stages_of(text, subject.target) or {}, stages_of(text, reference) or {}
    evidence = {"stage": stage} if stage else {}
    for name, texts in theirs.items():
        if name in ours and ours[name] != texts:
            evidence[f"after the {name}"] = _joined(ours[name])
            evidence[f"after the {name}, reference"] = _joined(texts)
    return evidence


def _joined(texts: Sequence[str]) -> str:
    return " | ".join(texts)
