"""The hooks of a session with targets, and the nodes that they add to the collection tree."""

from __future__ import annotations

import shutil
import tempfile
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import pytest

from tokharness import plugins
from tokharness.conversations.checked_targets import has_templates, not_run, with_conversations
from tokharness.engine.run.selection import (
    is_of_chat_alone,
    regressions_to_replay,
    select_chat_checks,
    select_checks,
    select_families,
)
from tokharness.errors import TokharnessError
from tokharness.escaping import visible
from tokharness.policy.reading import find
from tokharness.project import require_inside, root_of
from tokharness.pytest_plugin._outcomes import (
    AUDIT,
    ROOT,
    Key,
    RunResult,
    SharedRuns,
    escape_name,
    item_name,
    outcomes,
)
from tokharness.results.detectors import CONVERSATIONS
from tokharness.results.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokharness.config import Options
    from tokharness.plugins import Family
    from tokharness.pytest_plugin._outcomes import Outcome
    from tokharness.pytest_plugin._settings import CheckRequest


# The checks of a session: their keys, and the outcome of each for each target.


class TargetChecks:
    """The checks of the targets of a session.

    Raises:
        TokharnessError: a check, a family or a target scheme is unknown.

    """

    def __init__(self, request: CheckRequest, folder: Path, runs: SharedRuns) -> None:
        self.specs = request.specs
        self.options = _with_regressions(request.options, folder)
        is_alone = is_of_chat_alone(self.options)
        self._checks = [] if is_alone else select_checks(self.options)
        self._chat_checks = select_chat_checks(self.options)
        families = _families_with_items(self.options)
        for spec in self.specs:
            plugins.adapter(spec)
        # A family that was selected by its module must be passed to the run in the same way.
        words = self.options.families or [family.name for family in families]
        self._families = {plugins.family(word).name: word for word in words}
        self._not_compared = {family.name for family in families if not family.compared}
        self._keys = {spec: tuple(self._keys_of(spec)) for spec in self.specs}
        self._runs = runs
        self._outcomes: dict[str, dict[Key, Outcome]] = {}

    def keys(self, spec: str) -> tuple[Key, ...]:
        """Return the keys of the items of a target."""
        return self._keys[spec]

    def _keys_of(self, spec: str) -> Iterator[Key]:
        yield from self._keys_of_texts()
        if has_templates(spec, self.options):
            yield from (Key(check.code, CONVERSATIONS) for check in self._chat_checks)

    def _keys_of_texts(self) -> Iterator[Key]:
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
        of_texts = {key for key in selected if key.family != CONVERSATIONS}
        if of_texts:
            result = self._runs.result(spec, self._run_options(of_texts))
        else:
            result = RunResult(not_run(spec), {})
        if of_texts != selected:
            codes = tuple(key.code for key in selected - of_texts)
            options = replace(self.options, select=codes, ignore=())
            whole = with_conversations(Report(options, (result.report,), {}))
            result = replace(result, report=whole.targets[0])
        self._outcomes[spec] = outcomes(
            result, self.options, self.keys(spec), selected, self._not_compared
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
    """Return the families; the family of regressions only if it is selected or has texts."""
    families = select_families(options)
    if options.families or regressions_to_replay(options, families):
        return families
    return [family for family in families if not family.replayed]


class Root(pytest.Collector):
    """The collector of all targets of a session."""

    checks: TargetChecks

    @classmethod
    def of(cls, session: pytest.Session, checks: TargetChecks) -> Self:
        """Create the root. It has no file, so its node id is its name."""
        root: Self = cls.from_parent(session, name=ROOT, nodeid=ROOT)
        root.checks = checks
        return root

    def collect(self) -> Iterator[TargetNode]:
        """Collect the targets."""
        for number, spec in enumerate(self.checks.specs):
            node: TargetNode = TargetNode.from_parent(self, name=escape_name(spec))
            node.spec, node.checks = spec, self.checks
            # The items of a target share one run: --dist loadgroup keeps them in one worker.
            if self.config.pluginmanager.hasplugin("xdist"):  # xdist knows the mark
                node.add_marker(pytest.mark.xdist_group(f"{ROOT}-{number}"))
            node.add_marker(pytest.mark.tokharness)
            yield node


class TargetNode(pytest.Collector):
    """The collector of the items of one target."""

    spec: str
    checks: TargetChecks

    def collect(self) -> Iterator[CheckItem]:
        """Collect an item for each check and family, and for each audit."""
        for key in self.checks.keys(self.spec):
            item: CheckItem = CheckItem.from_parent(self, name=escape_name(item_name(key)))
            item.spec, item.key, item.checks = self.spec, key, self.checks
            yield item


class CheckItem(pytest.Item):
    """A check on the texts of one family, or the audit of a check."""

    spec: str
    key: Key
    checks: TargetChecks

    def setup(self) -> None:
        """Run the target; if that fails, each of its items is an error."""
        if self.checks.has_run(self.spec):
            return
        selected = {
            item.key
            for item in self.session.items
            if isinstance(item, CheckItem) and item.spec == self.spec
        }
        try:
            self.checks.run(self.spec, selected)
        except TokharnessError as error:
            raise pytest.fail.Exception(visible(str(error)), pytrace=False) from None
        except Exception as error:  # an internal error, which may quote hostile text
            lines = "".join(traceback.format_exception(error)).splitlines()
            raise pytest.fail.Exception("\n".join(map(visible, lines)), pytrace=False) from None

    def runtest(self) -> None:
        """Report the findings; fail, skip or pass."""
        outcome = self.checks.outcome(self.spec, self.key)
        if outcome.notes:
            self.add_report_section("call", ROOT, "\n".join(note for _, note in outcome.notes))
            self.user_properties += [(f"{ROOT}_{verdict}", note) for verdict, note in outcome.notes]
        if outcome.failures:
            pytest.fail("\n\n".join(outcome.failures), pytrace=False)
        if outcome.skip_reason:
            pytest.skip(outcome.skip_reason)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the location, which is not in a file, and the name to show."""
        # If this were the end of the node id, pytest would show its full stops as separators.
        return self.path, None, f"{escape_name(self.spec)} {self.name}"


SHARED_FOLDER = "tokharness_folder"
"""Key of ``workerinput`` with the folder in which the workers of pytest-xdist share runs."""


class SessionPlugin:
    """A pytest plugin that is registered if the session has targets."""

    def __init__(self, config: pytest.Config, request: CheckRequest) -> None:
        worker: dict[str, Any] = getattr(config, "workerinput", {})
        concurrent = min(worker.get("workercount", 1), len(request.specs))
        runs = SharedRuns(worker.get(SHARED_FOLDER), concurrent)
        try:
            self._checks = TargetChecks(request, config.rootpath, runs)
        except TokharnessError as error:
            raise pytest.UsageError(visible(str(error))) from error
        self._folder = ""
        self._node_ids: list[str] = []

    def pytest_report_header(self) -> str:
        """Name the profile and the targets."""
        specs = ", ".join(map(visible, self._checks.specs))
        return f"tokharness: {self._checks.options.profile} profile of {specs}"

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self, session: pytest.Session) -> Iterator[None]:
        """Hide our node ids from pytest, which would look for files of these names."""
        args = session.config.args
        self._node_ids = [arg for arg in args if arg.startswith(f"{ROOT}::")]
        session.config.args = [arg for arg in args if arg not in self._node_ids]
        try:
            return (yield)
        finally:  # pytest-xdist passes the arguments to a worker that replaces another worker
            session.config.args = args

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Add our items before other plugins select among all items."""
        check_items = list(session.genitems(Root.of(session, self._checks)))
        for node_id in self._node_ids:
            if not any(_is_within(item.nodeid, node_id) for item in check_items):
                raise pytest.UsageError(f"not found: {visible(node_id)}")
        node_ids = self._node_ids or [ROOT]
        items += [
            item for item in check_items if any(_is_within(item.nodeid, id_) for id_ in node_ids)
        ]

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Pass the folder of the shared runs to a worker of pytest-xdist."""
        self._folder = self._folder or tempfile.mkdtemp(prefix="tokharness-")
        node.workerinput[SHARED_FOLDER] = self._folder

    def pytest_unconfigure(self) -> None:
        """Remove the folder of the shared runs."""
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def _is_within(node_id: str, ancestor: str) -> bool:
    return node_id == ancestor or node_id.startswith(f"{ancestor}::")
