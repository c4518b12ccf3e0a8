"""What a session with targets does: check the names, make the items, share runs with workers."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tokharness import plugins
from tokharness.engine.run.selection import chosen_checks, chosen_families, replayed
from tokharness.errors import TokharnessError
from tokharness.escaping import visible
from tokharness.policy.reading import find
from tokharness.pytest_plugin._items import CheckItem, Root
from tokharness.pytest_plugin._names import ROOT
from tokharness.pytest_plugin._outcomes import AUDIT, Key, Outcome, outcomes
from tokharness.pytest_plugin._running import Runs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokharness.config import Options
    from tokharness.plugins import Family
    from tokharness.pytest_plugin._settings import Asked

__all__ = ["CheckSession"]

SHARED = "tokharness_folder"
"""Where a worker of pytest-xdist finds the folder in which all of them share their runs."""


class CheckSession:
    """The items of a session, and what their targets showed."""

    def __init__(self, config: pytest.Config, asked: Asked) -> None:
        try:
            self.asked = asked = _with_regressions(asked, config.rootpath)
            self._checks = chosen_checks(asked.options)
            families = _asked_about(asked.options)
            for spec in asked.targets:
                plugins.adapter(spec)
        except TokharnessError as error:
            raise pytest.UsageError(visible(str(error))) from error
        # A family may have been asked for by its module, which a run has to be asked for again.
        words = asked.options.families or [one.name for one in families]
        self._families = {plugins.family(word).name: word for word in words}
        self._not_compared = {one.name for one in families if not one.compared}
        self.keys = tuple(self._all_keys())
        worker: dict[str, Any] = getattr(config, "workerinput", {})
        at_once = min(worker.get("workercount", 1), len(asked.targets))
        self._runs = Runs(worker.get(SHARED), at_once)
        self._folder = ""
        self._ids: list[str] = []
        self._outcomes: dict[str, dict[Key, Outcome]] = {}

    def _all_keys(self) -> Iterator[Key]:
        for check in self._checks:
            if check.failing is not None:
                yield from (Key(check.code, name) for name in self._families)
            if check.audit is not None:
                yield Key(check.code, AUDIT)

    def outcome(self, item: CheckItem) -> Outcome:
        """What an item's check showed; runs its target if no item before did.

        Raises:
            TokharnessError: the target cannot be checked.

        """
        if item.spec not in self._outcomes:
            kept = {
                one.key
                for one in item.session.items
                if isinstance(one, CheckItem) and one.spec == item.spec
            }
            told = self._runs.told(item.spec, self._options(kept))
            self._outcomes[item.spec] = outcomes(
                told, self.asked.options, self.keys, kept, self._not_compared
            )
        return self._outcomes[item.spec][item.key]

    def _options(self, kept: set[Key]) -> Options:
        """Restrict a run to what the selected items need.

        Checks are taken away by ``ignore``, since one that ``select`` names runs in every profile.
        An audit may be about all families, so with one they all stay.
        """
        options = self.asked.options
        codes, families = {key.code for key in kept}, {key.family for key in kept}
        left_out = (check.name for check in self._checks if check.code not in codes)
        if AUDIT not in families and families != set(self._families):
            words = tuple(word for name, word in self._families.items() if name in families)
            options = replace(options, families=words)
        return replace(options, ignore=(*options.ignore, *left_out))

    def pytest_report_header(self) -> str:
        """Tell what is checked."""
        specs = ", ".join(map(visible, self.asked.targets))
        return f"tokharness: {self.asked.options.profile} profile of {specs}"

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self, session: pytest.Session) -> Iterator[None]:
        """Keep node ids of ours from those who would look for a file of that name."""
        args = session.config.args
        self._ids = [arg for arg in args if arg.startswith(f"{ROOT}::")]
        session.config.args = [arg for arg in args if arg not in self._ids]
        try:
            return (yield)
        finally:  # a worker of pytest-xdist that is replaced is given them again
            session.config.args = args

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Add our items, before anybody selects among all of them."""
        mine = list(session.genitems(Root.of(session, self)))
        for given in self._ids:
            if not any(_is_within(item.nodeid, given) for item in mine):
                raise pytest.UsageError(f"not found: {visible(given)}")
        wanted = self._ids or [ROOT]
        items += [item for item in mine if any(_is_within(item.nodeid, id_) for id_ in wanted)]

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of pytest-xdist where the runs are shared."""
        self._folder = self._folder or tempfile.mkdtemp(prefix="tokharness-")
        node.workerinput[SHARED] = self._folder

    def pytest_unconfigure(self) -> None:
        """Leave nothing behind."""
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def _with_regressions(asked: Asked, folder: Path) -> Asked:
    """Have the regressions of the project replayed, where the settings do not name their folder."""
    if asked.options.regressions is not None:
        return asked
    path = find(folder).regressions_folder
    return replace(asked, options=replace(asked.options, regressions=str(folder / path)))


def _asked_about(options: Options) -> list[Family]:
    """Families that have items: what a project has nothing to replay for, if it is named."""
    families = chosen_families(options)
    if options.families or replayed(options, families):
        return families
    return [family for family in families if not family.replayed]


def _is_within(nodeid: str, given: str) -> bool:
    return nodeid == given or nodeid.startswith(f"{given}::")
