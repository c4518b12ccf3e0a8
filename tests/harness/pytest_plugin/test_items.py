"""The items of the checks and families of a target, and the output of each."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import tokharness_tokenizers.vocabularies

ONE = ("--tokharness-select", "TOK101", "--tokharness-against", "none")
FAMILY = ("--tokharness-family", "surrogates")
SMALL = (*ONE, *FAMILY)
SHOWN = "ZERO WIDTH SPACE"


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


def test_a_target_adds_items_to_a_folder_without_tests(pytester, target):
    result = pytester.runpytest(*target("reference"), *SMALL, "-v")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["tokharness::reference::TOK101-surrogates PASSED*"])


def test_a_target_adds_items_to_test_files_and_paths(pytester, target):
    path = pytester.makepyfile("def test_mine(): pass")
    pytester.runpytest(*target("reference"), *SMALL, path).assert_outcomes(passed=2)


def test_each_check_and_family_and_each_audit_is_an_item(pytester, target):
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


@pytest.mark.slow
def test_a_finding_fails_the_item_of_its_family_with_escaped_output(pytester, target, faulty):
    families = "--tokharness-family=zero-width,plain-words"
    result = pytester.runpytest(*target(faulty), *ONE, families, "--junitxml=report.xml")
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
    assert failed[0].get("classname") == f"tokharness.{faulty}"


def test_facts_do_not_fail_and_are_in_the_report(pytester, target, faulty):
    result = pytester.runpytest(*target(faulty), *SMALL, "-rP", "--junitxml=report.xml")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["fact TOK101 *a lone surrogate*comes back as U+FFFD"])
    assert 'name="tokharness_fact"' in (pytester.path / "report.xml").read_text("utf-8")


@pytest.mark.slow
def test_a_risk_fails_only_with_fail_on_risk(pytester, target, faulty):
    words = (*target(faulty), "--tokharness-select=TOK302", *FAMILY)
    pytester.runpytest(*words).assert_outcomes(passed=1)
    pytester.runpytest(*words, "--tokharness-fail-on=risk").assert_outcomes(failed=1)


def test_a_check_that_was_not_run_is_skipped(pytester, target, faulty):
    result = pytester.runpytest(*target(faulty), "--tokharness-select=TOK4", *FAMILY, "-rs")
    result.assert_outcomes(skipped=11)
    result.stdout.fnmatch_lines(["SKIPPED *the target has no decode_single_token_bytes*"])


def test_a_family_without_a_text_in_the_profile_is_skipped(pytester, target):
    words = (*ONE, "--tokharness-family=very-long-inputs", "-rs")
    result = pytester.runpytest(*target("reference"), *words)
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED *the quick profile has no text of this family"])


def test_a_check_that_the_profile_omits_is_skipped_even_if_others_are_deselected(
    pytester, target, faulty
):
    result = pytester.runpytest(*target(faulty), *FAMILY, "-k", "TOK114", "-rs")
    result.stdout.fnmatch_lines(["SKIPPED *it does not run in the quick profile"])


def test_a_target_that_cannot_be_loaded_is_an_error_of_each_item(pytester, target):
    result = pytester.runpytest(
        *target("python:x:y", "reference:no\u202esuch"), *ONE, "--tokharness-family=emoji"
    )
    result.assert_outcomes(errors=2)
    text = result.stdout.str()
    assert "Traceback" not in text
    assert "During handling" not in text
    assert "\u202e" not in text
    assert "importing x failed: ModuleNotFoundError" in " ".join(text.split())


def test_a_target_that_does_not_load_fails_every_item(pytester, target):
    pytester.makepyfile(refused="def make():\n    raise ValueError('refused')\n")
    words = ("--tokharness-select", "TOK101", *FAMILY, "--tokharness-against", "reference:embedded")
    result = pytester.runpytest(*target("python:refused.py:make"), *words)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*TOK104 crashes-or-hangs: does not load: ValueError*"])


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    "words",
    [
        ["-k", "TOK101 and surrogates"],
        ["tokharness::reference::TOK101-surrogates"],
        ["--deselect", "tokharness::reference::TOK302", "-k", "surrogates"],
    ],
)
def test_items_are_selected_by_keyword_and_by_node_id(pytester, words, target):
    checks = "--tokharness-select=TOK101,TOK302"
    families = "--tokharness-family=surrogates,bidi"
    result = pytester.runpytest(*target("reference"), checks, families, *words, "-v")
    assert result.parseoutcomes()["passed"] == 1
    result.stdout.fnmatch_lines(["tokharness::reference::TOK101-surrogates PASSED*"])


def test_the_mark_is_registered_and_deselects_items(pytester, target):
    pytester.makepyfile("def test_mine(): pass")
    words = (*target("reference"), *SMALL, "--strict-markers", "-m", "not tokharness")
    pytester.runpytest(*words).assert_outcomes(passed=1, deselected=1)


@pytest.mark.slow
def test_each_check_of_a_chat_template_is_an_item(pytester, target):
    file = Path(tokharness_tokenizers.vocabularies.__file__).parent / "healthy" / "byte-level-bpe"
    folder = pytester.mkdir("model")
    (folder / "tokenizer.json").write_bytes((file / "tokenizer.json").read_bytes())
    (folder / "chat_template.jinja").write_text("{{ messages[0].content + missing.name }}")
    words = ("--tokharness-select=TOK101,TOK501,TOK502", *FAMILY, "-k", "TOK5", "-v")
    result = pytester.runpytest(*target(f"hf:{folder}"), *words)
    result.assert_outcomes(failed=1, skipped=1, deselected=1)
    result.stdout.fnmatch_lines(
        ["*::TOK501-conversations FAILED*", "*::TOK502-conversations SKIPPED*"]
    )


@pytest.mark.slow
def test_last_failed_runs_only_failed_items(pytester, target, faulty):
    families = "--tokharness-family=zero-width,plain-words"
    words = (*target(faulty), *ONE, families)
    pytester.runpytest(*words).assert_outcomes(passed=1, failed=1)
    pytester.runpytest(*words, "--lf").assert_outcomes(failed=1, deselected=1)
