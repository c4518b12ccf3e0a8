"""The chunks, joined, are not the text.

Why it matters: what a chunker loses is in no index and in no training set, and nothing says so. The
last words of a document, its line ends, or what looks like a special token are the usual losses.

Oracle: invariant: the chunks, in their order and without what they have in common, are the text,
except for white space between chunks if the chunker declares ``loses = "white space"``.

How it works: the check looks for places in the text at which the chunks, in order, leave nothing
out. If there are none, it looks for places with gaps, and the gaps are what is lost; then for a
change of the whole text, such as a normal form, with which there are places.

Verdicts: *bug*.

Example: a splitter that drops a rest that is shorter than the overlap::

    TOK603 bug  text is lost: the end

What to do: return the rest of a text as a chunk; return slices of the text and not new texts;
declare white space that is stripped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.chunking.checks.split_fails import SPECIAL
from tokharness.chunking.placement import gaps, is_white_space, place
from tokharness.chunking.splitting import Problem, has_surrogate
from tokharness.model import Cause
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import category, label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.chunking.splitting import Splitting
    from tokharness.chunking.texts import Trial

CODE = "TOK603"
NAME = "text-differs"

FEW = 2
"""Different characters that a cause names."""


def problems(splitting: Splitting, trial: Trial) -> Iterator[Problem]:
    """Yield how the chunks of a trial differ from the text."""
    if splitting.answer(trial).failure or splitting.damage(trial):
        return
    if splitting.placed(trial) is None:
        yield Problem(_cause(splitting, trial))


def _cause(splitting: Splitting, trial: Trial) -> Cause:
    text, chunks = trial.text, splitting.texts(trial)
    if not any(chunks) and text:
        message = "the whole text is lost: no chunk has any of it"
        return Cause("text is lost", (("what", _whole(text)),), message=message)
    if (spans := place(text, chunks, lambda _: True)) is not None:
        lost = [(a, b) for a, b in gaps(text, spans) if not _is_declared(splitting, text[a:b])]
        what = _what(text, lost)
        message = f"text of the document is in no chunk: {what}"
        if what == "white space":
            message = "white space is lost, which the chunker does not declare"
        return Cause("text is lost", (("what", what),), message=message)
    if has_surrogate(text):
        message = "the chunks of a text with a lone surrogate are not parts of it"
        return Cause("text is changed", (("how", "a lone surrogate"),), message=message)
    for name, change in CHANGES.items():
        if place(change(text), chunks, splitting.may_lose) is not None:
            message = f"the chunks are the text only after this change: {name}"
            return Cause("text is changed", (("how", name),), message=message)
    foreign = [chunk for chunk in chunks if chunk not in text]
    if not foreign:
        message = "each chunk is a part of the text, but they are out of order, or repeated"
        return Cause("chunks out of order", (), message=message)
    return Cause("not a part of the text", (), message="a chunk is not a part of the text")


def _is_declared(splitting: Splitting, lost: str) -> bool:
    return all(map(splitting.may_lose, lost))


def _whole(text: str) -> str:
    return "a text of white space" if all(map(is_white_space, text)) else "the whole text"


def _what(text: str, lost: Sequence[tuple[int, int]]) -> str:
    """Return what is lost: white space, special tokens, few characters, the end, or the rest."""
    chars = {char for start, end in lost for char in text[start:end]}
    if all(map(is_white_space, chars)):
        return "white space"
    if any(SPECIAL.search(text[start:end]) for start, end in lost):
        return "text of a special token"
    if len(lost) == 1 and lost[0][1] == len(text):
        return "the end"
    if len(lost) == 1 and lost[0][0] == 0:
        return "the start"
    ignored = {char for char in chars if category(char) in ("Cf", "Cc")}
    if chars == ignored and len(chars) > FEW:
        return "control and format characters"
    visible = sorted(char for char in chars if not is_white_space(char))
    if len(visible) <= FEW:
        return ", ".join(map(label, visible))
    return "text between chunks"


def _of_form(form: str) -> Callable[[str], str]:
    return lambda text: normalize(form, text)


CHANGES: dict[str, Callable[[str], str]] = {
    **{form: _of_form(form) for form in ("NFC", "NFD", "NFKC", "NFKD")},
    "lower case": str.lower,
    "runs of white space become a space": lambda text: " ".join(text.split()),
    "CR LF becomes LF": lambda text: text.replace("\r\n", "\n"),
    "line ends become LF": lambda text: text.replace("\r\n", "\n").replace("\r", "\n"),
    "line ends become spaces": lambda text: text.replace("\r\n", " ").replace("\n", " "),
    "tabs become spaces": lambda text: text.replace("\t", " "),
    "each line end becomes LF": lambda text: "\n".join(text.splitlines()),
}
