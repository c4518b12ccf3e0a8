"""Faults in what is done with the user-defined pieces of a SentencePiece model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from planted._registry import fault
from planted._replaced_pieces import with_model, with_normalizing
from planted._sentencepiece_models import against, healthy

ADDED = "added tokens"


@fault(
    "TOK201",
    cause=f"{ADDED}: user-defined pieces are normalized",
    families=["white-space"],
    against=against("sp_defined"),
)
def user_defined_pieces_are_normalized() -> Any:
    """Normalizes the text of user-defined pieces, so that some are never found."""
    rules: Any = healthy("sp_defined").normalizing.rules
    return with_normalizing("sp_defined", rules=replace(rules, verbatim=()))


@fault(
    "TOK201",
    cause=f"{ADDED}: user-defined pieces are merged",
    families=["digits"],
    against=against("sp_defined"),
)
def user_defined_pieces_are_merged() -> Any:
    """Merges user-defined pieces with their neighbours."""
    return with_model("sp_defined", lambda model: replace(model, user_defined=()))
