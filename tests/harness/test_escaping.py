"""Escaped hostile text is visible, and is never interpreted."""

import json
import shlex
import subprocess
import sys

import pytest
import regex
from hypothesis import assume, given
from hypothesis import strategies as st

from tokharness import escaping
from tokharness.unicode.properties import members

NASTY = st.sampled_from("\\u{20b} `|<>&'\"%\x1b\n\r\0\x7f\u0301\u200b\u202e\ud83d\ude00\u05d0$")
texts = st.text(st.one_of(NASTY, st.characters(exclude_categories=())))


def shell_output(words):
    run = subprocess.run(
        ["/bin/sh", "-c", f"printf '%s|' {words}"], capture_output=True, check=True
    )
    return run.stdout


def unescape(shown):
    return regex.sub(r"\\\\|\\u\{(\w+)\}", lambda m: chr(int(m[1], 16)) if m[1] else "\\", shown)


@given(texts)
def test_display_form_is_unambiguous(text):
    assert unescape(escaping.visible(text)) == text


@given(texts)
def test_display_form_has_no_invisible_characters(text):
    hidden = r"[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|[\p{Zs}--\u0020]"
    assert not regex.search(rf"(?V1){hidden}", escaping.visible(text))


@pytest.mark.parametrize("prefix", ["", "a"])
def test_every_invisible_character_is_escaped(prefix):
    for point in members(r"[\p{C}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]"):
        if point < 0x20000 or point > 0x10FF00:
            assert escaping.visible(prefix + chr(point)) == f"{prefix}\\u{{{point:x}}}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("\\", "\\\\"),
        ("\\u{200b}", "\\\\u{200b}"),
        ("\u00a0", "\\u{a0}"),
        ("\u2800", "\\u{2800}"),
        ("\ud800", "\\u{d800}"),
        ("\u05e9\u05dc", "\u05e9\u05dc"),
        ("e\u0301", "e\u0301"),
        ("\u0301e", "\\u{301}e"),
        ("a \u0301", "a \\u{301}"),
        ("\u200b\u0301", "\\u{200b}\\u{301}"),
        ("e" + "\u0301" * 9, "e" + "\u0301" * 8 + "\\u{301}"),
        (b"a\xff\x00\\", "a\\xff\\x00\\\\"),
    ],
)
def test_display_form(text, shown):
    assert escaping.visible(text) == shown


def test_display_form_of_a_long_stack_of_marks_is_fast():
    assert len(escaping.visible("e" + "\u0301" * 100_000)) > 100_000


@given(texts)
def test_terminal_has_no_control_characters(text):
    assert not regex.search(r"\p{C}", escaping.terminal(text))


@given(texts)
def test_markdown_is_one_code_span(text):
    shown = escaping.markdown(text)
    assert shown[0] == shown[-1] == "`"
    assert not set(shown[1:-1]) & set("`|\n")


@given(texts)
def test_markdown_keeps_every_space_visible(text):
    assume(text)
    shown = escaping.markdown(text)[1:-1]
    assert unescape(shown) == text
    assert "  " not in shown
    assert shown.strip(" ") == shown


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("merge 300 (' b', 'yt') is gone", "merge 300 (`' b'`, `'yt'`) is gone"),
        ('"a" was 1 token; 3 tokens\' own texts', '`"a"` was 1 token; 3 tokens\' own texts'),
        ("encode_special gives [1, 2], was [3]", "`encode_special` gives `[1, 2]`, was `[3]`"),
        ("was {3}*, and is (a)*.", "was `{3}*`, and is `(a)*`."),
        ("is ...[ab]..., was ...[a]...", "is `...[ab]...`, was `...[a]...`"),
        ("@user: see #12", "`@user`: see `#12`"),
        ("** **", "`** **`"),
        ("1. item", "`1`. item"),
        ("    code", r"`\u{20}\u{20}\u{20}\u{20}`code"),
    ],
)
def test_a_sentence_in_markdown_has_code_only_where_it_quotes(sentence, shown):
    assert escaping.plain_markdown(sentence) == shown


@given(texts)
def test_html_has_no_markup(text):
    assert not set(escaping.html(text)) & set("<>\"'")


@given(texts)
def test_spreadsheet_cell_is_not_a_formula(text):
    cell = escaping.spreadsheet(text)
    assert cell.isascii()
    assert cell.isprintable()
    assert not regex.search(r'\A\s*[=+@-]|;["\s]*[=+@-]', cell)


@pytest.mark.parametrize(
    ("text", "cell"),
    [("plain; text", "plain; text"), ("=1", "'=1"), (" -1", "' -1"), ("a; =1", "a\\u{3b} =1")],
)
def test_spreadsheet_cell(text, cell):
    assert escaping.spreadsheet(text) == cell


@given(texts)
def test_github_command_has_no_line_breaks(text):
    assert not set(escaping.github_command(text)) & set("\r\n")


def test_github_property_has_no_separators():
    shown = escaping.github_command("a:b,c%0A", is_property=True)
    assert shown == "a%3Ab%2Cc%250A"


def test_shell_keeps_a_plain_word_unchanged():
    assert escaping.shell("plain-word.txt") == "plain-word.txt"


@pytest.mark.parametrize("text", ["\0", "\ud800"])
def test_shell_refuses_text_that_cannot_be_an_argument(text):
    with pytest.raises(ValueError, match=r"U\+0000|surrogates not allowed"):
        escaping.shell(text)


@given(texts)
def test_shell_word_is_printable_ascii(text):
    assume(not regex.search(r"\0|\p{Cs}", text))
    word = escaping.shell(text)
    assert word.isascii()
    assert word.replace("\n", "").isprintable()


def test_shell_word_is_the_argument_in_a_shell():
    arguments = [
        "", "a b", "it's", "caf\u00e9", "-\u00e9", "\x1b[31m%s\\", "`$(id)`\u00e9", "a\n\n", "\n",
        "\udcff", "x\n'\u202ey", "!\u00e9", "*",
    ]  # fmt: skip
    output = shell_output(" ".join(map(escaping.shell, arguments)))
    assert output == "".join(f"{argument}|" for argument in arguments).encode(
        "utf-8", "surrogateescape"
    )


@given(texts)
def test_json_argument_round_trips(text):
    (word,) = shlex.split(escaping.json_argument(text))
    assert escaping.from_json(word) == text


@given(texts)
def test_json_argument_is_quoted_printable_ascii(text):
    word = escaping.json_argument(text)
    assert word.isascii()
    assert word.isprintable()
    assert word[0] == word[-1] == "'"
    assert "'" not in word[1:-1]


def test_json_argument_keeps_two_surrogates_apart():
    assert json.loads(escaping.json_argument("\ud83d\ude00")[1:-1]) == ["\ud83d", "\ude00"]


@pytest.mark.parametrize("argument", ["1", "[1]", "{}", "nonsense"])
def test_from_json_refuses_other_json(argument):
    with pytest.raises(ValueError, match=r"expected|Expecting"):
        escaping.from_json(argument)


def test_import_does_not_load_a_unicode_library():
    code = "import sys, tokharness.escaping; print('regex' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_a_backslash_of_a_sentence_is_one_unless_something_else_is_escaped():
    assert escaping.sentence(r"pattern of Split: \p{N}, was \p{N}{1,3}") == (
        r"pattern of Split: \p{N}, was \p{N}{1,3}"
    )
    assert escaping.sentence("\\p{N}\u200b") == r"\\p{N}\u{200b}"
    assert escaping.sentence("\\u{200b}") == r"\\u{200b}"
