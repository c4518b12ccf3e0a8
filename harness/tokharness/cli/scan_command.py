"""``tokharness scan``: what a tokenizer does to each document of a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokharness.cli._shared_options import actors_of, engine_option, fail_on_option, shared_options

if TYPE_CHECKING:
    from tokharness.config import Options
    from tokharness.corpora.blocks import Reading
    from tokharness.scanning.plan import Settings


@click.command("scan")
@click.argument("names", nargs=-1, required=True, metavar="CORPUS... TARGET")
@shared_options("--against")
@click.option(
    "--out",
    metavar="FOLDER",
    help="Keep each finished part of the corpus in this folder: run the same command again to "
    "continue a scan that was stopped.",
)
@click.option(
    "--sample",
    metavar="SHARE|N",
    default="100%",
    show_default=True,
    help="Scan this share of the documents, such as 1% or 0.01, or N documents, such as 1000: "
    "chosen by their text.",
)
@click.option(
    "--compare-share",
    metavar="SHARE",
    show_default="all with --against, of N documents, or of up to 16 MB, else at least 3%",
    help="Compare this share of the documents, chosen by their text, with the reference.",
)
@click.option(
    "--text-column", metavar="NAME", help="Column of the text; by default a usual name is taken."
)
@click.option(
    "--language-column",
    metavar="NAME",
    help="Column of the language; by default `language` or `lang`, if there is one.",
)
@click.option(
    "--input-format",
    type=click.Choice(["text", "jsonl", "csv", "tsv", "parquet", "arrow"]),
    help="Format of all files; by default the end of a file's name decides, and else it is text.",
)
@click.option(
    "--documents",
    type=click.Choice(["line", "file"]),
    default="line",
    show_default=True,
    help="What a document of a text file is.",
)
@click.option(
    "--longest",
    metavar="SIZE",
    default="2M",
    show_default=True,
    help="Leave out longer documents; memory depends on it.",
)
@click.option(
    "--context",
    "contexts",
    multiple=True,
    type=click.IntRange(min=1),
    metavar="N",
    show_default="2048 to 131072",
    help="Count the documents with more than N tokens; repeatable.",
)
@click.option(
    "--tokens",
    is_flag=True,
    help="Audit the tokens, too: which unreachable tokens, merge orphans and others that the audit "
    "names occur in the corpus.",
)
@engine_option("the parts of the corpus")
@shared_options(
    *("--select", "--ignore", "--jobs", "--time-limit", "--load-limit", "--memory-limit"),
    *("--keep-going", "--format", "--report"),
)
@fail_on_option
def command(names: tuple[str, ...], *, out: str | None, **values: Any) -> int:
    """Scan the documents of each CORPUS with TARGET.

    A CORPUS is a file, a glob pattern, a folder, or an address that fsspec opens: text, JSON lines,
    CSV, Parquet or Arrow, as it is or compressed with gzip, bzip2, xz or Zstandard.

    The scan reports the documents that do not come back, that get different ids than from
    the reference, or that crash the target, by cause; what each file, language and script costs in
    tokens; which tokens are used; and control tokens, hidden characters and rows without text.
    With --against, another target takes the place of the reference: what changes on this corpus.
    """
    from dataclasses import replace

    from tokharness import plugins
    from tokharness.cli._output import emit_report, parse_report_files
    from tokharness.cli._run import collect_report, specs_of_words
    from tokharness.cli._run_request import parse_jobs, refuse_empty
    from tokharness.corpora.sources import find_sources
    from tokharness.errors import UsageError
    from tokharness.formats import _document_csv
    from tokharness.plugins import Format
    from tokharness.results.report import exit_code
    from tokharness.scanning.plan import automatic_share
    from tokharness.scanning.scan import Corpus, Place, scan

    refuse_empty(values)
    *corpora, word = names
    if not corpora:
        raise UsageError("name a corpus before the target, as in: tokharness scan data/ TARGET")
    (spec,) = specs_of_words((word,))
    against = values["against"]
    if against not in (None, "none"):
        (against,) = specs_of_words((against,))
    documents = {"csv": Format("csv", _document_csv.__doc__ or "", _document_csv.render)}
    output_format = documents.get(values["format_name"]) or plugins.find(
        "format", values["format_name"], plugins.formats()
    )
    files = parse_report_files(values["reports"], instead=documents)
    settings, options = _settings(values), _options(values, against)
    sources, left_out = find_sources(corpora, values["input_format"])
    if against is None and values["compare_share"] is None and not settings.smallest:
        settings = replace(settings, compared=automatic_share(sources, settings.sample))
    corpus = Corpus(tuple(corpora), sources, left_out)
    jobs = parse_jobs(values["jobs"])
    ray_jobs: int | None = 0
    if values["engine"] == "ray":
        ray_jobs, jobs = actors_of(values["jobs"]), 1
    place = Place(jobs, None if out is None else Path(out), ray_jobs)
    events = scan(spec, options, corpus, settings, place, tokens=values["tokens"])
    report = collect_report(events, options, [spec], task="scanning")
    emit_report(report, output_format, files)
    return exit_code(report, options.fail_on)


def _options(values: dict[str, Any], against: str | None) -> Options:
    from tokharness.cli._run_request import parse_size, split_commas
    from tokharness.config import Options

    return Options(
        against=against,
        select=split_commas(values["select"]),
        ignore=split_commas(values["ignore"]),
        fail_on=values["fail_on"],
        fail_on_library=values["fail_on_library"],
        time_limit=values["time_limit"],
        load_limit=values["load_limit"],
        memory_limit=parse_size(values["memory_limit"]),
        keep_going=values["keep_going"],
    )


def _settings(values: dict[str, Any]) -> Settings:
    from tokharness.scanning.plan import Settings

    defaults = Settings()
    number = _number(values["sample"])
    return Settings(
        reading=_reading(values),
        sample=1.0 if number else _share(values["sample"], "--sample"),
        compared=_share(values["compare_share"] or "100%", "--compare-share"),
        contexts=tuple(sorted(set(values["contexts"]))) or defaults.contexts,
        smallest=number,
    )


def _reading(values: dict[str, Any]) -> Reading:
    from tokharness.corpora.blocks import Reading
    from tokharness.engine.option_values import parse_size

    return Reading(
        text_column=values["text_column"],
        language_column=values["language_column"],
        documents=values["documents"],
        longest=parse_size(values["longest"], "--longest"),
    )


def _number(value: str) -> int:
    """Return a number of documents, from 2 on; 0 for a share."""
    from tokharness.errors import UsageError
    from tokharness.scanning.plan import MOST_DOCUMENTS

    number = int(value) if value.isascii() and value.isdigit() and len(value) < 20 else 0
    if number > MOST_DOCUMENTS:
        raise UsageError(
            f"--sample takes up to {MOST_DOCUMENTS:,} documents, or a share such as 1%, not {value}"
        )
    return number if number > 1 else 0


def _share(value: str, option: str) -> float:
    """Return a share of the documents, written as a percentage or a number."""
    from tokharness.errors import UsageError

    try:
        share = float(value.removesuffix("%")) / (100 if value.endswith("%") else 1)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        number = ", or a number of documents" if option == "--sample" else ""
        raise UsageError(
            f"{option} takes a share such as 1% or 0.01, up to 100%{number}, not {value!r}"
        )
    return share
