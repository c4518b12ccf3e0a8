"""Characters of documents that a reader does not see, and texts of control tokens."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from tokharness.unicode.confusables import confusables_of, skeleton
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import runs_of_members, script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r\f"))
"""Control characters in ASCII that are no white space."""

SAMPLED = 200
"""Characters of a document that decide its script."""

LEAST_TOKEN = 3
"""Characters of the shortest special token whose near-misses are looked for."""

_has_letter = re.compile("[A-Za-z]").search


class _Scripts(dict[str, str]):
    """The script of each character, looked up on first use."""

    def __missing__(self, char: str) -> str:
        return self.setdefault(char, script(char))


_SCRIPTS = _Scripts()


def scripts_of(texts: Sequence[str]) -> list[str]:
    """Return the script of most of the characters of each text, of a long one of an even sample."""
    return [
        ("Latn" if _has_letter(text) else "Zyyy") if text.isascii() else _script_of(text)
        for text in texts
    ]


def _script_of(text: str) -> str:
    if len(text) > SAMPLED:
        text = text[:: len(text) // SAMPLED + 1]
    counts = Counter(map(_SCRIPTS.__getitem__, text))
    counts.pop("Zyyy", None)
    counts.pop("Zinh", None)
    return min(counts, key=lambda one: (-counts[one], one)) if counts else "Zyyy"


@cache
def _hidden() -> re.Pattern[str]:
    """Characters without a shape of their own: default-ignorable ones, and controls."""
    runs = runs_of_members(r"\p{Default_Ignorable_Code_Point}")
    ranges = "".join(f"\\U{run[0]:08x}-\\U{run[-1]:08x}" for run in runs)
    return re.compile(f"[{ranges}\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")


def hidden_rows(texts: Sequence[str], data: bytes) -> dict[int, Counter[str]]:
    """Count the hidden and bidirectional characters of each row that has one.

    ``data`` are the texts in UTF-8, joined.
    """
    has_controls = len(data.translate(None, CONTROLS)) != len(data)
    if data.isascii() and not has_controls:
        return {}
    counts = {}
    find = _hidden().findall
    for row, text in enumerate(texts):
        if (has_controls or not text.isascii()) and (found := find(text)):
            counts[row] = Counter(found)
    return counts


class ControlTexts:
    """Finds the texts of special tokens in documents, and texts that look like them.

    A near-miss has the same skeleton (UTS #39), without case, white space and invisible characters;
    in a document in ASCII, it differs in case, white space and the look-alikes of l and o.
    """

    def __init__(self, special_tokens: Iterable[str]) -> None:
        exact = sorted({one for one in special_tokens if len(one) >= LEAST_TOKEN})
        marked = [one for one in exact if not one[0].isalnum() and not one[-1].isalnum()]
        longest_first = sorted(exact, key=lambda one: (-len(one), one))
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if exact else None
        self._exact_starts = sorted({one[:2] for one in exact})
        starts = sorted({one[:2] for one in marked})
        self._ascii = _Look(_folded_ascii, marked, list(map(_spaced, starts)))
        self._any = _Look(_folded, marked, list(map(_loose, starts)))

    def find(self, texts: Sequence[str]) -> tuple[dict[int, Counter[str]], dict[int, Counter[str]]]:
        """Count the special tokens of each row that has one, exact and near-misses."""
        exact: dict[int, Counter[str]] = {}
        if self._pattern is None:
            return exact, {}
        joined = "\n".join(texts)
        if any(start in joined for start in self._exact_starts):
            find = self._pattern.findall
            exact = {row: Counter(found) for row, text in enumerate(texts) if (found := find(text))}
        look = self._ascii if joined.isascii() else self._any
        if not look.may_be_in(joined):
            return exact, {}
        near = {
            row: look.near_misses(text, exact.get(row, {}))
            for row, text in enumerate(texts)
            if look.may_be_in(text)
        }
        return exact, near


class _Look:
    """Finds tokens by their look: texts that are equal once they are ``folded``."""

    def __init__(
        self, folded: Callable[[str], str], tokens: Sequence[str], starts: Sequence[str]
    ) -> None:
        self._folded = folded
        self._tokens = {folded(one): one for one in sorted(tokens, reverse=True)}
        # A pattern without alternatives is searched by its literal prefix.
        self._starts = re.compile("|".join(starts)) if starts else None

    def may_be_in(self, text: str) -> bool:
        """Whether the text has something like the first characters of a token."""
        return self._starts is not None and self._starts.search(text) is not None

    def near_misses(self, text: str, exact: Mapping[str, int]) -> Counter[str]:
        """Count the tokens that occur by their look, without the ``exact`` ones."""
        counts: Counter[str] = Counter()
        folded = self._folded(text)
        for look, token in self._tokens.items():
            if look in folded:
                known = sum(n * self._folded(one).count(look) for one, n in exact.items())
                counts[token] = folded.count(look) - known
        return +counts


_LIKE_L_AND_O = str.maketrans("|iI1L0O", "lllllo" + "o")


def _folded_ascii(text: str) -> str:
    return "".join(text.translate(_LIKE_L_AND_O).lower().split())


def _folded(text: str) -> str:
    """Return what two texts have in common that look alike, whatever case and space."""
    return "".join(skeleton(skeleton(normalize("NFKC", text)).casefold()).split())


def _spaced(start: str) -> str:
    """Return a pattern for two characters in ASCII, in any case, with spaces between them."""
    return rf"{re.escape(start[0])}[ \t]*[{re.escape(''.join(sorted(_cases(start[1]))))}]"


def _loose(start: str) -> str:
    """Return a pattern for two characters that look like those of ``start``."""
    first, second = ("[" + re.escape("".join({one, *_similar(one)})) + "]" for one in start)
    return rf"{first}[\s\u200b-\u200f\u2060-\u2064\ufeff]*{second}"


def _cases(char: str) -> set[str]:
    return {char, char.lower(), char.upper()}


def _similar(char: str) -> set[str]:
    wide = chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char
    return {wide, *_cases(char), *(one for one in confusables_of(char) if len(one) == 1)}
