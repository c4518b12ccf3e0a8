"""BPE of subword-nmt (Sennrich et al. 2016): a file of codes, and words cut with ``@@``.

The codes are lines of two symbols with one space between, first merges first, after a line
``#version: 0.2``; without this line the version is 0.1. ``PATH.vocab`` next to the codes gives the
ids: lines of a written subword and its count, as ``get_vocab`` of subword-nmt writes them; the
first line has the id 1, and ``<unk>`` the id 0, unless it has a line. Without it the ids are those
of :func:`.codes.vocabulary_of`. It does not change the subwords of a word (the option
``--vocabulary`` of subword-nmt undoes merges; this reader does not).

Words end at spaces (U+0020); spaces, and line ends at the start and the end, are not kept, so the
declared normal form of a text is its words with one space between.

The text of subwords is made as in the README of subword-nmt: ``@@ `` is deleted. Therefore a
subword that ends its word and itself ends with ``@@`` loses this ending.
"""

from __future__ import annotations

import dataclasses
import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from tokharness.regular_files import is_there, require_inside_folder
from tokharness_tokenizers.reference.algorithm_names import BPE
from tokharness_tokenizers.reference.aligned import spans_in_original
from tokharness_tokenizers.reference.base import Altered, Encode, Reference
from tokharness_tokenizers.reference.decoding import MARK, texts_inside
from tokharness_tokenizers.reference.ranks_file import read_bytes
from tokharness_tokenizers.reference.splitting import join_surrogates
from tokharness_tokenizers.reference.subword_nmt.codes import (
    END,
    SEPARATOR,
    UNKNOWN,
    VERSIONS,
    Codes,
    vocabulary_of,
    written,
)
from tokharness_tokenizers.reference.word_ids import Cache

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness_tokenizers.reference.aligned import Span


__all__ = ["SubwordNMT", "load", "vocabulary_of"]


_HEADER = re.compile(r"#version:.*?(\d+(?:\.\d+)*)\s*")


def load(path: Path) -> SubwordNMT:
    """Read a file of codes and the vocabulary next to it, if there is one.

    Raises:
        OSError: a file cannot be read.
        ValueError: a file is damaged; the message says where.

    """
    codes = read_codes(path)
    return SubwordNMT(str(path), codes, read_vocabulary(path, codes))


def vocabulary_path(path: Path) -> Path:
    """Return the path of the vocabulary next to a file of codes."""
    return Path(f"{path}.vocab")


def read_codes(path: Path) -> Codes:
    """Read a file of codes; raises OSError or ValueError."""
    lines = _lines(path, "file of codes")
    version = "0.1"
    if lines and lines[0].startswith("#version:"):
        version = _version(lines.pop(0), path)
        first = 2
    else:
        first = 1
    merges = []
    for number, line in enumerate(lines, first):
        pair = line.rstrip("\r ").split(" ", 2)
        if len(pair) != 2 or not all(pair):
            raise ValueError(f"{path}, line {number}: {line[:80]!r} is not two symbols and a space")
        merges.append((pair[0], pair[1]))
    if not merges:
        raise ValueError(f"{path} has no merges")
    return Codes(tuple(merges), version)


def _version(line: str, path: Path) -> str:
    match = _HEADER.fullmatch(line)
    version = re.sub(r"(\.0+)*$", "", match[1]) if match else line
    if version not in VERSIONS:
        known = " and ".join(VERSIONS)
        raise ValueError(f"{path}, line 1: {line[:80]!r} is no version that is known: {known} are")
    return version


def read_vocabulary(path: Path, codes: Codes) -> tuple[str, ...]:
    """Return the written subwords of a file of codes; the place of a subword is its id."""
    side = vocabulary_path(path)
    if not is_there(side):
        return vocabulary_of(codes)
    require_inside_folder(side.parent, [side])
    subwords = list(_counted(side))
    return tuple(subwords if UNKNOWN in subwords else [UNKNOWN, *subwords])


def _counted(path: Path) -> Iterator[str]:
    for number, line in enumerate(_lines(path, "vocabulary next to the file of codes"), 1):
        subword, _, count = line.rstrip("\r ").rpartition(" ")
        if not subword or " " in subword or not (count.isascii() and count.isdigit()):
            raise ValueError(f"{path}, line {number}: {line[:80]!r} is not a subword and a count")
        yield subword


def _lines(path: Path, what: str) -> list[str]:
    """Return the lines of a file; only a line feed ends a line. A byte order mark is left out."""
    try:
        text = read_bytes(path, what).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: {error}") from error
    lines = text.rstrip("\n").split("\n")
    return lines if lines != [""] else []


SPACES: Final = "\r\n "
"""Characters that are removed at the start and the end of a text."""


