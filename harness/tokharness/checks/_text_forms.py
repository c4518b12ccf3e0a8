"""Normal forms and foldings that may explain why a text came back changed."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import regex

from tokharness.unicode import versions
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FORMS", "forms_that_explain"]

WHITE_SPACE_RUN = regex.compile(r"\s+")
LINE_END = regex.compile(r"\r\n|\r")
MARKS = regex.compile(r"\p{Mn}+")


def _form(name: str) -> Callable[[str], str]:
    return functools.partial(normalize, name)


def _without_accents(text: str) -> str:
    return str(MARKS.sub("", normalize("NFD", text)))


def _collapsed(text: str) -> str:
    return str(WHITE_SPACE_RUN.sub(" ", text))


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
    "white space stripped": str.strip,
    "white space stripped at the start": str.lstrip,
    "white space stripped at the end": str.rstrip,
    "white space collapsed": _collapsed,
    "white space collapsed and stripped": lambda text: _collapsed(text).strip(),
    "NFC and lowercase": lambda text: normalize("NFC", text).lower(),
    "NFD and lowercase": lambda text: normalize("NFD", text).lower(),
    "NFKC and lowercase": lambda text: normalize("NFKC", text).lower(),
    "NFKC and case folding": lambda text: normalize("NFKC", text).casefold(),
    "NFKD and case folding": lambda text: normalize("NFKD", text).casefold(),
    "accents stripped": _without_accents,
    "accents stripped and lowercase": lambda text: _without_accents(text).lower(),
    "NFKC and white space collapsed and stripped": lambda text: _collapsed(
        normalize("NFKC", text)
    ).strip(),
}
"""Name to function, from the weakest explanation to the strongest."""


def forms_that_explain(text: str, seen: str) -> list[str]:
    """Names of the forms that turn ``text`` into ``seen``, the weakest first.

    Where none does at the newest Unicode version, older ones are tried (a library's tables may
    be years old); where none does at all, ``in part`` names the equivalence that both texts share.
    """
    exact = [name for name, function in FORMS.items() if function(text) == seen]
    if exact:
        return exact
    # A normal form of any version is compatibly equivalent to its text, today as then.
    equivalent = FORMS["NFKD"](text) == FORMS["NFKD"](seen)
    for version in reversed(versions.VERSIONS) if equivalent else ():
        older = [f for f in ("NFC", "NFD", "NFKC", "NFKD") if _at(f, text, version) == seen]
        if older:
            return older
    return [
        f"{name} in part"
        for name in ("NFC", "NFKC", "case folding")
        if FORMS[name](text) == FORMS[name](seen)
    ]


def _at(form: str, text: str, version: str) -> str:
    return normalize(form, text, version=version)
