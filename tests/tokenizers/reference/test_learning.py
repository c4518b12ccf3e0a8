""""""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textbook import byte_merges

from tokharness_tokenizers.reference import byte_bpe_training
from tokharness_tokenizers.reference.byte_bpe_training import merges
from tokharness_tokenizers.reference.patterns import O200K, R50K

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness_tokenizers.reference.byte_bpe_training import Ties


both_rules = pytest.mark.parametrize("ties", ["bytes", "ids"])


@both_rules
@given(st.dictionaries(st.text(alphabet="abc", max_size=12), st.integers(1, 5), max_size=12))
def test_words_merge_like_the_textbook(ties: Ties, counts: dict[str, int]) -> None:
    assert list(merges(counts, ties)) == list(byte_merges(counts, ties))


@pytest.mark.slow
@both_rules
@given(st.dictionaries(st.text(max_size=9), st.integers(1, 3), max_size=9))
def test_multibyte_characters_merge_like_the_textbook(ties: Ties, counts: dict[str, int]) -> None:
    assert list(merges(counts, ties)) == list(byte_merges(counts, ties))


@both_rules
@pytest.mark.parametrize("word", ["a" * 9, "ab" * 8, "aab" * 5, "abcabc" * 3, "aabaaab" * 3])
def test_adjacent_and_overlapping_pairs_merge_like_the_textbook(ties: Ties, word: str) -> None:
    counts = {word: 3, word[1:]: 2, word[:-1] + "x": 1}
    assert list(merges(counts, ties)) == list(byte_merges(counts, ties))


@both_rules
@given(st.lists(st.text(alphabet="ab", min_size=2, max_size=30), max_size=9))
def test_no_two_merges_have_the_same_bytes(ties: Ties, words: list[str]) -> None:
    tokens = [left + right for left, right in merges(dict.fromkeys(words, 2), ties)]
    assert len(set(tokens)) == len(tokens)


def test_of_equally_frequent_pairs_the_least_bytes_merge_first() -> None:
    # Twice each: 0x20 0x21, 0x21 0x61, and the accented letter's 0xC3 0xA9.
    counts = {" !": 2, "!a": 2, "\u00e9": 2}
    assert list(merges(counts)) == [(b" ", b"!"), (b"!", b"a"), (b"\xc3", b"\xa9")]


def test_of_equally_frequent_pairs_the_least_ids_merge_first() -> None:
    # A space is not a visible character, so it comes after the other bytes.
    counts = {" !": 2, "!a": 2, "\u00e9": 2}
    assert list(merges(counts, "ids")) == [(b"!", b"a"), (b"\xc3", b"\xa9"), (b" ", b"!")]


def test_a_token_made_later_has_the_larger_id() -> None:
    # "zz" is made before "ab": by ids its pair comes first, by bytes last.
    counts = {"zz": 9, "ab": 8, "zzq": 2, "abq": 2}
    assert list(islice(merges(counts, "ids"), 2, 3)) == [(b"zz", b"q")]
    assert list(islice(merges(counts, "bytes"), 2, 3)) == [(b"ab", b"q")]


TEXTS = ["one two two", " \ud83d\ude00 \ud800", "\u0baa\u0bcd 1234", "", "x" * 9] * 5

KILLED = """
import os, signal
from tokharness_tokenizers.reference import byte_bpe_training as counting

def texts():
    yield "a" * 10
    yield "b" * 10
    print("started", flush=True)
    {end}
    yield "c"

if __name__ == "__main__":
    counting.MIN_CHARACTERS_FOR_PROCESSES = counting.BATCH_CHARACTERS = 5
    counting.count_pretokens(texts(), "(?s).+", "16.0", jobs=2)
"""


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start processes after a few characters."""
    monkeypatch.setattr(byte_bpe_training, "MIN_CHARACTERS_FOR_PROCESSES", 20)
    monkeypatch.setattr(byte_bpe_training, "BATCH_CHARACTERS", 30)


@pytest.mark.slow
@pytest.mark.usefixtures("early")
def test_several_processes_count_the_same() -> None:
    alone = byte_bpe_training.count_pretokens(TEXTS, O200K, "15.0")
    assert byte_bpe_training.count_pretokens(TEXTS, O200K, "15.0", jobs=2) == alone


@pytest.mark.slow
@pytest.mark.usefixtures("early")
def test_there_may_be_more_processes_than_texts() -> None:
    assert byte_bpe_training.count_pretokens(["a" * 20, "b"], R50K, "16.0", jobs=3).total() == 2


def test_few_characters_start_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(byte_bpe_training, "_processes", None)
    assert byte_bpe_training.count_pretokens(["a a", "b"], R50K, "16.0", jobs=2) == Counter(
        "ab", **{" a": 1}
    )


@pytest.mark.usefixtures("early")
def test_a_process_that_ends_early_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(byte_bpe_training, "_count", os._exit)  # raises for these arguments
    with pytest.raises(ChildProcessError, match="fewer jobs"):
        byte_bpe_training.count_pretokens(TEXTS * 99, R50K, "16.0", jobs=2)


@pytest.mark.usefixtures("early")
def test_an_exception_of_the_texts_ends_the_processes() -> None:
    def texts() -> Iterator[str]:
        yield from TEXTS
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        byte_bpe_training.count_pretokens(texts(), R50K, "16.0", jobs=2)


def test_an_interrupt_is_one_traceback() -> None:
    # Like Ctrl-C in a terminal, which all processes of the group get.
    result = _run(KILLED.format(end="os.killpg(0, signal.SIGINT)"))
    assert result.stdout == "started\n"
    assert result.stderr.count("Traceback") == 1
    assert result.stderr.endswith("KeyboardInterrupt\n")


def test_processes_end_with_their_parent() -> None:
    # They share its output, which is closed only when all of them have ended.
    result = _run(KILLED.format(end="os.kill(os.getpid(), signal.SIGKILL)"))
    assert result.returncode == -signal.SIGKILL


def _run(script: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, start_new_session=True
    )
