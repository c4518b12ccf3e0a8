"""Measure batches of documents: whole columns, and single documents where something is found."""

from __future__ import annotations

import heapq
import sys
from collections import Counter
from operator import mul, sub
from typing import TYPE_CHECKING, Any

from tokharness.scanning.characters import ControlTexts, hidden_rows, scripts_of
from tokharness.scanning.record import FAILING, PLACES, ROWS, Record
from tokharness.unicode.properties import script_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.model import Batch
    from tokharness.scanning.plan import Settings

SIZES = ("documents", "bytes", "characters", "words", "tokens", "compared", "tokens_of_compared")
COSTS = (*SIZES, "reference_tokens", "differing")
"""Columns of the tables by file, script and language, of documents that have ids.

``compared`` documents have ids from the reference too, of which ``differing`` ones have others.
"""

LEAST_BYTES = 64
"""Bytes of the shortest document that is listed for its tokens a byte."""

EXCERPT = 200
"""Characters of a document in a list."""

_IN_WORD = bytes(not chr(byte).isspace() for byte in range(256))
"""For each byte of a text in ASCII, 1 if it is part of a word."""


class Measuring:
    """Adds what batches show to a record; the documents of a batch are set before it runs."""

    def __init__(self, settings: Settings, special_tokens: Iterable[str]) -> None:
        self.record = Record()
        self._settings = settings
        self._control = ControlTexts(special_tokens)
        self._tokens = TokenCounts()
        self._place: list[Any] = []
        self._rows: Sequence[int] = ()
        self._languages: Sequence[str | None] = ()
        self._at = 0

    def finish(self) -> Record:
        """Return the record, with the counts of the tokens."""
        self.record.tokens = self._tokens.counts()
        return self.record

    def set_documents(
        self, place: list[Any], rows: Sequence[int], languages: Sequence[str | None]
    ) -> None:
        """Set the file and part, and the rows and languages, of the documents that follow."""
        self._place, self._rows, self._languages, self._at = place, rows, languages, 0

    def add(self, batch: Batch) -> None:
        """Add a batch of the next documents."""
        at, count = self._at, len(batch.texts)
        self._at += count
        rows, languages = self._rows[at : at + count], self._languages[at : at + count]
        texts, ids, reference = batch.texts, batch.ids, batch.reference_ids
        self._add_characters(texts, rows)
        if batch.all_ids is None:
            chosen = [row for row, one in enumerate(ids) if one is not None]
            texts, ids = [texts[one] for one in chosen], [ids[one] for one in chosen]
            rows, languages = [rows[one] for one in chosen], [languages[one] for one in chosen]
            reference = None if reference is None else [reference[one] for one in chosen]
            self._tokens.add(n for row in ids for n in row or () if type(n) is int)
        else:
            self._tokens.add(batch.all_ids.numbers)
        self._add_costs(_Columns(texts, ids, reference), rows, languages)

    def _add_costs(
        self, columns: _Columns, rows: Sequence[int], languages: Sequence[str | None]
    ) -> None:
        record = self.record
        total = columns.sums()
        record.add("file", self._place[0], *total)
        self._add_by_key("script", scripts_of(columns.texts), columns, total)
        if any(languages):
            self._add_by_key("language", [one or "" for one in languages], columns, total)
        for bits, count in Counter(map(int.bit_length, columns.tokens)).items():
            record.add("length", str(bits), count)
        longest = max(columns.tokens, default=0)
        for context in self._settings.contexts:
            if longest > context:
                beyond = [one - context for one in columns.tokens if one > context]
                record.add("context", str(context), len(beyond), sum(beyond))
        record.add("ratio", "tokens by bytes", *_products(columns.tokens, columns.sizes))
        self._add_worst(columns, rows)
        if columns.compared:
            ours = [columns.tokens[row] for row in columns.compared]
            theirs = columns.reference_tokens
            record.add("ratio", "tokens by reference tokens", *_products(ours, theirs))
            self._add_changes(columns, rows, ours, theirs)

    def _add_by_key(
        self, name: str, keys: Sequence[str], columns: _Columns, total: Sequence[int]
    ) -> None:
        """Add the documents of each key but the empty one.

        The sums of the most frequent key are what is left of the total.
        """
        counts = Counter(keys)
        most = max(counts, key=lambda key: (counts[key], key), default="")
        rows_of: dict[str, list[int]] = {key: [] for key in counts if key != most}
        if rows_of:
            for row, key in enumerate(keys):
                if key != most:
                    rows_of[key].append(row)
        left = total
        for key, rows in rows_of.items():
            values = columns.sums(rows)
            if key:
                self.record.add(name, key, *values)
            left = list(map(sub, left, values))
        if most:
            self.record.add(name, most, *left)

    def _add_worst(self, columns: _Columns, rows: Sequence[int]) -> None:
        """Keep the documents with the most tokens a byte, and those with the most tokens."""
        least = self._least("tokens per byte")
        costs = [
            (-tokens / size, row)
            for row, (tokens, size) in enumerate(zip(columns.tokens, columns.sizes, strict=True))
            if tokens >= least * size and size >= LEAST_BYTES
        ]
        self._put("tokens per byte", costs, columns, rows)
        fewest = self._least("longest") or 1
        longest = [(-count, row) for row, count in enumerate(columns.tokens) if count >= fewest]
        self._put("longest", longest, columns, rows)

    def _least(self, name: str) -> float:
        """Return the value from which a document may enter a list; 0 before the list is full."""
        rows = self.record.samples.get(name, [])
        return -float(rows[-1][0]) if len(rows) >= ROWS else 0.0

    def _add_changes(
        self, columns: _Columns, rows: Sequence[int], ours: Sequence[int], theirs: Sequence[int]
    ) -> None:
        """Keep the documents that have more, and those that have fewer tokens than before."""
        changes = list(map(sub, ours, theirs))
        if not any(changes):
            return
        for name, sign in (("more tokens", 1), ("fewer tokens", -1)):
            fewest = self._least(name) or 1
            worst = [
                (-sign * change, row)
                for change, row in zip(changes, columns.compared, strict=True)
                if sign * change >= fewest
            ]
            self._put(name, worst, columns, rows)

    def _put(
        self,
        name: str,
        worst: Sequence[tuple[float, int]],
        columns: _Columns,
        rows: Sequence[int],
    ) -> None:
        """Add documents to a list, each with its rank, of which the smallest come first."""
        self.record.put(
            name,
            [
                [
                    rank,
                    *self._place,
                    rows[row],
                    columns.tokens[row],
                    columns.sizes[row],
                    columns.texts[row][:EXCERPT],
                ]
                for rank, row in heapq.nsmallest(ROWS, worst)
            ],
        )

    def _add_characters(self, texts: Sequence[str], rows: Sequence[int]) -> None:
        record = self.record
        data = "".join(texts).encode("utf-8", "surrogatepass")
        self._add_found("hidden", hidden_rows(texts, data), rows)
        exact, near = self._control.find(texts)
        self._add_found("control", exact, rows)
        self._add_found("near-miss", near, rows)
        record.add("total", "seen", len(texts))

    def _add_found(self, name: str, found: Mapping[int, Counter[str]], rows: Sequence[int]) -> None:
        for row, counts in found.items():
            for what, count in counts.items():
                self.record.add(name, what, count, 1)
                self.record.put(f"{PLACES}{name} {what}", [[*self._place, rows[row]]])

    def add_failing(self, failing: Mapping[str, Sequence[str]], texts: Sequence[str]) -> None:
        """Add the documents that fail checks, of the ``texts`` that were set and run."""
        if not any(failing.values()):
            return
        places = dict(zip(reversed(texts), reversed(self._rows), strict=True))
        for code, failed in failing.items():
            if failed:
                self.record.add("failing", code, len(failed))
                rows = [[len(text), *self._place, places[text], text] for text in failed]
                self.record.put(FAILING + code, rows)


