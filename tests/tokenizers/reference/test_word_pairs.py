from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.word_pairs import WordPairs

if TYPE_CHECKING:
    from typing import SupportsIndex


class ReadCounter(list[str]):
    """A list that counts how often its items are read."""

    reads = 0

    def __getitem__(self, index: SupportsIndex) -> str:  # type: ignore[override]
        self.reads += 1
        return super().__getitem__(index)


def test_a_merge_reads_a_word_with_repeated_pairs_once() -> None:
    words = WordPairs.of([("a" * 64, 1)])
    texts = ReadCounter(words.texts)
    words = replace(words, texts=texts)
    words.merge("aa", "b")
    words.merge("bb", "c")
    assert texts.reads == 2
    assert texts == ["c" * 16]
