"""Normal forms and foldings that may explain why a round trip changes a text."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from itertools import pairwise, product
from typing import TypeAlias
from urllib.parse import unquote

import regex

from tokharness.diagnosis.text import clean_ups
from tokharness.diagnosis.text.stripped_white_space import (
    BLANK,
    STRIPPED,
    leaves_out_blank,
    strips_the_same,
)
from tokharness.model import Cause
from tokharness.unicode import versions
from tokharness.unicode.case_mapping import case_folded, lowercase_of, uppercase_of
from tokharness.unicode.normalization import normalize

# Normal forms and case mappings at all Unicode versions; each step may have its own version.
#
# Hugging Face's library normalizes at 9.0 and lower-cases at 17.0, where Python 3.11 has 14.0; and
# it maps each character alone, also the sigma at the end of a word.

Step: TypeAlias = Callable[[str, str], str]
"""Changes a text as a Unicode version has it."""

SIGMA = "\u03a3"
"""Its lowercase may depend on its place in the word."""


def _form_at_version(name: str, text: str, version: str) -> str:
    return normalize(name, text, version=version)


def _lowercase(text: str, version: str) -> str:
    return "".join(lowercase_of(char, version) for char in text)


def _uppercase(text: str, version: str) -> str:
    return "".join(uppercase_of(char, version) for char in text)


def _case_folding(text: str, version: str) -> str:
    return "".join(case_folded(char, version) for char in text)


def _without(categories: tuple[str, ...], text: str, version: str) -> str:
    return "".join(char for char in text if versions.category_in(char, version) not in categories)


_NFC, _NFD, _NFKC, _NFKD = (
    partial(_form_at_version, name) for name in ("NFC", "NFD", "NFKC", "NFKD")
)
_ACCENTS: Step = partial(_without, ("Mn",))
_MARKS: Step = partial(_without, ("Mn", "Mc", "Me"))

STEPS: Mapping[str, tuple[Step, ...]] = {
    "NFC": (_NFC,),
    "NFD": (_NFD,),
    "NFKC": (_NFKC,),
    "NFKD": (_NFKD,),
    "lowercase": (_lowercase,),
    "uppercase": (_uppercase,),
    "case folding": (_case_folding,),
    "NFC and lowercase": (_NFC, _lowercase),
    "NFD and lowercase": (_NFD, _lowercase),
    "NFKC and lowercase": (_NFKC, _lowercase),
    "NFKC and case folding": (_NFKC, _case_folding),
    "NFKC and case folding and NFKC": (_NFKC, _case_folding, _NFKC),
    "NFKD and case folding": (_NFKD, _case_folding),
    "accents stripped": (_NFD, _ACCENTS),
    "accents stripped and NFC": (_NFD, _ACCENTS, _NFC),
    "accents stripped and lowercase": (_NFD, _ACCENTS, _lowercase),
    "marks stripped": (_NFD, _MARKS),
    "marks stripped and lowercase": (_NFD, _MARKS, _lowercase),
}
"""The steps of the forms that depend on Unicode data."""

MOST_VERSIONS = 4
"""Most versions tried for a text; a minimal text has characters of one or two versions."""

MOST_CHARACTERS = 2**14
"""Most characters whose versions are cached, since each form asks about the same texts."""


def explains_at_a_version(name: str, text: str, result: str) -> bool:
    """Whether a form gives ``result`` if each of its steps has some Unicode version."""
    steps = STEPS.get(name)
    if steps is None or not _may_differ(text):
        return False
    different = _different_versions(f"{text}{normalize('NFKD', text)}")
    return any(
        _apply(steps, chosen, text) == result for chosen in product(different, repeat=len(steps))
    )


def _apply(steps: tuple[Step, ...], chosen: tuple[str, ...], text: str) -> str:
    for step, version in zip(steps, chosen, strict=True):
        text = step(text, version)
    return text


def _may_differ(text: str) -> bool:
    return SIGMA in text or not _newer_characters().isdisjoint(normalize("NFKD", text))


def _different_versions(text: str) -> list[str]:
    """Return the newest version, and each version whose successor changed a character of a text."""
    changed = set[str]().union(*map(_before_changes, set(text)))
    before = [version for version in reversed(versions.VERSIONS) if version in changed]
    return [versions.VERSIONS[-1], *before][:MOST_VERSIONS]


@lru_cache(maxsize=MOST_CHARACTERS)
def _before_changes(char: str) -> tuple[str, ...]:
    """Return the versions whose next one assigned the character, or changed its category."""
    categories = [(version, versions.category_in(char, version)) for version in versions.VERSIONS]
    return tuple(old for (old, before), (_, after) in pairwise(categories) if before != after)


@cache
def _newer_characters() -> frozenset[str]:
    """Characters that are unassigned, or have another category, in the table's oldest version."""
    return frozenset(map(chr, versions.changed(versions.VERSIONS[0], versions.VERSIONS[-1])))


