"""The pytest plugin: items of checks and families, the fixture, shared runs, safe output."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.run.pool import automatic_jobs
from tokharness.engine.run.run import run
from tokharness.errors import TokharnessError
from tokharness.pytest_plugin import _shared_runs
from tokharness_tokenizers.vocabularies.locate import EMBEDDED_PATH

FAULTY = "python:tokharness_tokenizers.faulty.dropped_characters:drops_zero_width_space"
ONE = ("--tokharness-select", "TOK101", "--tokharness-against", "none")
FAMILY = ("--tokharness-family", "surrogates")
SMALL = (*ONE, *FAMILY)
SHOWN = "ZERO WIDTH SPACE"


def target(*specs):
    return [word for spec in specs for word in ("--tokharness-target", spec)]


@pytest.fixture(autouse=True, scope="module")
def imported():
    """Import all modules first: a session in this process forgets the modules that it imports."""
    options = Options(profile="quick", families=("surrogates",), select=("TOK101", "TOK302"))
    assert list(run([FAULTY, "reference"], options, jobs=0))


@pytest.fixture(autouse=True)
def run_in_this_process(monkeypatch):
    """Run targets in this process, which takes a fifth of the time."""

    def run_here(targets, options, *, jobs, earlier=()):
        assert jobs
        return run(targets, options, jobs=0, earlier=earlier)

    monkeypatch.setattr(_shared_runs, "run", run_here)


@pytest.fixture
def tokenizer(pytester):
    """Write a byte tokenizer that appends to a file each time it is loaded."""

    def write(hostile="pass"):
        pytester.makepyfile(
            mine=f"""
            import os, pathlib

            class Tokenizer:
                def __init__(self):
                    with open({str(pytester.path / "loaded")!r}, "a") as file:
                        file.write("x")

                def encode(self, text):
                    {hostile}
                    return list(text.encode())

                def decode(self, ids):
                    return bytes(ids).decode()
            """
        )
        return f"python:{pytester.path / 'mine.py'}:Tokenizer"

    return write


def test_importing_the_plugin_imports_nothing_heavy():
    heavy = ("regex", "hypothesis", "tiktoken", "rich", "click", "tokharness.engine")
    heavy = (*heavy, "tokharness_cases", "tokharness.plugins")
    script = f"import sys, tokharness.pytest_plugin as p; print([m for m in {heavy}"
    done = subprocess.run(
        [sys.executable, "-c", f"{script} if m in sys.modules])"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_without_a_target_nothing_is_added(pytester):
    pytester.makepyfile("def test_mine(): pass")
    result = pytester.runpytest()
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*tokharness:*")


def test_a_target_adds_items_to_a_folder_without_tests(pytester):
    result = pytester.runpytest(*target("reference"), *SMALL, "-v")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["tokharness::reference::TOK101-surrogates PASSED*"])


def test_a_target_adds_items_to_test_files_and_paths(pytester):
    path = pytester.makepyfile("def test_mine(): pass")
    pytester.runpytest(*target("reference"), *SMALL, path).assert_outcomes(passed=2)


def test_each_check_and_family_and_each_audit_is_an_item(pytester):
    result = pytester.runpytest(
        *target("reference"),
        "--tokharness-select=TOK101,TOK302",
        "--tokharness-family=emoji,bidi",
        "--collect-only",
        "-q",
    )
    result.stdout.fnmatch_lines(
        [
            "tokharness::reference::TOK101-emoji",
            "tokharness::reference::TOK101-bidi",
            "tokharness::reference::TOK302-audit",
            "",
            "3 tests collected*",
        ]
    )


def test_a_finding_fails_the_item_of_its_family_with_escaped_output(pytester):
    families = "--tokharness-family=zero-width,plain-words"
    result = pytester.runpytest(*target(FAULTY), *ONE, families, "--junitxml=report.xml")
    result.assert_outcomes(failed=1, passed=1)
    text = result.stdout.str()
    assert "\u200b" not in text
    assert "Traceback" not in text
    result.stdout.fnmatch_lines(
        [
            f"bug TOK101 lossy-round-trip: dropped characters: U+200B {SHOWN}",
            '*smallest text "\\u{200b}"*',
            "$ tokharness show --json '\"\\u200b\"' *",
        ]
    )
    cases = ET.parse(pytester.path / "report.xml").getroot().iter("testcase")  # noqa: S314
    failed = [case for case in cases if case.find("failure") is not None]
    assert [case.get("name") for case in failed] == ["TOK101-zero-width"]
    assert failed[0].get("classname") == f"tokharness.{FAULTY}"


def test_facts_do_not_fail_and_are_in_the_report(pytester):
    result = pytester.runpytest(*target(FAULTY), *SMALL, "-rP", "--junitxml=report.xml")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["fact TOK101 *a lone surrogate*comes back as U+FFFD"])
    assert 'name="tokharness_fact"' in (pytester.path / "report.xml").read_text("utf-8")


@pytest.mark.slow
def test_a_risk_fails_only_with_fail_on_risk(pytester):
    words = (*target(FAULTY), "--tokharness-select=TOK302", *FAMILY)
    pytester.runpytest(*words).assert_outcomes(passed=1)
    pytester.runpytest(*words, "--tokharness-fail-on=risk").assert_outcomes(failed=1)


def test_a_check_that_was_not_run_is_skipped(pytester):
    result = pytester.runpytest(*target(FAULTY), "--tokharness-select=TOK4", *FAMILY, "-rs")
    result.assert_outcomes(skipped=10)
    result.stdout.fnmatch_lines(["SKIPPED *the target has no decode_single_token_bytes*"])


def test_a_family_without_a_text_in_the_profile_is_skipped(pytester):
    words = (*ONE, "--tokharness-family=very-long-inputs", "-rs")
    result = pytester.runpytest(*target("reference"), *words)
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED *the quick profile has no text of this family"])


def test_a_check_that_the_profile_omits_is_skipped_even_if_others_are_deselected(pytester):
    result = pytester.runpytest(*target(FAULTY), *FAMILY, "-k", "TOK114", "-rs")
    result.stdout.fnmatch_lines(["SKIPPED *it does not run in the quick profile"])


def test_a_target_that_cannot_be_loaded_is_an_error_of_each_item(pytester):
    result = pytester.runpytest(
        *target("python:x:y", "reference:no\u202esuch"), *ONE, "--tokharness-family=emoji"
    )
    result.assert_outcomes(errors=2)
    text = result.stdout.str()
    assert "Traceback" not in text
    assert "During handling" not in text
    assert "\u202e" not in text
    assert "importing x failed: ModuleNotFoundError" in " ".join(text.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tokharness-family=emojis"], "ERROR: no family is called 'emojis'*'emoji'*"),
        (["--tokharness-select=TOK999"], "ERROR: no check is called 'TOK999'*"),
        (["--tokharness-target=nothing:x"], "ERROR: no target scheme is called 'nothing'*"),
        (["--tokharness-seed=x"], "ERROR: tokharness_seed must be a number, not 'x'"),
        (["tokharness::reference::TOK999-x"], "ERROR: not found: tokharness::reference::TOK999-x"),
    ],
)
def test_an_unknown_name_is_a_usage_error(pytester, words, message):
    result = pytester.runpytest(*target("reference"), *words)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    pytest.LineMatcher([*result.outlines, *result.errlines]).fnmatch_lines([message])


@pytest.mark.parametrize(
    "words",
    [
        ["-k", "TOK101 and surrogates"],
        ["tokharness::reference::TOK101-surrogates"],
        ["--deselect", "tokharness::reference::TOK302", "-k", "surrogates"],
    ],
)
def test_items_are_selected_by_keyword_and_by_node_id(pytester, words):
    checks = "--tokharness-select=TOK101,TOK302"
    families = "--tokharness-family=surrogates,bidi"
    result = pytester.runpytest(*target("reference"), checks, families, *words, "-v")
    assert result.parseoutcomes()["passed"] == 1
    result.stdout.fnmatch_lines(["tokharness::reference::TOK101-surrogates PASSED*"])


def test_the_mark_is_registered_and_deselects_items(pytester):
    pytester.makepyfile("def test_mine(): pass")
    words = (*target("reference"), *SMALL, "--strict-markers", "-m", "not tokharness")
    pytester.runpytest(*words).assert_outcomes(passed=1, deselected=1)


def test_last_failed_runs_only_failed_items(pytester):
    families = "--tokharness-family=zero-width,plain-words"
    words = (*target(FAULTY), *ONE, families)
    pytester.runpytest(*words).assert_outcomes(passed=1, failed=1)
    pytester.runpytest(*words, "--lf").assert_outcomes(failed=1, deselected=1)


@pytest.mark.parametrize("option", ["select", "family", "against", "target", "regressions"])
@pytest.mark.parametrize("value", ["", ","])
def test_an_empty_value_of_an_option_is_a_usage_error(pytester, option, value):
    result = pytester.runpytest(*target("reference"), f"--tokharness-{option}={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"--tokharness-{option} has an empty value" in result.stderr.str()


@pytest.mark.parametrize("policy", ["", "seed = 1"])
def test_regressions_outside_the_rootdir_are_a_usage_error(pytester, tmp_path_factory, policy):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "raises.jsonl").write_text('{"text": "a"}')
    (pytester.path / "cases").mkdir()
    (pytester.path / "cases" / "regressions").symlink_to(outside)
    pytester.makefile(".toml", tokharness=policy)
    result = pytester.runpytest(*target("reference"), *SMALL)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "leads out of the project" in result.stderr.str()


def test_the_ini_file_sets_targets_and_options(pytester):
    pytester.makeini(
        """
        [pytest]
        tokharness_targets = reference
        tokharness_select = TOK101
        tokharness_families = surrogates bidi
        tokharness_against = none
        """
    )
    pytester.runpytest("--collect-only", "-q").stdout.fnmatch_lines(["2 tests collected*"])
    overridden = pytester.runpytest(
        *FAMILY, *target("reference:cl100k_base"), "--collect-only", "-q"
    )
    overridden.stdout.fnmatch_lines(["tokharness::reference:cl100k_base::TOK101-surrogates"])


@pytest.fixture
def regression(pytester):
    """Write a regression into a folder."""

    def write(folder):
        path = pytester.path / folder
        path.mkdir(parents=True, exist_ok=True)
        (path / "mine.jsonl").write_text('{"text": "a\\u200bb"}\n')

    return write


ALL = (*target(FAULTY), *ONE)


@pytest.mark.parametrize(
    ("folder", "file", "text"),
    [
        ("cases/regressions", "pytest.ini", "[pytest]"),
        ("saved", "pytest.ini", "[pytest]\ntokharness_regressions = saved"),
        ("saved", "tokharness.toml", 'regressions = "saved"'),
    ],
)
def test_regressions_of_a_project_have_an_item(pytester, regression, folder, file, text):
    pytester.makefile(Path(file).suffix, **{Path(file).stem: text})
    regression(folder)
    result = pytester.runpytest(*ALL, "-k", "TOK101-regressions", "-v")
    result.assert_outcomes(failed=1, deselected=len(plugins.families()) - 1)


def test_a_project_without_regressions_has_no_item_unless_selected(pytester):
    result = pytester.runpytest(*ALL, "--collect-only", "-q")
    result.stdout.no_fnmatch_line("*TOK101-regressions*")
    selected = pytester.runpytest(*ALL, "--tokharness-family=regressions")
    selected.assert_outcomes(skipped=1)


def test_each_item_runs_its_own_family(pytester, regression):
    regression("cases/regressions")
    words = "--tokharness-family=plain-words,regressions"
    result = pytester.runpytest(*ALL, words, "-v")
    result.stdout.fnmatch_lines(["*TOK101-plain-words PASSED*", "*TOK101-regressions FAILED*"])


def test_a_corrupt_regression_is_a_usage_error(pytester, regression):
    regression("cases/regressions")
    (pytester.path / "cases" / "regressions" / "mine.jsonl").write_text("xyzzy")
    result = pytester.runpytest(*ALL)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: */mine.jsonl:1 is not a regression: *"])


def test_an_unknown_profile_in_the_ini_file_is_a_usage_error(pytester):
    pytester.makeini("[pytest]\ntokharness_profile = quik")
    result = pytester.runpytest()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: tokharness_profile is 'quik': choose from quick, *"])


def test_a_target_is_run_once_and_only_for_the_selected_items(pytester, tokenizer):
    spec = tokenizer()
    words = (*target(spec), *ONE, "--tokharness-family=bidi,digits,emoji")
    result = pytester.runpytest(*words, "-k", "not emoji")
    result.assert_outcomes(passed=2, deselected=1)
    assert (pytester.path / "loaded").read_text() == "x"


@pytest.mark.slow
def test_a_crash_fails_the_item_and_not_the_session(pytester, tokenizer):
    spec = tokenizer('if "\\u202e" in text: os.abort()')
    words = ("--tokharness-select=TOK104", "--tokharness-against=none")
    families = "--tokharness-family=bidi,digits"
    result = pytester.runpytest_subprocess(*target(spec), *words, families)
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["bug TOK104 crashes-or-hangs: crash: *SIGABRT*"])


def test_the_fixture_provides_each_target(pytester):
    pytester.makepyfile(
        """
        import pytest

        def test_mine(tokharness_target):
            ids = tokharness_target.encode("a b")
            assert tokharness_target.decode(ids) == "a b"

        @pytest.mark.tokharness_target("reference")
        def test_own(tokharness_target):
            assert tokharness_target.spec == "reference"
        """
    )
    words = (
        *target("reference", FAULTY, "python:no:x"),
        "-m",
        "not tokharness",
        "--strict-markers",
    )
    result = pytester.runpytest(*words, "-v")
    assert result.parseoutcomes()["passed"] == 3
    assert result.parseoutcomes()["errors"] == 1
    for name in (f"test_mine[[]{FAULTY}", "test_own[[]reference", "test_mine[[]reference"):
        result.stdout.fnmatch_lines([f"*::{name}] PASSED*"])


def test_without_a_target_a_test_with_the_fixture_is_skipped(pytester):
    pytester.makepyfile("def test_mine(tokharness_target): raise SystemError")
    result = pytester.runpytest("-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED *use --tokharness-target SPEC*"])


def test_a_mark_without_a_spec_is_an_error(pytester):
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.tokharness_target
        def test_mine(tokharness_target): pass
        """
    )
    pytester.runpytest().stdout.fnmatch_lines(["the mark needs specs: tokharness_target(*"])


