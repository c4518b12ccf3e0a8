"""Faults in a tokenizer that takes the longest byte string of a list, as RWKV's does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from planted._byte_lists import AGAINST, healthy, lines
from planted._registry import fault
from tokharness_tokenizers.reference import rwkv_list
from tokharness_tokenizers.reference.longest_match import LongestMatch
from tokharness_tokenizers.reference.models.byte_trie import ByteTrie

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ALTERED = "model: no token"
MODEL = "model"


class _Shortest(ByteTrie):
    """A trie whose search ends at the first token."""

    @property
    def _lengths(self) -> dict[bytes, tuple[int, ...]]:
        return {}


@fault("TOK201", cause=f"{ALTERED} of several bytes is found", families=["plain-words"],
       against=AGAINST)  # fmt: skip
def takes_the_shortest_byte_string() -> Any:
    """Ends the search at the first token, which is a single byte."""
    return replace(healthy(), model=_Shortest(healthy().model.ids))


@fault("TOK201", cause=f"{ALTERED} of 24 bytes or more", families=["white-space"],
       against=AGAINST, longest=24)  # fmt: skip
def finds_byte_strings_of_sixteen_bytes() -> Any:
    """Looks at sixteen bytes at most."""
    return _with(lambda ids: {token: n for token, n in ids.items() if len(token) <= 16})


@fault("TOK201", cause=f"{ALTERED} of several bytes that are not ASCII", families=["plain-words"],
       against=AGAINST)  # fmt: skip
def reads_literals_as_latin_1() -> Any:
    """Reads each string of the list as Latin-1, and leaves out those that are not."""
    return _with(lambda ids: {token: n for token, n in ids.items() if _is_latin_1(token)})


@fault("TOK201", cause="moved ids: -1 from 1", families=["plain-words"], against=AGAINST)
def counts_lines_from_zero() -> Any:
    """Takes the number of the line, from 0, in the place of the id on it."""
    return _with(lambda ids: {token: number - 1 for token, number in ids.items()})


@fault(
    "TOK201",
    cause=f"{MODEL}: the fewest tokens count",
    families=["plain-words"],
    against=AGAINST,
    longest=32,
)
def takes_the_fewest_byte_strings() -> Any:
    """Takes the way to cut a text that has the fewest tokens."""
    return replace(healthy(), model=_Fewest(healthy().model.ids))


class _Fewest(ByteTrie):
    """A trie that does not take the longest token where a shorter one saves a token later."""

    def encode(self, data: bytes) -> list[int]:
        best: list[list[int]] = [[]]
        for end in range(1, len(data) + 1):
            ways = [
                [*best[end - length], self.ids[token]]
                for length in range(1, min(end, 24) + 1)
                if (token := data[end - length : end]) in self.ids
            ]
            best.append(min(ways, key=len))
        return best[-1]


class _AllOrNothing(LongestMatch):
    """A tokenizer that decodes text with a part of a character to one U+FFFD."""

    def decode(self, ids: Sequence[int]) -> str:
        text = super().decode(ids)
        broken = text.encode() != self.decode_bytes(ids)
        return "\ufffd" if broken and text.strip("\ufffd") else text


@fault("TOK202", cause="decoder: if a part is not a character", against=AGAINST)
def gives_up_on_parts_of_characters() -> Any:
    """Decodes ids that end inside a character to one U+FFFD, and loses the text before it."""
    return _AllOrNothing("small list", healthy().model)


@fault("TOK202", cause="decoder: if a part is not a character, it alone",
       against=f"python:{__name__}:gives_up_on_parts_of_characters")  # fmt: skip
def replaces_only_parts_of_characters() -> Any:
    """Decodes each part of a character to U+FFFD, and the original all of the text."""
    return healthy()


class _Growing(ByteTrie):
    """A trie whose search goes on only while the bytes so far are a token."""

    def encode(self, data: bytes) -> list[int]:
        ids: list[int] = []
        while data:
            end = 1
            while end < len(data) and data[: end + 1] in self.ids:
                end += 1
            ids.append(self.ids[data[:end]])
            data = data[end:]
        return ids


@fault("TOK201", cause=f"{ALTERED} that has a start without a token", families=["plain-words"],
       against=AGAINST)  # fmt: skip
def goes_on_only_from_byte_string_to_byte_string() -> Any:
    """Ends the search at the first byte with which the bytes so far are no token."""
    return replace(healthy(), model=_Growing(healthy().model.ids))


@fault("TOK201", cause=f"{ALTERED} that ends inside a character", families=["plain-words"],
       against=AGAINST)  # fmt: skip
def skips_lines_with_bytes() -> Any:
    """Leaves out the lines whose literal is bytes and not a string, except those of one byte."""
    kept = [line for line in lines() if " b" not in line[:6] or line.endswith(" 1")]
    return rwkv_list.read("\n".join(kept).encode(), "small list")


def _with(change: Callable[[Mapping[bytes, int]], dict[bytes, int]]) -> Any:
    """Make the healthy tokenizer with a changed table of tokens."""
    return replace(healthy(), model=ByteTrie(change(healthy().model.ids)))


def _is_latin_1(token: bytes) -> bool:
    """Whether a list gives the token if each literal is Latin-1: one byte, or ASCII."""
    return len(token) == 1 or token.isascii()


def _is_text(token: bytes) -> bool:
    return "\ufffd" not in token.decode("utf-8", "replace")