NORMAL_FORMS = ("NFC", "NFD", "NFKC", "NFKD")
WHITE_SPACE_RUN = regex.compile(r"\s+")
PYTHON_WHITE_SPACE_RUN = re.compile(r"\s+")  # with the controls U+001C to U+001F
SPACES = re.compile(" +")
LINE_END = re.compile(r"\r\n|\r")
NONSPACING_MARKS = regex.compile(r"\p{Mn}+")
MARKS = regex.compile(r"\p{M}+")
BEFORE_LINE_END = re.compile(r"[ \t]+(?=\r?\n)")
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([ntr\\]))")
ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
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


def _lines_of_python(text: str) -> str:
    return "\n".join(
        [*text.splitlines(), ""] if text[-1:].splitlines() == [""] else text.splitlines()
    )


def _cleaned_up(text: str) -> str:
    for spaced, clean in CLEANED_UP:
        text = text.replace(spaced, clean)
    return text


def _unescaped(text: str) -> str:
    return ESCAPE.sub(
        lambda found: ESCAPED.get(found[3]) or chr(int(found[1] or found[2], 16)), text
    )


def _read_as_utf8(text: str) -> str:
    """Return the text whose bytes are the characters of a text; itself if it has no such bytes."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _nfkc_folded(text: str) -> str:
    return normalize("NFKC", normalize("NFKC", text).casefold())


FORMS: dict[str, Callable[[str], str]] = {
    **clean_ups.CLEAN_UPS,
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
    "each two spaces become one": lambda text: text.replace("  ", " "),
    "each three spaces become one": lambda text: text.replace("   ", " "),
    "tabs expanded to columns of four": lambda text: text.expandtabs(4),
    "tabs expanded to columns of eight": lambda text: text.expandtabs(8),
    "line ends as Python has them to LF": _lines_of_python,
    "lines as Python has them joined by LF": lambda text: "\n".join(text.splitlines()),
    **BLANK,
    **STRIPPED,
    "white space collapsed": _collapsed,
    "white space collapsed and stripped": lambda text: _collapsed(text).strip(),
    "white space as Python has it collapsed": lambda text: PYTHON_WHITE_SPACE_RUN.sub(" ", text),
    "white space as Python has it collapsed and stripped": lambda text: " ".join(text.split()),
    "spaces before punctuation cleaned up": _cleaned_up,
    "spaces and tabs stripped before line ends": lambda text: BEFORE_LINE_END.sub("", text),
    "U+FEFF stripped at the start": lambda text: text.removeprefix("\ufeff"),
    "HTML entities decoded": html.unescape,
    "percent-encoding decoded": unquote,
    "backslash escapes decoded": _unescaped,
    "Latin-1 characters read as the bytes of UTF-8": _read_as_utf8,
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
"""Name to function: clean-ups, which explain all probes, then from the weakest explanation on."""

PROBES = (
    *("e\u0301", "\u00e9", "\uac00", "\u1100\u1161", "\u212b", "\u304b\u3099", "\u0928\u093c"),
    *("\ufb01", "\uff21", "\u00b2", "\U0001d400", "\uff71", "\u2460"),
    *("A", "a", "\u00c4", "\u0414", "\u03a3", "\u00df", "\u0531"),
    *(" a", "a ", "a  b", "\ta", "a\n", "a\t\tb", "a \u00a0b", "a\r\nb", "a\rb", "a .", "a n't"),
    *("a   b", "a    b", "a      b", "ab\tc", "a\x0bb", "a\x85b", "a\u2028b"),
    *("a \nb", "a\t\nb", "a&amp;b", "&lt;a", "&#97;", "a%20b", "%c3%a9", "a\\nb", "\\u0061"),
    *("\ufeffa", "\ufeff b", "\u00e2\u0082\u00ac", "\u00c3\u00a9"),
    *clean_ups.PROBES,
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

    Forms that do so only at a certain Unicode version come last.
    """
    exact = [name for name, function in FORMS.items() if function(text) == result]
    others = [name for name in FORMS if name not in exact]
    return [*exact, *(name for name in others if explains_at_a_version(name, text, result))]


