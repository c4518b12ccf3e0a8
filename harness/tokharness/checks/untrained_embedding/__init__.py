"""Rows of the model's embeddings look as if no training step had changed them.

Why it matters: a token that the training data lacks keeps a row of noise, or a row that decayed to
nothing. A text with the token, or its id in a request, makes the model give unrelated or broken
output, as " SolidGoldMagikarp" did. Known glitch tokens have such rows.

Oracle: static, over the vocabulary and the file of ``--embeddings``: a safetensors file or the
index of several, perhaps with ``:TENSOR``. It needs the extra ``tokharness[embeddings]``. The
indicators are those of Land and Bartolo, *Fishing for Magikarp* (2024): the norm of a row, its
distance from the mean of rows that are known to be unused, and the distance of their directions
without the first principal component, which that paper uses for output embeddings. The rows known
to be unused are rows without a token, and rows of tokens whose bytes no UTF-8 has, of tokens that
TOK401 proves unreachable, and of the id that no text gives among two ids with the same bytes.

How it works: the indicators rank the tokens, and a token is a candidate if

- it is as near to the mean of at least three unused rows as two unused rows are to each other, on
  the median, and the unused rows stand apart: this distance is at most a third of most rows'
  distance, and not more rows lie around the unused rows, up to 1.5 times as far, than among them;
- or its norm is one of three or more norms that are at most half the median, and the next larger
  norm is more than 1.5 times as large; this does not count if unused rows that stand apart have
  larger norms;
- or its norm is at most a hundredth of the median;
- or another row has the same bits.

The score of a row is its smallest indicator, divided by the threshold. The first principal
component is computed from an even sample of 4,096 rows. Matrices are read in blocks. If the model
has output embeddings of its own, the candidates among the input embeddings count as unused rows
there.

Verdicts: *risk*, one finding for all candidates that are not known to be unused, ranked in the
evidence with the reachability of each. *Fact* for each matrix: its rows and norms, how many unused
rows look untrained, and the tokens with the lowest scores, candidates or not. A token that was
trained a little lies between candidates and other tokens, and is only ranked.

Example: a model whose vocabulary was made from text that its training data lacks::

    TOK412 risk  untrained embeddings   tokens that look untrained: 20 of 50,257, such as id 43,453

What to do: look at the texts that reach the first candidates, and ask the model to repeat them.
Before training, leave such tokens out of the vocabulary, or add the text that they come from to the
training data. Afterwards, mask the ids when sampling, reject or split them in requests, or train
their rows on texts that hold them; reserved special tokens need this before a fine-tuning uses
them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.reachability import UNREACHABLE, reach_of_tokens
from tokharness.diagnosis.token_content.texts import content_texts
from tokharness.embeddings.choice import open_matrices
from tokharness.escaping import visible
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokharness.checks.untrained_embedding.ranking import Ranking
    from tokharness.diagnosis.reachability import Reach
    from tokharness.targets.subject import Subject

__all__ = ["CODE", "NAME", "NEEDS_REACH", "REQUIRES", "audit"]

CODE = "TOK412"
NAME = "untrained-embedding"
REQUIRES = ("embeddings", "n_vocab")
NEEDS_REACH = True


MOST_SHOWN = 200
"""Candidates in the evidence of a risk."""

FIRST_SHOWN = 50
"""Tokens with the lowest scores in the evidence of a fact."""


def audit(subject: Subject) -> Iterator[Failure]:
    """Rank the rows of each matrix, and report the candidates and what the matrices show."""
    n_vocab = subject.target.n_vocab or 0
    matrices = open_matrices(subject.embeddings or "", n_vocab)
    from tokharness.checks.untrained_embedding.ranking import rank_rows  # on use: it needs numpy

    reach = reach_of_tokens(subject)
    rows = TokenRows(subject, reach)
    best: dict[int, Ranking] = {}
    for matrix in matrices:
        unused = known_unused(subject, matrix.rows, reach)
        untrained = {"candidates of the input": sorted(best)} if best else {}
        ranking = rank_rows(matrix, {**unused, **untrained})
        known = {number for numbers in unused.values() for number in numbers}
        found = ranking.candidates(known, n_vocab)
        for number in found:
            if number not in best or ranking.scores[number] < best[number].scores[number]:
                best[number] = ranking
        yield _fact(ranking, unused, found, rows)
    if best:
        yield _risk(best, rows)


def _risk(best: Mapping[int, Ranking], rows: TokenRows) -> Failure:
    """Return the finding for all candidates, each with the matrix in which its score is lowest."""
    ranked = sorted(best, key=lambda number: (best[number].scores[number], number))
    n_vocab = rows.subject.target.n_vocab or 0
    message = (
        f"tokens that look untrained: {len(best):,} of {n_vocab:,}, such as id {ranked[0]:,}; "
        f"texts reach {rows.count_reached(best):,} of them"
    )
    return Failure(
        Cause("untrained embeddings", (), Verdict.RISK, message),
        count=len(best),
        text=rows.text(ranked[0]),
        evidence={
            "tokens": n_vocab,
            "reached": rows.count_reached(best),
            "candidates": [
                rows.row(rank, number, best[number])
                for rank, number in enumerate(ranked[:MOST_SHOWN], 1)
            ],
        },
        tokens={"": ranked},
    )


def _fact(
    ranking: Ranking, unused: Mapping[str, Sequence[int]], found: Sequence[int], rows: TokenRows
) -> Failure:
    """Return what a matrix shows: its norms, its unused rows, and the tokens that rank first."""
    matrix, n_vocab = ranking.matrix, rows.subject.target.n_vocab or 0
    known = {number for numbers in unused.values() for number in numbers}
    first = [number for number in ranking.order if number < n_vocab and number not in known]
    norms = norm_quantiles(ranking)
    untrained = int((ranking.scores[sorted(known)] <= 1).sum())
    message = (
        f"{visible(matrix.tensor.name)} has {matrix.rows:,} rows of {matrix.width:,} values and "
        f"norms from {norms['0%']} to {norms['100%']}, half of them up to {norms['50%']}; of "
        f"{len(known):,} rows that are known to be unused, {untrained:,} look untrained, and of "
        f"the other tokens {len(found):,}, of which texts reach {rows.count_reached(found):,}"
    )
    return Failure(
        Cause("embeddings", (("of", matrix.kind),), Verdict.FACT, message),
        count=matrix.rows,
        evidence={
            "tensor": matrix.tensor.name,
            "rows": matrix.rows,
            "rows beyond n_vocab": matrix.rows - n_vocab,
            "norms": norms,
            "unused": {reason: len(numbers) for reason, numbers in unused.items()},
            "thresholds": {str(one): rounded(one.threshold) for one in ranking.indicators},
            "candidates": len(found),
            "lowest scores": [
                rows.row(rank, number, ranking)
                for rank, number in enumerate(first[:FIRST_SHOWN], 1)
            ],
        },
        columns={
            "norm": {number: rounded(ranking.norms[number]) for number in ranking.order},
            "rank": {number: rank for rank, number in enumerate(first, 1)},
        },
    )


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
