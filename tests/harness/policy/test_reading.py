"""A policy is read from the nearest file, and an invalid one is refused with one sentence."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tokharness.cli.check_command import command as check_command
from tokharness.errors import UsageError
from tokharness.model import Verdict
from tokharness.policy import (
    NO_POLICY,
    OPTIONS,
)
from tokharness.policy.reading import find, find_unused, read, schema
from tokharness.unicode.languages import LANGUAGES

NOT_OPTIONS = {
    *("baselines", "budgets", "corpus", "expect", "parity", "regressions", "targets"),
    *("tolerance", "verdicts"),
}

BUG, RISK, FACT = Verdict.BUG, Verdict.RISK, Verdict.FACT


@pytest.fixture
def refused(policy):
    """Error for a tokharness.toml with this text."""

    def error_of(text):
        with pytest.raises(UsageError) as raised:
            policy(text)
        (sentence,) = str(raised.value).splitlines()
        return sentence

    return error_of


def test_the_schema_is_valid():
    Draft202012Validator.check_schema(schema())


def test_each_key_of_the_schema_has_a_description():
    for key in schema()["properties"].values():
        name = key.get("$ref", "").rpartition("/")[2]
        assert key.get("description") or schema()["$defs"][name]["description"]


def test_the_options_are_keys_of_the_schema_and_of_the_command_line():
    missing = set(OPTIONS) - set(schema()["properties"])
    assert not missing, f"add to harness/tokharness/schemas/policy.json: {missing}"
    names = {name for parameter in check_command.params for name in parameter.opts}
    assert {f"--{name}" for name in OPTIONS} <= names


def test_each_key_of_the_schema_is_read():
    assert set(schema()["properties"]) - set(OPTIONS) == NOT_OPTIONS, "add it to policy.OPTIONS"


def test_an_empty_policy_has_the_defaults(policy):
    assert replace(policy(""), path=None) == NO_POLICY


def test_options_are_read(policy):
    text = """
        profile = "quick"
        seed = 3
        examples = 0
        select = ["TOK1"]
        ignore = ["TOK104"]
        family = ["emoji"]
        fail-on = "bug"
        fail-on-library = true
        against = "none"
        jobs = "auto"
        time-limit = 2.5
        memory-limit = "1G"
        load-limit = 90
        run-limit = 0
    """
    options = policy(text).options
    assert set(options) == set(OPTIONS), "add the new option to this text"
    assert (options["profile"], options["seed"], options["fail-on"]) == ("quick", 3, "bug")


def test_named_targets_are_read(policy):
    one = policy(
        """
        [targets.mine]
        spec = "python:mine.py:make"
        against = "reference"
        expect = ["lossy:NFKC"]
        budgets = {my = 3}
        """
    ).targets["mine"]
    assert (one.spec, one.against, one.expect) == (
        "python:mine.py:make",
        "reference",
        ("lossy:NFKC",),
    )
    assert one.budgets == {"language:my": 3.0}


def test_the_settings_of_a_target_are_combined_with_those_of_the_policy(policy):
    whole = policy(
        """
        against = "none"
        expect = ["lossy:NFC"]
        budgets = {my = 6, de = 2}
        [targets.mine]
        spec = "reference"
        against = "tiktoken:embedded"
        expect = ["lossy:NFKC"]
        budgets = {my = 3}
        """
    )
    mine = whole.of_target("mine")
    assert mine.options["against"] == "tiktoken:embedded"
    assert mine.expect == ("lossy:NFC", "lossy:NFKC")
    assert mine.budgets == {"language:my": 3.0, "language:de": 2.0}


def test_an_unnamed_target_has_the_settings_of_the_policy(policy):
    whole = policy('[targets.mine]\nspec = "reference"\nagainst = "none"')
    assert whole.of_target("reference") == whole


def test_the_folder_of_baselines_is_relative_to_the_policy(policy, tmp_path):
    assert policy('baselines = "kept/here"').folder == tmp_path / "kept" / "here"
    assert policy("").folder == tmp_path / "reports" / "baselines"


def test_without_a_policy_baselines_are_in_the_working_directory():
    assert NO_POLICY.folder == Path("reports/baselines")


def test_the_folder_of_regressions_is_relative_to_the_policy(policy, tmp_path):
    assert policy('regressions = "kept"').regressions_folder == tmp_path / "kept"
    assert policy("").regressions_folder == tmp_path / "cases" / "regressions"


def test_without_a_policy_regressions_are_in_the_working_directory():
    assert NO_POLICY.regressions_folder == Path("cases/regressions")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('profil = "quick"', "no key is called 'profil': did you mean 'profile'"),
        ("fail_on = 'bug'", "did you mean 'fail-on'"),
        ("[targets.mine]\nspec = 'x'\nexpects = []", "in targets.mine: no key is called 'expects'"),
        ("[targets.mine]\nspec = 'x'\nexpects = []", "did you mean 'expect'"),
        ("[verdict]\nTOK101 = 'risk'", "did you mean 'verdicts'?"),
        ("zzz = 1", "choose from against, "),
    ],
)
def test_an_unknown_key_is_refused_with_a_suggestion(refused, text, message):
    assert message in refused(text)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("profile = 3", "profile"),
        ("profile = 'fast'", "profile"),
        ("seed = '3'", "seed"),
        ("seed = 1.0", "seed"),
        ("examples = -1", "examples"),
        ("examples = 2.0", "examples"),
        ("select = 'TOK101'", "select"),
        ("select = [3]", "select.0"),
        ("fail-on = 'fact'", "fail-on"),
        ("against = ''", "against"),
        ("jobs = -1", "jobs"),
        ("jobs = 3.0", "jobs"),
        ("jobs = 'many'", "jobs"),
        ("jobs = true", "jobs"),
        ("time-limit = 0", "time-limit"),
        ("time-limit = nan", "time-limit"),
        ("time-limit = inf", "time-limit"),
        ("memory-limit = 2", "memory-limit"),
        ("baselines = ''", "baselines"),
        ("regressions = ''", "regressions"),
        ("regressions = ['a']", "regressions"),
        ("tolerance = -0.1", "tolerance"),
        ("tolerance = nan", "tolerance"),
        ("tolerance = inf", "tolerance"),
        ("verdicts = []", "verdicts"),
        ("verdicts = {TOK101 = 'design'}", "verdicts.TOK101"),
        ("expect = ['lossy']", "expect.0"),
        ("expect = [':NFC']", "expect.0"),
        ("budgets = {my = 0}", "budgets.my"),
        ("budgets = {my = nan}", "budgets.my"),
        ("budgets = {my = '6'}", "budgets.my"),
        ("targets = {mine = 'reference'}", "targets.mine"),
        ("targets = {mine = {}}", "targets.mine"),
        ("targets = {mine = {spec = ''}}", "targets.mine.spec"),
        ("targets = {mine = {spec = 'x', budgets = {my = inf}}}", "targets.mine.budgets.my"),
        ("seed = 2027-01-01", "seed"),
    ],
)
def test_an_invalid_value_is_reported_with_its_key(refused, text, where):
    assert f"tokharness.toml: {where}: " in refused(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("verdicts = {TOK999 = 'risk'}", "no check is called 'TOK999'"),
        ("verdicts = {'raise:x' = 'risk'}", "did you mean 'raises'"),
        ("expect = ['losy:NFKC']", "no check is called 'losy'"),
        ("[targets.mine]\nspec = 'x'\nexpect = ['TOK999:x']", "no check is called 'TOK999'"),
        ("budgets = {klingon = 2}", "no language is called 'klingon'"),
        ("budgets = {burmes = 2}", "did you mean 'burmese'"),
        ("budgets = {'family:emojis' = 2}", "did you mean 'emoji"),
        ("budgets = {'script:Klng' = 2}", "no script is called 'Klng'"),
        ("budgets = {'languages:my' = 2}", "did you mean 'language'"),
        ("[targets.mine]\nspec = 'x'\nbudgets = {klingon = 2}", "no language is called"),
    ],
)
def test_an_unknown_check_language_script_or_family_is_refused(refused, text, message):
    sentence = refused(text)
    assert "tokharness.toml: " in sentence
    assert message in sentence


@pytest.mark.parametrize(
    ("key", "group"),
    [
        ("my", "language:my"),
        ("Burmese", "language:my"),
        ("burmese", "language:my"),
        ("language:my", "language:my"),
        ("zh_Hant", "language:zh_Hant"),
        ("script:Mymr", "script:Mymr"),
        ("family:emoji", "family:emoji"),
    ],
)
def test_budgets_are_of_a_language_a_script_or_a_family(policy, key, group):
    assert policy(f"budgets = {{'{key}' = 6}}").budgets == {group: 6.0}


@pytest.mark.parametrize("code", LANGUAGES[::10])
def test_each_language_can_have_a_budget(policy, code):
    assert policy(f"budgets = {{'{code}' = 6}}").budgets == {f"language:{code}": 6.0}


@pytest.mark.parametrize("text", ["=", "profile = ", "[targets", "a = 1\na = 2", "\x00"])
def test_invalid_toml_is_refused(refused, text):
    assert "is not valid TOML" in refused(text)


def test_invalid_utf_8_is_refused(tmp_path):
    path = tmp_path / "tokharness.toml"
    path.write_bytes(b"profile = '\xff'")
    with pytest.raises(UsageError, match="is not valid TOML"):
        read(path)


def test_very_deep_nesting_is_refused(refused):
    assert "is not valid TOML" in refused(f"select = {'[' * 10_000}{']' * 10_000}")


def test_a_missing_file_is_reported(tmp_path):
    with pytest.raises(UsageError, match="cannot read the policy"):
        read(tmp_path / "tokharness.toml")


def test_a_folder_is_reported(tmp_path):
    with pytest.raises(UsageError, match="cannot read the policy"):
        read(tmp_path)


def test_a_pyproject_without_a_policy_is_refused_if_it_was_named(tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_text("[project]\nname = 'x'")
    with pytest.raises(UsageError, match=r"no \[tool.tokharness\]"):
        read(path)


@pytest.mark.parametrize("text", ["[tool.tokharness]\nseed = 3", "tool.tokharness.seed = 3"])
def test_the_policy_of_a_pyproject_is_its_table(tmp_path, text):
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    assert read(path).options == {"seed": 3}


@pytest.mark.parametrize("text", ["tool.tokharness = 3", "tool.tokharness = []"])
def test_a_policy_that_is_not_a_table_is_refused(tmp_path, text):
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match="the policy: "):
        read(path)


JSON = st.recursive(
    st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda values: (
        st.lists(values, max_size=2) | st.dictionaries(st.text(max_size=3), values, max_size=2)
    ),
    max_leaves=4,
)


@pytest.fixture(scope="module")
def reused(tmp_path_factory):
    return tmp_path_factory.mktemp("reused") / "tokharness.toml"


@given(key=st.sampled_from([*schema()["properties"], "other"]), value=JSON)
def test_any_value_of_any_key_is_read_or_refused_with_one_sentence(reused, key, value):
    reused.write_text(f"{key} = {in_toml(value)}", encoding="utf-8")
    try:
        start = str(read(reused).path)
    except UsageError as error:
        start = str(error)
    assert start.startswith(str(reused))


def in_toml(value):
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(k)} = {in_toml(v)}' for k, v in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(in_toml, value))}]"
    if isinstance(value, float):
        return repr(value)
    return (
        json.dumps(value).replace("\x7f", "\\u007f")
        if isinstance(value, str)
        else str(value).lower()
    )


@pytest.fixture
def repository(tmp_path):
    """The root of a repository, with a policy and a folder ``a/b``."""
    root = tmp_path / "repository"
    (root / "a" / "b").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "tokharness.toml").write_text("seed = 1")
    return root


def test_the_nearest_policy_of_the_repository_is_found(repository):
    assert find(repository / "a" / "b").options == {"seed": 1}
    (repository / "a" / "pyproject.toml").write_text("[tool.tokharness]\nseed = 2")
    assert find(repository / "a" / "b").options == {"seed": 2}
    assert find_unused(repository / "a" / "b") is None


def test_a_pyproject_without_a_policy_is_skipped(repository):
    (repository / "a" / "pyproject.toml").write_text("[project]\nname = 'x'")
    assert find(repository / "a").options == {"seed": 1}


@pytest.mark.parametrize("name", ["tokharness.toml", "pyproject.toml"])
def test_a_policy_above_the_repository_is_not_used_but_named(repository, name):
    (repository / "tokharness.toml").unlink()
    above = repository.parent / name
    above.write_text("[tool.tokharness]\nseed = 3" if name == "pyproject.toml" else "seed = 3")
    assert find(repository / "a") == NO_POLICY
    assert find_unused(repository / "a") == above


@pytest.mark.parametrize("text", ["[project]\nname = 'x'", "[", "x = '\ud800'", " " * 2_000_000])
def test_a_file_above_the_repository_that_is_no_policy_is_not_named(repository, text):
    (repository / "tokharness.toml").unlink()
    (repository.parent / "pyproject.toml").write_text(text, errors="surrogatepass")
    assert find_unused(repository / "a") is None


def test_without_a_repository_the_policy_is_in_the_folder_itself(tmp_path):
    (tmp_path / "tokharness.toml").write_text("seed = 1")
    assert find(tmp_path).options == {"seed": 1}
    (tmp_path / "a").mkdir()
    assert find(tmp_path / "a") == NO_POLICY
    assert find_unused(tmp_path / "a") == tmp_path / "tokharness.toml"


def test_tokharness_toml_takes_precedence_over_pyproject_toml(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.tokharness]\nseed = 2")
    (tmp_path / "tokharness.toml").write_text("seed = 1")
    assert find(tmp_path).path == tmp_path / "tokharness.toml"


def test_a_pyproject_that_is_invalid_toml_is_refused(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[")
    with pytest.raises(UsageError, match="is not valid TOML"):
        find(tmp_path)
