"""The shape of the response to each request: keys, types and nesting.

A shape is a type; ``[shape]``, a list; ``{str: shape}``, an object with any keys; ``{"key": shape,
...}``, an object with these keys; or a tuple of alternatives. Types are exact: True is no ``int``.
"""

from __future__ import annotations

from operator import countOf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tokharness.engine.requests import (
    AuditRequest,
    ColumnsRequest,
    CostRequest,
    DiagnoseRequest,
    EncodeRequest,
    ExplainRequest,
    FeaturesRequest,
    LoadRequest,
    MeasureRequest,
    OutlineRequest,
    Request,
    RoundRequest,
    ShardRequest,
    SnapshotRequest,
    TextsRequest,
    TokensRequest,
    UnitRequest,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

TEXT_OR_NONE = (str, type(None))
NUMBER = (int, float)
ERRORS = (
    {"error": str},
    {"died": str, "detail": str},
    {"plugin": str, "traceback": str},
    {"internal": str, "traceback": str},
    {"not_installed": str},
    {"unanswered": [[str]], "spec": str},
    {"not_loaded": str, "spec": str, "failure": str, "other": str},
)
CRASHERS = [[(str, int, type(None), [int])]]
COUNTS = {str: int}
FAILING = {"failing": {str: [str]}, "left_out": int, "not_compared": int, "cases": int}
FINDING = {
    **dict.fromkeys(("spec", "code", "name", "verdict", "cause", "cause_kind", "message"), str),
    **dict.fromkeys(("fingerprint", "reproduce", "library"), str),
    "cause_parameters": {str: str},
    "symptom": bool,
    "count": int,
    "text": TEXT_OR_NONE,
    "families": [str],
    "other_checks": [str],
    "evidence": {str: object},
}
FINDINGS = {"findings": {str: [(FINDING, {**FINDING, "bytes": str})]}}
DISCOVERED = {
    **dict.fromkeys(("code", "kind", "verdict", "message", "text"), str),
    "parameters": [[str]],
    "weak": bool,
}
IDS = (str, [int])
GOLDEN = [{"group": str, "text": str, "ids": IDS}]
CHANGED = [{"group": str, "text": str, "before": (str, [int], type(None)), "after": IDS}]
SNAPSHOT = {
    "fingerprint": {str: (str, int, type(None), COUNTS)},
    "golden": GOLDEN,
    "figures": {str: NUMBER},
    "explanations": [
        {"kind": str, "parameters": {str: str}, "verdict": str, "message": str, "texts": [str]}
    ],
    "entries": GOLDEN,
    "file": ({"format": str, "stages": {str: str}, "packed": str}, type(None)),
    "bodies": {str: str},
    "sizes": COUNTS,
    "changed": CHANGED,
    "changed_counts": COUNTS,
    "not_compared": COUNTS,
    "edits": [
        {
            "stage": str,
            "what": str,
            "number": int,
            "counts": COUNTS,
            "sampled": [str],
            "tokens": int,
            "examples": CHANGED,
            "texts": [str],
            "note": str,
            "untried": str,
            "is_shared": bool,
            "content": str,
        }
    ],
}
LOADED = {
    "spec": str,
    **dict.fromkeys(("against", "normalizer", "unicode_version"), TEXT_OR_NONE),
    **dict.fromkeys(("comparison", "unfinished"), str),
    **{key: [str] for key in ("capabilities", "families", "checks")},
    "skips": [[str]],
    "texts": int,
    "text_seconds": NUMBER,
}
SHAPES: Mapping[type[Request], Any] = MappingProxyType(
    {
        LoadRequest: LOADED,
        UnitRequest: {
            **FAILING,
            "crashers": CRASHERS,
            "units": int,
            "seconds": NUMBER,
            "failing_left_out": COUNTS,
            "encoded": int,
            "unseen": [str],
            **dict.fromkeys(("unchanged", "compared", "same_ids"), int),
            "digest": str,
            "not_run": int,
            "processor_seconds": NUMBER,
            "changed": [{"text": str, "ids": (str, [int])}],
        },
        RoundRequest: {
            **FAILING,
            "crashers": CRASHERS,
            "discovered": [DISCOVERED],
            "seconds": NUMBER,
            "failing_counts": COUNTS,
            "corpus": [str],
            "excluded": str,
            "readmitted": str,
            "encoded": int,
            "unseen": [str],
        },
        ShardRequest: {
            "tables": {str: {str: [int]}},
            "tokens": [int],
            "samples": {str: [[(str, int, float)]]},
            "crashers": CRASHERS,
            "seconds": NUMBER,
            "is_whole": bool,
            "unread": str,
        },
        FeaturesRequest: {
            **{key: [int] for key in ("tokens", "pairs", "partial")},
            "classes": [str],
            "cost": [[NUMBER]],
        },
        DiagnoseRequest: {**FINDINGS, "not_diagnosed": COUNTS, "not_attributed": str},
        AuditRequest: {
            **FINDINGS,
            "without_result": COUNTS,
            "not_judged": COUNTS,
            "deaths": CRASHERS,
            "is_spent": bool,
            "not_attributed": str,
            "answers": {str: str},
        },
        SnapshotRequest: {"snapshot": (SNAPSHOT, type(None))},
        MeasureRequest: {"measure": object},
        EncodeRequest: {
            "encodings": [{str: object}],
            "of_reference": ([{str: object}], type(None)),
        },
        CostRequest: {
            "cost": {
                **dict.fromkeys(("characters", "bytes", "lost_characters"), int),
                "tokens": (int, type(None)),
                "lossless": bool,
            }
        },
        TokensRequest: {
            "n_vocab": int,
            **{key: {str: str} for key in ("bytes", "kind", "text", "state", "witness", "reason")},
            "classes": {str: [str]},
            **{key: {str: int} for key in ("count", "rank")},
            "norm": {str: NUMBER},
        },
        OutlineRequest: {
            "n_vocab": (int, type(None)),
            "algorithm": TEXT_OR_NONE,
            "tokens_alone": bool,
            "special": COUNTS,
            "added": COUNTS,
            "vocabulary": str,
            "versions": {str: str},
            "unicode": {str: str},
        },
        TextsRequest: {"units": int, "texts": [str]},
        ColumnsRequest: {
            "columns": {str: str},
            "texts": int,
            "raised": COUNTS,
            "crashers": CRASHERS,
            "processor_seconds": NUMBER,
        },
        ExplainRequest: {
            "findings": [(FINDING, {**FINDING, "bytes": str})],
            "members": [[int]],
            "not_diagnosed": int,
        },
    }
)


def fits(request: Request, response: Any) -> bool:
    """Whether a parsed response has the shape for this request, or reports an error.

    A response with the results of several plugins may report the failure of a plugin as ``failed``.
    """
    if _fits(response, ERRORS):
        return True
    if isinstance(response, dict) and "failed" in response:
        response = dict(response)
        if not _fits(response.pop("failed"), ERRORS):
            return False
    return _fits(response, SHAPES[type(request)])


def _fits(value: Any, shape: Any) -> bool:
    if isinstance(shape, tuple):
        return any(_fits(value, alternative) for alternative in shape)
    if isinstance(shape, list):
        if type(value) is not list:
            return False
        if countOf(map(type, value), shape[0]) == len(value):  # a shard has 100,000 integers
            return True
        return all(_fits(item, shape[0]) for item in value)
    if not isinstance(shape, dict):
        return shape is object or type(value) is shape
    if type(value) is not dict:
        return False
    if str in shape:
        return all(_fits(item, shape[str]) for item in value.values())
    return value.keys() == shape.keys() and all(_fits(value[key], shape[key]) for key in shape)
