"""Regressions of a project, which have an item of their own."""

from pathlib import Path

import pytest

from tokharness import plugins

ONE = ("--tokharness-select", "TOK101", "--tokharness-against", "none")
SMALL = (*ONE, "--tokharness-family", "surrogates")


@pytest.fixture
def every(target, faulty):
    """Options for the items of a faulty target."""
    return (*target(faulty), *ONE)


@pytest.fixture
def regression(pytester):
    """Write a regression into a folder."""

    def write(folder):
        path = pytester.path / folder
        path.mkdir(parents=True, exist_ok=True)
        (path / "mine.jsonl").write_text('{"text": "a\\u200bb"}\n')

    return write


@pytest.mark.parametrize("policy", ["", "seed = 1"])
def test_regressions_outside_the_rootdir_are_a_usage_error(
    pytester, tmp_path_factory, policy, target
):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "raises.jsonl").write_text('{"text": "a"}')
    (pytester.path / "cases").mkdir()
    (pytester.path / "cases" / "regressions").symlink_to(outside)
    pytester.makefile(".toml", tokharness=policy)
    result = pytester.runpytest(*target("reference"), *SMALL)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "leads out of the project" in result.stderr.str()


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("folder", "file", "text"),
    [
        ("cases/regressions", "pytest.ini", "[pytest]"),
        ("saved", "pytest.ini", "[pytest]\ntokharness_regressions = saved"),
        ("saved", "tokharness.toml", 'regressions = "saved"'),
    ],
)
def test_regressions_of_a_project_have_an_item(pytester, regression, folder, file, text, every):
    pytester.makefile(Path(file).suffix, **{Path(file).stem: text})
    regression(folder)
    result = pytester.runpytest(*every, "-k", "TOK101-regressions", "-v")
    result.assert_outcomes(failed=1, deselected=len(plugins.families()) - 1)


def test_a_project_without_regressions_has_no_item_unless_selected(pytester, every):
    result = pytester.runpytest(*every, "--collect-only", "-q")
    result.stdout.no_fnmatch_line("*TOK101-regressions*")
    selected = pytester.runpytest(*every, "--tokharness-family=regressions")
    selected.assert_outcomes(skipped=1)


@pytest.mark.slow
def test_each_item_runs_its_own_family(pytester, regression, every):
    regression("cases/regressions")
    words = "--tokharness-family=plain-words,regressions"
    result = pytester.runpytest(*every, words, "-v")
    result.stdout.fnmatch_lines(["*TOK101-plain-words PASSED*", "*TOK101-regressions FAILED*"])


def test_a_corrupt_regression_is_a_usage_error(pytester, regression, every):
    regression("cases/regressions")
    (pytester.path / "cases" / "regressions" / "mine.jsonl").write_text("xyzzy")
    result = pytester.runpytest(*every)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: */mine.jsonl:1 is not a regression: *"])
