"""A target runs once for all of its items, in any number of processes."""

import pytest

from tokharness.config import Options
from tokharness.engine.run.pool import automatic_jobs
from tokharness.engine.run.run import run
from tokharness.errors import TokharnessError
from tokharness.pytest_plugin import _shared_runs

ONE = ("--tokharness-select", "TOK101", "--tokharness-against", "none")


def test_a_target_is_run_once_and_only_for_the_selected_items(pytester, tokenizer, target):
    spec = tokenizer()
    words = (*target(spec), *ONE, "--tokharness-family=bidi,digits,emoji")
    result = pytester.runpytest(*words, "-k", "not emoji")
    result.assert_outcomes(passed=2, deselected=1)
    assert (pytester.path / "loaded").read_text() == "x"


@pytest.mark.slow
def test_a_crash_fails_the_item_and_not_the_session(pytester, tokenizer, target):
    spec = tokenizer('if "\\u202e" in text: os.abort()')
    words = ("--tokharness-select=TOK104", "--tokharness-against=none")
    families = "--tokharness-family=bidi,digits"
    result = pytester.runpytest_subprocess(*target(spec), *words, families)
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["bug TOK104 crashes-or-hangs: crash: *SIGABRT*"])


@pytest.mark.slow
def test_workers_share_the_run_of_a_target(pytester, tokenizer, target):
    words = (*target(tokenizer()), *ONE, "--tokharness-family=bidi,digits,emoji,hangul")
    pytester.runpytest_subprocess(*words, "-n2", "-v").assert_outcomes(passed=4)
    assert (pytester.path / "loaded").read_text() == "x" * automatic_jobs()


def test_a_run_that_another_process_started_is_continued(tmp_path, monkeypatch, faulty):
    options = Options(profile="quick", select=("TOK101",), families=("digits", "bidi"))
    emitted = []

    def interrupted_run(targets, options, *, jobs, earlier=()):
        for event in run(targets, options, jobs=0, earlier=earlier):
            emitted.append(type(event).__name__)
            yield event
            if len(emitted) == 3:
                raise KeyboardInterrupt

    monkeypatch.setattr(_shared_runs, "run", interrupted_run)
    with pytest.raises(KeyboardInterrupt):
        _shared_runs.SharedRuns(str(tmp_path), 1).result(faulty, options)
    done = emitted.count("UnitFinished")
    first = _shared_runs.SharedRuns(str(tmp_path), 1).result(faulty, options)
    units = emitted.count("UnitFinished")
    second = _shared_runs.SharedRuns(str(tmp_path), 1).result(faulty, options)
    assert 0 < done < units == emitted.count("UnitFinished")
    assert first == second
    assert {family.family for family in first.report.families} == {"digits", "bidi"}


def test_a_target_that_cannot_be_loaded_is_loaded_by_one_process_only(tmp_path, monkeypatch):
    options = Options(profile="quick", families=("digits",))
    with pytest.raises(TokharnessError) as first:
        _shared_runs.SharedRuns(str(tmp_path), 1).result("python:missing.module.here:x", options)
    monkeypatch.setattr(_shared_runs, "run", None)
    with pytest.raises(TokharnessError) as second:
        _shared_runs.SharedRuns(str(tmp_path), 1).result("python:missing.module.here:x", options)
    assert str(first.value) == str(second.value)


@pytest.mark.slow
def test_workers_fail_skip_and_report_errors_alike(pytester, target, faulty):
    words = (*target(faulty, "python:no:x"), "--tokharness-select=TOK101,TOK402")
    families = "--tokharness-family=zero-width,digits"
    # This mode reads and changes the names of items; the other tests have the default one.
    result = pytester.runpytest_subprocess(*words, families, "-n2", "--dist=loadgroup")
    result.assert_outcomes(failed=1, passed=1, skipped=1, errors=3)


@pytest.mark.slow
def test_workers_find_a_node_id(pytester, target):
    node_id = "tokharness::reference::TOK101-surrogates"
    result = pytester.runpytest_subprocess(*target("reference"), *ONE, node_id, "-n2")
    result.assert_outcomes(passed=1)
