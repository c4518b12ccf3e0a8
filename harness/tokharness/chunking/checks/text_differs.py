"""The chunks, joined, are not the text.

Why it matters: what a chunker loses is in no index and in no training set, and nothing says so. The
last words of a document, its line ends, or what looks like a special token are the usual losses.

Oracle: invariant: the chunks, in their order and without what they have in common, are the text,
except for white space between chunks if the chunker declares ``loses = "white space"``.

How it works: the check looks for places in the text at which the chunks, in order, leave nothing
out. If there are none, it looks for places with gaps, and the gaps are what is lost; and for a
change of the whole text, such as a normal form or a replaced character, with which there are
places. Of the causes that explain a split, those are reported that explain most splits.

Verdicts: *bug*; *by design* for a lone surrogate that is left out or replaced, if the other text is
kept, and for a text of white space without a chunk.

Example: a splitter that drops a rest that is shorter than the overlap::

    TOK603 bug  text is lost: the end

What to do: return the rest of a text as a chunk; return slices of the text and not new texts;
declare white space that is stripped.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.chunking.checks.split_fails import SPECIAL
from tokharness.chunking.placement import gaps
from tokharness.chunking.splitting import (
    CLASSES,
    Problem,
    is_stripped,
    is_white_space,
    without_surrogates,
)
from tokharness.model import Cause, Verdict
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import category, label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tokharness.chunking.splitting import Splitting
    from tokharness.chunking.texts import Trial

CODE = "TOK603"
NAME = "text-differs"

WHITE_SPACE = "white space"
MOST_PLACES = 40
"""Places of the first or last chunk that are tried as those at which the text is cut off."""

NUMBER = re.compile(r"\W*[0-9]+\W+")
"""What numbers a chunk at its start."""

LONGEST_ADDED = 12
"""Characters that are added to a chunk, at most."""

FEW = 2
"""Different characters that a cause names."""

SURROGATE = re.compile("[\ud800-\udfff]")
SURROGATES: tuple[Callable[[str], str], ...] = (
    lambda text: SURROGATE.sub("", text),
    lambda text: SURROGATE.sub("?", text),
    lambda text: SURROGATE.sub(" ", text),
    lambda text: text.encode("utf-8", "backslashreplace").decode(),
    lambda text: text.encode("utf-8", "xmlcharrefreplace").decode(),
)
"""What encoders of UTF-8 make of a lone surrogate, except for U+FFFD: that is damage."""

NO_WORD = "text without letters, marks and numbers"

SOME = {"C": "control and format characters", "M": "marks", "P": "punctuation", "S": "symbols"}
"""Names of kinds of characters, by the first letter of the general category."""

MARKUP = {
    "tags in angle brackets": re.compile("<[^<>]*>"),
    "the signs of headings in Markdown": re.compile("(?m)^#+ "),
    "web addresses": re.compile(r"https?://\S+"),
    "escape sequences of a terminal": re.compile(r"\x1b\[[0-9;]*[A-Za-z]"),
}
"""Parts of a text that a program removes."""


def problems(splitting: Splitting, trial: Trial) -> Iterator[Problem]:
    """Yield how the chunks of a trial differ from the text."""
    if splitting.answer(trial).failure or splitting.damage(trial):
        return
    if splitting.placed(trial) is None:
        first, *others = _causes(splitting, trial)
        yield Problem(first, others=tuple(others))


def _causes(splitting: Splitting, trial: Trial) -> list[Cause]:
    """Return what explains the chunks of a trial, the most specific first."""
    text, chunks = trial.text, splitting.texts(trial)
    if not any(chunks) and all(map(is_white_space, text)):
        message = "a text of white space has no chunk"
        empty = Cause("text of white space has no chunk", (), Verdict.FACT, message)
        removed = _removed(splitting, text, chunks)
        return [empty, *map(_lost, removed), *map(_lost, _gaps(text, [(0, len(text))]))]
    plain = without_surrogates(text)
    if plain == text or splitting.placed(splitting.with_text(trial, plain)) is None:
        return _of_text(splitting, trial, text, chunks)
    message = "a lone surrogate is changed in the chunks of a text that has one"
    causes = [
        _changed("a lone surrogate", Verdict.FACT, message)
        for change in SURROGATES
        if splitting.place(change(text), chunks) is not None
    ]
    others = _of_text(splitting, trial, text, chunks)
    on_surrogates = (
        replace(
            cause,
            parameters=(*cause.parameters, ("on", "a text with a lone surrogate")),
            message=f"{cause.message}, on a text with a lone surrogate",
        )
        for cause in others
    )
    return [*causes[:1], *on_surrogates, *others]


def _of_text(splitting: Splitting, trial: Trial, text: str, chunks: Sequence[str]) -> list[Cause]:
    overlap = trial.overlap
    given = "".join(splitting.texts(replace(trial, overlap=0)))
    causes = list(map(_lost, _removed(splitting, text, chunks)))
    if any(splitting.place(kept, chunks) is not None for kept in _with_lines(text, given)):
        causes.append(_lost("some lines"))
    if _is_out_of_order(splitting, text, chunks):
        message = "each chunk is a part of the text, but they are out of order"
        causes.append(Cause("chunks out of order", (), message=message))
    if (spans := splitting.place(text, chunks, lambda _: True)) is not None:
        lost = [(a, b) for a, b in gaps(text, spans) if not _is_declared(splitting, text[a:b])]
        if lost and _are_repeated(text, lost, chunks, overlap):
            causes.append(_lost("a chunk that another one equals"))
        causes += map(_lost, _gaps(text, lost, _lost_sides(splitting, text, chunks)))
    causes += [
        _changed(name)
        for name, change in CHANGES.items()
        if splitting.place(change(text), chunks) is not None
    ]
    if (
        splitting.place(_without_space(text), [*map(_without_space, chunks)], _keeps_all)
        is not None
    ):
        causes.append(_changed("white space", message="the chunks have other white space"))
    if replaced := _replaced(splitting, text, chunks, given):
        causes.append(_changed(replaced))
    others = {ord(old): new for old, new in zip(text, given, strict=False) if old != new}
    if len(given) == len(text) and splitting.place(text.translate(others), chunks):
        causes.append(_changed("some characters become other ones"))
    causes += _rewritten(splitting, text, chunks, overlap)
    causes += _added(splitting, text, chunks)
    kept = _without({*text} - {*"".join(chunks)}, text)
    if kept != text and splitting.place(kept, chunks) is not None:
        causes.append(_lost("some characters"))
    message = "a chunk is not a part of the text"
    return causes or [Cause("not a part of the text", (), message=message)]


def _with_lines(text: str, given: str) -> Iterator[str]:
    """Yield a text without the lines that are not given, also with their line ends."""
    known = {*given.split("\n")}
    lines = text.split("\n")
    if len(lines) > 1:
        yield "\n".join(line for line in lines if line in known)
        yield "\n".join(line if line in known else "" for line in lines)


def _rewritten(
    splitting: Splitting, text: str, chunks: Sequence[str], overlap: int
) -> Iterator[Cause]:
    """Yield a cause if the chunks are the text once each chunk that is none of it is rewritten."""
    for name, change in CHUNKS.items():
        parts = [chunk if chunk in text else change(chunk) for chunk in chunks]
        if splitting.place(text, parts) is not None or _follows(text, chunks, change):
            yield _changed(name)
    parts, before = [*chunks[:1]], "".join(chunks[:1])
    for chunk in chunks[1:] if overlap else ():
        start = before[:overlap]
        before = chunk.removeprefix(start)
        parts.append(before)
    if len(parts) > 1 and "".join(parts) == text:
        message = "each chunk begins with the start of the chunk before it, and not with its end"
        yield Cause("text is added", (("at", "the start of the chunk before"),), message=message)


def _follows(text: str, chunks: Sequence[str], change: Callable[[str], str]) -> bool:
    """Whether the chunks, each as it is or changed, are the text one behind the other."""
    rest = text
    for chunk in chunks:
        part = next((one for one in (chunk, change(chunk)) if rest.startswith(one)), None)
        if part is None:
            return False
        rest = rest.removeprefix(part)
    return not rest


def _added(splitting: Splitting, text: str, chunks: Sequence[str]) -> Iterator[Cause]:
    """Yield a cause if the chunks are the text without what some of them begin or end with."""
    new = [chunk for chunk in chunks if chunk not in text]
    numbered = [NUMBER.sub("", one) if one in new else one for one in chunks]
    for size in range(1, min(len(new[0]), LONGEST_ADDED) + 1) if new else ():
        for side, part in ("end", slice(-size)), ("start", slice(size, None)):
            of_new = [one[part] if one in new else one for one in chunks]
            of_others = [chunks[0], *(one[part] for one in chunks[1:])]
            rows = [of_new, of_others, *([numbered] if side == "start" else [])]
            if any(splitting.place(text, one) is not None for one in rows):
                message = f"a chunk has text at its {side} that is not at its place in the document"
                yield Cause("text is added", (("at", f"the {side} of a chunk"),), message=message)
                return


def _are_repeated(
    text: str, lost: Sequence[tuple[int, int]], chunks: Sequence[str], overlap: int
) -> bool:
    """Whether each part that is lost is a chunk, or several ones, one behind the other."""
    known = {*filter(None, chunks)}
    lengths = {len(one) for one in known}
    for start, end in lost:
        ends = {start}  # at which a chunk ends, with what the chunks have in common
        for at in range(max(start - overlap, 0), end):
            if any(at <= one <= at + overlap for one in ends):
                ends |= {at + length for length in lengths if text[at : at + length] in known}
        if not any(end <= one <= end + overlap for one in ends):
            return False
    return True


def _replaced(splitting: Splitting, text: str, chunks: Sequence[str], whole: str) -> str:
    """Return which character replaces others, if that explains the chunks, or "".

    ``whole`` is what is given without an overlap: a replaced character makes a text no longer.
    """
    if len(_without_space(whole)) > len(text):
        return ""
    for wanted, parts in (
        (_without_space(text), [*map(_without_space, chunks)]),
        (text, chunks),  # white space is replaced, too
    ):
        given = "".join(parts)
        gone = sorted({*wanted} - {*given})
        new = sorted({*given} - {*wanted} or Counter(given) - Counter(wanted))
        for char in new if {*map(str.casefold, gone)} - {*map(str.casefold, new)} else ():
            changed = wanted.translate(dict.fromkeys(map(ord, gone), char))
            if splitting.place(changed, parts, _keeps_all) is not None:
                return f"{label(char)} replaces other characters"
    return ""


def _keeps_all(_: str) -> bool:
    return False


def _without_space(text: str) -> str:
    return "".join(char for char in text if not is_stripped(char))


def _without(chars: set[str], text: str) -> str:
    return "".join(char for char in text if char not in chars)


def _lost_sides(splitting: Splitting, text: str, chunks: Sequence[str]) -> Iterator[str]:
    """Yield ``the end`` and ``the start`` if the chunks are the text without it.

    The places with gaps do not say so where a chunk is in the text several times.
    """
    full = [chunk for chunk in chunks if chunk]
    if not full:
        return
    ends = sorted({at + len(full[-1]) for at in _places(text, full[-1])})[:MOST_PLACES]
    if any(splitting.place(text[:end], full) is not None for end in ends):
        yield "the end"
    starts = sorted(_places(text, full[0]), reverse=True)[:MOST_PLACES]
    if any(splitting.place(text[start:], full) is not None for start in starts):
        yield "the start"


def _places(text: str, part: str) -> list[int]:
    return [at for at in range(len(text)) if text.startswith(part, at)]


def _is_out_of_order(splitting: Splitting, text: str, chunks: Sequence[str]) -> bool:
    if not all(chunk in text for chunk in chunks):
        return False
    if Counter("".join(chunks)) == Counter(text):
        return True
    return splitting.place(text, sorted(chunks, key=text.find), _keeps_all) is not None


def _lost(what: str) -> Cause:
    message = f"text of the document is in no chunk: {what}"
    if what == WHITE_SPACE:
        message = "white space is lost, which the chunker does not declare"
    return Cause("text is lost", (("what", what),), message=message)


def _changed(name: str, verdict: Verdict = Verdict.BUG, message: str = "") -> Cause:
    message = message or f"the chunks are the text only after this change: {name}"
    return Cause("text is changed", (("how", name),), verdict, message)


def _is_declared(splitting: Splitting, lost: str) -> bool:
    return all(map(splitting.may_lose, lost))


def _removed(splitting: Splitting, text: str, chunks: Sequence[str]) -> Iterator[str]:
    """Yield what is lost, if without it the chunks are the whole text."""
    removed = {label(char): text.replace(char, "") for char in text}
    for name, is_of_class in CLASSES.items():
        removed[name] = "".join(char for char in text if not is_of_class(char))
    for name, pattern in MARKUP.items():
        removed[name] = pattern.sub("", text)
    gone = {*text} - {*"".join(chunks)}
    kinds = {category(char)[0] for char in gone}
    if len(kinds) == 1 and (some := SOME.get(kinds.pop())):
        removed[f"some {some}"] = _without(gone, text)
    for found in SPECIAL.findall(text):
        if splitting.place(text.replace(found, ""), chunks) is not None:
            yield "text of a special token"
            break
    for name, kept in removed.items():
        if kept != text and splitting.place(kept, chunks) is not None:
            yield name


def _gaps(text: str, lost: Sequence[tuple[int, int]], sides: Iterable[str] = ()) -> Iterator[str]:
    """Yield what the gaps between chunks may be: white space, special tokens, the end."""
    parts = [text[start:end] for start, end in lost]
    if all(is_white_space(char) for part in parts for char in part):
        yield WHITE_SPACE
    if all(SPECIAL.fullmatch(part.strip()) for part in parts):
        yield "text of a special token"
    known = {*sides}
    is_end = "the end" in known or (len(lost) == 1 and lost[0][1] == len(text))
    start = min(lost, default=(0, 0))[0]
    if is_end and category(text[start])[0] in "CPS" and text.find(text[start]) == start:
        yield f"the end, from {label(text[start])} on"
    if lost == [(0, len(text))]:
        yield "the whole text"
    if is_end:
        yield "the end"
    if "the start" in known or (len(lost) == 1 and lost[0][0] == 0):
        yield "the start"
    chars = sorted({char for part in parts for char in part if not is_white_space(char)})
    if 0 < len(chars) <= FEW:
        yield ", ".join(map(label, chars))
    if chars and all(map(is_stripped, chars)):
        yield WHITE_SPACE  # as a library has it; the name of the character comes first
    if chars and not any(category(char)[0] in "LMN" for char in chars):
        yield NO_WORD
    yield "text between chunks"


HYPHEN = re.compile(r"(?<=\w)-\n(?=\w)")

QUOTATION_MARKS = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"), '"'),
}


def _of_form(form: str) -> Callable[[str], str]:
    return lambda text: normalize(form, text)


CHANGES: dict[str, Callable[[str], str]] = {
    **{form: _of_form(form) for form in ("NFC", "NFD", "NFKC", "NFKD")},
    "lower case": str.lower,
    "upper case": str.upper,
    "case folding": str.casefold,
    "runs of white space become a space": lambda text: " ".join(text.split()),
    "CR LF becomes LF": lambda text: text.replace("\r\n", "\n"),
    "line ends become LF": lambda text: text.replace("\r\n", "\n").replace("\r", "\n"),
    "line ends become spaces": lambda text: text.replace("\r\n", " ").replace("\n", " "),
    "each CR becomes LF": lambda text: text.replace("\r", "\n"),
    "entities of HTML become characters": html.unescape,
    "quotation marks become ASCII": lambda text: text.translate(QUOTATION_MARKS),
    "words hyphenated at a line end are joined": lambda text: HYPHEN.sub("", text),
    "tabs become spaces": lambda text: text.replace("\t", " "),
    "each line end becomes LF": lambda text: "\n".join(text.splitlines()),
}

CHUNKS: dict[str, Callable[[str], str]] = {
    "the case of the first letter of a chunk": lambda chunk: chunk[:1].swapcase() + chunk[1:],
    "the characters of a chunk are in reverse order": lambda chunk: chunk[::-1],
}
"""By what was done to a chunk, what undoes it."""
