"""A special or added token is not what it is declared to be, or is treated unlike the others.

Why it matters: a vocabulary has hundreds of special tokens, and the few that were added last, or
are in another table, are easily forgotten. If one turn marker is plain text where all others are
ids, a conversation has no end; if one marker is read where all others are refused, a user can write
it.

Oracle: invariant of one target. Each entry point treats the texts of all special tokens alike: it
refuses them, reads them as the tokens' ids, or reads them as text. Each decoder treats their ids
alike: it gives the tokens' text, or leaves it out. Text next to such an id is decoded as without
the id, or as next to a word: a decoder may put spaces between all tokens, but not around special
tokens only. If ``--against`` names a reference, each entry point and decoder that target and
reference have does the same in both, and ``encode_special`` gives the same ids around a special
token; only a batch, a ``count`` and an ``encode_with_offsets`` may do what ``encode`` or the entry
point for plain text does. Each added token that is not special does
what it declares in plain text: its text gets its id, its id decodes to its text, and the text next
to it gets the ids that it gets alone. A deviation that a reference of the same file shows too, as
with ``lstrip``, ``rstrip``, ``single_word`` and decoders, is by design.

How it works: special tokens are encoded alone and between words, many in one text. Where they are
refused, which prevents that, an even sample of 128 tokens is encoded, always with the last token;
and 512 tokens are decoded. Added tokens are encoded alone and between texts that begin and end with
a letter, a space or a line end. If the text of a case comes back changed as such a fault predicts,
the case has this cause.

Verdicts: *bug* if an entry point treats up to a third of the special tokens differently; if an id
decodes to the text of another token or to any other text, or changes the text next to it; if an
entry point does not do what the named reference does; and if an added token is never read, is read
as another token, is decoded to another text, or loses the text next to it. *Risk* if the reference
of the file never reads the added token, either; if up to a third of the special tokens are left out
of decoded text or shown in it; if only one of ``decode_stream`` and ``decode`` shows them; if
``encode`` does not do what the named reference's does, where plain text has an entry point of its
own; and if ``encode`` is the library's default and reads special tokens from text, while a setting
that the target declares (``plain_setting``) does not. What the target does with all special tokens,
or with a larger part, is a *fact*. Special tokens that the entry point for plain text reads as ids
are reported by TOK103.

Example: an ``encode_with_offsets`` that does not know the token that was added last::

    TOK115 bug  special token: encode_with_offsets   it reads <|im_end|> as text, and 5 as their id

What to do: build all entry points on one table of special tokens, and look in it for each added
token and each id that the message names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.contracts import entry_point_cause
from tokharness.diagnosis.probes.calls import BATCH
from tokharness.diagnosis.special.added import KIND as ADDED_TOKEN
from tokharness.diagnosis.special.added import LOST, added_token_failures
from tokharness.diagnosis.special.decoded_surroundings import decoded_surroundings_failures
from tokharness.diagnosis.special.default_entry_point import KIND, default_entry_point_cause
from tokharness.diagnosis.special.inconsistencies import (
    all_modes,
    parity_failures,
    reference_modes,
    special_id_failures,
    unlike_the_others,
)
from tokharness.diagnosis.special.surroundings import (
    NO_ID,
    added_surroundings_failures,
    parity_surroundings_failures,
)
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.diagnosis.special.modes import Modes
    from tokharness.targets.subject import Subject

CODE = "TOK115"
NAME = "special-token-inconsistency"

OWNED_CAUSES = (KIND, ADDED_TOKEN, LOST.kind)

__all__ = ["CODE", "NAME", "OWNED_CAUSES", "audit"]


def audit(subject: Subject) -> Iterator[Failure]:
    """Compare what each entry point and each decoder does with all special tokens."""
    encoded = all_modes(subject)
    reported: list[dict[str, str]] = []
    for name, modes in encoded.items():
        exceptions = unlike_the_others(modes, subject)
        if exceptions and exceptions not in reported:  # else built on a reported method
            reported.append(exceptions)
            yield _entry_point_failure(name, exceptions, modes)
    yield from special_id_failures(subject)
    yield from added_token_failures(subject)
    yield from added_surroundings_failures(subject)
    yield from decoded_surroundings_failures(subject)
    yield from parity_failures(encoded, reference_modes(subject), subject)
    yield from parity_surroundings_failures(subject)
    if (default := default_entry_point_cause(subject)) is not None:
        yield Failure(default)
    if encoded:
        yield Failure(_fact(encoded))


def _entry_point_failure(name: str, exceptions: Modes, modes: Modes) -> Failure:
    token, mode = min(exceptions.items(), key=lambda item: (len(item[0]), item[0]))
    others = next(other for text, other in modes.items() if text not in exceptions)
    message = (
        f"{name}, for the text of a special token: {mode} for {len(exceptions):,} of "
        f"{len(modes):,} tokens, such as {token}, and {others} for the rest"
    )
    cause = Cause("special token", (("at", name),), message=message)
    if name == "encode_special":
        cause = NO_ID
    elif name == BATCH:
        cause = entry_point_cause(BATCH, message)
    evidence = {
        "entry point": name,
        "given": mode,
        "expected": others,
        "tokens": sorted(exceptions)[:50],
    }
    return Failure(cause, count=len(exceptions), text=token, evidence=evidence)


def _fact(encoded: dict[str, Modes]) -> Cause:
    """Return the fact of what each entry point does with most special tokens."""
    parameters = []
    for name, modes in encoded.items():
        kinds = sorted(set(modes.values()), key=[*modes.values()].count, reverse=True)
        parameters.append((name, kinds[0] if len(kinds) == 1 else "depends on the token"))
    words = "; ".join(f"{name} {mode}" for name, mode in parameters)
    message = f"what entry points do with the text of a special token: {words}"
    return Cause("special token modes", tuple(parameters), Verdict.FACT, message)
