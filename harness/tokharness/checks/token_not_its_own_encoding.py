r"""A token whose own text is encoded as other tokens.

Oracle: static, over the vocabulary (catalogue D1): ``encode(decode([i])) != [i]`` for a token of
valid UTF-8 that is not special.

Why it matters: such a token may never be produced, so its embedding may never have been trained;
when its id is forced into the model, it acts as a glitch token. Failing to come back from its
own text does not prove that no text gives it, so the verdict is *risk*, one finding for all.

Example: a token learned across a border at which the pattern now splits::

    TOK401 risk  token not its own encoding   12 of 100,256 tokens, among them " \u{a0}" (31,337)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.checks._frames import without_frame
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.subject import Subject

CODE = "TOK401"
NAME = "token-not-its-own-encoding"
REQUIRES = ("decode_single_token_bytes", "n_vocab")

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]

MOST_SHOWN = 50


def audit(subject: Subject) -> Iterator[Failure]:
    """Encode the text of every token."""
    astray: dict[int, str] = {}
    vocabulary = subject.vocabulary()
    for number, data in vocabulary.items():
        try:
            text = data.decode()
            if without_frame(subject.encode(text), subject) != [number]:
                astray[number] = text
        except KeyboardInterrupt:
            raise
        except BaseException:
            continue
    if astray:
        number = min(astray, key=lambda n: (len(astray[n]), n))
        yield Failure(
            Cause(
                "token not its own encoding",
                (),
                Verdict.RISK,
                f"{len(astray):,} of {len(vocabulary):,} tokens are encoded otherwise than as "
                f"themselves, id {number} among them",
            ),
            count=len(astray),
            text=astray[number],
            evidence={"ids": list(astray)[:MOST_SHOWN]},
        )
