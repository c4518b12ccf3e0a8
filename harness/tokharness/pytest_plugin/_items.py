"""The nodes that pytest sees: a root, a collector for each target, an item for each question."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Self

import pytest

from tokharness.errors import TokharnessError
from tokharness.escaping import visible
from tokharness.pytest_plugin._names import ROOT, escaped
from tokharness.pytest_plugin._outcomes import label

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokharness.pytest_plugin._outcomes import Key
    from tokharness.pytest_plugin._session import CheckSession

__all__ = ["CheckItem", "Root", "TargetNode"]


class Root(pytest.Collector):
    """The collector of all targets of a session."""

    checks: CheckSession

    @classmethod
    def of(cls, session: pytest.Session, checks: CheckSession) -> Self:
        """Make the root; it has no file, so that its node id is its name."""
        root: Self = cls.from_parent(session, name=ROOT, nodeid=ROOT)
        root.checks = checks
        return root

    def collect(self) -> Iterator[TargetNode]:
        """Collect the targets."""
        for number, spec in enumerate(self.checks.asked.targets):
            node: TargetNode = TargetNode.from_parent(self, name=escaped(spec))
            node.spec, node.checks = spec, self.checks
            # The run of a target is shared by its items: --dist loadgroup keeps them together.
            node.add_marker(pytest.mark.xdist_group(f"{ROOT}-{number}"))
            node.add_marker(pytest.mark.tokharness)
            yield node


class TargetNode(pytest.Collector):
    """The collector of the items of one target."""

    spec: str
    checks: CheckSession

    def collect(self) -> Iterator[CheckItem]:
        """Collect an item for each check and family, and for each audit."""
        for key in self.checks.keys:
            item: CheckItem = CheckItem.from_parent(self, name=escaped(label(key)))
            item.spec, item.key, item.checks = self.spec, key, self.checks
            yield item


class CheckItem(pytest.Item):
    """Whether a check finds something in the texts of one family, or in its audit."""

    spec: str
    key: Key
    checks: CheckSession

    def setup(self) -> None:
        """Have the target run; one that cannot be is an error of each of its items."""
        try:
            self.checks.outcome(self)
        except TokharnessError as error:
            raise pytest.fail.Exception(visible(str(error)), pytrace=False) from None
        except Exception as error:  # of ours; what it quotes would act, or end pytest-xdist
            lines = "".join(traceback.format_exception(error)).splitlines()
            raise pytest.fail.Exception("\n".join(map(visible, lines)), pytrace=False) from None

    def runtest(self) -> None:
        """Tell of the findings; fail, or skip, or pass."""
        outcome = self.checks.outcome(self)
        if outcome.told:
            self.add_report_section("call", ROOT, "\n".join(words for _, words in outcome.told))
            self.user_properties += [(f"{ROOT}_{word}", words) for word, words in outcome.told]
        if outcome.failed:
            pytest.fail("\n\n".join(outcome.failed), pytrace=False)
        if outcome.not_run:
            pytest.skip(outcome.not_run)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Say where it is: nowhere in a file."""
        # Not the end of the node id, whose full stops pytest would then show as borders.
        return self.path, None, f"{escaped(self.spec)} {self.name}"