def is_applied(name: str, transform: Callable[[str], str | None]) -> bool:
    """Whether a target changes every probe that the form changes, at least half of them likewise.

    A target that only composes a single script, or only lowercases ASCII, leaves probes unchanged.
    Probes on which the target raises are not counted. A clean-up has to give what the target makes
    of each probe: another change often has the same result on a probe that the clean-up changes.
    Stripping has to strip the white space of the same language.
    """
    if name in clean_ups.CLEAN_UPS:
        return _gives_each_probe(FORMS[name], transform)
    if name in BLANK:
        return leaves_out_blank(FORMS[name], transform)
    if name in STRIPPED and not strips_the_same(FORMS[name], transform):
        return False
    all_results = {probe: transform(probe) for probe in PROBES if FORMS[name](probe) != probe}
    results = {probe: text for probe, text in all_results.items() if text is not None}
    as_the_form = sum(text == FORMS[name](probe) for probe, text in results.items())
    changed = bool(results) and all(text != probe for probe, text in results.items())
    return changed and as_the_form * 2 >= len(results)


def _gives_each_probe(form: Callable[[str], str], transform: Callable[[str], str | None]) -> bool:
    """Whether a form gives each probe as a target does, and the target changes one."""
    changed = False
    for probe in PROBES:
        text = transform(probe)
        if text not in (None, form(probe)):
            return False
        changed |= text not in (None, probe)
    return changed


def applied_forms(
    text: str,
    result: str,
    applied: Callable[[str], bool],
    version_of: Callable[[str], str | None],
) -> list[str]:
    """Names of the forms that a target applies and that turn ``text`` into ``result``.

    Of a text with characters of many Unicode versions, the version that the target has is tried.
    """
    forms = list(filter(applied, forms_that_explain(text, result)))
    if forms or not equal_forms(text, result):
        return forms
    versions_of = {form: version_of(form) for form in NORMAL_FORMS if applied(form)}
    return [
        form
        for form, version in versions_of.items()
        if version and normalize(form, text, version=version) == result
    ]


def equal_forms(text: str, result: str) -> list[str]:
    """Names of the forms in which both texts are equal, as after a partial normalization."""
    return [f for f in ("NFC", "NFKC", "case folding") if FORMS[f](text) == FORMS[f](result)]


def normalizer_cause(form: str, version: str | None = None) -> Cause:
    """Make the cause of a text that a form changes, with the Unicode version of its table."""
    at = f" of Unicode {version}" if version else ""
    message = f"the text comes back normalized ({form}{at}), which the target does not declare"
    return Cause("normalizer", (("form", form),), message=message, weak=form.endswith("in part"))
