"""The checks as pytest items, and targets as a fixture: ``pytest --tokharness-target SPEC``.

Each check of a target is an item for each family, ``tokharness::SPEC::TOK101-emoji``, and one more,
``tokharness::SPEC::TOK401-audit``, where it audits the target as a whole. A target is run once a
session, when the first of its items is, and only as far as the selected items ask; workers of
pytest-xdist share that run. Without a target nothing happens, and nothing is imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokharness.pytest_plugin._settings import add_options, asked_of, words_of_mark

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
NO_TARGET = (
    "no target is named: give --tokharness-target SPEC, the ini option tokharness_targets, or the "
    'mark @pytest.mark.tokharness_target("SPEC")'
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and their ini equivalents."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks; with a target, also what makes items, after a look at all names."""
    config.addinivalue_line("markers", "tokharness: an item of tokharness, a check of a target")
    config.addinivalue_line(
        "markers", f"{FIXTURE}(spec, ...): targets that the fixture {FIXTURE} loads for this test"
    )
    asked = asked_of(config)
    if asked.targets:
        from tokharness.pytest_plugin._session import CheckSession

        config.pluginmanager.register(CheckSession(config, asked), "tokharness-session")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test with the fixture each of the targets; marks go before options."""
    if FIXTURE not in metafunc.fixturenames:
        return
    named = words_of_mark(metafunc.definition.get_closest_marker(FIXTURE))
    if specs := named or asked_of(metafunc.config).targets:
        from tokharness.pytest_plugin._names import escaped

        ids = [escaped(spec) for spec in specs]
        metafunc.parametrize(FIXTURE, specs, ids=ids, indirect=True, scope="session")


@pytest.fixture(scope="session")
def tokharness_target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """A target, loaded in the test's own process; its spec is from an option, or from a mark.

    Without either the test is skipped.
    """
    spec = getattr(request, "param", None)
    if spec is None:
        pytest.skip(NO_TARGET)
    from tokharness.errors import TokharnessError
    from tokharness.escaping import visible
    from tokharness.targets.loading import load_target

    try:
        target = load_target(spec)
    except TokharnessError as error:
        raise pytest.fail.Exception(visible(str(error)), pytrace=False) from None
    try:
        yield target
    finally:
        target.close()
