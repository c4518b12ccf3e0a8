"""What training takes beside Hugging Face's trainer, on source code, with the same pre-tokens.

    python tests/benchmarks/training_speed.py --python PATH [--repeat N] [--megabytes N] [--size N]

PATH is a Python that has `tokenizers`; TOKHARNESS_TEST_TOKENIZERS names it too. Source code is the
files of the standard library and of what is installed here, a text each, drawn at random. Both
sides are commands, timed from start to end: `tokharness train` with one and two processes, and
`hugging_face_trainer.py` with one and two threads, in turns; the best of the repetitions counts.
The processor's seconds are of the same run, and tell it from a busy machine. The memory is the most
that the largest process had. In the end the merges are compared, once, by Hugging Face's rule of
what is merged first of pairs that are as frequent.
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

from tokharness_tokenizers.reference.counting import count_pretokens
from tokharness_tokenizers.reference.learning import merges
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
    given = parser.parse_args()
    if given.python is None:
        parser.error("--python names a Python that has tokenizers")
    files, size = source_code(given.megabytes * 1e6)
    print(f"{given.size:,} tokens of {len(files):,} files, {size:,} bytes; best of {given.repeat}")
    with tempfile.TemporaryDirectory() as folder:
        measure(files, Path(folder), given)
        compare(files, Path(folder), given)


def source_code(size):
    """Files of Python code, no two alike, until they have that many bytes; and how many."""
    folders = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib")}
    names = sorted(path for folder in folders for path in folder.rglob("*.py"))
    random.Random(SEED).shuffle(names)
    found, total = {}, 0
    for path in names:
        data = path.read_bytes()
        digest = hashlib.sha256(data).digest()
        if data and digest not in found and is_utf8(data):
            found[digest] = path
            total += len(data)
        if total >= size:
            break
    return list(found.values()), total


def is_utf8(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def measure(files, folder, given):
    """Print seconds, those of the processor and memory of each, and the ratios."""
    best = {}
    for _ in range(given.repeat):
        for workers in (1, 2):
            for run in (ours, theirs):
                found = run(files, folder, given, workers)
                best[run, workers] = min(found, best.get((run, workers), found))
    print(f"{'':<10}{'tokharness':>32}{'Hugging Face':>32}{'ratios':>14}")
    for workers in (1, 2):
        one, other = best[ours, workers], best[theirs, workers]
        row = "".join(f"{a:>10.2f} s{b:>8.2f} s{c:>7.0f} MB" for a, b, c in (one, other))
        ratios = f"{one[0] / other[0]:>8.2f}{one[1] / other[1]:>6.2f}"
        print(f"{workers} {'at once':<8}{row}{ratios}")


def ours(files, folder, given, workers):
    """Seconds, those of the processor and megabytes of our command."""
    command = [sys.executable, "-m", "tokharness", "train", *map(str, files)]
    command += ["--pattern", "r50k", "--vocab-size", str(given.size), "--jobs", str(workers)]
    command += ["--unicode-version", given.unicode_version, "--out", str(folder / "ours.tiktoken")]
    return measured(command, stderr=subprocess.DEVNULL)


def theirs(files, folder, given, workers):
    """Seconds, those of the processor and megabytes of Hugging Face's trainer."""
    names = folder / "files"
    names.write_text("\n".join(map(str, files)))
    settings = {"RAYON_NUM_THREADS": str(workers), "TOKENIZERS_PARALLELISM": "true"}
    command = [given.python, str(THEIRS), str(given.size), str(folder / "merges")]
    with names.open() as stdin:
        return measured(command, stdin=stdin, env=os.environ | settings)


def measured(command, **options):
    begin = time.perf_counter()
    process = subprocess.Popen(command, **options)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[0]} failed")
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6


def compare(files, folder, given):
    """Print whether the merges are the same by their rule, and how many tokens are by ours."""
    found = [tuple(map(bytes.fromhex, one)) for one in json.loads((folder / "merges").read_text())]
    texts = (path.read_bytes().decode() for path in files)
    counts = count_pretokens(texts, R50K, given.unicode_version)
    by_ids = list(islice(merges(counts, "ids"), len(found)))
    by_bytes = {left + right for left, right in islice(merges(counts), len(found))}
    shared = sum(left + right in by_bytes for left, right in found)
    print(
        f"by their rule of ties: {'the same' if by_ids == found else 'OTHER'} {len(found):,} merges"
    )
    print(f"by ours: {shared:,} of their tokens")


if __name__ == "__main__":
    main()
