"""Faults in the offsets of ``encode_with_offsets``."""

from __future__ import annotations

from itertools import accumulate
from types import SimpleNamespace
from typing import TYPE_CHECKING

from planted._builders import engine, tokenizer_with
from planted._registry import fault
from planted._tokenizer_files import healthy
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import graphemes

if TYPE_CHECKING:
    from collections.abc import Callable

    Spans = list[tuple[int, int]]


@fault("TOK107", cause="offsets: empty span", families=["plain-words"])
def offsets_are_empty() -> SimpleNamespace:
    """Gives each token the span (0, 0), which looks like no span to a caller."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids = healthy.encode_ordinary(text)
        return ids, [(0, 0)] * len(ids)

    return tokenizer_with(encode_with_offsets=encode)


@fault("TOK107", cause="offsets: end inclusive", families=["plain-words"])
def offsets_end_too_late() -> SimpleNamespace:
    """Gives inclusive ends: each span ends at the last character of its token."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids, spans = healthy.encode_with_offsets(text)
        return ids, [(start, end - 1) for start, end in spans]

    return tokenizer_with(encode_with_offsets=encode)


@fault("TOK107", cause="offsets: of the first equal text", families=["plain-words"])
def offsets_are_searched_in_the_whole_text() -> SimpleNamespace:
    """Searches for each token from the start of the text, so that each "a" is the first one."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], Spans]:
        ids, spans = healthy.encode_with_offsets(text)
        words = [text[start:end] for start, end in spans]
        return ids, [(text.find(word), text.find(word) + len(word)) for word in words]

    return tokenizer_with(encode_with_offsets=encode)


@fault("TOK107", cause="offsets: bytes of UTF-8", families=["plain-words"])
def offsets_in_bytes() -> SimpleNamespace:
    """Counts offsets in UTF-8 bytes, as Rust does, where Python counts code points."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids = healthy.encode_ordinary(text)
        ends = list(accumulate(len(healthy.decode_single_token_bytes(token)) for token in ids))
        return ids, list(zip([0, *ends], ends, strict=False))

    return tokenizer_with(encode_with_offsets=encode)


@fault("TOK107", cause="offsets: grapheme clusters", families=["combining-stacks"])
def offsets_in_graphemes() -> SimpleNamespace:
    """Counts offsets in grapheme clusters: a letter with its marks counts as one."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids, spans = healthy.encode_with_offsets(text)
        number = [at for at, cluster in enumerate(graphemes(text)) for _ in cluster]
        number.append(number[-1] + 1 if number else 0)
        return ids, [(number[start], number[end]) for start, end in spans]

    return tokenizer_with(encode_with_offsets=encode)


@fault("TOK107", cause="offsets: UTF-16 code units", families=["emoji"])
def offsets_in_utf_16() -> SimpleNamespace:
    """Counts offsets in UTF-16 units, as JavaScript does, where Python counts code points."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids, spans = healthy.encode_with_offsets(text)
        at = [0, *accumulate(1 + (char > "\uffff") for char in text)]
        return ids, [(at[start], at[end]) for start, end in spans]

    return tokenizer_with(encode_with_offsets=encode)


@fault("TOK107", cause="offsets: gap of white space", families=["plain-words"])
def offsets_leave_spaces_out() -> SimpleNamespace:
    """Excludes the leading space from a token's span, so that the spans do not cover the text."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids, spans = healthy.encode_with_offsets(text)
        return ids, [(s + (text[s : s + 1] == " " and e - s > 1), e) for s, e in spans]

    return tokenizer_with(encode_with_offsets=encode)


@fault("TOK107", cause="offsets: of the text in NFC", families=["normal-forms"])
def offsets_of_composed_text() -> SimpleNamespace:
    """Counts offsets in the NFC of the text, though the ids are those of the text."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids, spans = healthy.encode_with_offsets(text)
        at = [len(normalize("NFC", text[:end])) for end in range(len(text) + 1)]
        return ids, [(at[start], at[end]) for start, end in spans]

    return tokenizer_with(encode_with_offsets=encode)


@fault("TOK107", cause="offsets: of the stripped text", families=["leading-space"])
def offsets_of_stripped_text() -> SimpleNamespace:
    """Counts offsets from the first character that is not white space."""
    healthy = engine()

    def encode(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids, spans = healthy.encode_with_offsets(text)
        by = len(text) - len(text.lstrip())
        return ids, [(max(start - by, 0), max(end - by, 0)) for start, end in spans]

    return tokenizer_with(encode_with_offsets=encode)


def _composed_text(move: Callable[[str, Spans], Spans]) -> SimpleNamespace:
    """Return a tokenizer that declares NFC, with other spans in a text that NFC changes."""
    whole = healthy("nfc")

    def encode(text: str) -> tuple[list[int], Spans]:
        ids, spans = whole.encode_with_offsets(text)
        return ids, spans if normalize("NFC", text) == text else move(text, spans)

    return SimpleNamespace(
        encode=whole.encode_ordinary,
        decode=whole.decode,
        encode_with_offsets=encode,
        decode_single_token_bytes=whole.decode_single_token_bytes,
        normalizer="NFC",
    )


@fault("TOK107", cause="offsets: without what is composed", families=["normal-forms"])
def offsets_leave_composed_marks_out() -> SimpleNamespace:
    """Ends the span of a composed letter before its mark, which is in no span."""

    def shortened(text: str, spans: Spans) -> Spans:
        sizes = [len(normalize("NFC", text[start:end])) for start, end in spans]
        return [(s, min(e, s + size)) for (s, e), size in zip(spans, sizes, strict=True)]

    return _composed_text(shortened)


@fault("TOK107", cause="offsets: other characters", families=["normal-forms"])
def offsets_of_composed_text_are_all_of_it() -> SimpleNamespace:
    """Gives each token the whole text if a part of it is composed."""
    return _composed_text(lambda text, spans: [(0, len(text)) for _ in spans])


def _prepended_text(move: Callable[[Spans], Spans]) -> SimpleNamespace:
    """Return a tokenizer that prepends U+2581, which its decoder strips, with other spans."""
    whole = healthy("metaspace_always")

    def encode(text: str) -> tuple[list[int], Spans]:
        ids, spans = whole.encode_with_offsets(text)
        return ids, move(spans)

    return SimpleNamespace(
        encode=whole.encode_ordinary, decode=whole.decode, encode_with_offsets=encode
    )


@fault("TOK107", cause="offsets: other characters", families=["plain-words"], longest=20)
def offsets_count_what_is_prepended() -> SimpleNamespace:
    """Counts the U+2581 that is prepended, so that a long token ends one character too late."""

    def moved(spans: Spans) -> Spans:
        late = [0, *(int(e - s > 1) for s, e in spans[1:]), 0]
        return [(s + late[at], e + late[at + 1]) for at, (s, e) in enumerate(spans)]

    return _prepended_text(moved)


@fault("TOK107", cause="offsets: other characters", families=["plain-words"], longest=20)
def offsets_leave_out_what_is_stripped() -> SimpleNamespace:
    """Takes off the U+2581 that the decoder strips, so that a long token ends too early."""

    def moved(spans: Spans) -> Spans:
        early = [0, *(int(e - s > 1) for s, e in spans[:-1]), 0]
        return [(s - early[at], e - early[at + 1]) for at, (s, e) in enumerate(spans)]

    return _prepended_text(moved)
