"""Train byte-level BPE: count pre-tokens, in several processes, then learn the merges."""

from __future__ import annotations

import multiprocessing
import operator
import signal
from collections import Counter
from contextlib import contextmanager
from itertools import takewhile
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Literal, TypeAlias

from tokharness.unicode import versions
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.splitting import join_surrogates, splitter
from tokharness_tokenizers.reference.word_pairs import MAX_TOKENS, WordPairs, merge_most_frequent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from multiprocessing.connection import Connection

__all__ = [
    "MAX_TOKENS",
    "Merge",
    "Ties",
    "count_pretokens",
    "learn_ranks",
    "make_vocabulary",
    "merges",
    "train",
]


# Sennrich et al. 2016, algorithm 1, over bytes and within pre-tokens as in GPT-2: count the pairs,
# merge the most frequent pair, and update the counts.

Merge: TypeAlias = "tuple[bytes, bytes]"

Ties: TypeAlias = Literal["bytes", "ids"]
"""The rule for which of several equally frequent pairs is merged first.

``bytes``, our own rule: the least pair of byte strings, compared left, then right. ``ids``, the
rule of Hugging Face's ``BpeTrainer``: the least pair of ids. Tokens are numbered as they are made,
after the bytes, which have the order of GPT-2's byte alphabet: bytes with a visible character in
Latin-1 (0x21..0x7E, 0xA1..0xAC, 0xAE..0xFF), then all other bytes.
"""

_VISIBLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
BYTE_ORDER: Mapping[Ties, list[int]] = {
    "bytes": list(range(256)),
    "ids": sorted(range(256), key=lambda byte: (byte not in _VISIBLE, byte)),
}


def merges(counts: Mapping[str, int], ties: Ties = "bytes") -> Iterator[Merge]:
    """Yield the merges that are learned from words, in order; ``counts`` maps words to counts.

    The merges end when no pair occurs at least twice. No two merges have the same bytes, since the
    merges within a token do not depend on its surroundings. Raises ValueError for more tokens than
    ``MAX_TOKENS``.
    """
    names = [bytes([byte]) for byte in BYTE_ORDER[ties]]
    numbers = {byte: number for number, byte in enumerate(BYTE_ORDER[ties])}
    # Latin-1 has a character for each byte.
    words = WordPairs.of(
        (word.encode().decode("latin-1").translate(numbers), count)
        for word, count in counts.items()
    )
    return merge_most_frequent(words, names, operator.add, bytes if ties == "bytes" else None)


# Count pre-tokens, in this process or in several.
#
# The processes get texts through pipes and end when this process ends, for whatever reason. The
# pipes use pickle, since no foreign code runs there. The processes are spawned and not forked,
# since this process may have threads, for example the thread of a progress bar.

MIN_CHARACTERS_FOR_PROCESSES = 4_000_000
"""Characters that this process counts before it starts others, which cost time to start."""

BATCH_CHARACTERS = 500_000
"""Characters per batch; the last text of a batch may exceed it."""


def count_pretokens(
    texts: Iterable[str], pattern: str, unicode_version: str, *, jobs: int = 1
) -> Counter[str]:
    """Count the pre-tokens of texts; only the order of the result depends on ``jobs``.

    With more than one job, this number of processes count the texts after the first few million
    characters. A program that calls this from its main module then needs the guard that
    ``multiprocessing`` describes.

    Raises:
        ValueError: the pattern or the version is invalid, see :func:`.splitting.splitter`.
        OSError: a process ended early.

    """
    split = splitter(pattern, unicode_version)
    counts: Counter[str] = Counter()
    texts = iter(texts)
    characters = 0
    for text in texts:
        counts.update(split(join_surrogates(text)))
        characters += len(text)
        if jobs > 1 and characters >= MIN_CHARACTERS_FOR_PROCESSES:
            break
    # The iterator is exhausted unless the loop was left early.
    if batch := next(batches := _batches(texts), None):
        with _processes(jobs, pattern, unicode_version) as processes:
            for part in _count_in_processes(batch, batches, processes):
                counts.update(part)
    return counts


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch, size = [], 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _count_in_processes(
    batch: list[str] | None, batches: Iterator[list[str]], processes: list[Connection]
) -> Iterator[Counter[str]]:
    sent = dict.fromkeys(processes, 0)
    while batch:
        # Sending blocks while the process still counts an earlier batch.
        process = min(sent, key=sent.__getitem__)
        sent[process] += sum(map(len, batch))
        with _child_process_errors():
            process.send(batch)
        batch = next(batches, None)
    with _child_process_errors():
        for process in processes:
            process.send(None)
    for process in processes:
        with _child_process_errors():
            counts = process.recv()
        yield counts


