"""Count the tokens of a parallel text: a request for each language, and the premiums of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.requests import CostRequest
from tokharness.unicode.scripts import main_script, script_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.engine.requests import CrasherRows
    from tokharness.parallel.model import LanguageText, ParallelText

__all__ = ["MAX_LOST", "cost_requests", "parallel_record"]

MAX_LOST = 0.1
"""Share of the characters that a target may lose: fewer tokens for less text are no lower cost.

Petrov et al. 2023 leave out a language if a tenth of its characters are unknown to a tokenizer.
"""

FOR_SCRIPT = 2_000
"""Characters of a text that determine its script."""


def cost_requests(parallel: ParallelText, crashers: CrasherRows) -> dict[str, CostRequest]:
    """Return a request for the text of each language, by a name for a skip."""
    return {_name(one): CostRequest(one.text, crashers) for one in parallel.languages}


def _name(language: LanguageText) -> str:
    return f"the parallel text in {language.code}"


def parallel_record(
    parallel: ParallelText, costs: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the measure of a parallel text from the costs, by the names of the requests."""
    english = costs.get(_name(parallel.languages[0]))
    return {
        "source": parallel.source,
        "lines": parallel.lines,
        "languages": [_row(one, costs.get(_name(one)), english) for one in parallel.languages],
        "left_out": [{"code": code, "reason": reason} for code, reason in parallel.left_out],
    }


def _row(
    language: LanguageText, cost: Mapping[str, Any] | None, english: Mapping[str, Any] | None
) -> dict[str, Any]:
    text = language.text
    unknown = {"tokens": None, "lossless": False, "lost_characters": 0}
    size = {"characters": len(text), "bytes": len(text.encode("utf-8", "replace"))}
    return {
        "code": language.code,
        "name": language.name,
        "script": script_name(main_script(text[:FOR_SCRIPT])),
        **(cost or {**size, **unknown}),
        "premium": _premium(cost, english),
    }


def _premium(cost: Mapping[str, Any] | None, english: Mapping[str, Any] | None) -> float | None:
    """Return the tokens relative to those of English; None if a text is not encoded, or lost."""
    if not (cost and english and _has_cost(cost) and _has_cost(english)):
        return None
    return float(cost["tokens"] / english["tokens"])


def _has_cost(cost: Mapping[str, Any]) -> bool:
    return bool(cost["tokens"]) and cost["lost_characters"] <= MAX_LOST * cost["characters"]
