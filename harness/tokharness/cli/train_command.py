"""``tokharness train``: train a vocabulary."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tokharness.plugins.kinds import Trainer
    from tokharness.training import TrainingOptions, TrainingResult


@click.command("train")
@click.argument("corpus", nargs=-1, required=True, metavar="CORPUS...")
@click.option(
    "--model",
    default="byte-bpe",
    show_default=True,
    metavar="MODEL",
    help="Kind of vocabulary, from the list above; it decides the format of FILE.",
)
@click.option(
    "--vocab-size",
    type=int,
    required=True,
    metavar="N",
    help="Number of tokens, including single bytes or characters, not including special tokens.",
)
@click.option(
    "--out",
    required=True,
    metavar="FILE",
    help="Write FILE; byte-bpe and wordpiece also write FILE.json, char-bpe FILE.vocab.",
)
@click.option(
    "--pattern",
    metavar="r50k|cl100k|o200k|REGEX",
    show_default="o200k",
    help="byte-bpe: pattern that splits text into pre-tokens; no token spans two pre-tokens.",
)
@click.option(
    "--special-token", multiple=True, metavar="TEXT", help="Add this special token; repeatable."
)
@click.option(
    "--name",
    metavar="NAME",
    show_default="FILE without .tiktoken",
    help="byte-bpe: name of the vocabulary.",
)
@click.option(
    "--unicode-version",
    metavar="VERSION",
    show_default="the version of the regex library",
    help="byte-bpe: Unicode version of the character classes in the pattern, such as 16.0.",
)
@click.option(
    "--lowercase",
    is_flag=True,
    default=None,
    help="wordpiece: make texts lower case and remove accents.",
)
@click.option(
    "--character-coverage",
    type=float,
    metavar="FRACTION",
    help="Fraction of the corpus that the characters of the vocabulary cover, such as 0.9995.",
)
@click.option(
    "--min-frequency",
    type=int,
    metavar="N",
    show_default="2",
    help="wordpiece: merge no pair of tokens that occurs less often.",
)
@click.option(
    "--max-piece-length", type=int, metavar="N", help="Number of characters of the longest token."
)
@click.option(
    "--normalization",
    metavar="nmt_nfkc|identity",
    show_default="nmt_nfkc",
    help="unigram, sentencepiece-bpe: normalization of texts.",
)
@click.option(
    "--byte-fallback",
    is_flag=True,
    default=None,
    help="unigram, sentencepiece-bpe: encode unknown characters as bytes.",
)
@click.option("--json-lines", is_flag=True, help="Read all of CORPUS, also -, as JSON lines.")
@click.option(
    "--text-key",
    default="text",
    show_default=True,
    metavar="KEY",
    help="Key of the text in JSON lines that are objects.",
)
@click.option(
    "--jobs",
    metavar="N|auto",
    default="auto",
    show_default=True,
    help="Number of processes for a large corpus; the result does not depend on it.",
)
def command(
    *,
    corpus: tuple[str, ...],
    model: str,
    vocab_size: int,
    out: str,
    json_lines: bool,
    text_key: str,
    jobs: str,
    special_token: tuple[str, ...],
    **options: Any,
) -> int:
    """Train a vocabulary on CORPUS.

    CORPUS names UTF-8 files, quoted glob patterns such as 'src/**/*.py', or - for standard input.
    Files named .jsonl or .ndjson have one text per line: a JSON string, or an object that has one.
    Each file is read once. The order of the texts does not matter.

    \b
    byte-bpe           byte-level BPE, as tiktoken's ranks and a side file
    char-bpe           BPE over characters, as subword-nmt's codes and vocabulary
    sentencepiece-bpe  BPE of SentencePiece, as its model
    unigram            Unigram language model, as a SentencePiece model
    wordpiece          WordPiece, as BERT's vocab.txt and a side file

    Long files are read in pieces of about a megabyte. A piece ends before a space, where r50k,
    cl100k and o200k always split.
    """  # noqa: D301 - click reads the backspace
    import time

    from tokharness import plugins
    from tokharness.cli._progress import training_bar
    from tokharness.cli._run_request import parse_jobs
    from tokharness.corpora.files import Corpus, expand_files
    from tokharness.interrupts import register
    from tokharness.training import TrainingOptions

    start = time.monotonic()
    texts = Corpus(expand_files(corpus), json_lines=json_lines, text_key=text_key)
    reference = plugins.find("target scheme", "reference", plugins.adapters())
    trainer = plugins.find("model", model, reference.trainers())
    paths = _output_paths(out, trainer, texts.files)
    training = TrainingOptions(vocab_size, parse_jobs(jobs), special_token, **options)
    _refuse_unused(training, trainer)
    for file in paths:
        register(str(Path(f"{file}.partial").absolute()))
    with training_bar(texts.size, vocab_size) as bar:
        trained = trainer.train(texts.texts(bar.read), paths[0], training, bar.made)
    _print_summary(trained, paths, trainer.spec(paths[0]), time.monotonic() - start)
    return 0


def _output_paths(out: str, trainer: Trainer, corpus: tuple[str, ...]) -> list[Path]:
    """Return the paths of the output and its side files; raises UsageError if not writable."""
    from tokharness.atomic_write import check_writable, is_stream
    from tokharness.errors import UsageError

    path = Path(out)
    paths = [path, *(Path(f"{path}{suffix}") for suffix in trainer.side_suffixes)]
    inputs = {os.path.realpath(name) for name in corpus}
    for file in paths:
        if os.path.realpath(file) in inputs:
            raise UsageError(f"{file} is a file of the corpus: choose another with --out")
        if is_stream(file):
            raise UsageError(f"cannot write to {file}: it is a link or not a regular file")
        try:
            check_writable(file)
        except OSError as error:
            raise UsageError(f"cannot write to {file}: {error.strerror}") from error
    return paths


def _refuse_unused(training: TrainingOptions, trainer: Trainer) -> None:
    """Raise UsageError for an option that the trainer does not use."""
    from tokharness.errors import UsageError

    unused = [name for name in training.given() if name not in trainer.options]
    if unused:
        option = unused[0].replace("special_tokens", "special_token").replace("_", "-")
        raise UsageError(f"--model {trainer.name} has no option --{option}: remove it")


def _print_summary(trained: TrainingResult, paths: list[Path], spec: str, seconds: float) -> None:
    """Print the written files, the time and memory of the training, and the next steps."""
    from tokharness.escaping import shell, terminal
    from tokharness.formats._wording import pluralize

    special = trained.special_tokens
    tokens = pluralize(trained.tokens, "token") + (f" and {special:,} special" if special else "")
    shown = " and ".join(terminal(str(path)) for path in paths)
    cost = f"{seconds:.1f}s, {_peak_memory()}"
    corpus = pluralize(trained.corpus_bytes, "byte")
    lines = [f"wrote {shown}: {tokens} from {corpus} in {cost}", *trained.notes]
    for line in (*lines, f"next: tokharness fuzz {shell(spec)}"):
        click.echo(line, err=True)


def _peak_memory() -> str:
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    own, children = (
        resource.getrusage(who).ru_maxrss * unit / 1e6
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    workers = f", {children:,.0f} MB in each worker" if children else ""
    return f"peak memory {own:,.0f} MB{workers}"
