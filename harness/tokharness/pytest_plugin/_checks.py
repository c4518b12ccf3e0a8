"""The checks of a session: their keys, and the outcome of each for each target."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.engine.run.selection import regressions_to_replay, select_checks, select_families
from tokharness.policy.reading import find
from tokharness.project import require_inside, root_of
from tokharness.pytest_plugin._outcomes import AUDIT, Key, outcomes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokharness.config import Options
    from tokharness.plugins import Family
    from tokharness.pytest_plugin._outcomes import Outcome
    from tokharness.pytest_plugin._settings import CheckRequest
    from tokharness.pytest_plugin._shared_runs import SharedRuns

__all__ = ["TargetChecks"]


class TargetChecks:
    """The checks of the targets of a session; ``keys`` name the items of each target.

    Raises:
        TokharnessError: a check, a family or a target scheme is unknown.

    """

    def __init__(self, request: CheckRequest, folder: Path, runs: SharedRuns) -> None:
        self.specs = request.specs
        self.options = _with_regressions(request.options, folder)
        self._checks = select_checks(self.options)
        families = _families_with_items(self.options)
        for spec in self.specs:
            plugins.adapter(spec)
        # A family that was selected by its module has to be passed to the run in the same way.
        words = self.options.families or [family.name for family in families]
        self._families = {plugins.family(word).name: word for word in words}
        self._not_compared = {family.name for family in families if not family.compared}
        self.keys = tuple(self._keys())
        self._runs = runs
        self._outcomes: dict[str, dict[Key, Outcome]] = {}

    def _keys(self) -> Iterator[Key]:
        for check in self._checks:
            if check.failing is not None:
                yield from (Key(check.code, name) for name in self._families)
            if check.audit is not None:
                yield Key(check.code, AUDIT)

    def has_run(self, spec: str) -> bool:
        """Return whether the outcomes of a target are known."""
        return spec in self._outcomes

    def run(self, spec: str, selected: set[Key]) -> None:
        """Run a target, as far as the selected items need.

        Raises:
            TokharnessError: the target cannot be checked.

        """
        result = self._runs.result(spec, self._run_options(selected))
        self._outcomes[spec] = outcomes(
            result, self.options, self.keys, selected, self._not_compared
        )

    def outcome(self, spec: str, key: Key) -> Outcome:
        """Return the outcome of a selected item, whose target has been run."""
        return self._outcomes[spec][key]

    def _run_options(self, selected: set[Key]) -> Options:
        """Restrict the options of a run to what the selected items need.

        Checks are removed by ``ignore``, since a check in ``select`` runs in every profile. An
        audit may depend on all families, so all stay if an audit is selected.
        """
        codes, families = {key.code for key in selected}, {key.family for key in selected}
        ignored = (check.name for check in self._checks if check.code not in codes)
        options = self.options
        if AUDIT not in families and families != set(self._families):
            words = tuple(word for name, word in self._families.items() if name in families)
            options = replace(options, families=words)
        return replace(options, ignore=(*options.ignore, *ignored))


def _with_regressions(options: Options, folder: Path) -> Options:
    """Use the regressions folder of the project, unless the settings name another."""
    if options.regressions is not None:
        return options
    policy = find(folder)
    regressions = policy.regressions_folder if policy.path else folder / policy.regressions
    require_inside(regressions, root_of(folder), "the folder of regressions")
    return replace(options, regressions=str(regressions))


def _families_with_items(options: Options) -> list[Family]:
    """Return the families; that of regressions only if it is selected or has texts."""
    families = select_families(options)
    if options.families or regressions_to_replay(options, families):
        return families
    return [family for family in families if not family.replayed]