@dataclasses.dataclass(frozen=True, eq=False)
class SubwordNMT(Reference):
    """A tokenizer of subwords.

    Attributes:
        name: Its name.
        codes: The merges.
        subwords: The written subwords; the place of a subword is its id. Of two equal subwords, the
            first counts.

    """

    REACH = "tokharness_tokenizers.reach.subword_nmt"
    algorithm: ClassVar[str] = BPE

    name: str
    codes: Codes
    subwords: tuple[str, ...] = dataclasses.field(repr=False)
    normalizer: str = "words"

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {subword: at for at, subword in reversed([*enumerate(self.subwords)])}

    @cached_property
    def _cache(self) -> Cache[tuple[int, ...]]:
        return Cache(self._encode_word)

    @property
    def n_vocab(self) -> int:
        """One more than the largest id."""
        return len(self.subwords)

    @property
    def special_tokens(self) -> dict[str, int]:
        """The unknown token: subwords have its id if the vocabulary does not have them."""
        return {UNKNOWN: self._ids[UNKNOWN]}

    @property
    def unknown_id(self) -> int:
        """The id of the unknown token."""
        return self._ids[UNKNOWN]

    @cached_property
    def conflicting_tokens(self) -> dict[int, bytes]:
        """The subwords that also have a smaller id, by id."""
        rows = enumerate(self.subwords)
        return {at: subword.encode() for at, subword in rows if self._ids[subword] != at}

    def encode(self, text: str) -> list[int]:
        """Encode plain text. Surrogate pairs are joined, and lone surrogates become U+FFFD."""
        return [number for word in self.pretokens(text) for number in self._cache[word]]

    @property
    def plain(self) -> Encode:
        """The method that encodes plain text."""
        return self.encode

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[Span]]:
        """Encode plain text; also return the code points ``[start, end)`` of each subword."""
        joined = join_surrogates(text)
        spans = [span for start, word in _words(joined) for span in self._spans(start, word)]
        return self.encode(text), spans_in_original(spans, text, joined)

    def _spans(self, start: int, word: str) -> Iterator[Span]:
        for subword in self.codes.subwords(word):
            yield start, start + len(subword)
            start += len(subword)

    def _encode_word(self, word: str) -> tuple[int, ...]:
        unknown = self._ids[UNKNOWN]
        return tuple(self._ids.get(one, unknown) for one in written(self.codes.subwords(word)))

    def count(self, text: str) -> int:
        """Return the number of subwords of a plain text."""
        return len(self.encode(text))

    def pretokens(self, text: str) -> list[str]:
        """Return the words of a text."""
        return [word for _, word in _words(join_surrogates(text))]

    def normalize(self, text: str) -> str:
        """Return the text that decoding gives: the words with one space between."""
        return " ".join(self.pretokens(text))

    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids; raises KeyError for an unknown id."""
        return _joined(map(self.token_text, ids))

    def bytes_inside(self, numbers: Sequence[int]) -> list[bytes]:
        """Return the bytes of each subword inside a text, with the space after the last of a word.

        Raises KeyError for an unknown id.
        """
        subwords = list(map(self.token_text, numbers))
        return texts_inside(subwords, _joined, f"{MARK}{SEPARATOR}")

    def token_text(self, number: int) -> str:
        """Return a subword as it is written; raises KeyError for an unknown id."""
        if 0 <= number < len(self.subwords):
            return self.subwords[number]
        raise KeyError(f"no token has the id {number!r}")

    def merges(self, most: int) -> list[tuple[bytes, bytes]]:
        """Return the merges as bytes, an even sample if there are more than ``most``.

        The end of a word is a space.
        """
        unique = [*dict.fromkeys(self.codes.merges)]
        unique = unique[:: len(unique) // (most + 1) + 1]
        return [(_in_text(left), _in_text(right)) for left, right in unique]

    def alterations(self, text: str) -> list[Altered]:  # noqa: ARG002
        """Return the alterations, which are the same for each text."""
        return self._altered

    @cached_property
    def _altered(self) -> list[Altered]:
        (version,) = (one for one in VERSIONS if one != self.codes.version)
        other = dataclasses.replace(self.codes, version=version)
        backwards = dataclasses.replace(self.codes, merges=self.codes.merges[::-1])
        return [
            ("pre-tokenizer", "words end at all white space", self._at_white_space),
            ("model", f"version is {version}", self._with(other).encode),
            ("model", "last merges first", self._with(backwards).encode),
        ]

    def _with(self, codes: Codes) -> SubwordNMT:
        return dataclasses.replace(self, codes=codes)

    def _at_white_space(self, text: str) -> list[int]:
        return self.encode(" ".join(text.split()))


def _joined(subwords: Iterable[str]) -> str:
    parts = (
        one.removesuffix(SEPARATOR) if one.endswith(SEPARATOR) else f"{one} " for one in subwords
    )
    return "".join(parts).removesuffix(" ")


def _in_text(symbol: str) -> bytes:
    return (symbol.removesuffix(END) + " " * symbol.endswith(END)).encode()


def _words(text: str) -> Iterator[tuple[int, str]]:
    """Yield the start of each word, and the word."""
    start = len(text) - len(text.lstrip(SPACES))
    for word in text.strip(SPACES).split(" "):
        if word:
            yield start, word
        start += len(word) + 1
