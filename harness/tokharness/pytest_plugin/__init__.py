"""The checks as pytest items, and targets as a fixture: ``pytest --tokharness-target SPEC``.

Each check of a target is one item per family, ``tokharness::SPEC::TOK101-emoji``, and one item
``tokharness::SPEC::TOK401-audit`` if it audits the target as a whole. A target is run once per
session, with the first of its items, and only as far as the selected items need; workers of
pytest-xdist share that run. Without a target, the plugin adds and imports nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokharness.pytest_plugin._settings import (
    CheckRequest,
    add_options,
    parse_settings,
    specs_of_mark,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.model import Target

__all__ = [
    "pytest_addoption",
    "pytest_configure",
    "pytest_generate_tests",
    "tokharness_target",
]

FIXTURE = "tokharness_target"
REQUEST = pytest.StashKey[CheckRequest]()
NO_TARGET = (
    "no target: use --tokharness-target SPEC, the ini option tokharness_targets, or the mark "
    '@pytest.mark.tokharness_target("SPEC")'
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and their ini equivalents."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks and, if there are targets, the plugin that adds their items."""
    config.addinivalue_line("markers", "tokharness: a check of a target, added by tokharness")
    config.addinivalue_line(
        "markers", f"{FIXTURE}(spec, ...): the targets of the fixture {FIXTURE} for this test"
    )
    request = config.stash[REQUEST] = parse_settings(config)
    if request.specs:
        from tokharness.pytest_plugin._items import SessionPlugin

        config.pluginmanager.register(SessionPlugin(config, request), "tokharness-session")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize tests that use the fixture; a mark overrides the options."""
    if FIXTURE not in metafunc.fixturenames:
        return
    marked = specs_of_mark(metafunc.definition.get_closest_marker(FIXTURE))
    if specs := marked or metafunc.config.stash[REQUEST].specs:
        from tokharness.pytest_plugin._outcomes import escape_name

        ids = [escape_name(spec) for spec in specs]
        metafunc.parametrize(FIXTURE, specs, ids=ids, indirect=True, scope="session")


@pytest.fixture(scope="session")
def tokharness_target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """A target; the spec comes from an option or a mark, and without either the test is skipped.

    The target is loaded in the process of the test, or in a process of its own if it reads a file.
    """
    spec = getattr(request, "param", None)
    if spec is None:
        pytest.skip(NO_TARGET)
    from tokharness.errors import TokharnessError
    from tokharness.escaping import visible
    from tokharness.targets.loading import contained_target

    try:
        target = contained_target(spec)
    except TokharnessError as error:
        raise pytest.fail.Exception(visible(str(error)), pytrace=False) from None
    try:
        yield target
    finally:
        target.close()
