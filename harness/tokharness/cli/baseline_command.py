"""``tokharness baseline``: write down what a target is, for the gate to compare with."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokharness.cli._run_options import run_options

if TYPE_CHECKING:
    from tokharness.baseline import Acceptance, Baseline

__all__ = ["command"]

REASON = "there when the baseline was written"


@click.command("baseline")
@click.argument("target")
@partial(run_options, without="--measure")
@click.option("--name", metavar="NAME", help="What the target is called; its spec, if not given.")
@click.option(
    "--baseline",
    "file",
    metavar="FILE",
    help="Where to write it; reports/baselines/NAME.json, if not given.",
)
@click.option(
    "--reason", default=REASON, show_default=True, help="Why the findings of now are accepted."
)
def command(target: str, **values: Any) -> int:
    """Write the baseline of TARGET: what was found, and accepted; its ids, metrics, fingerprint.

    `tokharness gate` compares with it. A baseline of the same name is written anew; the reasons of
    what is still found are kept.
    """
    from tokharness import plugins
    from tokharness.baseline import baseline_of
    from tokharness.baseline.writing import stamp, write
    from tokharness.cli._baselines import file_of, today
    from tokharness.cli._output import report_files
    from tokharness.cli._places import place_of
    from tokharness.cli._resuming import Plan
    from tokharness.cli._run_options import asked
    from tokharness.cli._running import report_of
    from tokharness.cli._telling import tell
    from tokharness.errors import UsageError
    from tokharness.escaping import terminal
    from tokharness.gate.acceptances import accepted_findings
    from tokharness.policy import applied

    if not values["reason"].strip():
        raise UsageError("--reason says why what is found is accepted: it cannot be empty")
    wanted = asked({**values, "fail_on": "bug"}, (target,))
    name = values["name"] or target
    path = Path(values["file"]) if values["file"] else file_of(name, wanted.policy)
    chosen = plugins.find("format", values["format_name"], plugins.formats())
    files = report_files(values["reports"])
    kept, before = _kept(path, name), stamp(path)
    report = report_of(Plan(wanted.targets, wanted.options), wanted.jobs, golden=())
    report = applied(report, wanted.policy)
    place = place_of(wanted.targets[0], [path, wanted.policy.path])
    tell(replace(report, places={wanted.targets[0]: place}), chosen, files)
    if report.interrupted:
        return 130
    if report.targets[0].snapshot is None:
        raise UsageError(f"no baseline is written: the golden texts end the process of {target}")
    baseline = baseline_of(name, report.targets[0], wanted.options, report.versions)
    found = accepted_findings(report.targets[0], values["reason"], today())
    write(
        replace(baseline, accepted=tuple(_with_reason_of(kept, one) for one in found)),
        path,
        before,
    )
    told = f"wrote {path}: {len(found)} findings accepted, {_size(baseline)}"
    click.echo(terminal(told), err=True)
    return 0


def _with_reason_of(kept: dict[str, Acceptance], found: Acceptance) -> Acceptance:
    """Return the earlier acceptance of a finding, if there is one, as what is found now."""
    before = kept.get(found.fingerprint, found)
    return replace(before, what=found.what, verdict=found.verdict)


def _size(baseline: Baseline) -> str:
    return f"ids of {len(baseline.golden):,} golden texts, {len(baseline.metrics):,} metrics"


def _kept(path: Path, name: str) -> dict[str, Acceptance]:
    """Acceptances of the baseline that is written over; a file that is none is not."""
    from tokharness.baseline.reading import read

    return {one.fingerprint: one for one in read(path, name).accepted} if path.exists() else {}
