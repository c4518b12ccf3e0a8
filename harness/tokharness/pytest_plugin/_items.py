"""The nodes of the collection tree: a root, a collector per target, an item per check."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Self

import pytest

from tokharness.errors import TokharnessError
from tokharness.escaping import visible
from tokharness.pytest_plugin._names import ROOT, escape_name
from tokharness.pytest_plugin._outcomes import item_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokharness.pytest_plugin._checks import TargetChecks
    from tokharness.pytest_plugin._outcomes import Key

__all__ = ["CheckItem", "Root", "TargetNode"]


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
            if self.config.pluginmanager.hasplugin("xdist"):  # which knows the mark
                node.add_marker(pytest.mark.xdist_group(f"{ROOT}-{number}"))
            node.add_marker(pytest.mark.tokharness)
            yield node


class TargetNode(pytest.Collector):
    """The collector of the items of one target."""

    spec: str
    checks: TargetChecks

    def collect(self) -> Iterator[CheckItem]:
        """Collect an item for each check and family, and for each audit."""
        for key in self.checks.keys:
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
        # With the end of the node id, pytest would show its full stops as separators.
        return self.path, None, f"{escape_name(self.spec)} {self.name}"
