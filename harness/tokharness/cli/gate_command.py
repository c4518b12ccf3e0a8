"""``tokharness gate``: compare a target with its baseline, or with an incumbent target."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from tokharness.cli._shared_options import fail_on_option, run_options

if TYPE_CHECKING:
    import datetime as dt
    from pathlib import Path

    from tokharness.baseline import Baseline
    from tokharness.changes import GateResult

__all__ = ["command"]


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
@click.option("--prune", is_flag=True, help="Remove acceptances whose change or finding is gone.")
@click.option("--reason", help="Why the changes are accepted.")
@click.option("--expires", metavar="DATE", help="Last day of the acceptance.")
@click.option("--as-of", metavar="DATE", help="Use this date instead of today for expiry.")
def command(target: str, **values: Any) -> int:
    """Compare TARGET with its baseline.

    New findings, lost entry points, changed ids and worse metrics fail unless they are accepted.
    With --against and no --baseline, TARGET is compared with the target that it would replace.
    Options that neither the command line nor the policy sets have their values from the baseline.
    """
    from tokharness import plugins
    from tokharness.baseline.reading import read
    from tokharness.baseline.writing import file_stamp
    from tokharness.cli._baselines import baseline_path, parse_date, parse_expiry, today
    from tokharness.cli._gate_run import (
        run_gate,
        run_gate_with_incumbent,
        with_baseline_options,
    )
    from tokharness.cli._output import parse_report_files
    from tokharness.cli._reporting import emit_report
    from tokharness.cli._run_request import parse_run_options

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
    report = run_gate(with_baseline_options(request, baseline, path), baseline, path, now)
    emit_report(report, output_format, files)
    if report.gate is None or not (values["update"] or values["prune"]):
        return _exit_code(report.gate)
    new, code = _update_baseline(baseline, report.gate, values, now, expires)
    _write(new, path, before)
    return code


def _exit_code(gate: GateResult | None) -> int:
    """Return 1 if a change fails; 130 if the run was interrupted before the comparison."""
    if gate is None:
        click.echo("tokharness: interrupted before the comparison with the baseline", err=True)
        return 130
    return int(bool(gate.failing))


def _refuse_conflicts(values: dict[str, Any], *, has_incumbent: bool) -> None:
    from tokharness.errors import UsageError

    if values["update"] and not (values["reason"] or "").strip():
        raise UsageError("--update needs a --reason: it says why the changes are accepted")
    if has_incumbent and (values["update"] or values["prune"]):
        raise UsageError("--update and --prune change a baseline: name its file with --baseline")
    if has_incumbent and values["name"]:
        raise UsageError("--name names a baseline: omit --against, or add --baseline")
    if not values["update"] and (values["reason"] or values["expires"]):
        raise UsageError("--reason and --expires describe an acceptance: add --update")


def _update_baseline(
    baseline: Baseline,
    gate: GateResult,
    values: dict[str, Any],
    now: dt.date,
    expires: dt.date | None,
) -> tuple[Baseline, int]:
    """Accept and prune; return the new baseline and the exit code.

    Only --prune removes a stale acceptance, which fails without it.
    """
    from tokharness.gate.acceptances import accept_changes, prune_acceptances

    failing = gate.failing
    stale = [change for change in failing if change.kind == "stale-acceptance"]
    unaccepted = [] if values["update"] else [change for change in failing if change not in stale]
    if values["update"]:
        baseline = accept_changes(baseline, failing, values["reason"], now, expires)
    if values["prune"]:
        baseline, stale = prune_acceptances(baseline, gate.changes), []
    return baseline, int(bool(unaccepted or stale))


def _write(baseline: Baseline, path: Path, before: str) -> None:
    from tokharness.baseline.writing import write
    from tokharness.escaping import terminal
    from tokharness.formats._wording import pluralize

    write(baseline, path, before)
    count = pluralize(len(baseline.accepted), "acceptance")
    click.echo(terminal(f"wrote {path}: {count}"), err=True)
