"""The hooks of a session with targets: they add the items, and share runs with xdist workers."""

from __future__ import annotations

import shutil
import tempfile
from typing import TYPE_CHECKING, Any

import pytest

from tokharness.errors import TokharnessError
from tokharness.escaping import visible
from tokharness.pytest_plugin._items import Root, TargetChecks
from tokharness.pytest_plugin._outcomes import ROOT
from tokharness.pytest_plugin._shared_runs import SharedRuns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.pytest_plugin._settings import CheckRequest

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
