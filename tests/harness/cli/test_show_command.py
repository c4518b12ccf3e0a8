"""``tokharness show``: code points, bytes and tokens, side by side."""

import json
import os
import re
import shlex
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tokharness.cli.show_command import as_compared
from tokharness.targets.loading import load_target
from tokharness_tokenizers.vocabularies.locate import healthy_files

TARGET = "tiktoken:embedded"


@pytest.mark.slow
def test_a_text_is_shown_by_code_point_with_its_bytes_and_tokens(command):
    outcome = command("show", "a\u00e9", TARGET)
    assert outcome.code == 0
    for shown in ("U+0061", "U+00E9", "61", "C3 A9", TARGET, "decodes to the same text"):
        assert shown in outcome.out


@pytest.mark.slow
def test_without_a_target_the_reference_is_shown(command):
    assert "reference: decodes to the same text" in command("show", "a").out


def test_targets_are_shown_side_by_side(command, faulty):
    outcome = command("show", "12345", TARGET, "reference:embedded")
    first, second = (line for line in outcome.out.splitlines() if "tokens: [" in line)
    assert first == second


def test_a_text_after_the_target_is_named(command, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text("{}", "utf-8")
    outcome = command("show", str(path), "a b")
    assert outcome.code == 2
    wanted = f"the text comes first, so try `tokharness show 'a b' {path}`"
    assert outcome.err == f"tokharness: error: there is no target 'a b': {wanted}\n"


@pytest.mark.parametrize("text", ["a" * 5000, ".", "no file"])
def test_a_text_that_is_no_file_before_an_unknown_target_comes_first_already(command, text):
    outcome = command("show", text, "no target")
    assert outcome.code == 2
    assert outcome.err.startswith("tokharness: error: there is no file 'no target'")


def test_a_json_string_can_be_any_text(command):
    outcome = command("show", "--json", '"\\u200b\\u202e\\u0000"', TARGET)
    assert outcome.code == 0
    for shown in ("\\u{200b}", "U+200B", "U+202E", "U+0000"):
        assert shown in outcome.out
    assert outcome.out.replace("\n", "").isprintable()


@pytest.mark.slow
@pytest.mark.parametrize("argument", ['"a\\ud800"', '["\\ud83d", "\\ude00"]'])
def test_lone_surrogates_are_shown(command, argument):
    outcome = command("show", "--json", argument, TARGET)
    assert outcome.code == 0
    assert "U+D8" in outcome.out


@pytest.mark.slow
def test_a_lone_surrogate_decodes_to_the_replacement_character(command):
    outcome = command("show", "--json", '"a\\ud800"', TARGET)
    assert "decodes to the text with U+FFFD for each lone surrogate" in outcome.out


@pytest.mark.slow
def test_a_file_is_shown_unchanged(command, tmp_path):
    path = tmp_path / "text"
    path.write_bytes("a\r\n\u200b".encode())
    outcome = command("show", f"@{path}", TARGET)
    for shown in ("U+0061", "U+000D", "U+000A", "U+200B"):
        assert shown in outcome.out


@pytest.mark.slow
@pytest.mark.parametrize("argument", ['""', "[]"])
def test_the_empty_text_is_shown(command, argument):
    outcome = command("show", "--json", argument, TARGET)
    assert outcome.code == 0
    assert "0 tokens: []" in outcome.out


@pytest.mark.slow
def test_a_changed_text_is_shown_with_the_decoded_text(command, faulty):
    outcome = command("show", "--json", '"a\\u200bb"', faulty("drops_zero_width_space"))
    assert outcome.code == 0
    assert 'decodes to "ab"' in " ".join(outcome.out.split())


@pytest.mark.slow
def test_an_exception_of_a_target_is_shown(command, faulty):
    outcome = command("show", "--json", '"\\uffff"', faulty("raises_on_uffff"))
    assert outcome.code == 0
    assert "raises IndexError" in " ".join(outcome.out.split())


@pytest.mark.slow
def test_markup_in_a_text_is_shown_literally(command):
    outcome = command("show", "[red]x[/red]", TARGET)
    assert outcome.code == 0
    assert "\x1b" not in outcome.out


@pytest.mark.slow
def test_a_surrogate_pair_is_reported_as_joined(command):
    pair = command("show", "--json", '["\\ud83d", "\\ude00"]', TARGET).out
    assert "decodes to the text with its surrogate pairs joined\n" in pair
    both = command("show", "--json", '["\\ud83d", "\\ude00\\ud800"]', TARGET).out
    assert "pairs joined and U+FFFD for each lone surrogate" in both


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("factory", "text", "message"),
    [
        ("strips_in_batches", '" a"', "TOK110 entry-points-disagree"),
        ("raises_on_uffff", '"\\uffff"', "TOK102 raises"),
        ("numbers_in_fours", '"1234"', "TOK201 ids-differ-from-reference"),
    ],
)
def test_the_failing_checks_are_listed(command, faulty, factory, text, message):
    spec = faulty(factory)
    lines = command("show", "--json", text, spec, TARGET).out.splitlines()
    at = lines.index(f"failing checks of {spec}, with {TARGET} as the reference: {message}")
    assert lines[at + 1].startswith(f"bug     {message}: ")