@contextmanager
def _child_process_errors() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError) as error:
        raise ChildProcessError(
            "a process that counts pre-tokens ended early, perhaps because it ran out of memory: "
            "use fewer jobs"
        ) from error


@contextmanager
def _processes(jobs: int, pattern: str, unicode_version: str) -> Iterator[list[Connection]]:
    """Start the processes; yield the pipes to them."""
    context = multiprocessing.get_context("spawn")
    processes, pipes = [], []
    # Only this process handles Ctrl-C: children inherit the blocked signal. The resource tracker,
    # which all of them share, would unblock it and therefore has to run already.
    resource_tracker.ensure_running()
    old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        for _ in range(jobs):
            pipe, child_pipe = context.Pipe()
            arguments = (child_pipe, pattern, unicode_version)
            process = context.Process(target=_count, args=arguments, daemon=True)
            process.start()
            child_pipe.close()
            processes.append(process)
            pipes.append(pipe)
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)
        yield pipes
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)
        for pipe in pipes:
            pipe.close()
        for process in processes:
            process.terminate()
            process.join()


def _count(pipe: Connection, pattern: str, unicode_version: str) -> None:
    """Count the texts from the pipe up to None, then send the counts."""
    split = splitter(pattern, unicode_version)
    counts: Counter[str] = Counter()
    try:
        while (texts := pipe.recv()) is not None:
            for text in texts:
                counts.update(split(join_surrogates(text)))
        pipe.send(counts)
    except (EOFError, OSError):  # the parent process has ended
        return


def train(
    texts: Iterable[str],
    *,
    vocab_size: int,
    pattern: str,
    special_tokens: Sequence[str] = (),
    unicode_version: str | None = None,
    name: str = "trained",
) -> ByteBPE:
    """Train a tokenizer of ``vocab_size`` ordinary tokens; special tokens get the ids after them.

    It has fewer tokens if no pair occurs at least twice. The result does not depend on the order of
    the texts. ``unicode_version`` applies to the pre-tokens of the training and of the result.

    Raises:
        ValueError: ``vocab_size`` is below 256, or ByteBPE refuses the vocabulary.

    """
    unicode_version = unicode_version or versions.REGEX_VERSION
    counts = count_pretokens(texts, pattern, unicode_version)
    ranks = learn_ranks(counts, vocab_size)
    return make_vocabulary(name, pattern, ranks, special_tokens, unicode_version)


def make_vocabulary(
    name: str,
    pattern: str,
    ranks: Mapping[bytes, int],
    special_tokens: Sequence[str],
    unicode_version: str,
) -> ByteBPE:
    """Return the tokenizer of learned ranks; raises ValueError as ByteBPE does."""
    specials = {text: len(ranks) + index for index, text in enumerate(special_tokens)}
    return ByteBPE(name, pattern, ranks, specials, unicode_version)


def learn_ranks(
    counts: Mapping[str, int],
    vocab_size: int,
    *,
    ties: Ties = "bytes",
    progress: Callable[[int], object] | None = None,
) -> dict[bytes, int]:
    """Learn the ranks of tokens from pre-tokens and their counts.

    Ids 0 to 255 are the bytes by value; then come the tokens in the order of their merges. The
    most frequent pair is merged; ``ties`` decides between equally frequent pairs. ``progress`` is
    called with the number of tokens after each merge.

    Raises:
        ValueError: ``vocab_size`` is below 256 or above ``MAX_TOKENS``.

    """
    if vocab_size < 256:
        raise ValueError(f"a vocabulary of {vocab_size} tokens is too small for the 256 bytes")
    if vocab_size > MAX_TOKENS:
        raise ValueError(f"a vocabulary of {vocab_size} tokens is too large: at most {MAX_TOKENS}")
    ranks = {bytes([byte]): byte for byte in range(256)}
    for left, right in takewhile(lambda _: len(ranks) < vocab_size, merges(counts, ties)):
        ranks[left + right] = len(ranks)
        if progress is not None:
            progress(len(ranks))
    return ranks
