"""What a report says of a vocabulary: its outline, rows of tokens, encodings and costs of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.checks import known_vocabulary
from tokharness.engine.worker.token_columns import (
    audited_columns,
    encodings,
    lossy_cost,
    plain_columns,
)
from tokharness.errors import TargetDeath
from tokharness.targets.subject import Subject

if TYPE_CHECKING:
    from tokharness.engine.requests import CostRequest, EncodeRequest, OutlineRequest, TokensRequest
    from tokharness.engine.worker.state import WorkerState


def outline(state: WorkerState, _: OutlineRequest) -> dict[str, Any]:
    """Return the size, the special and added tokens, and the name of the vocabulary."""
    subject = state.compared_subject()
    target = subject.target
    return {
        "n_vocab": target.n_vocab,
        "algorithm": target.algorithm,
        "tokens_alone": target.tokens_alone,
        "special": dict(target.special_tokens),
        "added": dict(target.added_tokens),
        "vocabulary": _vocabulary(subject),
        "versions": {} if subject.original_target is None else _versions(subject),
        "unicode": _versions(subject),
    }


def _versions(subject: Subject) -> dict[str, str]:
    """Return the Unicode version of each stage, or of the whole under the name ""."""
    whole = {} if subject.unicode_version is None else {"": subject.unicode_version}
    return dict(subject.stage_versions) or whole


def _vocabulary(subject: Subject) -> str:
    """Say which known vocabulary it is, or to which it is near; "" if that is not known."""
    if subject.target.n_vocab is None or subject.target.tokens_alone:
        return ""
    try:
        return "; ".join(failure.cause.message for failure in known_vocabulary.audit(subject))
    except TargetDeath:  # the tokens cannot be listed either, which is reported
        return ""


FIELDS = (
    *("bytes", "kind", "text", "state", "witness", "reason", "classes"),
    *("count", "norm", "rank"),
)


def tokens(state: WorkerState, request: TokensRequest) -> dict[str, Any]:
    """Return the columns of the requested ids, each without ids that have no value."""
    subject = state.timed_subject()
    columns = dict(plain_columns(subject, inside=request.inside))
    if request.audited:
        audited = audited_columns(state.checks, subject)
        columns |= {**audited, "reason": {**audited["reason"], **columns["reason"]}}
    size = subject.target.n_vocab or 0
    part = range(request.first, min(request.first + request.count, size))
    return {
        "n_vocab": size,
        **{
            name: {str(number): column[number] for number in part if number in column}
            for name in FIELDS
            for column in [columns.get(name, {})]
        },
    }


def encode(state: WorkerState, request: EncodeRequest) -> dict[str, Any]:
    """Encode the texts."""
    state.set_crashers(request.crashers)
    subject = state.timed_subject()
    reference = subject.reference and Subject(subject.reference)
    return {
        "encodings": encodings(
            request.texts,
            state.compared_subject() if request.compared else subject.with_original_target(),
        ),
        "of_reference": encodings(request.texts, reference) if reference else None,
    }


def cost(state: WorkerState, request: CostRequest) -> dict[str, Any]:
    """Count the tokens that the original target needs for the text."""
    state.set_crashers(request.crashers)
    return {"cost": lossy_cost(request.text, state.timed_subject().with_original_target())}
