"""What an engine may do in the place of a normalizer, pre-tokenizer or decoder of a file.

Each departure comes from a library, a port or a standard function that seems to do the same:
``str.lower`` for Lowercase, ``str.strip`` for Strip, the first match in place of all matches.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, Final

import regex

from tokharness_tokenizers.reference import decoders
from tokharness_tokenizers.reference.aligned import Aligned
from tokharness_tokenizers.reference.decoders import ByteFallback, is_byte_token
from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap, LongestRules
from tokharness_tokenizers.reference.normalizers.forms import BertNormalizer, NormalForm
from tokharness_tokenizers.reference.normalizers.mapping import Lowercase
from tokharness_tokenizers.reference.normalizers.precompiled import Precompiled
from tokharness_tokenizers.reference.normalizers.replacing import Prepend, Replace, Strip
from tokharness_tokenizers.reference.pattern_alterations import pattern_alterations
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel, Metaspace
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import (
    Bert,
    Punctuation,
    UnicodeScripts,
    Whitespace,
    WhitespaceSplit,
)
from tokharness_tokenizers.reference.pre_tokenizers.sequence import CharDelimiterSplit, FixedLength

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.components import Decoder, Normalizer, PreTokenizer

# Normalizers and pre-tokenizers that are functions of plain text.


@dataclass(frozen=True)
class PlainNormalizer:
    """A normalizer that is a function; a changed text has the span of the whole text."""

    change: Callable[[str], str]

    def normalize(self, text: str) -> str:
        """Return the changed text."""
        return self.change(text)

    def apply(self, text: Aligned) -> Aligned:
        """Change an aligned text."""
        new = self.change(text.text)
        return text if new == text.text else text.edit([(0, len(text.text), new)])


@dataclass(frozen=True)
class PlainPreTokenizer:
    """A pre-tokenizer that is a function; each word has the span of the text."""

    cut: Callable[[str], list[str]]

    def pieces(self, text: str, *, at_start: bool) -> list[str]:  # noqa: ARG002
        """Return the pre-tokens of a text."""
        return self.cut(text)

    def split(self, text: Aligned, *, at_start: bool) -> list[Aligned]:
        """Return the pre-tokens of an aligned text."""
        whole = text.span(0, len(text.text))
        words = self.pieces(text.text, at_start=at_start)
        return [Aligned(word, (whole,) * len(word)) for word in words]


HANGUL: Final = regex.compile(r"([\u1100-\u11FF\uAC00-\uD7A3]\p{M}*)")
KANA: Final = regex.compile(r"[\p{Hiragana}\p{Katakana}]+|[^\p{Hiragana}\p{Katakana}]+")
CATEGORY_P: Final = regex.compile(r"\p{P}|[^\p{P}\s]+")
PUNCTUATION_AND_SYMBOLS: Final = regex.compile(r"[\p{P}\p{S}]|[^\p{P}\p{S}\s]+")
ASCII_PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")
IDEOGRAPH: Final = re.compile("([\u4e00-\u9fff])")
FURTHER_IDEOGRAPHS: Final = {
    "kana": regex.compile("[\u3040-\u30ff]"),
    "Hangul syllables": regex.compile("[\uac00-\ud7a3]"),
    "kana and Hangul syllables": regex.compile("[\u3040-\u30ff\uac00-\ud7a3]"),
}
UNASSIGNED: Final = regex.compile(r"\p{Cn}")
CLEANED: Final = {
    "format characters are not removed": regex.compile(r"\p{Cf}"),
    "private characters are not removed": regex.compile(r"\p{Co}"),
    "format and private characters are not removed": regex.compile(r"[\p{Cf}\p{Co}]"),
    "controls are not removed": regex.compile(r"(?![\t\n\r])\p{Cc}"),
    "U+0000 is not removed": regex.compile("\0"),
    "U+FFFD is not removed": regex.compile("\ufffd"),
}
"""Parts of what BertNormalizer removes, by what it then does."""
SPACE_CONTROLS: Final = re.compile("[\x0b\x0c\x1c-\x1f\x85]")
NO_NEXT_LINE: Final = re.compile(
    "[^\\t-\\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
)
LINE: Final = re.compile("^(?=.)", re.MULTILINE)
ASCII_SPACES: Final = re.compile("[^\\t-\\r ]+")


def departing_normalizers(component: Normalizer) -> Iterator[tuple[str, Normalizer]]:
    """Yield departures of engines from a normalizer: a description, and the normalizer."""
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
    elif isinstance(component, Prepend):
        each = partial(LINE.sub, lambda _: component.prepend)
        yield "Prepend: the text is put before each line", each
        yield "Prepend: nothing is put before a space", partial(_but_before_a_space, component)
    elif isinstance(component, NormalForm) and component.form in {"NFC", "NFKC"}:
        yield f"{component.form}: Hangul is left as it is", _but_hangul(component)
    elif isinstance(component, BertNormalizer):
        yield from _changes_of_bert(component)


def _changes_of_bert(bert: BertNormalizer) -> Iterator[tuple[str, Callable[[str], str]]]:
    if bert.handle_chinese_chars:
        others = replace(bert, handle_chinese_chars=False)
        yield (
            "BertNormalizer: only U+4E00 to U+9FFF are ideographs",
            lambda text: others.normalize(IDEOGRAPH.sub(r" \1 ", text)),
        )
        for what, chars in FURTHER_IDEOGRAPHS.items():
            yield f"BertNormalizer: {what} are ideographs, too", partial(_spaced, bert, chars)
    if bert.clean_text:
        unassigned = "BertNormalizer: unassigned characters are removed, too"
        yield unassigned, lambda text: bert.normalize(UNASSIGNED.sub("", text))
        spaces = "BertNormalizer: controls that Python has as white space are no controls"
        yield spaces, lambda text: bert.normalize(SPACE_CONTROLS.sub(" ", text))
        for what, chars in CLEANED.items():
            yield f"BertNormalizer: {what}", partial(_kept, bert, chars)


def _spaced(bert: BertNormalizer, chars: regex.Pattern[str], text: str) -> str:
    return bert.normalize(chars.sub(r" \g<0> ", text))


def _kept(bert: BertNormalizer, chars: regex.Pattern[str], text: str) -> str:
    kept = [*chars.findall(text), ""]
    parts = map(bert.normalize, chars.split(text))
    return "".join(chain.from_iterable(zip(parts, kept, strict=True)))


def _ascii_lower(text: str) -> str:
    return "".join(char.lower() if char.isascii() else char for char in text)


def _strip(component: Strip, characters: str | None) -> Callable[[str], str]:
    def strip(text: str) -> str:
        text = text.lstrip(characters) if component.strip_left else text
        return text.rstrip(characters) if component.strip_right else text

    return strip


def _first_replaced(component: Replace) -> Callable[[str], str]:
    def replaced(text: str) -> str:
        start, end = next(iter(component.find(text)), (0, 0))
        content = component.content if start < end else ""
        return f"{text[:start]}{content}{text[end:]}"

    return replaced


def _but_before_a_space(component: Prepend, text: str) -> str:
    begins = text.startswith((" ", component.prepend))
    return text if begins else component.normalize(text)


def _but_hangul(component: NormalForm) -> Callable[[str], str]:
    def normalize(text: str) -> str:
        parts = enumerate(HANGUL.split(text))
        return "".join(part if at % 2 else component.normalize(part) for at, part in parts)

    return normalize


def departing_pre_tokenizers(component: PreTokenizer) -> Iterator[tuple[str, PreTokenizer]]:
    """Yield departures of engines from a pre-tokenizer: a description, and the pre-tokenizer."""
    if isinstance(component, Metaspace) and component.prepend_scheme != "never":
        yield (
            "Metaspace: U+2581 is put before a space, too",
            _PrependsTwice(
                component.replacement, component.prepend_scheme, component.split_at_replacement
            ),
        )
    if isinstance(component, ByteLevel) and component.use_regex:
        for what, pattern in pattern_alterations(component.pattern):
            yield f"ByteLevel: {what}", replace(component, pattern=pattern)
    if isinstance(component, Whitespace):
        yield "Whitespace: it is WhitespaceSplit", WhitespaceSplit()
    elif isinstance(component, WhitespaceSplit):
        yield "WhitespaceSplit: it is Whitespace", Whitespace()
    for what, cut in _cuts(component):
        yield what, PlainPreTokenizer(cut)


class _PrependsTwice(Metaspace):
    """A Metaspace that prepends its replacement even if the text already begins with it."""

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
    elif isinstance(component, CharDelimiterSplit):
        delimiter = component.delimiter
        yield (
            "CharDelimiterSplit: only the first match",
            lambda text: [*filter(None, text.split(delimiter, 1))],
        )
    elif isinstance(component, FixedLength):
        size = component.length
        yield "FixedLength: bytes are counted", lambda text: _of_bytes(text, size)
    elif isinstance(component, Bert):
        yield "BertPreTokenizer: only category P is punctuation", CATEGORY_P.findall
        yield "BertPreTokenizer: symbols are punctuation, too", PUNCTUATION_AND_SYMBOLS.findall
        yield "BertPreTokenizer: only ASCII has punctuation", _at_ascii_punctuation
    elif isinstance(component, Punctuation):
        only: Any = regex.compile(r"\p{P}|\P{P}+").findall
        yield "Punctuation: only category P is punctuation", only
        if component.behavior == "Isolated":
            cut = ASCII_PUNCTUATION.split
            yield "Punctuation: only ASCII has punctuation", lambda text: [*filter(None, cut(text))]
    elif isinstance(component, WhitespaceSplit):
        yield "WhitespaceSplit: U+0085 is no white space", NO_NEXT_LINE.findall
        yield "WhitespaceSplit: white space is ASCII", ASCII_SPACES.findall


def _at_ascii_punctuation(text: str) -> list[str]:
    words = chain.from_iterable(map(ASCII_PUNCTUATION.split, text.split()))
    return list(filter(None, words))


def _of_bytes(text: str, size: int) -> list[str]:
    words = [""]
    for char in text:
        if len((words[-1] + char).encode()) > size:
            words.append("")
        words[-1] += char
    return list(filter(None, words))


def departing_decoders(component: Decoder) -> Iterator[tuple[str, Decoder]]:
    """Yield departures of engines from a decoder: a description, and the departing decoder."""
    if isinstance(component, decoders.Replace):
        first = decoders.Replace(partial(_first_substituted, component.substitute))
        yield "Replace: only the first match in a token", first
    elif isinstance(component, decoders.Metaspace) and component.prepends:
        yield "Metaspace: the first token loses one U+2581 only", _LosesOne(component.replacement)
    elif isinstance(component, ByteFallback):
        yield "ByteFallback: what is valid in a run of bytes is kept", _KeepsValidBytes()


def _first_substituted(substitute: Callable[[str], str], token: str) -> str:
    starts = (token[:end] for end in range(1, len(token) + 1))
    start = next((start for start in starts if substitute(start) != start), "")
    return substitute(start) + token[len(start) :]


class _KeepsValidBytes(ByteFallback):
    """A ByteFallback that decodes the valid bytes of a run, as SentencePiece and Python do."""

    __slots__ = ()

    def decode(self, tokens: list[str]) -> list[str]:
        texts: list[str] = []
        for is_byte, run in groupby(tokens, key=is_byte_token):
            if is_byte:
                data = bytes(int(token[3:5], 16) for token in run)
                texts.append(data.decode("utf-8", "replace"))
            else:
                texts += run
        return texts


class _LosesOne(decoders.Metaspace):
    """A Metaspace that removes only the prepended replacement, and keeps further spaces."""

    __slots__ = ()

    def decode(self, tokens: list[str]) -> list[str]:
        first = [token.removeprefix(self.replacement) for token in tokens[:1]]
        return [token.replace(self.replacement, " ") for token in (*first, *tokens[1:])]
