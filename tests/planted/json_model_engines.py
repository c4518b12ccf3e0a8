"""Faults in the engine that runs the model of a healthy ``tokenizer.json``."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from planted._registry import fault
from planted._replaced_components import with_model
from planted._tokenizer_files import against
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.wordpiece import WordLevel, WordPiece

STAGE = "model"
Tokens = list[tuple[int, int]]


class _LowerCaseHexadecimal(BPE):
    """A BPE that looks for ``<0xe2>`` where the vocabulary has ``<0xE2>``."""

    def _bytes(self, text: str) -> list[int]:
        tokens = [self.vocabulary.get(f"<0x{byte:02x}>") for byte in text.encode()]
        return [token for token in tokens if token is not None] if None not in tokens else []


@fault(
    "TOK201",
    cause="model: bytes are looked for in lower-case hexadecimal digits",
    families=["zero-width"],
    against=against("fallback_bpe"),
)
def bytes_have_lower_case_names() -> Any:
    """Looks for ``<0xe2>`` where the vocabulary has ``<0xE2>``: only some bytes are found."""
    return with_model("fallback_bpe", lambda model: _LowerCaseHexadecimal(**_settings(model)))


class _LongestFirst(BPE):
    """A BPE that takes the longest token at each place."""

    def tokens(self, word: str) -> Tokens:
        tokens: Tokens = []
        while word:
            end = next(end for end in range(len(word), 0, -1) if word[:end] in self.vocabulary)
            tokens.append((self.vocabulary[word[:end]], end))
            word = word[end:]
        return tokens


@fault(
    "TOK201",
    cause="model: the longest token counts",
    families=["plain-words"],
    against=against("byte_bpe"),
)
def takes_the_longest_token_of_a_file() -> Any:
    """Takes the longest token at each place, as WordPiece does."""
    return with_model("byte_bpe", lambda model: _LongestFirst(**_settings(model)))


class _RightmostFirst(BPE):
    """A BPE that merges the last of equal pairs first."""

    def tokens(self, word: str) -> Tokens:
        parts = self.first_tokens(word)
        while True:
            found = [
                (self.pairs[pair], -at)
                for at in range(len(parts) - 1)
                if (pair := (parts[at][0], parts[at + 1][0])) in self.pairs
            ]
            if not found:
                return parts
            (_, merged), at = min(found)
            parts[-at : 2 - at] = [(merged, parts[-at][1] + parts[1 - at][1])]


@fault("TOK201", cause=STAGE, families=["digits"], against=against("byte_bpe"))
def merges_rightmost_pairs_first() -> Any:
    """Merges the last of equal pairs first."""
    return with_model("byte_bpe", lambda model: _RightmostFirst(**_settings(model)))


class _Greedy(Unigram):
    """A Unigram model that takes the longest piece at each place."""

    def _best_path(self, word: str) -> list[str]:
        path, start = [], 0
        while start < len(word):
            fits = (
                end for end in range(len(word), start, -1) if word[start:end] in self.piece_scores
            )
            end = next(fits, start + 1)
            path.append(word[start:end])
            start = end
        return path


@fault("TOK201", cause=STAGE, families=["plain-words"], against=against("unigram"))
def takes_the_longest_piece() -> Any:
    """Takes the longest piece from the left, in the place of the best sum of scores."""
    return with_model("unigram", lambda model: _Greedy(**_settings(model)))


class _Unfused(Unigram):
    """A Unigram model with an unknown token for each unknown character."""

    def _unknown_tokens(self, text: str) -> Tokens:
        return [token for char in text for token in super(_Unfused, self)._unknown_tokens(char)]


@fault("TOK201", cause=STAGE, families=["homoglyphs"], against=against("unknown_unigram"))
def unigram_fuses_no_unknown_characters() -> Any:
    """Makes each of several unknown characters one unknown token."""
    return with_model("unknown_unigram", lambda model: _Unfused(**_settings(model)))


class _FourCharacters(WordPiece):
    """A WordPiece model that looks at four characters at most."""

    @property
    def _longest(self) -> int:
        return 4


@fault(
    "TOK201",
    cause=f"{STAGE}: no piece of 5 characters or more is found",
    families=["plain-words"],
    against=against("wordpiece"),
)
def matches_four_characters_only() -> Any:
    """Looks for pieces of up to four characters."""
    return with_model("wordpiece", lambda model: _FourCharacters(**_settings(model)))


class _UnknownPieces(WordPiece):
    """A WordPiece model that keeps the pieces before an unknown character."""

    def tokens(self, word: str) -> Tokens:
        for end in range(len(word), 0, -1):
            tokens = super().tokens(word[:end])
            if self.vocabulary[self.unknown] not in [number for number, _ in tokens]:
                return tokens + (
                    [(self.vocabulary[self.unknown], len(word) - end)] * (end < len(word))
                )
        return self._whole_unknown(word)


@fault("TOK201", cause=STAGE, families=["homoglyphs"], against=against("wordpiece"))
def keeps_pieces_before_an_unknown_one() -> Any:
    """Makes only the rest of a word unknown, where the algorithm makes the whole word unknown."""
    return with_model("wordpiece", lambda model: _UnknownPieces(**_settings(model)))


class _UnknownEach(WordPiece):
    """A WordPiece model that counts the characters of an unknown word."""

    def _whole_unknown(self, word: str) -> Tokens:
        return [(self.vocabulary[self.unknown], 1)] * len(word)


@fault(
    "TOK201",
    cause=f"{STAGE}: each character of a word without pieces is unknown",
    families=["homoglyphs"],
    against=against("wordpiece"),
)
def counts_characters_of_unknown_words() -> Any:
    """Gives as many unknown tokens as an unknown word has characters."""
    return with_model("wordpiece", lambda model: _UnknownEach(**_settings(model)))


class _GrowingPieces(WordPiece):
    """A WordPiece model whose search goes on only while it has a piece."""

    def longest_at(self, word: str, start: int) -> tuple[int, int] | None:
        prefix, found = self.prefix if start else "", None
        for end in range(start + 1, len(word) + 1):
            number = self.vocabulary.get(prefix + word[start:end])
            if number is None:
                return found
            found = number, end - start
        return found


@fault(
    "TOK201",
    cause=f"{STAGE}: no token that has a start without a token is found",
    families=["plain-words"],
    against=against("wordpiece"),
)
def pieces_grow_by_one_character() -> Any:
    """Ends the search for a piece at the first character with which the part is no piece."""
    return with_model("wordpiece", lambda model: _GrowingPieces(**_settings(model)))


class _ThreeBytes(BPE):
    """A BPE whose byte tokens stand for characters of up to three bytes."""

    def _bytes(self, text: str) -> list[int]:
        return super()._bytes(text) if len(text.encode()) < 4 else []


@fault(
    "TOK201",
    cause=f"{STAGE}: characters beyond the BMP have no bytes",
    families=["emoji"],
    against=against("fallback_bpe"),
)
def writes_no_bytes_beyond_the_bmp() -> Any:
    """Makes each character of four bytes unknown, as a port does that knows three bytes."""
    return with_model("fallback_bpe", lambda model: _ThreeBytes(**_settings(model)))


class _AnyCase(WordLevel):
    """A WordLevel model that looks for words in lower case."""

    __slots__ = ()

    def tokens(self, word: str) -> Tokens:
        return super().tokens(word.lower())


@fault(
    "TOK201",
    cause=f"{STAGE}: words are looked for in lower case",
    families=["letter-case"],
    against=against("word_level"),
)
def finds_words_in_any_case() -> Any:
    """Finds a word in lower case if the text has it in upper case."""
    return with_model("word_level", lambda model: _AnyCase(model.vocabulary, model.unknown))


def _settings(model: Any) -> dict[str, Any]:
    return {field.name: getattr(model, field.name) for field in fields(model)}
