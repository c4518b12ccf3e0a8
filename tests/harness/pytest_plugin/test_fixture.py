"""The fixture for tests of a project's own, and its mark."""

import pytest


@pytest.mark.slow
def test_the_fixture_provides_each_target(pytester, target, faulty):
    pytester.makepyfile(
        """
        import pytest

        def test_mine(tokharness_target):
            ids = tokharness_target.encode("a b")
            assert tokharness_target.decode(ids) == "a b"

        @pytest.mark.tokharness_target("reference")
        def test_own(tokharness_target):
            assert tokharness_target.spec == "reference"
            assert not tokharness_target.has_own_process
        """
    )
    words = (
        *target("reference", faulty, "python:no:x"),
        "-m",
        "not tokharness",
        "--strict-markers",
    )
    result = pytester.runpytest(*words, "-v")
    assert result.parseoutcomes()["passed"] == 3
    assert result.parseoutcomes()["errors"] == 1
    for name in (f"test_mine[[]{faulty}", "test_own[[]reference", "test_mine[[]reference"):
        result.stdout.fnmatch_lines([f"*::{name}] PASSED*"])


@pytest.mark.slow
def test_without_a_target_a_test_with_the_fixture_is_skipped(pytester):
    pytester.makepyfile("def test_mine(tokharness_target): raise SystemError")
    result = pytester.runpytest("-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED *use --tokharness-target SPEC*"])


@pytest.mark.slow
def test_a_mark_without_a_spec_is_an_error(pytester):
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.tokharness_target
        def test_mine(tokharness_target): pass
        """
    )
    pytester.runpytest().stdout.fnmatch_lines(["the mark needs specs: tokharness_target(*"])


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


@pytest.mark.slow
def test_a_reference_and_a_mark_may_be_paths(pytester, vocabulary, target):
    pytester.makepyfile(
        f"""
        import pytest

        @pytest.mark.tokharness_target({vocabulary!r})
        def test_mine(tokharness_target):
            assert tokharness_target.spec == "tiktoken:./mine.bpe"
            assert tokharness_target.has_own_process  # with limits, as a file may be a stranger's
        """
    )
    words = ("--tokharness-against", vocabulary, "--tokharness-family", "surrogates")
    few = ("--tokharness-select", "TOK101", "-v")
    result = pytester.runpytest(*target("reference"), *words, *few)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_mine?tiktoken:./mine.bpe? PASSED*"])
