from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tokharness_tokenizers.reference import byte_bpe_training
from tokharness_tokenizers.reference.patterns import O200K, R50K

if TYPE_CHECKING:
    from collections.abc import Iterator

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


@pytest.mark.usefixtures("early")
def test_several_processes_count_the_same() -> None:
    alone = byte_bpe_training.count_pretokens(TEXTS, O200K, "15.0")
    assert byte_bpe_training.count_pretokens(TEXTS, O200K, "15.0", jobs=2) == alone


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
