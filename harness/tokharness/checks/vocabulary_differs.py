"""The loaded vocabulary is not that of the file.

Why it matters: a library may load a file and change it. It gives an added token another id than the
file says, leaves out a token that it thinks it has, or reads a newer field as nothing. Each id
behind that place then means another token than for the model, and nothing raises.

Oracle: differential. The reference reads the same file. The token of each id is compared as it
stands in the vocabulary: its text (``token_text``) or, where one side has none, its bytes; and so
are size, holes, known ids, and the ids of special and other added tokens.

Verdicts: *bug*, one for each kind of difference: ids with *other tokens*, *missing ids*, *further
ids*, *other special tokens*. *Fact*: ids below the largest one that have no token, if both agree.

Example: an added token whose id in the file is not the next free one::

    TOK203 bug  loaded vocabulary: missing ids   1 id of the file has no token, such as 32010

What to do: write the file again with the release of the library that loads it, and compare the ids
with those that the model was trained on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

CODE = "TOK203"
NAME = "vocabulary-differs-from-reference"
REQUIRES = ("reference", "tokens", "n_vocab")

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]

METHODS = ("token_text", "decode_single_token_bytes")
MOST_SHOWN = 20
Texts = dict[int, str]


def audit(subject: Subject) -> Iterator[Failure]:
    """Compare the tokens of all ids with those of the reference, and report holes."""
    target, reference = subject.target, subject.reference
    method = _method(target, reference)
    if reference is None or not method:
        return
    size = max(target.n_vocab or 0, reference.n_vocab or 0)
    ours, theirs = (_tokens(one, method, size) for one in (target, reference))
    both = ours.keys() & theirs.keys()
    other = {number: theirs[number] for number in both if ours[number] != theirs[number]}
    yield from _difference("other tokens", other, "have another token than in the file")
    missing = {number: theirs[number] for number in theirs.keys() - ours.keys()}
    yield from _difference("missing ids", missing, "of the file have no token")
    further = {number: ours[number] for number in ours.keys() - theirs.keys()}
    yield from _difference("further ids", further, "are not in the file")
    yield from _special_tokens(target, reference)
    holes = size - len(ours.keys() | theirs.keys())
    if holes and not missing and not further and not target.can(METHODS[1]):  # as TOK407
        message = f"{holes:,} of {size:,} ids have no token"
        yield Failure(Cause("loaded vocabulary", (("has", "holes"),), Verdict.FACT, message))


def _method(target: Target, reference: Target | None) -> str:
    """Return the method that gives the token of an id on both sides; "" if there is none."""
    if reference is None:
        return ""
    return next((one for one in METHODS if target.can(one) and reference.can(one)), "")


def _tokens(target: Target, method: str, size: int) -> Texts:
    """Return the token of each id that has one."""
    texts = target.call_each(method, range(size))
    return {
        number: text if isinstance(text, str) else repr(text)
        for number, text in enumerate(texts)
        if not isinstance(text, Raised)
    }


def _difference(kind: str, texts: Mapping[int, str], what: str) -> Iterator[Failure]:
    if not texts:
        return
    first = min(texts)
    noun = "id" if len(texts) == 1 else "ids"
    message = f"{len(texts):,} {noun} {what}, such as {first:,}, in the file {texts[first]!r}"
    if kind == "further ids":
        message = f"{len(texts):,} {noun} {what}, such as {first:,}, {texts[first]!r}"
    shown = {str(number): texts[number] for number in sorted(texts)[:MOST_SHOWN]}
    cause = Cause("loaded vocabulary", (("has", kind),), message=message)
    yield Failure(cause, count=len(texts), evidence={"tokens": shown})


def _special_tokens(target: Target, reference: Target) -> Iterator[Failure]:
    """Report special and other added tokens with another id, or of the other kind."""
    for name, kind in (("special_tokens", "special tokens"), ("added_tokens", "added tokens")):
        ours, theirs = (dict(getattr(one, name)) for one in (target, reference))
        differ = sorted({text for text, _ in ours.items() ^ theirs.items()})
        if differ:
            text = differ[0]
            message = (
                f"{len(differ):,} {kind} differ from those of the file, such as {text!r}: "
                f"{ours.get(text, 'none')}, in the file {theirs.get(text, 'none')}"
            )
            cause = Cause("loaded vocabulary", (("has", f"other {kind}"),), message=message)
            yield Failure(cause, count=len(differ), evidence={"tokens": differ[:MOST_SHOWN]})