def test_a_baseline_is_the_reference_on_either_side():
    old, new = (
        replace(load_target(TARGET), spec=spec) for spec in ("baseline:mine.json", "hf:new.json")
    )
    assert as_compared([old, new]) == as_compared([new, old]) == [new, old]


@pytest.mark.slow
def test_a_failing_check_shows_what_was_given_and_what_was_expected(command, faulty):
    outcome = command("show", "--json", '" a"', faulty("strips_in_batches"))
    *_, details = outcome.out.partition("failing checks: TOK110 entry-points-disagree\n")
    assert "given: [97]\n" in details
    assert "expected: [306]\n" in details
    assert '! given 97, token given "a", expected 306, token expected " a"\n' in details


@pytest.mark.slow
def test_a_healthy_target_has_no_failing_checks(command):
    outcome = command("show", "--json", '"a\\u200b 1234"', TARGET)
    assert outcome.out.endswith("failing checks: none\n")


def test_a_check_that_only_has_a_fact_does_not_fail(command):
    outcome = command("show", "Hello", "reference:wordpiece")
    assert outcome.out.endswith("failing checks: none\nfacts: TOK101 lossy-round-trip\n")


@pytest.mark.slow
def test_the_command_of_a_finding_reproduces_it(check, command, faulty):
    outcome = check(faulty("numbers_in_fours"), "--against", TARGET, "--format", "json")
    (bug,) = [one for one in json.loads(outcome.out)["findings"] if one["verdict"] == "bug"]
    program, *words = shlex.split(bug["reproduce"])
    assert program == "tokharness"
    first, second = (line for line in command(*words).out.splitlines() if "tokens: [" in line)
    assert first != second


@pytest.mark.slow
def test_two_vocabularies_have_rows_and_are_not_compared(command):
    outcome = command("show", "a", TARGET, "reference:byte-level-bpe")
    assert outcome.code == 0
    assert "compared with" not in outcome.out
    assert "U+0061" not in outcome.out


@pytest.mark.slow
def test_the_tokens_of_every_small_vocabulary_are_in_the_rows_of_characters(command):
    for name in ("wordpiece", "unigram", "character-bpe", "sentencepiece-bpe", "byte-level-bpe"):
        out = command("show", "a", f"reference:{name}").out
        (row,) = [line for line in out.splitlines() if "U+0061" in line]
        assert re.search(r" \d+ \[.*a.*\]$", row), name


@pytest.mark.slow
def test_several_targets_have_a_row_each(command, faulty):
    specs = ("reference", faulty("drops_zero_width_space"), "reference:embedded")
    outcome = command("show", "--json", '"a\\u200bb"', *specs)
    assert outcome.code == 0
    assert len(re.findall(r"^ +\d+ tokens?  ", outcome.out, re.MULTILINE)) == 3
    assert "U+0061" not in outcome.out
    assert "fails TOK101" in outcome.out
    assert all(spec in outcome.out.replace("\n            ", "") for spec in specs)


@pytest.mark.slow
def test_a_row_does_not_fail_by_a_fact(command):
    out = command("show", "Hello", "reference:wordpiece", "reference", "reference:embedded").out
    assert 'decodes to "hello"' in " ".join(out.split())
    assert "fails" not in out


@pytest.mark.slow
def test_a_file_with_a_published_vocabulary_is_named(command, tmp_path):
    folder = Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "/no/such/folder"))
    model = folder / "sentencepiece/botchan_en_bpe_1000.model"
    if not model.is_file():
        pytest.skip("TOKHARNESS_TEST_VOCABULARIES has no botchan_en_bpe_1000.model")
    shutil.copy(model, path := tmp_path / "llama2.model")
    *_, what, name = command("show", "a", f"reference:{path}").out.splitlines()
    assert what.endswith("the vocabulary of SentencePiece's Botchan, BPE: 997 tokens")
    assert "its name says Llama 2" in name


def test_a_file_of_no_known_vocabulary_is_not_named(command):
    (file,) = healthy_files("byte-level-bpe/tokenizer.json")
    assert "vocabulary: " not in command("show", "a", f"reference:{file}").out
