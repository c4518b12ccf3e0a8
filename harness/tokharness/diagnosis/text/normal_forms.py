"""Normal forms and foldings that may explain why a round trip changes a text."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

import regex

from tokharness.diagnosis.text.form_versions import explains_at_a_version
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FORMS", "NORMAL_FORMS", "equal_forms", "explains", "forms_that_explain", "is_applied"]

NORMAL_FORMS = ("NFC", "NFD", "NFKC", "NFKD")
WHITE_SPACE_RUN = regex.compile(r"\s+")
PYTHON_WHITE_SPACE_RUN = re.compile(r"\s+")  # with the controls U+001C to U+001F
SPACES = re.compile(" +")
LINE_END = re.compile(r"\r\n|\r")
NONSPACING_MARKS = regex.compile(r"\p{Mn}+")
MARKS = regex.compile(r"\p{M}+")
CLEANED_UP = (
    *((" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't")),
    *((" 'm", "'m"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re")),
)
"""Replacements that decoders with ``clean_up_tokenization_spaces`` make, in this order."""


def _form(name: str) -> Callable[[str], str]:
    return functools.partial(normalize, name)


def _without_accents(text: str) -> str:
    return str(NONSPACING_MARKS.sub("", normalize("NFD", text)))


def _without_marks(text: str) -> str:
    return str(MARKS.sub("", normalize("NFD", text)))


def _collapsed(text: str) -> str:
    return str(WHITE_SPACE_RUN.sub(" ", text))


def _cleaned_up(text: str) -> str:
    for spaced, clean in CLEANED_UP:
        text = text.replace(spaced, clean)
    return text


def _nfkc_folded(text: str) -> str:
    return normalize("NFKC", normalize("NFKC", text).casefold())


FORMS: dict[str, Callable[[str], str]] = {
    "NFC": _form("NFC"),
    "NFD": _form("NFD"),
    "NFKC": _form("NFKC"),
    "NFKD": _form("NFKD"),
    "lowercase": str.lower,
    "uppercase": str.upper,
    "case folding": str.casefold,
    "CRLF to LF": lambda text: text.replace("\r\n", "\n"),
    "line ends to LF": lambda text: LINE_END.sub("\n", text),
    "one space stripped at the start": lambda text: text.removeprefix(" "),
    "one space stripped at the end": lambda text: text.removesuffix(" "),
    "spaces stripped": lambda text: text.strip(" "),
    "spaces stripped at the start": lambda text: text.lstrip(" "),
    "spaces stripped at the end": lambda text: text.rstrip(" "),
    "spaces collapsed": lambda text: SPACES.sub(" ", text),
    "white space stripped": str.strip,
    "white space stripped at the start": str.lstrip,
    "white space stripped at the end": str.rstrip,
    "white space collapsed": _collapsed,
    "white space collapsed and stripped": lambda text: _collapsed(text).strip(),
    "white space as Python has it collapsed": lambda text: PYTHON_WHITE_SPACE_RUN.sub(" ", text),
    "white space as Python has it collapsed and stripped": lambda text: " ".join(text.split()),
    "spaces before punctuation cleaned up": _cleaned_up,
    "NFC and lowercase": lambda text: normalize("NFC", text).lower(),
    "NFD and lowercase": lambda text: normalize("NFD", text).lower(),
    "NFKC and lowercase": lambda text: normalize("NFKC", text).lower(),
    "NFKC and case folding": lambda text: normalize("NFKC", text).casefold(),
    "NFKC and case folding and NFKC": _nfkc_folded,
    "NFKD and case folding": lambda text: normalize("NFKD", text).casefold(),
    "accents stripped": _without_accents,
    "accents stripped and NFC": lambda text: normalize("NFC", _without_accents(text)),
    "accents stripped and lowercase": lambda text: _without_accents(text).lower(),
    "marks stripped": _without_marks,
    "marks stripped and lowercase": lambda text: _without_marks(text).lower(),
    "NFKC and white space collapsed and stripped": lambda text: _collapsed(
        normalize("NFKC", text)
    ).strip(),
}
"""Name to function, from the weakest explanation to the strongest."""

PROBES = (
    *("e\u0301", "\u00e9", "\uac00", "\u1100\u1161", "\u212b", "\u304b\u3099", "\u0928\u093c"),
    *("\ufb01", "\uff21", "\u00b2", "\U0001d400", "\uff71", "\u2460"),
    *("A", "a", "\u00c4", "\u0414", "\u03a3", "\u00df", "\u0531"),
    *(" a", "a ", "a  b", "\ta", "a\n", "a\t\tb", "a \u00a0b", "a\r\nb", "a\rb", "a .", "a n't"),
)
"""Texts in several scripts; each form changes some of them."""


def explains(name: str, text: str, result: str) -> bool:
    """Whether a form turns ``text`` into ``result``, with the tables of any Unicode version.

    A library's tables may be years old, or newer than those of Python; each step of a form may have
    a version of its own.
    """
    return FORMS[name](text) == result or explains_at_a_version(name, text, result)


def forms_that_explain(text: str, result: str) -> list[str]:
    """Names of the forms that turn ``text`` into ``result``, the weakest first.

    Those that do so only at a certain Unicode version come last.
    """
    exact = [name for name, function in FORMS.items() if function(text) == result]
    others = [name for name in FORMS if name not in exact]
    return [*exact, *(name for name in others if explains_at_a_version(name, text, result))]


def is_applied(name: str, transform: Callable[[str], str | None]) -> bool:
    """Whether a target changes every probe that the form changes, at least half of them likewise.

    A target that composes a single script only, or lowercases ASCII only, leaves some unchanged.
    Probes on which the target raises are not counted.
    """
    all_results = {probe: transform(probe) for probe in PROBES if FORMS[name](probe) != probe}
    results = {probe: text for probe, text in all_results.items() if text is not None}
    as_the_form = sum(text == FORMS[name](probe) for probe, text in results.items())
    changed = bool(results) and all(text != probe for probe, text in results.items())
    return changed and as_the_form * 2 >= len(results)


def equal_forms(text: str, result: str) -> list[str]:
    """Names of the forms in which both texts are equal: a partial normalization keeps that."""
    return [f for f in ("NFC", "NFKC", "case folding") if FORMS[f](text) == FORMS[f](result)]
