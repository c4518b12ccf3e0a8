"""What an engine may do in the place of a normalizer or a pre-tokenizer of a healthy file.

Each departure is that of a library, a port or a standard function that seems to do the same:
``str.lower`` for Lowercase, ``str.strip`` for Strip, the first match in the place of all.
"""

from __future__ import annotations

import base64
import re
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import regex

from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap
from tokharness_tokenizers.reference.normalizers.forms import NormalForm
from tokharness_tokenizers.reference.normalizers.longest_rules import LongestRules
from tokharness_tokenizers.reference.normalizers.lowercase import Lowercase
from tokharness_tokenizers.reference.normalizers.precompiled import Precompiled
from tokharness_tokenizers.reference.normalizers.replacing import Replace, Strip
from tokharness_tokenizers.reference.plain_components import PlainNormalizer, PlainPreTokenizer
from tokharness_tokenizers.reference.pre_tokenizers.fixed import FixedLength
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import Metaspace
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import Bert, Punctuation
from tokharness_tokenizers.reference.pre_tokenizers.unicode_scripts import UnicodeScripts
from tokharness_tokenizers.reference.pre_tokenizers.whitespace import Whitespace, WhitespaceSplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.components import Normalizer, PreTokenizer

__all__ = ["departing_normalizers", "departing_pre_tokenizers"]

HANGUL: Final = regex.compile(r"([\u1100-\u11FF\uAC00-\uD7A3]\p{M}*)")
KANA: Final = regex.compile(r"[\p{Hiragana}\p{Katakana}]+|[^\p{Hiragana}\p{Katakana}]+")
CATEGORY_P: Final = regex.compile(r"\p{P}|[^\p{P}\s]+")
NO_NEXT_LINE: Final = re.compile(
    "[^\\t-\\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
)
ASCII_SPACES: Final = re.compile("[^\\t-\\r ]+")


def departing_normalizers(component: Normalizer) -> Iterator[tuple[str, Normalizer]]:
    """Yield what an engine may do in the place of a normalizer, and the normalizer that does it."""
    for what, change in _changes(component):
        yield what, PlainNormalizer(change)


def _changes(component: Normalizer) -> Iterator[tuple[str, Callable[[str], str]]]:
    if isinstance(component, Lowercase):
        yield "Lowercase: a sigma at the end of a word is U+03C2", str.lower
        yield "Lowercase: only ASCII letters", _ascii_lower
    elif isinstance(component, Precompiled):
        charsmap = Charsmap(base64.b64decode(component.precompiled_charsmap))
        yield "Precompiled: the longest rule counts", LongestRules(charsmap).normalize
    elif isinstance(component, Strip):
        yield "Strip: U+001C to U+001F are stripped, too", _strip(component, None)
        yield "Strip: only U+0020 is stripped", _strip(component, " ")
    elif isinstance(component, Replace):
        yield "Replace: only the first match", _first_replaced(component)
    elif isinstance(component, NormalForm) and component.form in {"NFC", "NFKC"}:
        yield f"{component.form}: Hangul is left as it is", _but_hangul(component)


def _ascii_lower(text: str) -> str:
    return "".join(char.lower() if char.isascii() else char for char in text)


def _strip(component: Strip, characters: str | None) -> Callable[[str], str]:
    def strip(text: str) -> str:
        text = text.lstrip(characters) if component.strip_left else text
        return text.rstrip(characters) if component.strip_right else text

    return strip


def _first_replaced(component: Replace) -> Callable[[str], str]:
    def replace(text: str) -> str:
        start, end = next(iter(component.find(text)), (0, 0))
        content = component.content if start < end else ""
        return f"{text[:start]}{content}{text[end:]}"

    return replace


def _but_hangul(component: NormalForm) -> Callable[[str], str]:
    def normalize(text: str) -> str:
        parts = enumerate(HANGUL.split(text))
        return "".join(part if at % 2 else component.normalize(part) for at, part in parts)

    return normalize


def departing_pre_tokenizers(component: PreTokenizer) -> Iterator[tuple[str, PreTokenizer]]:
    """Yield what an engine may do in the place of a pre-tokenizer, and what does it."""
    if isinstance(component, Metaspace) and component.prepend_scheme != "never":
        yield (
            "Metaspace: U+2581 is put before a space, too",
            _PrependsTwice(
                component.replacement, component.prepend_scheme, component.split_at_replacement
            ),
        )
    if isinstance(component, Whitespace):
        yield "Whitespace: it is WhitespaceSplit", WhitespaceSplit()
    elif isinstance(component, WhitespaceSplit):
        yield "WhitespaceSplit: it is Whitespace", Whitespace()
    for what, cut in _cuts(component):
        yield what, PlainPreTokenizer(cut)


class _PrependsTwice(Metaspace):
    """A Metaspace that prepends whatever a text begins with."""

    __slots__ = ()

    def _prepends(self, text: str, at_start: bool) -> bool:  # noqa: ARG002
        return at_start or self.prepend_scheme == "always"


def _cuts(component: PreTokenizer) -> Iterator[tuple[str, Callable[[str], list[str]]]]:
    if isinstance(component, UnicodeScripts):
        words = component.words
        yield (
            "UnicodeScripts: kana are not Han",
            lambda text: list(chain.from_iterable(map(KANA.findall, words(text)))),
        )
    elif isinstance(component, FixedLength):
        size = component.length
        yield "FixedLength: bytes are counted", lambda text: _of_bytes(text, size)
    elif isinstance(component, Bert):
        yield "BertPreTokenizer: only category P is punctuation", CATEGORY_P.findall
    elif isinstance(component, Punctuation):
        only: Any = regex.compile(r"\p{P}|\P{P}+").findall
        yield "Punctuation: only category P is punctuation", only
    elif isinstance(component, WhitespaceSplit):
        yield "WhitespaceSplit: U+0085 is no white space", NO_NEXT_LINE.findall
        yield "WhitespaceSplit: white space is ASCII", ASCII_SPACES.findall


def _of_bytes(text: str, size: int) -> list[str]:
    words = [""]
    for char in text:
        if len((words[-1] + char).encode()) > size:
            words.append("")
        words[-1] += char
    return list(filter(None, words))
