"""A value that means nothing is a mistake, not a run that passes without doing what it says."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from tokharness import cli
from tokharness_tokenizers.vocabularies.locate import EMBEDDED_PATH

FEW = ("--profile", "quick", "--family", "digits", "--examples", "0", "--jobs", "0")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the command in this process, in an empty folder; return exit code, output, errors."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)

    def command(*words):
        monkeypatch.setattr(sys, "argv", ["tokharness", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code or 0, *capsys.readouterr()

    return command


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("select = []", "select: [] should be non-empty"),
        ("family = []", "family: [] should be non-empty"),
        ("select = [',']", "select.0"),
        ("family = [' ']", "family.0"),
        ("select = ['TOK101,']", "select.0"),
        ("select = ['TOK999']", "no check is called 'TOK999'"),
        ("ignore = ['TOK999']", "no check is called 'TOK999'"),
        ("family = ['emojis']", "did you mean 'emoji"),
        ("select = ['TOK101']\nignore = ['lossy-round-trip']", "no check is left"),
        ("ignore = ['TOK']", "no check is left"),
        ("select = ['TOK102']\nexpect = ['lossy-round-trip:NFC']", "has no effect"),
        ("ignore = ['TOK101']\nverdicts = {TOK101 = 'fact'}", "has no effect"),
        (
            "ignore = ['TOK101']\n[targets.mine]\nspec = 'reference'\nexpect = ['TOK101:NFC']",
            "targets.mine.expect: 'TOK101:NFC' has no effect",
        ),
        ("verdicts = {'TOK101:' = 'fact'}", "verdicts"),
        ("verdicts = {'TOK101: ' = 'fact'}", "verdicts"),
        ("verdicts = {TOK101 = 'fine'}", "'fine' is not one of ['bug', 'risk', 'fact'"),
        ("expect = ['lossy: ']", "expect.0"),
        ("tolerance = 2", "2 is greater than the maximum of 1"),
        ("time-limit = 1e300", "greater than the maximum of 86400"),
        ("memory-limit = '0.1K'", "from 1M to 1024T"),
        ("memory-limit = 'much'", "from 1M to 1024T"),
        ("budgets = {'family:regressions' = 2}", "no family is called 'regressions'"),
        ("profile = 'full'", "'full' is not one of ['quick', 'standard', 'thorough']"),
        ("[targets.reference]\nspec = 'tiktoken:embedded'", "rename it"),
        ("[targets.'tiktoken:embedded']\nspec = 'reference'", "rename it"),
    ],
)
def test_a_value_of_a_policy_that_means_nothing_is_a_mistake(run, tmp_path, text, message):
    (tmp_path / "tokharness.toml").write_text(text, encoding="utf-8")
    code, out, err = run("check", "reference", "--profile", "quick", "--jobs", "0")
    assert (code, out) == (2, "")
    assert err.startswith("tokharness: error: ")
    assert err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize("text", ["", "ignore = []\nexpect = []", "[targets]", "[verdicts]"])
def test_an_empty_table_or_list_that_says_none_is_none(run, tmp_path, text):
    (tmp_path / "tokharness.toml").write_text(text, encoding="utf-8")
    code, _, err = run("check", "reference", "--select", "TOK101", *FEW)
    assert (code, err) == (0, "")


@pytest.mark.parametrize(
    "words",
    [
        *(
            (option, value)
            for option in ("--select", "--family", "--ignore")
            for value in ("", ",")
        ),
        ("--against", ""),
        ("--config", ""),
        ("--journal", ""),
        ("--resume", " "),
        ("--time-limit", "nan"),
        ("--time-limit", "inf"),
        ("--time-limit", "1e9"),
        ("--memory-limit", "0.5"),
        ("--memory-limit", "1"),
        ("--memory-limit", "9999999999999T"),
        ("--select", "TOK101", "--ignore", "TOK1"),
        ("--examples", "-1"),
        ("--seed", "1.5"),
    ],
)
def test_a_value_of_an_option_that_means_nothing_is_a_mistake(run, words):
    code, out, err = run("check", "reference", *words)
    assert (code, out) == (2, "")
    assert words[0] in err
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["gate", "baseline"])
@pytest.mark.parametrize("option", ["--name", "--baseline"])
def test_an_empty_name_of_a_baseline_is_a_mistake(run, command, option):
    code, _, err = run(command, "reference", option, "", *FEW)
    assert code == 2
    assert f"{option} has an empty value" in err


@pytest.mark.parametrize("name", ["/", "..", "\u202e", " . "])
def test_a_name_without_a_usable_character_is_a_mistake(run, name):
    code, _, err = run("baseline", "reference", "--name", name, *FEW)
    assert code == 2
    assert err.replace("\n", "").isprintable()


@pytest.mark.parametrize("words", [(), ("--profile", "quick"), ("--select", "TOK101")])
def test_a_run_that_requires_a_target_fails_without_one(run, tmp_path, words):
    policy = '[targets.mine]\nspec = "reference"\n'
    (tmp_path / "tokharness.toml").write_text(policy, encoding="utf-8")
    code, out, err = run("check", "--require-target", *words)
    assert (code, out) == (2, "")
    assert "there is no target" in err
    assert "in args" in err


def test_a_run_that_requires_a_target_checks_it(run):
    code, out, _ = run("check", "--require-target", "reference", "--select", "TOK101", *FEW)
    assert code == 0
    assert out.startswith("reference")


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("expected", ["lossy:NFX", "TOK101:no such cause", "raises:ValueError"])
def test_an_expectation_that_no_finding_meets_fails_the_run(run, tmp_path, expected):
    policy = f'expect = ["{expected}"]\nfamily = ["digits"]\n'
    (tmp_path / "tokharness.toml").write_text(policy, encoding="utf-8")
    words = ("--profile", "quick", "--examples", "0", "--jobs", "0", "--select", "TOK101,TOK102")
    code, out, err = run("check", "reference", *words)
    assert code == 1
    assert out.splitlines()[-1].startswith("failed: ")
    assert f"no finding meets the expectation '{expected}'" in err
    assert "reported no cause" in err


@pytest.mark.slow
def test_the_causes_that_the_check_reported_are_named(run, tmp_path):
    policy = 'expect = ["lossy:NFX"]\nfamily = ["zero-width"]'
    (tmp_path / "tokharness.toml").write_text(policy, encoding="utf-8")
    planted = Path(__file__).with_name("faulty.py")
    words = ("--profile", "quick", "--jobs", "0", "--select", "TOK101")
    code, _, err = run("check", f"python:{planted}:Target", *words)
    assert code == 1
    assert "lossy reported dropped characters: U+200B" in err


@pytest.mark.slow
@pytest.mark.parametrize("words", [("--family", "digits"), ("--select", "TOK102")])
def test_an_expectation_that_a_run_leaves_open_is_named(run, tmp_path, words):
    (tmp_path / "tokharness.toml").write_text('expect = ["lossy:NFX"]', encoding="utf-8")
    few = ("--profile", "quick", "--examples", "0", "--jobs", "0")
    families = () if words[0] == "--family" else ("--family", "digits")
    code, _, err = run("check", "reference", "--against", "none", *few, *words, *families)
    assert code == 0
    assert err == "tokharness: this run does not show whether 'lossy:NFX' is still found\n"


SIDE = json.loads(Path(f"{EMBEDDED_PATH}.json").read_text("utf-8"))
VERSIONS = "must be one of 7.0, 8.0"


@pytest.mark.parametrize("scheme", ["reference", "tiktoken"])
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"unicode_version": "99"}, VERSIONS),
        ({"unicode_version": "16"}, VERSIONS),
        ({"unicode_version": ""}, VERSIONS),
        ({"unicode_version": 16.0}, VERSIONS),
        ({"unicode_versions": "16.0"}, "unknown key 'unicode_versions'; known: "),
        ({"pattern": "\ud800"}, "without lone surrogates"),
        ({"special_tokens": {"": 16384}}, "each text not empty"),
        ({"special_tokens": {"<|end|>": 1.5}}, "special_tokens must be"),
        ({"allow_holes": 1}, "allow_holes must be true or false"),
        ({"sha256": "0"}, "SHA-256 differs"),
    ],
)
def test_a_value_of_a_side_file_that_means_nothing_is_a_mistake(
    run, tmp_path, scheme, changes, message
):
    path = tmp_path / "mine.tiktoken"
    shutil.copy(EMBEDDED_PATH, path)
    Path(f"{path}.json").write_text(json.dumps(SIDE | changes), encoding="ascii")
    code, out, err = run("check", f"{scheme}:{path}", *FEW)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err
