"""``tokharness train``: train a byte-level BPE vocabulary, and write it to a file."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tokharness.plugins import Train
    from tokharness.training import Trained, Training

__all__ = ["command"]


@click.command("train")
@click.argument("corpus", nargs=-1, required=True, metavar="CORPUS...")
@click.option(
    "--vocab-size",
    type=int,
    required=True,
    metavar="N",
    help="Ordinary tokens to make, the 256 bytes among them; special tokens come after.",
)
@click.option(
    "--pattern",
    default="o200k",
    show_default=True,
    metavar="r50k|cl100k|o200k|REGEX",
    help="What cuts a text into pre-tokens, which no token crosses.",
)
@click.option(
    "--out", required=True, metavar="FILE", help="Write here, and to FILE.json: a .tiktoken file."
)
@click.option("--special-token", multiple=True, metavar="TEXT", help="Add this special token.")
@click.option("--name", metavar="NAME", show_default="of FILE", help="Name of the vocabulary.")
@click.option(
    "--unicode-version",
    metavar="VERSION",
    show_default="of the regex library",
    help="Version of Unicode, such as 16.0, by which the pattern tells characters apart.",
)
@click.option("--json-lines", is_flag=True, help="Read all CORPUS as JSON lines, - too.")
@click.option(
    "--text-key",
    default="text",
    show_default=True,
    metavar="KEY",
    help="Where an object in JSON lines has the text.",
)
@click.option(
    "--jobs",
    metavar="N|auto",
    default="auto",
    show_default=True,
    help="Processes that count pre-tokens of a large corpus; they do not change what is made.",
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
    """Train a byte-level BPE vocabulary of N tokens on the texts of CORPUS.

    CORPUS are UTF-8 files, quoted patterns of them such as 'src/**/*.py', or - for the standard
    input. Files named .jsonl or .ndjson have a text a line: a JSON string, or an object with one.
    Each file is read once. Of pairs that are as frequent, the least by its bytes is merged, so the
    order of the texts does not matter.

    Long files are read in pieces of about a megabyte, which end before a space; there the patterns
    that have a name cut anyway.
    """
    import time

    from tokharness.cli._corpus import Corpus, files_of
    from tokharness.cli._run_options import jobs_of
    from tokharness.cli._training_bar import training_bar
    from tokharness.training import Training

    began = time.monotonic()
    texts = Corpus(files_of(corpus), json_lines=json_lines, text_key=text_key)
    path = _to_write(out, texts.files)
    training = Training(
        vocab_size,
        pattern,
        special_token,
        unicode_version,
        name or path.name.removesuffix(".tiktoken"),
        jobs_of(jobs),
    )
    train = _trainer()
    with training_bar(texts.size, vocab_size) as bar:
        done = train(texts.texts(bar.read), path, training, bar.made)
    _tell(done, path, training, time.monotonic() - began)
    return 0


def _to_write(out: str, corpus: tuple[str, ...]) -> Path:
    """Path of the output, after making sure that it and its side file can be written."""
    from tokharness.atomic_write import is_stream, try_to_write
    from tokharness.errors import UsageError

    path = Path(out)
    read = {os.path.realpath(name) for name in corpus}
    for one in (path, Path(f"{path}.json")):
        if os.path.realpath(one) in read:
            raise UsageError(f"{one} is a file of the corpus: write to another with --out")
        if is_stream(one):
            raise UsageError(f"cannot write to {one}: it is a link or no file; name another")
        try:
            try_to_write(one)
        except OSError as error:
            raise UsageError(f"cannot write to {one}: {error.strerror}") from error
    return path


def _trainer() -> Train:
    from tokharness import plugins
    from tokharness.errors import PluginError

    train = plugins.find("target scheme", "reference", plugins.adapters()).train
    if train is None:
        raise PluginError("the adapter of the scheme 'reference' has no function train")
    return train


def _tell(done: Trained, path: Path, training: Training, seconds: float) -> None:
    """Say what was written and what it took, and what to do with it."""
    from tokharness.escaping import shell, terminal

    special = len(training.special_tokens)
    made = f"{done.tokens:,} tokens" + (f" and {special:,} special" if special else "")
    took = f"{seconds:.1f} s, {_peak_memory()}"
    shown = terminal(str(path))
    lines = [f"wrote {shown} and {shown}.json: {made}, of {done.size:,} bytes; {took}"]
    if done.tokens < training.vocab_size:
        lines.append(
            f"not all of {training.vocab_size:,} tokens: no pair of tokens occurs twice any more"
        )
    if done.left_out:
        one = done.left_out == 1
        lost = "1 character" if one else f"{done.left_out:,} characters"
        lines.append(
            f"the pattern leaves out {lost} of the corpus, which {'is' if one else 'are'} lost in "
            "whatever is encoded"
        )
    # A bare name without the suffix is that of a vocabulary that is known.
    plain = path.suffix == ".tiktoken" or len(path.parts) > 1
    spec = f"tiktoken:{path if plain else f'./{path}'}"
    lines.append(f"next: tokharness fuzz {shell(spec)}")
    for line in lines:
        click.echo(line, err=True)


def _peak_memory() -> str:
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    here, there = (
        resource.getrusage(who).ru_maxrss * unit / 1e6
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    counting = f", and {there:,.0f} MB in each process that counted" if there else ""
    return f"peak memory {here:,.0f} MB{counting}"
