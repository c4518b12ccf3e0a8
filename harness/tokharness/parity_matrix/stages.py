"""The stage of a cause, its name, and its sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.worker.grouping import DIFFERENTLY
from tokharness.parity_matrix.model import SEEN_WITH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.model import Finding

STAGES = (
    *("added tokens", "normalizer", "pre-tokenizer", "model", "post-processor", "decoder"),
    *("vocabulary",),
)
"""Stages in the order of encoding, then the table of tokens."""

PROCESS = "process"
"""The stage of what ends, hangs or refuses a text: any stage may do it."""

MAX_CHARACTERS = 20
"""Most characters that the message of a cause lists."""

UNEXPLAINED = "unexplained"

OF_KIND = {
    "special token": "added tokens",
    "pre-token split": "pre-tokenizer",
    "merge order": "model",
    "unknown token": "model",
    "dropped characters": "normalizer",
    "replaced characters": "normalizer",
    "added before every text": "normalizer",
    "loaded vocabulary": "vocabulary",
    "decoding": "decoder",
}


def stage_of(kind: str) -> str:
    """Return the stage of a kind of cause; the kind itself where it is not of one stage."""
    name = kind.partition(":")[0]
    return name if name in STAGES else OF_KIND.get(name, name)


def words_of(finding: Finding) -> tuple[str, str, str]:
    """Return the stage, the name and the sentence of a finding."""
    cause = finding.cause
    if cause.kind == DIFFERENTLY:
        how = dict(cause.parameters).get("it", UNEXPLAINED).replace("the target's", "its")
        return PROCESS, how, f"on these texts it {how}"
    return stage_of(cause.kind), str(cause), finding.message


def characters_of(texts: Iterable[str]) -> str:
    """Return the characters of texts that have a single one beyond ASCII, which shows the cause."""
    beyond = ({char for char in text if not char.isascii()} for text in texts)
    found = sorted({char for chars in beyond if len(chars) == 1 for char in chars})
    if not found:
        return ""
    more = f" and {len(found) - MAX_CHARACTERS:,} more" if len(found) > MAX_CHARACTERS else ""
    return f"{SEEN_WITH}{', '.join(f'U+{ord(char):04X}' for char in found[:MAX_CHARACTERS])}{more}"
