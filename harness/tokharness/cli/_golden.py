"""Write or verify a golden file, and print what differs."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness import interrupts
from tokharness.atomic_write import check_writable, write_text
from tokharness.cli._output import terminal_width, use_color
from tokharness.cli._progress import say
from tokharness.cli._run import specs_of_words
from tokharness.cli._run_request import parse_size, refuse_empty, split_commas
from tokharness.config import Options
from tokharness.engine.run.selection import select_families
from tokharness.errors import NotFinishedError, UsageError
from tokharness.escaping import Shown, json_text, sentence, shorten, styled, terminal
from tokharness.formats._console import new_console, output_of
from tokharness.formats._wording import pluralize
from tokharness.parity_matrix.golden import golden_text, read_golden
from tokharness.parity_matrix.golden_run import make_golden, verify_golden
from tokharness.results.untrusted import shortened

if TYPE_CHECKING:
    from tokharness.parity_matrix.golden import Difference, Row
    from tokharness.parity_matrix.golden_run import Verified

MAX_SHOWN = 10
"""Causes that are printed, each with its shortest text; the JSON has all texts."""
MAX_TEXT, MAX_IDS = 60, 24


def run(target: str, values: dict[str, Any]) -> int:
    """Do what the options say, and return the exit code."""
    refuse_empty(values)
    out, verify = values["out"], values["verify"]
    if (out is None) == (verify is None):
        raise UsageError(
            "golden writes or compares a file: give either --out FILE or --verify FILE"
        )
    (spec,) = specs_of_words([target])
    options = Options(
        families=split_commas(values["family"]),
        profile="quick",
        examples=0,
        time_limit=values["time_limit"],
        load_limit=values["load_limit"],
        memory_limit=parse_size(values["memory_limit"]),
    )
    select_families(options)  # an unknown family is a mistake of the user
    if out is not None:
        if values["against"] is not None:
            raise UsageError("--against is for --verify: --out writes what TARGET alone gives")
        return _write(spec, options, Path(out), values["texts"])
    if values["against"] is not None:
        (against,) = specs_of_words([values["against"]])
        options = replace(options, against=against)
    if options.families:
        raise UsageError("--family is for --out: --verify compares all texts of the file")
    return _verify(spec, options, Path(verify), values["format_name"])


def _write(spec: str, options: Options, path: Path, most: int) -> int:
    try:
        check_writable(path)
        interrupts.defer()
        with contextlib.redirect_stdout(sys.stderr):
            golden, left = make_golden(spec, options, most, lambda _: None)
        write_text(path, golden_text(golden))
    except OSError as error:
        raise UsageError(f"cannot write the golden file {path}: {error.strerror}") from error
    families = pluralize(len(golden.families), "family", "families")
    say(terminal(f"{path}: {pluralize(len(golden.rows), 'text')} of {families}"))
    if left:
        raise NotFinishedError(
            f"{path} lacks {pluralize(left, 'text')} that end the process of {spec}, or hang it"
        )
    return 0


def _verify(spec: str, options: Options, path: Path, format_name: str) -> int:
    golden = read_golden(path)
    if not golden.rows:
        raise UsageError(f"{path} has no texts to compare")
    interrupts.defer()
    with contextlib.redirect_stdout(sys.stderr):
        verified = verify_golden(spec, golden, options, lambda _: None)
    if format_name == "json":
        sys.stdout.write(json_text(_record(verified), indent=2))
    else:
        sys.stdout.write(_rendered(verified))
    sys.stdout.flush()
    if verified.differences and options.against is None and golden.target != spec:
        named = terminal(shortened(golden.target))
        say(f"to search the causes with the target of the file, name it: --against {named}")
    if verified.left:
        raise NotFinishedError("; ".join(verified.left))
    return int(bool(verified.differences))


def _record(verified: Verified) -> dict[str, Any]:
    golden = asdict(verified.golden)
    del golden["rows"]
    return {
        "schema_version": 1,
        "target": verified.target,
        "golden": {**golden, "families": list(verified.golden.families)},
        "compared": verified.compared,
        "without_bytes": verified.without_bytes,
        "left": list(verified.left),
        "differences": [
            {
                "aspect": one.aspect,
                "cause": one.cause,
                "text": one.golden.text,
                "golden": _result(one.golden),
                "now": _result(one.now),
            }
            for one in verified.differences
        ],
    }


def _result(row: Row) -> dict[str, Any]:
    return {
        "ids": None if row.ids is None else list(row.ids),
        "bytes": None if row.bytes is None else row.bytes.hex(),
        "decoded": row.decoded,
        "error": row.error or None,
    }


def _rendered(verified: Verified) -> str:
    """Return each cause with its shortest text, and the verdict."""
    console = new_console(terminal_width(), color=use_color())
    counts = Counter((one.aspect, one.cause) for one in verified.differences)
    firsts: dict[tuple[str, str], Difference] = {}
    for one in verified.differences:
        firsts.setdefault((one.aspect, one.cause), one)
    for key, one in list(firsts.items())[:MAX_SHOWN]:
        texts = pluralize(counts[key], "text")
        head = Shown("{}: {} ({})").format(Shown.of(one.aspect), sentence(one.cause), texts)
        console.print(styled((head, "bold red")))
        text = Shown('    "{}"').format(shorten(one.golden.text, MAX_TEXT))
        console.print(styled((text, "")))
        for name, row in ((Shown("golden"), one.golden), (Shown("now"), one.now)):
            line = Shown("    {:<6}  {}").format(name, _shown(one.aspect, row))
            console.print(styled((line, "")))
    if len(firsts) > MAX_SHOWN:
        more = pluralize(len(firsts) - MAX_SHOWN, "further cause")
        console.print(styled((Shown("{}; --format json has all").format(more), "dim")))
    if verified.without_bytes:
        count = pluralize(verified.without_bytes, "text")
        console.print(styled((Shown("token bytes of {} not compared").format(count), "dim")))
    word, style = ("differs", "bold red") if counts else ("same", "bold green")
    if verified.left:
        word, style = "not finished", "bold red"
    of = pluralize(verified.compared, "text")
    end = Shown("{} of {} differ").format(Shown.of(f"{counts.total():,}"), of)
    console.print(styled((Shown("{}: ").format(word), style), (end, "")), soft_wrap=True)
    return output_of(console)


def _shown(aspect: str, row: Row) -> Shown:
    if row.ids is None:
        return Shown("raises {}").format(row.error)
    if aspect == "decoded text" and row.decoded is None:
        return Shown("raises {}").format(row.error)
    if aspect == "decoded text":
        return Shown('"{}"').format(shorten(row.decoded or "", MAX_TEXT))
    if aspect == "token bytes" and row.bytes is not None:
        return Shown.of(row.bytes.hex(" "))
    more = " ..." if len(row.ids) > MAX_IDS else ""
    ids = " ".join(shortened(str(number)) for number in row.ids[:MAX_IDS])
    return Shown.of(f"[{ids}{more}]")
