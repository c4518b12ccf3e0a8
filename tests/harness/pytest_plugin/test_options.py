"""Options of the command line and of the ini file, and mistakes in them."""

import pytest

ONE = ("--tokharness-select", "TOK101", "--tokharness-against", "none")
FAMILY = ("--tokharness-family", "surrogates")
SMALL = (*ONE, *FAMILY)


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
def test_an_unknown_name_is_a_usage_error(pytester, words, message, target):
    result = pytester.runpytest(*target("reference"), *words)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    pytest.LineMatcher([*result.outlines, *result.errlines]).fnmatch_lines([message])


@pytest.mark.parametrize("option", ["select", "family", "against", "target", "regressions"])
@pytest.mark.parametrize("value", ["", ","])
def test_an_empty_value_of_an_option_is_a_usage_error(pytester, option, value, target):
    result = pytester.runpytest(*target("reference"), f"--tokharness-{option}={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"--tokharness-{option} has an empty value" in result.stderr.str()


def test_the_ini_file_sets_targets_and_options(pytester, target):
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


def test_an_unknown_profile_in_the_ini_file_is_a_usage_error(pytester):
    pytester.makeini("[pytest]\ntokharness_profile = quik")
    result = pytester.runpytest()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: tokharness_profile is 'quik': choose from quick, *"])


@pytest.mark.slow
@pytest.mark.parametrize("given_by", ["option", "ini"])
def test_a_target_may_be_a_path_and_its_items_have_the_spec(pytester, vocabulary, given_by, target):
    words = target(vocabulary, f"./{vocabulary}") if given_by == "option" else ()
    if given_by == "ini":
        pytester.makeini(f"[pytest]\ntokharness_targets = {vocabulary}")
    result = pytester.runpytest(*words, *SMALL, "-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["tokharness::tiktoken:./mine.bpe::TOK101-surrogates PASSED*"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["target=mine.py"], "try `--tokharness-target python:mine.py:Tokenizer`"),
        (["target=gone"], "there is no file 'gone', and no target has this name"),
        (["target=reference", "against=mine.py"], "try `--tokharness-against py"),
    ],
)
def test_a_path_that_is_not_recognized_is_a_usage_error(pytester, tokenizer, options, message):
    tokenizer()
    result = pytester.runpytest(*(f"--tokharness-{option}" for option in options))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *{message}*"])
    assert not (pytester.path / "loaded").exists()
