"""``tokharness train``: train a byte-level BPE vocabulary."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tokharness.plugins.kinds import Train
    from tokharness.training import TrainingOptions, TrainingResult

__all__ = ["command"]


@click.command("train")
@click.argument("corpus", nargs=-1, required=True, metavar="CORPUS...")
@click.option(
    "--vocab-size",
    type=int,
    required=True,
    metavar="N",
    help="Number of tokens, including the 256 bytes, not including special tokens.",
)
@click.option(
    "--pattern",
    default="o200k",
    show_default=True,
    metavar="r50k|cl100k|o200k|REGEX",
    help="Pattern that splits text into pre-tokens; no token spans two of them.",
)
@click.option(
    "--out",
    required=True,
    metavar="FILE",
    help="Write FILE, in the .tiktoken format, and FILE.json.",
)
@click.option(
    "--special-token", multiple=True, metavar="TEXT", help="Add this special token; repeatable."
)
@click.option(
    "--name", metavar="NAME", show_default="FILE without .tiktoken", help="Name of the vocabulary."
)
@click.option(
    "--unicode-version",
    metavar="VERSION",
    show_default="that of the regex library",
    help="Unicode version of the character classes in the pattern, such as 16.0.",
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
    vocab_size: int,
    pattern: str,
    out: str,
    special_token: tuple[str, ...],
    name: str | None,
    unicode_version: str | None,
    json_lines: bool,
    text_key: str,
    jobs: str,
) -> int:
    """Train a byte-level BPE vocabulary on CORPUS.

    CORPUS names UTF-8 files, quoted glob patterns such as 'src/**/*.py', or - for standard input.
    Files named .jsonl or .ndjson have one text per line: a JSON string, or an object that has one.
    Each file is read once. Of equally frequent pairs, the one with the smallest bytes is merged,
    so the order of the texts does not matter.

    Long files are read in pieces of about a megabyte. A piece ends before a space, where r50k,
    cl100k and o200k always split.
    """
    import time

    from tokharness.cli._corpus import Corpus, expand_files
    from tokharness.cli._option_values import parse_jobs
    from tokharness.cli._training_bar import training_bar
    from tokharness.interrupts import register
    from tokharness.training import TrainingOptions

    start = time.monotonic()
    texts = Corpus(expand_files(corpus), json_lines=json_lines, text_key=text_key)
    path = _output_path(out, texts.files)
    training = TrainingOptions(
        vocab_size,
        pattern,
        special_token,
        unicode_version,
        name or path.name.removesuffix(".tiktoken"),
        parse_jobs(jobs),
    )
    train = _train_function()
    for file in (f"{path}.partial", f"{path}.json.partial"):
        register(str(Path(file).absolute()))
    with training_bar(texts.size, vocab_size) as bar:
        trained = train(texts.texts(bar.read), path, training, bar.made)
    _print_summary(trained, path, training, time.monotonic() - start)
    return 0


def _output_path(out: str, corpus: tuple[str, ...]) -> Path:
    """Return the path of the output; raises UsageError if it or its side file is not writable."""
    from tokharness.atomic_write import check_writable, is_stream
    from tokharness.errors import UsageError

    path = Path(out)
    inputs = {os.path.realpath(name) for name in corpus}
    for file in (path, Path(f"{path}.json")):
        if os.path.realpath(file) in inputs:
            raise UsageError(f"{file} is a file of the corpus: choose another with --out")
        if is_stream(file):
            raise UsageError(f"cannot write to {file}: it is a link or not a regular file")
        try:
            check_writable(file)
        except OSError as error:
            raise UsageError(f"cannot write to {file}: {error.strerror}") from error
    return path


def _train_function() -> Train:
    from tokharness import plugins
    from tokharness.errors import PluginError

    train = plugins.find("target scheme", "reference", plugins.adapters()).train
    if train is None:
        raise PluginError("the adapter of the scheme 'reference' has no function train")
    return train


def _print_summary(
    trained: TrainingResult, path: Path, training: TrainingOptions, seconds: float
) -> None:
    """Print what was written, its time and memory, and what to do next."""
    from tokharness.escaping import shell, terminal
    from tokharness.formats._wording import pluralize

    special = len(training.special_tokens)
    tokens = pluralize(trained.tokens, "token") + (f" and {special:,} special" if special else "")
    shown = terminal(str(path))
    cost = f"{seconds:.1f}s, {_peak_memory()}"
    corpus = pluralize(trained.corpus_bytes, "byte")
    lines = [f"wrote {shown} and {shown}.json: {tokens} from {corpus} in {cost}"]
    if trained.tokens < training.vocab_size:
        lines.append(
            f"fewer than {training.vocab_size:,} tokens: no pair of tokens occurs twice now"
        )
    if trained.uncovered_characters:
        lost = pluralize(trained.uncovered_characters, "character")
        lines.append(
            f"the pattern does not match {lost} of the corpus; such characters are lost when a "
            "text is encoded"
        )
    # A bare name without the suffix would name a known vocabulary.
    plain = path.suffix == ".tiktoken" or len(path.parts) > 1
    spec = f"tiktoken:{path if plain else f'./{path}'}"
    lines.append(f"next: tokharness fuzz {shell(spec)}")
    for line in lines:
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
