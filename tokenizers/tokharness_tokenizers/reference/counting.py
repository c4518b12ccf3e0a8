"""Counting of pre-tokens, in this process or in several.

The processes are fed through pipes and end with the one that feeds them, whatever ends it. What
crosses these is pickled, since nobody else's code runs there. They start anew and do not fork,
since whoever calls may have threads: a progress bar is one.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import Counter
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.splitting import joined_surrogates, splitter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from multiprocessing.connection import Connection

__all__ = ["count_pretokens"]

WORTH_PROCESSES = 4_000_000
"""Characters that are counted here before processes start: for fewer they do not pay."""

BATCH = 500_000
"""Characters, and a text more, that a process is sent at once."""


def count_pretokens(
    texts: Iterable[str], pattern: str, unicode_version: str, *, jobs: int = 1
) -> Counter[str]:
    """Count the pre-tokens of texts; the result is the same whatever ``jobs``, but for its order.

    With more than one of ``jobs``, so many processes count what comes after the first few million
    characters; a program that calls this from its main module has to guard that as
    ``multiprocessing`` says. Raises ValueError as :func:`.splitting.splitter` does, and OSError if
    a process ends early.
    """
    split = splitter(pattern, unicode_version)
    counts: Counter[str] = Counter()
    texts = iter(texts)
    counted = 0
    for text in texts:
        counts.update(split(joined_surrogates(text)))
        counted += len(text)
        if jobs > 1 and counted >= WORTH_PROCESSES:
            break
    # Whether texts are left or not, the iterator says.
    if batch := next(batches := _batches(texts), None):
        with _processes(jobs, pattern, unicode_version) as processes:
            for found in _counted_there(batch, batches, processes):
                counts.update(found)
    return counts


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch, size = [], 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _counted_there(
    batch: list[str] | None, batches: Iterator[list[str]], processes: list[Connection]
) -> Iterator[Counter[str]]:
    sent = dict.fromkeys(processes, 0)
    while batch:
        # The pipe makes us wait where the process has not counted what it was sent before.
        process = min(sent, key=sent.__getitem__)
        sent[process] += sum(map(len, batch))
        with _end_is_told():
            process.send(batch)
        batch = next(batches, None)
    with _end_is_told():
        for process in processes:
            process.send(None)
    for process in processes:
        with _end_is_told():
            found = process.recv()
        yield found


@contextmanager
def _end_is_told() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError) as error:
        raise ChildProcessError(
            "a process that counts pre-tokens has ended early, perhaps for want of memory: "
            "take fewer jobs"
        ) from error


@contextmanager
def _processes(jobs: int, pattern: str, unicode_version: str) -> Iterator[list[Connection]]:
    """Start the processes; gives the pipes to them."""
    context = multiprocessing.get_context("spawn")
    started, pipes = [], []
    # An interrupt is for this process alone: children keep what is blocked where they start. The
    # tracker, which they all have, unblocks it.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            arguments = (theirs, pattern, unicode_version)
            process = context.Process(target=_count, args=arguments, daemon=True)
            process.start()
            theirs.close()
            started.append(process)
            pipes.append(ours)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield pipes
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for pipe in pipes:
            pipe.close()
        for process in started:
            process.terminate()
            process.join()


def _count(asked: Connection, pattern: str, unicode_version: str) -> None:
    """Count what comes through the pipe, up to None, and answer; without an end there is none."""
    split = splitter(pattern, unicode_version)
    counts: Counter[str] = Counter()
    try:
        while (texts := asked.recv()) is not None:
            for text in texts:
                counts.update(split(joined_surrogates(text)))
        asked.send(counts)
    except (EOFError, OSError):  # whoever asked has gone, perhaps within a batch
        return
