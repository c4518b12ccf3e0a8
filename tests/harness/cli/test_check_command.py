"""``tokharness check``: options, output and exit codes."""

import json

import pytest

from tokharness.engine.worker.operations import load
from tokharness.errors import InternalError


def test_a_run_without_findings_exits_with_0(check):
    outcome = check("tiktoken:embedded")
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1].startswith("passed: 0 bugs")
    assert outcome.err == ""


def test_a_bug_exits_with_1_and_has_cause_and_command(check, faulty):
    outcome = check(faulty("numbers_in_fours"), "--against", "reference:embedded")
    assert outcome.code == 1
    assert "pre-tokenizer: numbers are split into fours" in outcome.out
    assert f"$ tokharness show --json '\"0000\"' {faulty('numbers_in_fours')}" in outcome.out


@pytest.mark.slow
@pytest.mark.parametrize(("fail_on", "code"), [("bug", 0), ("risk", 1)])
def test_fail_on_sets_what_fails(command, fail_on, code):
    # The embedded vocabulary has a known risk: some numbers of three digits are one token.
    few = ("--select", "TOK302", "--family", "digits", "--profile", "quick", "--jobs", "0")
    outcome = command("check", "tiktoken:embedded", *few, "--fail-on", fail_on)
    assert outcome.code == code


@pytest.mark.slow
def test_fail_on_never_passes_with_a_bug(check, faulty):
    words = ("--against", "reference:embedded", "--fail-on", "never")
    assert check(faulty("numbers_in_fours"), *words).code == 0


def test_the_default_target_is_the_reference(check):
    outcome = check("--select", "TOK1,TOK2", "--format", "json")
    (target,) = json.loads(outcome.out)["targets"]
    assert (target["spec"], target["against"]) == ("reference", "tiktoken:embedded")


@pytest.mark.slow
def test_several_targets_are_reported_together(check, faulty):
    outcome = check("tiktoken:embedded", faulty("plain"), "--select", "TOK1", "--format", "json")
    names = [target["spec"] for target in json.loads(outcome.out)["targets"]]
    assert names == ["tiktoken:embedded", faulty("plain")]


def test_a_run_without_checks_is_an_error(check):
    outcome = check("tiktoken:embedded", "--ignore", "TOK")
    assert outcome.code == 2
    assert "no check is left" in outcome.err


@pytest.mark.parametrize(
    ("spec", "meant"),
    [("cl100k_base", "tiktoken:cl100k_base"), ("mine.py", "python:mine.py:FACTORY")],
)
def test_a_target_without_a_scheme_gets_a_suggestion(check, spec, meant):
    outcome = check(spec)
    assert outcome.code == 2
    assert meant in outcome.err


def test_options_reach_the_report(check):
    outcome = check(
        *("tiktoken:embedded", "--select", "TOK101,raises", "--ignore", "TOK102", "--seed", "7"),
        *("--against", "none", "--format", "json"),
    )
    options = json.loads(outcome.out)["options"]
    assert options["select"] == ["TOK101", "raises"]
    assert options["ignore"][0] == "TOK102"
    assert options["families"] == ["digits", "contractions"]
    assert (options["seed"], options["against"], options["examples"]) == (7, "none", 0)


@pytest.mark.slow
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
    outcome = check("tiktoken:embedded", "--select", "TOK101", "--format", name)
    assert outcome.code == 0
    assert "tiktoken:embedded" in outcome.out


def test_output_of_a_target_does_not_corrupt_the_report(check, faulty):
    outcome = check(faulty("prints"), "--select", "TOK101", "--format", "json")
    assert json.loads(outcome.out)["findings"] == []
    assert "a target that prints" in outcome.err


@pytest.mark.slow
def test_skips_are_shown_and_do_not_fail(check, faulty):
    outcome = check(faulty("plain"))
    assert outcome.code == 0
    assert "--against" in outcome.out
    assert "skip" in outcome.out


def test_ctrl_c_exits_with_130_and_a_report(check, faulty):
    outcome = check(faulty("interrupted"), "--format", "json")
    assert outcome.code == 130
    assert json.loads(outcome.out)["interrupted"] is True


def test_ctrl_c_while_loading_exits_with_130(check, tmp_path):
    path = tmp_path / "stopped.py"
    path.write_text("raise KeyboardInterrupt")
    outcome = check(f"python:{path}:make", "--format", "json")
    assert outcome.code == 130
    assert json.loads(outcome.out)["targets"] == []


@pytest.mark.slow
def test_no_control_character_reaches_the_screen(command, faulty):
    words = ("--family", "special-tokens,zero-width", "--examples", "0", "--select", "TOK101")
    outcome = command("check", faulty("drops_zero_width_space"), *words)
    assert outcome.code == 1
    assert "\\u{200b}" in outcome.out
    assert outcome.out.replace("\n", "").isprintable()


def test_an_internal_error_is_one_sentence(check, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr(load, "load_subject", broken)
    outcome = check("tiktoken:embedded")
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert "internal error: ZeroDivisionError: of ours" in outcome.err


def test_the_environment_variable_shows_the_traceback(check, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr(load, "load_subject", broken)
    monkeypatch.setenv("TOKHARNESS_TRACEBACK", "1")
    with pytest.raises(InternalError, match="of ours") as raised:
        check("tiktoken:embedded")
    assert "ZeroDivisionError" in raised.value.__notes__[0]


@pytest.mark.slow
def test_a_run_of_selected_families_ignores_expectations(check, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("tokharness.toml").write_text('expect = ["lossy:NFKC"]\n', encoding="utf-8")
    assert check("reference").code == 0


@pytest.mark.slow
def test_an_unmet_expectation_of_the_policy_fails(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    policy = 'expect = ["TOK101:U+FFFD", "lossy:NFKC"]\n'
    tmp_path.joinpath("tokharness.toml").write_text(policy, encoding="utf-8")
    words = ("--profile", "quick", "--select", "TOK101", "--examples", "0")
    outcome = command("check", "reference", *words)
    assert outcome.code == 1
    assert "lossy:NFKC" in outcome.err
    assert "TOK101:U+FFFD" not in outcome.err
