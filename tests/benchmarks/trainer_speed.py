"""Compare the speed of ``tokharness train`` with the trainers of libraries, one thread each.

    python tests/benchmarks/trainer_speed.py [NAME...] [--megabytes N] [--size N] [--repeat N]

The corpus is source code, files of the standard library and of installed packages that all differ.
Both sides are commands, timed from start to end, alternating; the best repetition counts. CPU
seconds are of the same run, and show whether the machine was busy. Memory is the peak of the
process. NAME is a key of ``TRAINERS``; another trainer is one more entry. Those marked slow run
only if they are named.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from training_speed import run_measured, source_code


def hugging_face_byte_bpe(texts, size, out):
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=size, min_frequency=2, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.save(out)


def hugging_face_char_bpe(texts, size, out):
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(end_of_word_suffix="</w>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("[ \n]+"), "removed")
    trainer = trainers.BpeTrainer(
        vocab_size=size, min_frequency=2, end_of_word_suffix="</w>", show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.save(out)


def hugging_face_wordpiece(texts, size, out):
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.WordPiece())
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=size, min_frequency=2, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.save(out)


def subword_nmt(texts, size, out):
    from subword_nmt.learn_bpe import learn_bpe

    lines = [f"{line}\n" for text in texts for line in text.splitlines()]
    with Path(out).open("w", encoding="utf-8") as codes:
        learn_bpe(lines, codes, size, total_symbols=True)


def sentencepiece(model, texts, size, out):
    import io

    from sentencepiece import SentencePieceTrainer

    written = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter([line for text in texts for line in text.split("\n")]),
        model_writer=written,
        model_type=model,
        vocab_size=size + 3,
        num_threads=1,
        minloglevel=2,
    )
    Path(out).write_bytes(written.getvalue())


TRAINERS = {
    "byte-bpe": (["--model", "byte-bpe", "--pattern", "r50k"], hugging_face_byte_bpe),
    "char-bpe": (["--model", "char-bpe"], hugging_face_char_bpe),
    "wordpiece": (["--model", "wordpiece"], hugging_face_wordpiece),
    "subword-nmt": (["--model", "char-bpe"], subword_nmt),
    "sentencepiece-bpe": (["--model", "sentencepiece-bpe"], partial(sentencepiece, "bpe")),
    "unigram": (["--model", "unigram"], partial(sentencepiece, "unigram")),
}
"""The words of our command, and the function of a library that trains on the same texts."""

SLOW = {"subword-nmt", "unigram"}
THREADS = {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "true"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(TRAINERS))
    parser.add_argument("--megabytes", type=float, default=20)
    parser.add_argument("--size", type=int, default=8_000)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--theirs", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.theirs:
        run_theirs(*arguments.names, *arguments.theirs, arguments.size)
        return
    files, size = source_code(arguments.megabytes * 1e6)
    print(f"{arguments.size:,} tokens of {len(files):,} files, {size:,} bytes")
    print(f"{'':<18}{'tokharness':>26}{'library':>26}{'ratios':>14}")
    for name in arguments.names or [name for name in TRAINERS if name not in SLOW]:
        with tempfile.TemporaryDirectory() as folder:
            print(row(name, files, Path(folder), arguments), flush=True)


def run_theirs(name, names, out, size):
    texts = [Path(line).read_bytes().decode() for line in Path(names).read_text().splitlines()]
    TRAINERS[name][1](texts, size, out)


def row(name, files, folder, arguments):
    """Return a line of the table: seconds, CPU seconds and memory of each side, and the ratios."""
    best = [
        min(times)
        for times in zip(
            *(both(name, files, folder, arguments) for _ in range(arguments.repeat)), strict=True
        )
    ]
    ours, theirs = best
    sides = "".join(f"{wall:>8.1f} s{cpu:>6.1f} s{memory:>5.0f} MB" for wall, cpu, memory in best)
    return f"{name:<18}{sides}{ours[0] / theirs[0]:>8.2f}{ours[1] / theirs[1]:>6.2f}"


def both(name, files, folder, arguments):
    size = str(arguments.size)
    words, _ = TRAINERS[name]
    command = [sys.executable, "-m", "tokharness", "train", *map(str, files), *words]
    command += ["--vocab-size", size, "--jobs", "1", "--out", str(folder / "ours.txt")]
    ours = run_measured(command, stderr=subprocess.DEVNULL)
    names = folder / "files"
    names.write_text("\n".join(map(str, files)))
    command = [sys.executable, __file__, name, "--size", size]
    command += ["--theirs", str(names), str(folder / "theirs")]
    theirs = run_measured(command, env=os.environ | THREADS, stderr=subprocess.DEVNULL)
    return ours, theirs


if __name__ == "__main__":
    main()
