"""``tokharness gate``: compare a target with its baseline, or with the target it is to replace."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokharness.cli._run_options import fail_on_option, run_options

if TYPE_CHECKING:
    import datetime as dt

    from tokharness.baseline import Baseline
    from tokharness.changes import Judgement

__all__ = ["command"]


@click.command("gate")
@click.argument("target")
@run_options
@partial(fail_on_option, default="risk", what="a new finding")
@click.option("--name", metavar="NAME", help="The name of the baseline; the spec, if not given.")
@click.option(
    "--baseline",
    "file",
    metavar="FILE",
    help="The baseline to compare with; reports/baselines/NAME.json, if not given.",
)
@click.option("--update", is_flag=True, help="Accept what fails now, with a --reason.")
@click.option("--prune", is_flag=True, help="Take out acceptances of what is not there any more.")
@click.option("--reason", help="Why it is accepted.")
@click.option("--expires", metavar="DATE", help="The last day of the acceptance.")
@click.option("--as-of", metavar="DATE", help="Judge acceptances as of that day, not of today.")
def command(target: str, **values: Any) -> int:
    """Compare TARGET with its baseline: what is new, lost, other or dearer fails, if not accepted.

    With --against and no --baseline it is compared with that other target, which it is to replace.
    The baseline says how thorough the run is, where the command and the policy do not.
    """
    from tokharness import plugins
    from tokharness.baseline.reading import read
    from tokharness.baseline.writing import stamp
    from tokharness.cli._baselines import date_of, file_of, last_day, today
    from tokharness.cli._gating import as_for_baseline, incumbent, judged
    from tokharness.cli._output import report_files
    from tokharness.cli._run_options import asked
    from tokharness.cli._telling import tell

    wanted = asked(values, (target,))
    now = date_of(values["as_of"], "--as-of") or today()
    name = values["name"] or target
    said = values["against"] if "against" in wanted.given else "none"
    is_live = values["file"] is None and said != "none"
    _refuse_nonsense(values, is_live=is_live)
    expires = last_day(values["expires"], now)
    chosen = plugins.find("format", values["format_name"], plugins.formats())
    files = report_files(values["reports"])
    if is_live:
        report = judged(wanted, incumbent(wanted, values["against"], now), None, now)
        tell(report, chosen, files)
        return _code(report.judgement)
    path = Path(values["file"]) if values["file"] else file_of(name, wanted.policy)
    before = stamp(path)
    baseline = read(path, name)
    report = judged(as_for_baseline(wanted, baseline), baseline, path, now)
    tell(report, chosen, files)
    if report.judgement is None or not (values["update"] or values["prune"]):
        return _code(report.judgement)
    new, code = _changed(baseline, report.judgement, values, now, expires)
    _write(new, path, before)
    return code


def _code(judgement: Judgement | None) -> int:
    """130 where the run was interrupted, and nothing is judged."""
    if judgement is None:
        click.echo("tokharness: interrupted: nothing was compared with the baseline", err=True)
        return 130
    return int(bool(judgement.failing))


def _refuse_nonsense(values: dict[str, Any], *, is_live: bool) -> None:
    from tokharness.errors import UsageError

    if values["update"] and not (values["reason"] or "").strip():
        raise UsageError("--update takes a --reason: it says why what changed is accepted")
    if is_live and (values["update"] or values["prune"]):
        raise UsageError("--update and --prune change a baseline: name its file with --baseline")
    if is_live and values["name"]:
        raise UsageError("--name is of a baseline: leave out --against, or name its file too")
    if not values["update"] and (values["reason"] or values["expires"]):
        raise UsageError("--reason and --expires are of an acceptance: give --update too")


def _changed(
    baseline: Baseline,
    judgement: Judgement,
    values: dict[str, Any],
    now: dt.date,
    expires: dt.date | None,
) -> tuple[Baseline, int]:
    """Accept, and prune; what is stale is left to --prune, and fails without it."""
    from tokharness.gate.acceptances import pruned, with_accepted

    failing = judgement.failing
    stale = [one for one in failing if one.kind == "stale-acceptance"]
    left = [] if values["update"] else [one for one in failing if one not in stale]
    if values["update"]:
        baseline = with_accepted(baseline, failing, values["reason"], now, expires)
    if values["prune"]:
        baseline, stale = pruned(baseline, judgement.changes), []
    return baseline, int(bool(left or stale))


def _write(baseline: Baseline, path: Path, before: str) -> None:
    from tokharness.baseline.writing import write
    from tokharness.escaping import terminal

    write(baseline, path, before)
    click.echo(terminal(f"wrote {path}: {len(baseline.accepted)} accepted"), err=True)
