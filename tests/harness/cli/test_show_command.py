"""``tokharness show``: code points, bytes and tokens, side by side."""

import json
import shlex

import pytest

TARGET = "tiktoken:embedded"


def test_a_text_is_shown_by_code_point_with_its_bytes_and_tokens(command):
    ended = command("show", "a\u00e9", TARGET)
    assert ended.code == 0
    for shown in ("U+0061", "U+00E9", "61", "C3 A9", TARGET, "decodes to the same text"):
        assert shown in ended.out


def test_without_a_target_the_reference_is_shown(command):
    assert "reference: decodes to the same text" in command("show", "a").out


def test_targets_stand_side_by_side(command, faulty):
    ended = command("show", "12345", TARGET, "reference:embedded")
    first, second = (line for line in ended.out.splitlines() if "tokens: [" in line)
    assert first == second


def test_a_json_string_takes_any_text_through_a_shell(command):
    ended = command("show", "--json", '"\\u200b\\u202e\\u0000"', TARGET)
    assert ended.code == 0
    for shown in ("\\u{200b}", "U+200B", "U+202E", "U+0000"):
        assert shown in ended.out
    assert ended.out.replace("\n", "").isprintable()


@pytest.mark.parametrize("argument", ['"a\\ud800"', '["\\ud83d", "\\ude00"]'])
def test_lone_surrogates_are_shown(command, argument):
    ended = command("show", "--json", argument, TARGET)
    assert ended.code == 0
    assert "U+D8" in ended.out


def test_a_lone_surrogate_comes_back_as_the_replacement_character(command):
    ended = command("show", "--json", '"a\\ud800"', TARGET)
    assert "decodes to the text with U+FFFD for each lone surrogate" in ended.out


def test_a_file_is_shown_as_it_stands(command, tmp_path):
    path = tmp_path / "text"
    path.write_bytes("a\r\n\u200b".encode())
    ended = command("show", f"@{path}", TARGET)
    for shown in ("U+0061", "U+000D", "U+000A", "U+200B"):
        assert shown in ended.out


@pytest.mark.parametrize("argument", ['""', "[]"])
def test_the_empty_text_is_shown(command, argument):
    ended = command("show", "--json", argument, TARGET)
    assert ended.code == 0
    assert "0 tokens: []" in ended.out


def test_a_text_that_a_target_changes_is_shown_with_what_comes_back(command, faulty):
    ended = command("show", "--json", '"a\\u200bb"', faulty("drops_zero_width_space"))
    assert ended.code == 0
    assert 'decodes to "ab"' in " ".join(ended.out.split())


def test_what_a_target_raises_is_shown(command, faulty):
    ended = command("show", "--json", '"\\uffff"', faulty("raises_on_uffff"))
    assert ended.code == 0
    assert "raises IndexError" in " ".join(ended.out.split())


def test_markup_in_a_text_is_not_obeyed(command):
    ended = command("show", "[red]x[/red]", TARGET)
    assert ended.code == 0
    assert "\x1b" not in ended.out


def test_surrogates_that_form_a_pair_are_told_as_joined(command):
    pair = command("show", "--json", '["\\ud83d", "\\ude00"]', TARGET).out
    assert "decodes to the text with its surrogate pairs joined\n" in pair
    both = command("show", "--json", '["\\ud83d", "\\ude00\\ud800"]', TARGET).out
    assert "pairs joined and U+FFFD for each lone surrogate" in both


@pytest.mark.parametrize(
    ("factory", "text", "told"),
    [
        ("strips_in_batches", '" a"', "TOK110 entry-points-disagree"),
        ("raises_on_uffff", '"\\uffff"', "TOK102 raises"),
        ("numbers_in_fours", '"1234"', "TOK201 ids-differ-from-reference"),
    ],
)
def test_the_checks_that_tell_of_the_text_are_shown(command, faulty, factory, text, told):
    last = command("show", "--json", text, faulty(factory), TARGET).out.splitlines()[-1]
    assert last == f"failing checks, compared with {TARGET}: {told}"


def test_of_a_healthy_target_no_check_tells(command):
    ended = command("show", "--json", '"a\\u200b 1234"', TARGET)
    assert ended.out.endswith("failing checks: none\n")


def test_what_a_finding_tells_to_do_shows_it_again(check, command, faulty):
    ended = check(faulty("numbers_in_fours"), "--against", TARGET, "--format", "json")
    (bug,) = [one for one in json.loads(ended.out)["findings"] if one["verdict"] == "bug"]
    program, *words = shlex.split(bug["reproduce"])
    assert program == "tokharness"
    first, second = (line for line in command(*words).out.splitlines() if "tokens: [" in line)
    assert first != second
