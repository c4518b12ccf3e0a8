"""Faults in the added tokens of a ``tokenizer.json``: in the file, and in its engine."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from planted._registry import fault
from planted._replaced_components import with_added_tokens
from planted._tokenizer_files import RECORDS, against, altered, healthy
from tokharness_tokenizers.reference.added_tokens import Cutter

if TYPE_CHECKING:
    from collections.abc import Iterator

STAGE = "added tokens"
SPECIAL = ["special-tokens"]
PLACES = {token["content"]: at for at, token in enumerate(RECORDS["added"]["added_tokens"])}


def _flag(content: str, name: str, *, to: bool) -> Any:
    return altered("added", "added_tokens", PLACES[content], name, to=to)


@fault(
    "TOK201",
    cause=f"{STAGE}: '~name~' is not found in plain text",
    families=SPECIAL,
    against=against("added"),
)
def loses_an_added_token() -> Any:
    """Lacks one added token of the file."""
    kept = [one for one in RECORDS["added"]["added_tokens"] if one["content"] != "~name~"]
    return altered("added", "added_tokens", to=kept)


@fault(
    "TOK201",
    cause=f"{STAGE}: '~left~': lstrip is false",
    families=SPECIAL,
    against=against("added"),
    longest=12,
)
def takes_no_white_space_before() -> Any:
    """Ignores ``lstrip`` of an added token."""
    return _flag("~left~", "lstrip", to=False)


@fault(
    "TOK201",
    cause=f"{STAGE}: '~right~': rstrip is false",
    families=SPECIAL,
    against=against("added"),
    longest=12,
)
def takes_no_white_space_behind() -> Any:
    """Ignores ``rstrip`` of an added token."""
    return _flag("~right~", "rstrip", to=False)


@fault(
    "TOK201",
    cause=f"{STAGE}: '~Exact~': lstrip is true",
    families=SPECIAL,
    against=against("added"),
    longest=12,
)
def takes_white_space_unasked() -> Any:
    """Takes the white space before an added token that has no ``lstrip``."""
    return _flag("~Exact~", "lstrip", to=True)


@fault("TOK201", cause=STAGE, families=SPECIAL, against=against("added"), longest=12)
def finds_single_words_inside_words() -> Any:
    """Ignores ``single_word`` of an added token."""
    return _flag("~word~", "single_word", to=False)


@fault("TOK201", cause=STAGE, families=SPECIAL, against=against("added"), longest=12)
def finds_tokens_before_normalization() -> Any:
    """Looks for a token in the text itself, which the file wants in normalized text."""
    return _flag("~Title~", "normalized", to=False)


@fault("TOK201", cause=STAGE, families=SPECIAL, against=against("added"), longest=12)
def finds_tokens_after_normalization() -> Any:
    """Looks for a token in normalized text, so that "~EXACT~" becomes its id, too."""
    return _flag("~Exact~", "normalized", to=True)


@fault(
    "TOK201",
    cause=f"{STAGE}: '~Exact~' is not found in plain text",
    families=SPECIAL,
    against=against("added"),
    longest=12,
)
def an_added_token_became_special() -> Any:
    """Has an added token as a special one: plain text no longer gets its id."""
    return _flag("~Exact~", "special", to=True)


@fault("TOK103", cause="special token: exact text", families=SPECIAL, against=against("template"))
def a_special_token_became_ordinary() -> Any:
    """Has a special token as an ordinary added one: plain text gets its id."""
    return altered("template", "added_tokens", 1, "special", to=False)


class _CutByText(Cutter):
    """Cuts plain text at special tokens, and reads their text as plain text."""

    def may_find(self, text: str, *, special: bool) -> bool:
        return special or any(token in text for token in self.tokens)

    def cut(self, text: str, *, special: bool) -> Iterator[tuple[int, int, int | None]]:
        if special:
            yield from super().cut(text, special=True)
            return
        start = 0
        for part in filter(None, re.split(f"({self._pattern.pattern})", text)):
            yield start, start + len(part), None
            start += len(part)


@fault(
    "TOK201",
    cause=f"{STAGE}: the text of a special token cuts plain text",
    families=SPECIAL,
    against=against("fallback_bpe"),
    longest=12,
)
def plain_text_is_cut_at_special_tokens_of_a_file() -> Any:
    """Splits plain text at all added tokens, and encodes special ones as plain text."""
    added = healthy("fallback_bpe").text_stages.added
    before = _CutByText(added.before.tokens, added.before.is_word)
    return with_added_tokens("fallback_bpe", before=before)


class _ShortestFirst(Cutter):
    """Of all added tokens at a place the shortest counts."""

    @property
    def _pattern(self) -> re.Pattern[str]:
        shortest_first = sorted(self.tokens, key=lambda text: (len(text), text))
        return re.compile("|".join(map(re.escape, shortest_first)) or "(?!)")


@fault("TOK201", cause=STAGE, families=SPECIAL, against=against("added"), longest=12)
def finds_the_shortest_added_token() -> Any:
    """Takes the shortest of the added tokens that begin at a place."""
    return _with_cutter(_ShortestFirst)


class _OneSpace(Cutter):
    """``rstrip`` takes one space only."""

    def cut(self, text: str, *, special: bool) -> Iterator[tuple[int, int, int | None]]:
        for start, end, number in super().cut(text, special=special):
            token = text[start:end]
            kept = len(token.rstrip()) + 1 if number is not None else len(token)
            yield start, min(end, start + kept), number
            if start + kept < end:
                yield start + kept, end, None


@fault(
    "TOK201",
    cause=f"{STAGE}: rstrip: one character at most",
    families=SPECIAL,
    against=against("added"),
    longest=12,
)
def takes_one_space_behind() -> Any:
    """Takes one character of white space behind a token with ``rstrip``."""
    return _with_cutter(_OneSpace)


class _AnyCase(Cutter):
    """Added tokens are found in any case."""

    @property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.tokens, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)) or "(?!)", re.IGNORECASE)

    def cut(self, text: str, *, special: bool) -> Iterator[tuple[int, int, int | None]]:
        return super().cut(self._pattern.sub(self._in_its_case, text), special=special)

    def _in_its_case(self, match: re.Match[str]) -> str:
        alike = (re.compile(re.escape(one), re.IGNORECASE) for one in self.tokens)
        found = zip(self.tokens, alike, strict=True)
        return next(token for token, pattern in found if pattern.fullmatch(match[0]))


@fault(
    "TOK201",
    cause=f"{STAGE}: case is ignored",
    families=SPECIAL,
    against=against("added"),
    longest=12,
)
def finds_added_tokens_in_any_case() -> Any:
    """Finds added tokens in upper case, too."""
    return _with_cutter(_AnyCase)


def _with_cutter(kind: type[Cutter]) -> Any:
    added = healthy("added").text_stages.added
    before, after = (kind(one.tokens, one.is_word) for one in (added.before, added.after))
    return with_added_tokens("added", before=before, after=after)


@fault("TOK201", cause=STAGE, families=SPECIAL, against=against("added"), longest=12)
def knows_only_ascii_word_characters() -> Any:
    """Finds a token with ``single_word`` next to a letter that is not ASCII."""
    added = healthy("added").text_stages.added
    word = re.compile("[A-Za-z0-9_]")
    before = replace(added.before, is_word=lambda char: bool(word.match(char)))
    return with_added_tokens("added", before=before)
