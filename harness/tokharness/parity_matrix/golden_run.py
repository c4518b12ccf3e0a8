"""Make a golden file with a target, or compare a target with one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.vocabulary.known import fingerprint
from tokharness.engine.requests import EncodeRequest, TextsRequest
from tokharness.engine.run.processor_time import processor_time
from tokharness.engine.run.selection import select_families
from tokharness.engine.worker.units import sample_evenly
from tokharness.errors import NotFinishedError, TargetError
from tokharness.parity_matrix.golden import Difference, Golden, Row, difference
from tokharness.parity_matrix.opened import counterpart, opened_forms
from tokharness.parity_matrix.pairs import Pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness.config import Options
    from tokharness.parity_matrix.opened import Opened

BATCH = 512
LONGEST = 1000
"""Most characters of a text in a golden file, which has to stay small."""

MAX_EXPLAINED = 200
"""Most texts, the shortest ones, whose causes are searched."""

UNASKED = ("not run", "time limit", "memory limit", "nonsense")
"""Beginnings of errors that are none of the target's exceptions, and no part of a golden file."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A target next to a golden file.

    ``left`` has why texts were not compared, each a sentence; ``only_bytes`` counts the texts whose
    bytes only one side shows.
    """

    target: str
    golden: Golden
    differences: tuple[Difference, ...]
    compared: int
    without_bytes: int = 0
    left: tuple[str, ...] = ()


def make_golden(
    spec: str, options: Options, most: int, progress: Callable[[str], object]
) -> tuple[Golden, int]:
    """Run a target on the texts of families, at most ``most`` of each, at even distances.

    Return the file, and how many texts it lacks as they end the target's process or hang it.

    Raises:
        TargetError: the target cannot be loaded.
        NotFinishedError: its process ends with each request.

    """
    options = replace(options, against="none", examples=options.examples or 0)
    with opened_forms([spec], options, processor_time(None, 1), 1, progress) as (form,):
        _require(form)
        families = [
            family
            for family in select_families(options)
            if family.compared and family.unpack is None and not family.replayed
        ]
        texts: dict[str, None] = {}
        for family in families:
            progress(f"running the texts of {family.name}")
            own = _texts(form, family.name)
            short = [text for text in own if len(text) <= LONGEST]
            texts.update(dict.fromkeys(sample_evenly(short, most)))
        rows = list(_rows(form, list(texts)))
        known = {
            row.id: row.bytes
            for row in form.rows
            if row.kind == "ordinary" and row.bytes is not None
        }
        golden = Golden(
            tuple(row for row in rows if row is not None),
            spec,
            version("tokharness"),
            fingerprint(known).digest if known else None,
            form.outline.get("n_vocab"),
            dict(form.outline.get("unicode", {})),
            tuple(family.name for family in families),
        )
    return golden, rows.count(None)


def _require(form: Opened) -> None:
    if form.workers is None:
        raise TargetError(form.problem)


def _texts(form: Opened, family: str) -> list[str]:
    texts: list[str] = []
    number, units = 0, 1
    while number < units:
        response = form.call(TextsRequest(family, number))
        if response is None:
            raise NotFinishedError(f"the texts of {family} could not be made: {form.problem}")
        texts += response["texts"]
        units, number = response["units"], number + 1
    return texts


def _rows(form: Opened, texts: Sequence[str]) -> Iterator[Row | None]:
    """Yield the row of each text; None for a text that the target was not run on, or died of."""
    for begin in range(0, len(texts), BATCH):
        batch = texts[begin : begin + BATCH]
        response = form.call(EncodeRequest(batch, form.crashers))
        if response is None:
            raise NotFinishedError(f"the run of {form.spec} is not finished: {form.problem}")
        for text, record in zip(batch, response["encodings"], strict=True):
            yield row_of(text, record)


def row_of(text: str, record: Mapping[str, Any]) -> Row | None:
    """Return the row of what a worker says of a text; None if the target ends or hangs on it."""
    error = str(record["error"] or "")
    if error and (not error.isidentifier() or error.startswith("SIG") or error in UNASKED):
        return None
    ids = record["ids"]
    if ids is None:
        return Row(text, None, error=error)
    if not all(type(number) is int for number in ids):
        raise TargetError("a golden file has ids that are whole numbers, and the target has others")
    data = record["bytes"]
    joined = None if data is None else bytes.fromhex("".join(data))
    other = record["decoded_if_different"]
    return Row(text, tuple(ids), joined, None if error else text if other is None else other, error)


def verify_golden(
    spec: str, golden: Golden, options: Options, progress: Callable[[str], object]
) -> Verified:
    """Run a target on the texts of a golden file, and compare the results.

    Raises:
        TargetError: the target cannot be loaded.
        NotFinishedError: its process ends with each request.

    """
    alone = replace(options, against="none")
    with opened_forms([spec], alone, processor_time(None, 1), 1, progress) as (form,):
        _require(form)
        progress(f"running {len(golden.rows):,} texts")
        rows = list(_rows(form, [row.text for row in golden.rows]))
    pairs = [(row, now) for row, now in zip(golden.rows, rows, strict=True) if now is not None]
    found = [one for row, now in pairs if (one := difference(row, now)) is not None]
    refused = sum((row.ids is None) != (now.ids is None) for row, now in pairs) - sum(
        one.aspect == "error" for one in found
    )  # texts with lone surrogates that one side refuses, which is no difference
    left = len(rows) - len(pairs)
    why = [f"{left:,} of {len(rows):,} texts end the process of the target, or hang it"]
    nothing = ["no text was compared: each has a lone surrogate, which one side refuses"]
    return Verified(
        spec,
        golden,
        tuple(_explained(spec, found, options)),
        len(pairs) - refused,
        sum((row.bytes is None) != (now.bytes is None) for row, now in pairs if now.ids),
        tuple(why if left else nothing if refused == len(pairs) else ()),
    )


def _explained(spec: str, found: Sequence[Difference], options: Options) -> list[Difference]:
    """Return the differences, shortest texts first, with their causes where they can be known.

    For that, a target has to give the ids of the golden file: the one of ``against``, or else the
    reference that reads the file of the target. The target that the golden file names is not
    loaded, as the file may be a stranger's.
    """
    ordered = sorted(found, key=lambda one: (len(one.golden.text), one.golden.text))
    against = options.against or counterpart(spec)
    if not ordered or against in (None, "none", spec):
        return ordered
    shortest = {one.golden.text: one.golden.ids for one in ordered if one.aspect == "ids"}
    texts = list(shortest)[:MAX_EXPLAINED]
    own = replace(options, against="none", select=("TOK201",), ignore=(), examples=0)
    time = processor_time(None, 1)
    with opened_forms([against], own, time, 1, lambda _: None) as (form,):
        if options.against is not None:
            _require(form)
        if form.workers is None:
            return ordered
        still = [
            row.text
            for row in _rows(form, texts)
            if row is not None and row.ids == shortest[row.text]
        ]
    if not still:
        return ordered
    with Pairs(own, 1) as pairs:
        explained = pairs.explain(spec, against, "TOK201", dict.fromkeys(still, ""))
    causes = {
        text: str(finding.cause)
        for finding, members in zip(explained.findings, explained.members, strict=False)
        for text in members
    }
    return [replace(one, cause=causes.get(one.golden.text, one.cause)) for one in ordered]
