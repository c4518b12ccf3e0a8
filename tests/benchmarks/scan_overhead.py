"""Measure a scan against the bare calls over the same documents, in two processes each.

    python tests/benchmarks/scan_overhead.py [--megabytes N] [--target SPEC] [--against SPEC]

The corpus is made of the texts that Python's installation has: documents of about 2,500 characters,
as JSON lines. The bare calls read the same lines, and encode and decode each document; with
``--against``, they also encode it with the other target. Both columns have the time from the start
of the first process to the end of the last one, so that both load the target, and the processor
time of all processes. The scan also has the largest memory of all its processes together. Repeated
runs alternate, so that other load on the machine affects both.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path

CHARACTERS = 2500
SUFFIXES = (".py", ".md", ".rst", ".txt", ".json", ".html", ".pyi")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--target", default="tiktoken:cl100k_base")
    parser.add_argument("--against", default="none")
    parser.add_argument("--repeat", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.jsonl")
        make_corpus(corpus, arguments.megabytes * 1_000_000)
        print(f"{corpus.stat().st_size / 1e6:.0f} MB; {arguments.target}, {arguments.against}")
        for _ in range(arguments.repeat):
            bare = timed(lambda: bare_calls(corpus, arguments.target, arguments.against))
            scan = timed(lambda: scan_of(corpus, arguments.target, arguments.against))
            print(
                f"bare {bare[0]:.1f} s, {bare[1]:.1f} s of the processor; "
                f"scan {scan[0]:.1f} s, {scan[1]:.1f} s, {scan[2] / 1e6:.0f} MB; "
                f"ratio {scan[0] / bare[0]:.2f}, {scan[1] / bare[1]:.2f}"
            )


def make_corpus(path, size):
    """Write documents until the file has this size; texts are repeated if there are too few."""
    files = sorted(
        file
        for root in {sys.prefix, sys.base_prefix}
        for file in Path(root).rglob("*")
        if file.suffix in SUFFIXES and file.is_file()
    )
    written = 0
    with path.open("w") as out:
        while written < size:
            for file in files:
                text = file.read_text("utf-8", "replace")
                for start in range(0, len(text), CHARACTERS):
                    line = json.dumps({"text": text[start : start + CHARACTERS]}) + "\n"
                    written += out.write(line)
                    if written >= size:
                        return


def timed(run):
    """Return the seconds of the clock and of the processor, and the result."""
    begin, before = time.perf_counter(), children_seconds()
    result = run()
    return time.perf_counter() - begin, children_seconds() - before, result


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def bare_calls(corpus, target, against):
    size = corpus.stat().st_size
    halves = [(corpus, 0, size // 2, target, against), (corpus, size // 2, size, target, against)]
    with get_context("spawn").Pool(2) as pool:
        pool.starmap(bare_half, halves, chunksize=1)
        pool.close()
        pool.join()
    return 0


def bare_half(path, start, end, target, against):
    import tiktoken

    encoding = tiktoken.get_encoding(target.removeprefix("tiktoken:"))
    other = None
    if against != "none":
        other = tiktoken.get_encoding(against.removeprefix("tiktoken:")).encode_ordinary
    with path.open("rb") as file:
        file.seek(start)
        if start:
            file.readline()
        while file.seek(0, os.SEEK_CUR) < end and (line := file.readline()):
            text = json.loads(line)["text"]
            encoding.decode(encoding.encode_ordinary(text))
            if other is not None:
                other(text)


def scan_of(corpus, target, against):
    """Scan, and return the largest memory that the processes had together, looked at often."""
    words = ("scan", corpus, target, "--against", against, "--jobs", "2", "--fail-on", "never")
    process = subprocess.Popen(
        [sys.executable, "-m", "tokharness", *map(str, words)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    largest = 0
    while process.poll() is None:
        largest = max(largest, sum(map(memory_of, family_of(process.pid))))
        time.sleep(0.2)
    if process.returncode:
        raise RuntimeError(f"the scan ended with {process.returncode}")
    return largest


def family_of(number):
    """Return a process and the processes that it has started, as Linux knows them."""
    try:
        tasks = Path(f"/proc/{number}/task").iterdir()
        words = " ".join((task / "children").read_text() for task in tasks).split()
    except OSError:
        return [number]
    return [number, *(one for child in words for one in family_of(int(child)))]


def memory_of(number):
    try:
        pages = int(Path(f"/proc/{number}/statm").read_text().split()[1])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
