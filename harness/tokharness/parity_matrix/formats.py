"""The formats of a parity, by name, and the result as plain data: ``schemas/parity.json``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokharness.escaping import json_text
from tokharness.parity_matrix import markdown, page, sarif, terminal
from tokharness.parity_matrix.model import ASPECTS
from tokharness.plugins import Format

if TYPE_CHECKING:
    from tokharness.escaping import Shown
    from tokharness.parity_matrix.model import Cause, Parity

SCHEMA_VERSION = 1


def render(result: Parity, *, width: int | None = None, color: bool = False) -> Shown:  # noqa: ARG001 - the arguments of a format
    """Render the result as indented JSON, in ASCII."""
    return json_text(parity_record(result), indent=2)


def parity_record(result: Parity) -> dict[str, Any]:
    """Return the result as plain data."""
    return {
        "schema_version": SCHEMA_VERSION,
        "interrupted": result.interrupted,
        "compared": result.compared,
        "error": None if result.error is None else str(result.error),
        "profile": result.profile,
        "families": list(result.families),
        "texts": result.texts,
        "seconds": round(result.seconds, 3),
        "aspects": list(ASPECTS),
        "forms": [
            {
                **asdict(one),
                "raised": dict(one.raised),
                "lacks": dict(one.lacks),
                "departs": None if one.departs is None else list(one.departs),
            }
            for one in result.forms
        ],
        "cells": [{**asdict(one), "causes": list(one.causes)} for one in result.cells],
        "causes": [_cause(one) for one in result.causes],
        "disagreements": [
            {"files": list(one.files), "message": one.message} for one in result.disagreements
        ],
        "unmet": list(result.unmet),
        "skips": [asdict(one) for one in result.skips],
    }


def _cause(cause: Cause) -> dict[str, Any]:
    return {
        **asdict(cause),
        "verdict": cause.verdict.value,
        "forms": list(cause.forms),
        "against": list(cause.against),
        "families": list(cause.families),
        "tokens": [
            {**asdict(one), "ids": list(one.ids), "tokens": list(one.tokens)}
            for one in cause.tokens
        ],
    }


FORMATS = {
    name: Format(name, "", render)
    for name, render in {
        "terminal": terminal.render,
        "json": render,
        "markdown": markdown.render,
        "html": page.render,
        "sarif": sarif.render,
    }.items()
}
