"""Compare the speed of training with Hugging Face's trainer, with the same pre-tokens.

    python tests/benchmarks/training_speed.py --python PATH [--repeat N] [--megabytes N] [--size N]

PATH is a Python that has `tokenizers`; TOKHARNESS_TEST_TOKENIZERS may name it too. The corpus is
source code: files of the standard library and of installed packages, one text each, in random
order. Both sides are commands, timed from start to end: `tokharness train` with one and two
processes, and `hugging_face_trainer.py` with one and two threads, alternating; the best repetition
counts. CPU seconds are of the same run, and show whether the machine was busy. Memory is the peak
of the largest process. In the end the merges are compared once, by Hugging Face's order of pairs
with equal counts.
"""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import sysconfig
import tempfile
import time
from itertools import islice
from pathlib import Path

from tokharness_tokenizers.reference.byte_bpe_training import count_pretokens, merges
from tokharness_tokenizers.reference.patterns import R50K

SEED = 20240229
THEIRS = Path(__file__).with_name("hugging_face_trainer.py")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", default=os.environ.get("TOKHARNESS_TEST_TOKENIZERS"))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--megabytes", type=float, default=50)
    parser.add_argument("--size", type=int, default=32_000)
    parser.add_argument("--unicode-version", default="16.0", help="that of their pre-tokenizer")
    arguments = parser.parse_args()
    if arguments.python is None:
        parser.error("--python needs a Python that has tokenizers")
    files, size = source_code(arguments.megabytes * 1e6)
    corpus = f"{len(files):,} files, {size:,} bytes"
    print(f"{arguments.size:,} tokens of {corpus}; best of {arguments.repeat}")
    with tempfile.TemporaryDirectory() as folder:
        measure(files, Path(folder), arguments)
        compare(files, Path(folder), arguments)


def source_code(size):
    """Return distinct Python files up to ``size`` bytes, and their total size."""
    folders = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib")}
    names = sorted(path for folder in folders for path in folder.rglob("*.py"))
    random.Random(SEED).shuffle(names)
    files, total = {}, 0
    for path in names:
        data = path.read_bytes()
        digest = hashlib.sha256(data).digest()
        if data and digest not in files and is_utf8(data):
            files[digest] = path
            total += len(data)
        if total >= size:
            break
    return list(files.values()), total


def is_utf8(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def measure(files, folder, arguments):
    """Print seconds, CPU seconds and memory of each side, and the ratios."""
    best = {}
    for _ in range(arguments.repeat):
        for workers in (1, 2):
            for run in (ours, theirs):
                result = run(files, folder, arguments, workers)
                best[run, workers] = min(result, best.get((run, workers), result))
    print(f"{'':<10}{'tokharness':>32}{'Hugging Face':>32}{'ratios':>14}")
    for workers in (1, 2):
        our_best, their_best = best[ours, workers], best[theirs, workers]
        row = "".join(f"{a:>10.2f} s{b:>8.2f} s{c:>7.0f} MB" for a, b, c in (our_best, their_best))
        ratios = f"{our_best[0] / their_best[0]:>8.2f}{our_best[1] / their_best[1]:>6.2f}"
        print(f"{workers} {'parallel':<8}{row}{ratios}")


def ours(files, folder, arguments, workers):
    """Return seconds, CPU seconds and megabytes of our command."""
    command = [sys.executable, "-m", "tokharness", "train", *map(str, files)]
    command += ["--pattern", "r50k", "--vocab-size", str(arguments.size), "--jobs", str(workers)]
    command += [
        "--unicode-version",
        arguments.unicode_version,
        "--out",
        str(folder / "ours.tiktoken"),
    ]
    return run_measured(command, stderr=subprocess.DEVNULL)


def theirs(files, folder, arguments, workers):
    """Return seconds, CPU seconds and megabytes of Hugging Face's trainer."""
    names = folder / "files"
    names.write_text("\n".join(map(str, files)))
    settings = {"RAYON_NUM_THREADS": str(workers), "TOKENIZERS_PARALLELISM": "true"}
    command = [arguments.python, str(THEIRS), str(arguments.size), str(folder / "merges")]
    with names.open() as stdin:
        return run_measured(command, stdin=stdin, env=os.environ | settings)


def run_measured(command, **options):
    begin = time.perf_counter()
    process = subprocess.Popen(command, **options)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[0]} failed")
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6


def compare(files, folder, arguments):
    """Print whether the merges are equal under their order, and how many tokens ours share."""
    expected = [
        tuple(map(bytes.fromhex, pair)) for pair in json.loads((folder / "merges").read_text())
    ]
    texts = (path.read_bytes().decode() for path in files)
    counts = count_pretokens(texts, R50K, arguments.unicode_version)
    by_ids = list(islice(merges(counts, "ids"), len(expected)))
    by_bytes = {left + right for left, right in islice(merges(counts), len(expected))}
    shared = sum(left + right in by_bytes for left, right in expected)
    verdict = "the same" if by_ids == expected else "DIFFERENT"
    print(f"with their order of ties: {verdict} {len(expected):,} merges")
    print(f"with ours: {shared:,} of their tokens")


if __name__ == "__main__":
    main()
