"""Whether ``encode_special`` reads text that only resembles a special token as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.bos_eos import allowed_ids
from tokharness.diagnosis.entry_points.contracts import entry_point_cause, has_special_text
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.special.modes import sample
from tokharness.model import Failure
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.targets.subject import Subject

__all__ = ["near_miss_failures"]

MAX_TOKENS = 48
TO_FULLWIDTH = {point: point + 0xFEE0 for point in range(0x21, 0x7F)}
NEAR_MISSES: tuple[Callable[[str], str], ...] = (
    str.lower,
    str.upper,
    str.title,
    lambda token: token.translate(TO_FULLWIDTH),
    lambda token: f"{token[:1]} {token[1:]}",
    lambda token: f"{token[:-1]} {token[-1:]}",
    lambda token: f"{token[:2]}\u200b{token[2:]}",
    lambda token: f"{token[:2]}\u00ad{token[2:]}",
    lambda token: f"{token[:-2]}\u0301{token[-2:]}",
    lambda token: token[1:],
    lambda token: token[:-1],
)


def near_miss_failures(subject: Subject) -> Iterator[Failure]:
    """Report the shortest text of no special token with ids that plain text does not get."""
    if not subject.target.can("encode_special"):
        return
    tokens = sample([*subject.target.special_tokens], MAX_TOKENS) if subject.special_tokens else []
    near = dict.fromkeys(f"a {change(token)} b" for token in tokens for change in NEAR_MISSES)
    texts = [text for text in near if not has_special_text(text, subject)]
    plain = encode_all(texts, subject)
    special = encode_all(texts, subject, "encode_special")
    differing = [
        text
        for text, ids, got in zip(texts, plain, special, strict=True)
        if not isinstance(ids, Raised)
        and got not in allowed_ids(text, ids, "encode_special", subject)
    ]
    if differing:
        message = "encode_special does not read text that resembles a special token as plain text"
        shortest = min(differing, key=lambda text: (len(text), text))
        cause = entry_point_cause("encode_special", message)
        row = texts.index(shortest)
        given, expected = special[row], plain[row]
        evidence = compared_call("encode_special", given, expected, subject)
        yield Failure(cause, count=len(differing), text=shortest, evidence=evidence)