@pytest.mark.slow
def test_workers_share_the_run_of_a_target(pytester, tokenizer):
    words = (*target(tokenizer()), *ONE, "--tokharness-family=bidi,digits,emoji,hangul")
    pytester.runpytest_subprocess(*words, "-n2", "-v").assert_outcomes(passed=4)
    assert (pytester.path / "loaded").read_text() == "x" * automatic_jobs()


def test_a_run_that_another_process_started_is_continued(tmp_path, monkeypatch):
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
        _shared_runs.SharedRuns(str(tmp_path), 1).result(FAULTY, options)
    done = emitted.count("UnitFinished")
    first = _shared_runs.SharedRuns(str(tmp_path), 1).result(FAULTY, options)
    units = emitted.count("UnitFinished")
    second = _shared_runs.SharedRuns(str(tmp_path), 1).result(FAULTY, options)
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
def test_workers_fail_skip_and_report_errors_alike(pytester):
    words = (*target(FAULTY, "python:no:x"), "--tokharness-select=TOK101,TOK402")
    families = "--tokharness-family=zero-width,digits"
    # This mode reads and changes the names of items; the other tests have the default one.
    result = pytester.runpytest_subprocess(*words, families, "-n2", "--dist=loadgroup")
    result.assert_outcomes(failed=1, passed=1, skipped=1, errors=3)


