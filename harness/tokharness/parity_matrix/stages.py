"""The stage of a cause, by the kind of the cause."""

from __future__ import annotations

STAGES = (
    *("added tokens", "normalizer", "pre-tokenizer", "model", "post-processor", "decoder"),
    *("vocabulary",),
)
"""Stages in the order of encoding, then the table of tokens."""

PROCESS = "process"
"""The stage of what ends, hangs or refuses a text: any stage may do it."""

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
