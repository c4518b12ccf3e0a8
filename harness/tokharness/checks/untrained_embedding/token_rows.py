"""What is known about each token and its row: rows that no text uses, and evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.reachability import UNREACHABLE
from tokharness.diagnosis.token_content.texts import content_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokharness.checks.untrained_embedding.ranking import Ranking
    from tokharness.diagnosis.reachability import Reach
    from tokharness.targets.subject import Subject

# Rows of a matrix of embeddings that no text uses, as far as the vocabulary shows.

NOT_IN_UTF8 = re.compile(rb"[\xc0\xc1\xf5-\xff]")
"""Bytes that no UTF-8 has (Unicode Standard, table 3-7)."""

BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")
"""The token of a byte in vocabularies with byte fallback (SentencePiece)."""

WORD_START = "\u2581"
"""How SentencePiece writes a space."""


def known_unused(
    subject: Subject, rows: int, reach: Mapping[int, Reach]
) -> dict[str, tuple[int, ...]]:
    """Return the rows that no text uses, by the reason; a row has one reason."""
    n_vocab, data = subject.target.n_vocab or 0, _bytes_of_tokens(subject)
    named = {*subject.special_tokens.values(), *subject.target.added_tokens.values()}
    unnamed = (number for number in range(n_vocab) if data and number not in named)
    holes = {number for number in unnamed if not data.get(number)}
    impossible = {number for number in data if NOT_IN_UTF8.search(data[number])}
    unreachable = {number for number, one in reach.items() if one.state == UNREACHABLE}
    unreachable |= _second_ids(data, reach)
    by_reason = {
        "rows without a token": (*sorted(holes), *range(n_vocab, rows)),
        "tokens of bytes that no UTF-8 has": tuple(sorted(impossible)),
        "unreachable tokens": tuple(sorted(unreachable - impossible - holes)),
    }
    return {reason: numbers for reason, numbers in by_reason.items() if numbers}


def _second_ids(data: Mapping[int, bytes], reach: Mapping[int, Reach]) -> set[int]:
    """Return ids that no tried text gives, if some text gives another id with the same bytes.

    In a vocabulary with byte fallback, the ids of bytes whose character has a token are such ids.
    """
    given = {data.get(number) for number, one in reach.items() if one.witness} - {None}
    return {
        number for number, one in reach.items() if not one.witness and data.get(number) in given
    }


def _bytes_of_tokens(subject: Subject) -> Mapping[int, bytes]:
    """Return the bytes of each token that has bytes; empty if the target shows no tokens."""
    vocabulary = subject.vocabulary()
    if vocabulary or not subject.target.can("token_text"):
        return vocabulary
    texts = subject.target.call_each("token_text", range(subject.target.n_vocab or 0))
    return {number: _written(text) for number, text in enumerate(texts) if isinstance(text, str)}


def _written(text: str) -> bytes:
    """Return the bytes of a token as it stands in the vocabulary, with byte fallback or not."""
    byte = BYTE_TOKEN.fullmatch(text)
    plain = text.replace(WORD_START, " ")
    return bytes([int(byte[1], 16)]) if byte else plain.encode("utf-8", "surrogatepass")


SHARES = (0, 1, 2, 50, 98, 100)
"""Percentages of the rows; the paper examines the first two percent."""


@dataclass(frozen=True)
class TokenRows:
    """Makes the rows of evidence from the texts of a target's tokens and their reachability."""

    subject: Subject
    reach: Mapping[int, Reach]

    def row(self, rank: int, number: int, ranking: Ranking) -> dict[str, Any]:
        """Return what is known about a token and its row in a matrix."""
        indicator = ranking.indicator(number)
        reach = self.reach.get(number)
        return {
            "rank": rank,
            "id": number,
            "text": self.text(number),
            "reachability": reach.state if reach else "not an ordinary token",
            "witness": reach.witness if reach else "",
            "matrix": ranking.matrix.kind,
            "score": rounded(ranking.scores[number]),
            "norm": rounded(ranking.norms[number]),
            "indicator": str(indicator),
            "value": rounded(indicator.values[number]),
        }

    def text(self, number: int) -> str:
        """Return the text of a token, special or not; "" if it is not known."""
        if number not in self._texts and self.subject.target.can("token_text"):
            return str(self.subject.target.call("token_text", number))
        return self._texts.get(number, "")

    def count_reached(self, numbers: Iterable[int]) -> int:
        """Return how many of these tokens have a witness: a text that gives the token."""
        return sum(1 for one in numbers if one in self.reach and self.reach[one].witness)

    @cached_property
    def _texts(self) -> dict[int, str]:
        target = self.subject.target
        marked = {**target.added_tokens, **target.special_tokens}
        return {**content_texts(self.subject), **{one: text for text, one in marked.items()}}


def norm_quantiles(ranking: Ranking) -> dict[str, float]:
    """Return the quantiles of the norms of the rows of a matrix."""
    ordered = sorted(ranking.norms.tolist())
    last = len(ordered) - 1
    return {f"{share}%": rounded(ordered[last * share // 100]) for share in SHARES}


def rounded(value: float) -> float:
    """Return a number with four significant digits."""
    return float(f"{value:.4g}")
