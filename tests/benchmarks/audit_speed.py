"""How long the audit of a vocabulary takes, against the bare calls of the tokenizer over all ids.

    python tests/benchmarks/audit_speed.py [NAME]

The bare calls are those that any audit makes: the bytes of each id, its text, and the ids of that
text. They and the detectors are measured in turn, three times each, and the least time counts.
Witnesses and proofs (TOK401) are a line of their own.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import tiktoken

from tokharness import plugins
from tokharness.targets.loading import load_subject
from tokharness.targets.subject_state import SubjectState

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.targets.subject import Subject

ROUNDS = 3
REACH = "TOK401 unreachable-token"
OF_FILES = {"corpus", "embeddings"}


def timed(call: Callable[[], object]) -> float:
    """Return the seconds of a call."""
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def bare_calls(name: str) -> None:
    """Get the bytes and the text of each id, and encode the text."""
    encoding = tiktoken.get_encoding(name)
    special = set(encoding._special_tokens.values())
    numbers = [n for n in range(encoding.n_vocab) if n not in special]
    known = [n for n in numbers if _has_bytes(encoding, n)]
    texts = [encoding.decode([number]) for number in known]
    for text in texts:
        encoding.encode_ordinary(text)


def _has_bytes(encoding: tiktoken.Encoding, number: int) -> bool:
    try:
        encoding.decode_single_token_bytes(number)
    except KeyError:
        return False
    return True


def audits(subject: Subject) -> dict[str, float]:
    """Return the seconds of each detector; what they share is computed once, by the first."""
    vocabulary = subject.vocabulary()
    fresh = replace(subject, state=SubjectState())
    fresh.cache.get_or_compute("vocabulary", lambda: vocabulary)
    return {
        f"{check.code} {check.name}": timed(lambda audit=check.audit: list(audit(fresh)))
        for check in plugins.checks().values()
        if check.code.startswith("TOK4") and not OF_FILES & set(check.requires)
    }


def main(name: str) -> None:
    """Print the seconds of each detector, and their ratio to the bare calls."""
    subject = load_subject(f"tiktoken:{name}", None).subject
    rounds = [(timed(lambda: bare_calls(name)), audits(subject)) for _ in range(ROUNDS)]
    bare = min(seconds for seconds, _ in rounds)
    print(f"{name}: bare calls {bare:.2f} s")
    for check in rounds[0][1]:
        least = min(row[check] for _, row in rounds)
        print(f"{check:40} {least:6.2f} s {least / bare:6.2f}")
    total = min(sum(row.values()) - row[REACH] for _, row in rounds)
    print(f"{'detectors without witnesses and proofs':40} {total:6.2f} s {total / bare:6.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:] or ["o200k_base"])
