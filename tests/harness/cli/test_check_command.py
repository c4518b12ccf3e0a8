"""``tokharness check``: from words to an exit code."""

import json

import pytest

from tokharness.engine.worker import dispatch
from tokharness.errors import InternalError


def test_a_clean_target_exits_with_0_and_a_screen(check):
    ended = check("tiktoken:embedded")
    assert ended.code == 0
    assert ended.out.splitlines()[-1].startswith("clean: 0 bugs")
    assert ended.err == ""


def test_a_bug_exits_with_1_and_names_cause_and_command(check, faulty):
    ended = check(faulty("numbers_in_fours"), "--against", "reference:embedded")
    assert ended.code == 1
    assert "pre-token split: number" in ended.out
    assert f"$ tokharness show --json '\"0000\"' {faulty('numbers_in_fours')}" in ended.out


@pytest.mark.parametrize(("fail_on", "code"), [("bug", 0), ("risk", 1), ("never", 0)])
def test_what_fails_is_chosen(check, fail_on, code):
    # The embedded vocabulary has a known risk: some numbers of three digits are one token.
    ended = check("tiktoken:embedded", "--select", "TOK302", "--fail-on", fail_on)
    assert ended.code == code


def test_never_lets_a_bug_pass(check, faulty):
    words = ("--against", "reference:embedded", "--fail-on", "never")
    assert check(faulty("numbers_in_fours"), *words).code == 0


def test_without_a_target_the_reference_is_checked(check):
    ended = check("--select", "TOK1,TOK2", "--format", "json")
    (target,) = json.loads(ended.out)["targets"]
    assert (target["target"], target["against"]) == ("reference", "tiktoken:embedded")


def test_several_targets_are_reported_together(check, faulty):
    ended = check("tiktoken:embedded", faulty("plain"), "--select", "TOK1", "--format", "json")
    names = [target["target"] for target in json.loads(ended.out)["targets"]]
    assert names == ["tiktoken:embedded", faulty("plain")]


def test_a_run_without_a_check_is_a_mistake(check):
    ended = check("tiktoken:embedded", "--ignore", "TOK")
    assert ended.code == 2
    assert "no check is left" in ended.err


@pytest.mark.parametrize(
    ("spec", "meant"),
    [("cl100k_base", "tiktoken:cl100k_base"), ("mine.py", "python:mine.py:FACTORY")],
)
def test_a_target_without_a_scheme_is_told_with_one(check, spec, meant):
    ended = check(spec)
    assert ended.code == 2
    assert meant in ended.err


def test_options_reach_the_report(check):
    ended = check(
        *("tiktoken:embedded", "--select", "TOK101,raises", "--ignore", "TOK102", "--seed", "7"),
        *("--against", "none", "--format", "json"),
    )
    options = json.loads(ended.out)["options"]
    assert options["select"] == ["TOK101", "raises"]
    assert options["ignore"][0] == "TOK102"
    assert options["families"] == ["digits", "contractions"]
    assert (options["seed"], options["against"], options["examples"]) == (7, "none", 0)


def test_the_same_seed_gives_the_same_findings(command, faulty):
    words = ("check", faulty("numbers_in_fours"), "--family", "digits", "--examples", "20")
    few = ("--profile", "quick", "--select", "TOK101,TOK201", "--jobs", "0")
    first, second = (
        json.loads(command(*words, *few, "--against", "reference:embedded", "--format", "json").out)
        for _ in range(2)
    )
    assert first["findings"] == second["findings"]


@pytest.mark.parametrize("name", ["terminal", "json", "jsonl", "markdown"])
def test_every_format_can_be_the_output(check, name):
    ended = check("tiktoken:embedded", "--select", "TOK101", "--format", name)
    assert ended.code == 0
    assert "tiktoken:embedded" in ended.out


def test_what_a_target_prints_does_not_corrupt_the_output(check, faulty):
    ended = check(faulty("prints"), "--select", "TOK101", "--format", "json")
    assert json.loads(ended.out)["findings"] == []
    assert "a target that prints" in ended.err


def test_skips_are_shown_and_do_not_fail(check, faulty):
    ended = check(faulty("plain"))
    assert ended.code == 0
    assert "--against" in ended.out
    assert "skip" in ended.out


def test_ctrl_c_ends_with_130_and_a_report_of_what_was_found(check, faulty):
    ended = check(faulty("interrupted"), "--format", "json")
    assert ended.code == 130
    assert json.loads(ended.out)["interrupted"] is True


def test_ctrl_c_while_loading_ends_with_130_too(check, tmp_path):
    path = tmp_path / "stopped.py"
    path.write_text("raise KeyboardInterrupt")
    ended = check(f"python:{path}:make", "--format", "json")
    assert ended.code == 130
    assert json.loads(ended.out)["targets"] == []


def test_no_control_character_reaches_the_screen(command, faulty):
    words = ("--family", "special-tokens,zero-width", "--examples", "0", "--select", "TOK101")
    ended = command("check", faulty("drops_zero_width_space"), *words)
    assert ended.code == 1
    assert "\\u{200b}" in ended.out
    assert ended.out.replace("\n", "").isprintable()


def test_an_internal_error_is_one_sentence(check, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr(dispatch, "load_subject", broken)
    ended = check("tiktoken:embedded")
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert "internal error: ZeroDivisionError: of ours" in ended.err


def test_an_internal_error_shows_its_traceback_when_asked(check, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr(dispatch, "load_subject", broken)
    monkeypatch.setenv("TOKHARNESS_TRACEBACK", "1")
    with pytest.raises(InternalError, match="of ours") as raised:
        check("tiktoken:embedded")
    assert "ZeroDivisionError" in raised.value.__notes__[0]


def test_of_a_few_families_nothing_is_expected(check, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("tokharness.toml").write_text('expect = ["lossy:NFKC"]\n', encoding="utf-8")
    assert check("reference").code == 0


@pytest.mark.slow
@pytest.mark.parametrize(("expected", "code"), [("TOK101:U+FFFD", 0), ("lossy:NFKC", 1)])
def test_what_the_policy_expects_and_nothing_meets_fails(
    command, tmp_path, monkeypatch, expected, code
):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("tokharness.toml").write_text(f'expect = ["{expected}"]\n', encoding="utf-8")
    words = ("--profile", "quick", "--select", "TOK101", "--examples", "0")
    ended = command("check", "reference", *words)
    assert ended.code == code
    assert (expected in ended.err) == bool(code)
