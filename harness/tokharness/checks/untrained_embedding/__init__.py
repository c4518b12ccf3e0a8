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

from typing import TYPE_CHECKING

from tokharness.checks.untrained_embedding.token_rows import (
    TokenRows,
    known_unused,
    norm_quantiles,
    rounded,
)
from tokharness.diagnosis.reachability import reach_of_tokens
from tokharness.embeddings.choice import open_matrices
from tokharness.escaping import visible
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.checks.untrained_embedding.ranking import Ranking
    from tokharness.targets.subject import Subject

CODE = "TOK412"
NAME = "untrained-embedding"
REQUIRES = ("embeddings", "n_vocab")
NEEDS_REACH = True

__all__ = ["CODE", "NAME", "NEEDS_REACH", "REQUIRES", "audit"]

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
