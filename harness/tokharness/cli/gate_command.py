"""``tokharness gate``: compare a target with its baseline, or with an incumbent target."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from tokharness import plugins
from tokharness.cli._shared_options import fail_on_option, run_options

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from tokharness.baseline import Baseline
    from tokharness.changes import GateResult


@click.command("gate")
@click.argument("target")
@run_options
@partial(fail_on_option, default="risk", what="a new finding")
@click.option("--name", metavar="NAME", help="Name of the baseline; defaults to the spec.")
@click.option(
    "--baseline",
    "file",
    metavar="FILE",
    help="Baseline file; defaults to reports/baselines/NAME.json.",
)
@click.option("--update", is_flag=True, help="Accept all failing changes; needs --reason.")
@click.option(
    "--accept",
    metavar="ID",
    multiple=True,
    help="Accept the change with this id, which a failing gate prints; needs --reason.",
)
@click.option("--prune", is_flag=True, help="Remove acceptances whose change or finding is gone.")
@click.option("--reason", help="Why the changes are accepted.")
@click.option("--expires", metavar="DATE", help="Last day of the acceptance.")
@click.option("--as-of", metavar="DATE", help="Use this date instead of today for expiry.")
def command(target: str, **values: Any) -> int:
    """Compare TARGET with its baseline.

    New findings, lost entry points, changed ids and worse metrics fail unless they are accepted.
    With --against and no --baseline, TARGET is compared with the target that it would replace.
    Options that neither the command line nor the policy sets get their values from the baseline.
    """
    from tokharness.baseline.reading import read
    from tokharness.baseline.writing import file_stamp
    from tokharness.cli._gate_run import (
        baseline_path,
        gate_command,
        parse_date,
        parse_expiry,
        run_gate,
        run_gate_with_incumbent,
        today,
        with_baseline_options,
    )
    from tokharness.cli._output import emit_report, parse_report_files
    from tokharness.cli._run_request import parse_run_options
    from tokharness.gate.next_steps import with_next_steps

    request = parse_run_options(values, (target,))
    now = parse_date(values["as_of"], "--as-of") or today()
    name = values["name"] or request.names[0]
    against = request.options.against if "against" in request.explicit else None
    incumbent = None if against == "none" or values["file"] else against
    _refuse_conflicts(values, has_incumbent=incumbent is not None)
    expires = parse_expiry(values["expires"], now)
    output_format = plugins.find("format", values["format_name"], plugins.formats())
    files = parse_report_files(values["reports"])
    if incumbent is not None:
        report = run_gate_with_incumbent(request, incumbent, now)
        emit_report(report, output_format, files)
        return _exit_code(report.gate)
    path = baseline_path(name, values["file"], request.policy)
    before = file_stamp(path)
    baseline = read(path, name)
    words = (target, *_repeated(values, request.explicit))
    report = run_gate(with_baseline_options(request, baseline, path), baseline, path, now, words)
    if report.gate is None or not (_accepts(values) or values["prune"]):
        emit_report(report, output_format, files)
        return _exit_code(report.gate)
    new, gate = _update_baseline(baseline, report.gate, values, now, expires)
    if values["prune"]:  # the offered commands no longer need it
        command = gate_command(request.specs[0], baseline, path, words)
        gate = replace(gate, changes=tuple(with_next_steps(gate.changes, command)))
    emit_report(replace(report, gate=gate), output_format, files)
    _write(new, path, before)
    return int(bool(gate.failing))


def _accepts(values: dict[str, Any]) -> bool:
    return bool(values["update"] or values["accept"])


REPEATED = {
    "name": "--name",
    "file": "--baseline",
    "config": "--config",
    "against": "--against",
    "select": "--select",
    "ignore": "--ignore",
    "family": "--family",
    "profile": "--profile",
    "seed": "--seed",
    "examples": "--examples",
    "fail_on": "--fail-on",
    "as_of": "--as-of",
}
"""Options, by parameter, that name the baseline or decide which changes fail."""


def _repeated(values: dict[str, Any], explicit: Collection[str]) -> Iterator[str]:
    """Yield the words of the command line that a command to accept a change also needs."""
    for name, option in REPEATED.items():
        if name in explicit:
            value = values[name]
            for one in value if isinstance(value, tuple) else (value,):
                yield from (option, str(one))
    if "fail_on_library" in explicit:
        yield "--fail-on-library" if values["fail_on_library"] else "--no-fail-on-library"


def _exit_code(gate: GateResult | None) -> int:
    """Return 1 if a change fails; 130 if the run was interrupted before the comparison."""
    if gate is None:
        click.echo("tokharness: interrupted before the comparison with the baseline", err=True)
        return 130
    return int(bool(gate.failing))


def _refuse_conflicts(values: dict[str, Any], *, has_incumbent: bool) -> None:
    from tokharness.errors import UsageError

    given = "--update" if values["update"] else "--accept"
    if _accepts(values) and not (values["reason"] or "").strip():
        raise UsageError(f"{given} needs a --reason: it says why the changes are accepted")
    if values["update"] and values["accept"]:
        raise UsageError("--update accepts all changes: omit it, or --accept")
    if has_incumbent and (_accepts(values) or values["prune"]):
        option = "--prune" if values["prune"] else given
        raise UsageError(f"{option} changes a baseline: name its file with --baseline")
    if has_incumbent and values["name"]:
        raise UsageError("--name names a baseline: omit --against, or add --baseline")
    if not _accepts(values) and (values["reason"] or values["expires"]):
        raise UsageError("--reason and --expires describe an acceptance: add --update or --accept")


def _update_baseline(
    baseline: Baseline,
    gate: GateResult,
    values: dict[str, Any],
    now: dt.date,
    expires: dt.date | None,
) -> tuple[Baseline, GateResult]:
    """Accept and prune; return the new baseline, and the result with the accepted changes.

    Only --prune removes a stale acceptance, which otherwise fails the gate.

    Raises:
        UsageError: no failing change has an id that the user accepts.

    """
    from tokharness.errors import UsageError
    from tokharness.gate.acceptances import accept_changes, prune_acceptances, with_accepted

    failing = {change.fingerprint: change for change in gate.failing}
    for wanted in values["accept"]:
        if wanted not in failing:
            ids = ", ".join(failing) or "none"
            raise UsageError(f"no failing change has the id {wanted}: there are {ids}")
    chosen = [
        change
        for key, change in failing.items()
        if (values["update"] or key in values["accept"]) and change.kind != "stale-acceptance"
    ]
    if chosen:
        baseline = accept_changes(baseline, chosen, values["reason"], now, expires)
        gate = with_accepted(gate, chosen)
    if values["prune"]:
        baseline = prune_acceptances(baseline, gate.changes)
        kept = (change for change in gate.changes if change.kind != "stale-acceptance")
        gate = replace(gate, changes=tuple(kept))
    return baseline, gate


def _write(baseline: Baseline, path: Path, before: str) -> None:
    from tokharness.baseline.writing import write
    from tokharness.escaping import terminal
    from tokharness.formats._wording import pluralize

    write(baseline, path, before)
    count = pluralize(len(baseline.accepted), "acceptance")
    click.echo(terminal(f"wrote {path}: {count}"), err=True)