@pytest.mark.slow
def test_workers_find_a_node_id(pytester):
    node_id = "tokharness::reference::TOK101-surrogates"
    result = pytester.runpytest_subprocess(*target("reference"), *ONE, node_id, "-n2")
    result.assert_outcomes(passed=1)


def test_a_target_that_does_not_load_fails_every_item(pytester):
    pytester.makepyfile(refused="def make():\n    raise ValueError('refused')\n")
    words = ("--tokharness-select", "TOK101", *FAMILY, "--tokharness-against", "reference:embedded")
    result = pytester.runpytest(*target("python:refused.py:make"), *words)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*TOK104 crashes-or-hangs: does not load: ValueError*"])


@pytest.fixture
def vocabulary(pytester):
    """A vocabulary file without a name of its own."""
    for end in ("", ".json"):
        (pytester.path / f"mine.bpe{end}").write_bytes(Path(f"{EMBEDDED_PATH}{end}").read_bytes())
    return "mine.bpe"


@pytest.mark.parametrize("given_by", ["option", "ini"])
def test_a_target_may_be_a_path_and_its_items_have_the_spec(pytester, vocabulary, given_by):
    words = target(vocabulary, f"./{vocabulary}") if given_by == "option" else ()
    if given_by == "ini":
        pytester.makeini(f"[pytest]\ntokharness_targets = {vocabulary}")
    result = pytester.runpytest(*words, *SMALL, "-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["tokharness::tiktoken:./mine.bpe::TOK101-surrogates PASSED*"])


def test_a_reference_and_a_mark_may_be_paths(pytester, vocabulary):
    pytester.makepyfile(
        f"""
        import pytest

        @pytest.mark.tokharness_target({vocabulary!r})
        def test_mine(tokharness_target):
            assert tokharness_target.spec == "tiktoken:./mine.bpe"
        """
    )
    words = (*target("reference"), "--tokharness-against", vocabulary, *FAMILY)
    result = pytester.runpytest(*words, "--tokharness-select", "TOK101", "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_mine?tiktoken:./mine.bpe? PASSED*"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (target("mine.py"), "try `--tokharness-target python:mine.py:Tokenizer`"),
        (target("gone"), "there is no file 'gone', and no target has this name"),
        ((*target("reference"), "--tokharness-against", "mine.py"), "try `--tokharness-against py"),
    ],
)
def test_a_path_that_is_not_recognized_is_a_usage_error(pytester, tokenizer, words, message):
    tokenizer()
    result = pytester.runpytest(*words)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *{message}*"])
    assert not (pytester.path / "loaded").exists()


def test_a_mark_with_a_path_that_is_not_recognized_fails_its_test(pytester, tokenizer):
    tokenizer()
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.tokharness_target("mine.py")
        def test_mine(tokharness_target): ...
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*'mine.py' is code, *: try `python:mine.py:Tokenizer`*"])
