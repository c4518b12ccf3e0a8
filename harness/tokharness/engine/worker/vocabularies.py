"""The tokens of a target's vocabulary, or of its reference's, and the facts that families get."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.units import sample_evenly
from tokharness.errors import TargetDeath
from tokharness.model import TargetFacts, decoded_text
from tokharness.outcome import Raised, call

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

MAX_DECODED, IDS_PER_CALL = 300_000, 1000
"""Most ids that are decoded if the bytes of tokens are unknown, and most ids in a call."""

MAX_LENGTH = 1000
"""Most characters of a token; vocabularies in use have no longer tokens."""


def vocabulary_bytes(subject: Subject) -> list[bytes]:
    """Return the bytes of each token by id, without repetition: of the target or its reference.

    If the user named the reference, its tokens that the target lacks come last.
    """
    tokens: Iterable[bytes] = bytes_of_tokens(subject).values()
    owners = [owner for owner in (subject.reference, subject.target) if owner is not None]
    lacking = _shown_by_reference(subject) if tokens and subject.claims_parity else []
    for owner in owners:
        tokens = tokens or _bytes_of(owner, subject)
    return list(dict.fromkeys([*tokens, *lacking]))


def bytes_of_tokens(subject: Subject) -> Mapping[int, bytes]:
    """Return the bytes of each id, none if the target does not give them or crashes."""
    if not subject.target.can("decode_single_token_bytes") or dies_of_an_id(subject):
        return {}
    return subject.vocabulary()


def dies_of_an_id(subject: Subject) -> bool:
    """Whether the target crashes or hangs when it is called for the bytes of each id."""

    def dies() -> bool:
        try:
            subject.vocabulary()
        except TargetDeath:  # an audit reports it
            return True
        return False

    return subject.cache.get_or_compute("dies of an id", dies)


def token_texts(subject: Subject) -> tuple[str, ...]:
    """Return the tokens that are text by themselves."""
    texts = []
    for token in vocabulary_bytes(subject):
        try:
            text = token.decode()
        except UnicodeDecodeError:
            continue
        if 0 < len(text) <= MAX_LENGTH:
            texts.append(text)
    return tuple(texts)


def _shown_by_reference(subject: Subject) -> list[bytes]:
    """Return the bytes of each token of the reference, none if it does not give them."""
    if subject.reference is None:
        return []
    of_reference = replace(subject, target=subject.reference, state=type(subject.state)())
    return list(bytes_of_tokens(of_reference).values())


def _bytes_of(owner: Target, subject: Subject) -> list[bytes]:
    if owner is subject.reference and (tokens := _shown_by_reference(subject)):
        return tokens
    return list(decoded_vocabulary(owner, owner.n_vocab or 0).values())


def decoded_vocabulary(target: Target, n_vocab: int) -> dict[int, bytes]:
    """Return the decoded text of single ids, for a target that shows no vocabulary.

    Parts of characters are left out. Stops at the first ids that crash the target; a check reports
    them.
    """
    numbers = sample_evenly(range(n_vocab), MAX_DECODED)
    tokens: dict[int, bytes] = {}
    for start in range(0, len(numbers), IDS_PER_CALL):
        found, is_alive = _decoded(target, numbers[start : start + IDS_PER_CALL])
        tokens |= found
        if not is_alive:
            break
    return tokens


def decoded_above(target: Target, least: int) -> dict[int, bytes]:
    """Return the decoded text of single ids from ``least`` on, until many ids have no text.

    A target that does not declare the number of its ids may have ids that no text of a run gives.
    The text that the last ids have in common, such as the text of an unknown token, does not count.
    """
    tokens: dict[int, bytes] = {}
    for start in range(least, MAX_DECODED, IDS_PER_CALL):
        found, is_alive = _decoded(target, range(start, start + IDS_PER_CALL))
        tokens |= found
        if not is_alive or len({*found.values()}) < min(len(found), 2) or not found:
            break
    numbers = sorted(tokens)
    if len(numbers) > 1 and tokens[numbers[-1]] == tokens[numbers[-2]]:
        last = tokens[numbers[-1]]
        while numbers and tokens[numbers[-1]] == last:
            del tokens[numbers.pop()]
    return tokens


def _decoded(target: Target, numbers: Sequence[int]) -> tuple[dict[int, bytes], bool]:
    """Return the texts of ids, and whether the target survived them."""
    tokens: dict[int, bytes] = {}
    part = [[number] for number in numbers]
    for (number,), text in zip(part, target.call_each("decode", part), strict=True):
        if isinstance(text, Raised):
            if isinstance(text.error, TargetDeath):
                return tokens, False
        elif whole := _whole_text(text):
            tokens[number] = whole
    return tokens, True


def _whole_text(decoded: object) -> bytes:
    """Return the bytes of a result of ``decode`` that is text without U+FFFD, or b""."""
    text = call(decoded_text, decoded)
    if isinstance(text, Raised) or "\ufffd" in text:
        return b""
    return text.encode("utf-8", "surrogatepass")  # type: ignore[no-any-return]


# Facts about a target that case families get.

MOST_ROWS, MOST_IN_A_QUICK_RUN = 1 << 20, 1 << 16
"""Most merges, or pieces with scores, of a target."""


def target_facts(
    subject: Subject, profile: str, regressions: tuple[tuple[str, str], ...] = ()
) -> TargetFacts:
    """Return the facts; the pattern comes from the target, or else from its explainer.

    ``regressions`` are texts to replay, each with the reason.
    """
    owners = (subject.target, subject.explainer)
    patterns = [owner.pattern for owner in owners if owner is not None]
    pattern = next(filter(None, patterns), None)
    tokens = functools.cache(functools.partial(token_texts, subject))
    added = tuple({**subject.special_tokens, **subject.target.added_tokens})
    most = MOST_IN_A_QUICK_RUN if profile == "quick" else MOST_ROWS
    merges, scores = (
        functools.cache(functools.partial(_tables, subject, method, second, most))
        for method, second in (("merges", bytes), ("scores", float))
    )
    return TargetFacts(added, pattern, profile, regressions, tokens, merges, scores)


def _tables(
    subject: Subject, method: str, second: type, most: int
) -> tuple[list[tuple[Any, Any]], ...]:
    """Return what the target and a reference that the user named have of a table, each once.

    If the target does not show the table, the reference may. A row is bytes and a value of the type
    ``second``; a table with any other row is left out. There are at most ``most`` rows, unless both
    sides show their table.
    """
    own = [subject.target] if subject.target.can(method) else []
    references = (subject.reference, subject.explainer)
    others = [one for one in references if one is not None and one.can(method)][:1]
    if own and not subject.claims_parity:
        others = []
    elif own and others:
        most = MOST_ROWS
    tables: list[list[tuple[Any, Any]]] = []
    for owner in (*own, *others):
        rows = owner.call(method, most)
        if isinstance(rows, list) and rows not in tables and _are_rows(rows, second):
            tables.append(rows)
    return tuple(tables)


def _are_rows(rows: list[Any], second: type) -> bool:
    kinds = (bytes, second)
    return all(
        type(row) is tuple and len(row) == 2 and tuple(map(type, row)) == kinds for row in rows
    )
