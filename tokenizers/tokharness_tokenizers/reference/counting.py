"""Count pre-tokens, in this process or in several.

The processes get texts through pipes and end when this process ends, for whatever reason. The pipes
use pickle, since no foreign code runs there. The processes are spawned and not forked, since this
process may have threads, for example that of a progress bar.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import Counter
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.splitting import join_surrogates, splitter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from multiprocessing.connection import Connection

__all__ = ["count_pretokens"]

MIN_CHARACTERS_FOR_PROCESSES = 4_000_000
"""Characters to count in this process before others start; for fewer, they cost more time."""

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
