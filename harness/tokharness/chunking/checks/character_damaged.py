"""A cut inside a character: U+FFFD that the text does not have, broken bytes, or a lone surrogate.

Why it matters: a splitter that cuts the ids of a text, its bytes or its UTF-16 units, and not its
characters, damages each character at a cut. Search does not find the word, and a model answers with
the damaged text.

Oracle: invariant: a chunk has no U+FFFD, no bytes that are not UTF-8, and no lone surrogate, unless
the text has one.

How it works: the chunks of each text are looked at. A limit that is smaller than a character of the
text is a fact, as no chunker can then keep both.

Verdicts: *bug*; *by design* for U+FFFD in the place of a lone surrogate, and for a limit that is
smaller than a character.

Example: a splitter that decodes slices of the ids::

    TOK602 bug  cut inside a character: U+FFFD

What to do: move the cut to the next id before which the bytes are whole characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.chunking.splitting import REPLACEMENT, Problem, has_surrogate, without_surrogates
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.chunking.splitting import Splitting
    from tokharness.chunking.texts import Trial

CODE = "TOK602"
NAME = "character-damaged"

MESSAGES = {
    "bytes": "a chunk has bytes that are not UTF-8: a cut is inside a character",
    "surrogate": "a chunk has a lone surrogate that the text does not have: a cut is inside a "
    "character above U+FFFF",
    "U+FFFD": "a chunk has U+FFFD, which the text does not have: a cut is inside a character",
}


def problems(splitting: Splitting, trial: Trial) -> Iterator[Problem]:
    """Yield the damage of a trial."""
    damage = splitting.damage(trial)
    if not damage or REPLACEMENT in trial.text:
        return
    message = MESSAGES[damage]
    of = (("what", damage),)
    if has_surrogate(trial.text):
        plain = splitting.with_text(trial, without_surrogates(trial.text))
        if not splitting.damage(plain):
            message = "a lone surrogate of the text becomes U+FFFD"
            yield Problem(Cause("lone surrogate replaced", (), Verdict.FACT, message))
        return
    if splitting.is_too_small(trial):
        message = (
            f"if the limit is smaller than a character of the text, {message.partition(':')[0]}"
        )
        kind = "cut inside a character with a smaller limit"
        yield Problem(Cause(kind, of, Verdict.FACT, message))
        return
    if damage == "U+FFFD" and not any(
        REPLACEMENT in (text[:1], text[-1:]) for text in splitting.texts(trial)
    ):
        message = "a chunk has U+FFFD, which the text does not have, away from its ends"
        yield Problem(Cause("U+FFFD away from a cut", (), message=message))
        return
    yield Problem(Cause("cut inside a character", of, message=message))