class TokenCounts:
    """Counts the occurrences of ids; with NumPy, which is many times as fast, if it is there."""

    LARGEST = 1 << 22
    """Ids below which an array counts."""

    WAITING = 1 << 18
    """Ids that are counted together: the array is as long as the vocabulary."""

    def __init__(self) -> None:
        self._others: Counter[int] = Counter()
        self._array: Any = None
        self._waiting: list[Any] = []
        try:
            import numpy as np
        except ImportError:
            self._numpy: Any = None
        else:
            self._numpy = np

    def add(self, numbers: Iterable[int]) -> None:
        """Count ids."""
        if self._numpy is None or not isinstance(numbers, self._numpy.ndarray):
            self._others.update(numbers)
            return
        self._waiting.append(numbers)
        if sum(map(len, self._waiting)) >= self.WAITING:
            self._count()

    def _count(self) -> None:
        """Count the ids that wait."""
        column, self._waiting = self._numpy.concatenate(self._waiting), []
        is_in_array = (column >= 0) & (column < self.LARGEST)
        if not is_in_array.all():
            self._others.update(column[~is_in_array].tolist())
            column = column[is_in_array]
        counts = self._numpy.bincount(
            column, minlength=0 if self._array is None else len(self._array)
        )
        if self._array is not None:
            counts[: len(self._array)] += self._array
        self._array = counts

    def counts(self) -> Counter[int]:
        """Return how often each id occurs."""
        if self._waiting:
            self._count()
        total = Counter(self._others)
        if self._array is not None:
            used = self._array.nonzero()[0]
            total.update(dict(zip(used.tolist(), self._array[used].tolist(), strict=True)))
        return total


class _Columns:
    """Sizes and numbers of tokens of documents that have ids, as columns of integers."""

    def __init__(
        self, texts: Sequence[str], ids: Sequence[Any], reference: Sequence[Any] | None
    ) -> None:
        self.texts = texts
        characters = list(map(len, texts))
        self.sizes = characters
        if not all(map(str.isascii, texts)):
            self.sizes = [len(text.encode("utf-8", "surrogatepass")) for text in texts]
        self.tokens = list(map(len, ids))
        count = len(texts)
        self.compared: Sequence[int] = ()
        of_compared = other = differing = [0] * count
        if reference is not None:
            has_other = [one is not None for one in reference]
            self.compared = [row for row, one in enumerate(has_other) if one]
            other = [len(one) if one is not None else 0 for one in reference]
            of_compared = list(map(mul, self.tokens, has_other))
            if reference != ids:
                differing = [
                    int(theirs is not None and ours != theirs)
                    for ours, theirs in zip(ids, reference, strict=True)
                ]
        self.reference_tokens = [other[row] for row in self.compared]
        compared = [0] * count
        for row in self.compared:
            compared[row] = 1
        self._tables: list[list[list[int]]] = [
            [[1] * count, self.sizes, characters],
            [self.tokens, compared, of_compared, other, differing],
        ]

    def sums(self, rows: Sequence[int] | None = None) -> list[int]:
        """Return the sums of ``COSTS`` over some documents, or over all."""
        texts, tables = self.texts, self._tables
        if rows is not None:
            texts = [texts[row] for row in rows]
            tables = [[[column[row] for row in rows] for column in one] for one in tables]
        before, behind = ([sum(column) for column in one] for one in tables)
        return [*before, words_of(texts), *behind]


def words_of(texts: Sequence[str]) -> int:
    """Return the number of words of all texts, which white space ends."""
    words = sum(len(text.split()) for text in texts if not text.isascii())
    # Of a text in ASCII, to split it takes twenty times as long.
    marks = b"\0" + "\n".join(filter(str.isascii, texts)).encode().translate(_IN_WORD)
    if (numpy := sys.modules.get("numpy")) is None:
        return words + marks.count(b"\0\1")
    in_word = numpy.frombuffer(marks, numpy.bool_)
    return words + int(numpy.count_nonzero(in_word[1:] > in_word[:-1]))


def _products(ours: Sequence[int], theirs: Sequence[int]) -> list[int]:
    """Return the sums from which the ratio of two columns is estimated, with its variance."""
    return [
        len(ours),
        sum(ours),
        sum(theirs),
        sum(map(mul, ours, ours)),
        sum(map(mul, ours, theirs)),
        sum(map(mul, theirs, theirs)),
    ]


def name_of_script(code: str) -> str:
    """Return the name of a script in words."""
    return "no script" if code == "Zyyy" else script_name(code)
