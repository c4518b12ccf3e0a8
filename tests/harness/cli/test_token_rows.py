"""A text by several algorithms: a row of tokens for each target."""

import unicodedata

import pytest
from planted._tokenizer_files import healthy

from tokharness.cli._token_rows import BYTE, UNKNOWN, are_drawn_as_rows, pieces_of, token_rows
from tokharness.model import target_of

HOSTILE = "a\x1b[31m\u202e\u200b [red]x[/red] ::error:: \u0301" + "w" * 300


class Words:
    """One token for each word; it knows few, and writes a mark before each."""

    algorithm, unknown_id, n_vocab = "word level", 0, 3
    texts = ("[UNK]", "\u2581one", "\u2581two")

    def encode(self, text):
        marked = [f"\u2581{word}" for word in text.split()]
        return [self.texts.index(word) if word in self.texts else 0 for word in marked]

    def decode(self, ids):
        return " ".join(self.texts[number] for number in ids).replace("\u2581", "")

    def token_text(self, number):
        return self.texts[number]


class Bytes:
    """One token for each byte, which its vocabulary writes as another character, as GPT-2 does."""

    algorithm = "bytes"

    def encode(self, text):
        return list(text.encode())

    def decode(self, ids):
        return bytes(ids)

    def decode_single_token_bytes(self, number):
        return bytes([number])

    def token_text(self, number):
        return chr(0x100 + number)


class Ids:
    """A tokenizer of which only the ids are known."""

    def encode(self, text):
        return list(text.encode())

    def decode(self, ids):
        return bytes(ids)


def target(tokenizer, spec="t:1"):
    return target_of(spec, tokenizer)


def rows(text, *targets, width=80, failing=None):
    return token_rows(text, targets, failing or {}, width=width, color=False)


def shown(text, tokenizer):
    subject = target(tokenizer)
    return [(piece.shown, piece.kind) for piece in pieces_of(subject.encode(text), subject)]


def test_a_token_has_the_marks_of_its_vocabulary():
    assert shown("one two", Words()) == [("\u2581one", ""), ("\u2581two", "")]


def test_an_unknown_token_is_marked():
    assert shown("one none", Words())[1] == ("[UNK]", UNKNOWN)


def test_a_byte_level_token_is_shown_as_its_bytes():
    assert shown("a \u00e9", Bytes()) == [
        ("a", ""),
        (" ", ""),
        ("\\xc3", BYTE),
        ("\\xa9", BYTE),
    ]


def test_a_token_with_a_part_of_a_character_is_shown_as_its_bytes():
    tokenizer = Bytes()
    tokenizer.decode_single_token_bytes = lambda _: b" \xf0\x9f"
    tokenizer.token_text = lambda _: " \ufffd"
    assert shown("a", tokenizer) == [(" \\xf0\\x9f", BYTE)]


def test_the_token_of_a_byte_is_marked():
    tokenizer = Words()
    tokenizer.texts = ("<0xF0>", "<0xF0>", "x")
    tokenizer.unknown_id = None
    assert [kind for _, kind in shown("one", tokenizer)] == [BYTE]


def test_a_token_of_which_nothing_is_known_is_its_id():
    assert shown("a", Ids()) == [("97", "")]


def test_a_row_has_count_algorithm_size_and_what_becomes_of_the_text():
    lines = rows("one none", target(Words())).splitlines()
    assert lines[0] == '"one none": 8 characters, 8 bytes'
    assert lines[2].split(None, 2) == ["2", "tokens", "word level, vocabulary 3, t:1"]
    assert lines[3].strip() == "\u2502\u2581one\u2502[UNK]\u2502"
    assert lines[4].strip() == '1 unknown token; decodes to "one [UNK]"'


def test_a_text_that_comes_back_has_no_note():
    assert rows("one two", target(Words())).endswith("\u2502\n")


def test_failing_checks_are_named():
    assert "fails TOK101 lossy" in rows("one", target(Words()), failing={"t:1": "TOK101 lossy"})


def test_what_a_target_raises_is_shown():
    class Raising(Ids):
        def encode(self, text):
            raise ValueError("no\x1b[2J")

    output = rows("a", target(Raising()))
    assert "no tokens" in output
    assert "raises ValueError: no\\u{1b}[2J" in output


def columns(line):
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in line)


@pytest.mark.parametrize("width", [34, 40, 80, 200])
@pytest.mark.parametrize("text", [HOSTILE, "\u4e2d\u6587" * 60, "one two " * 40])
def test_rows_fit_the_terminal(text, width):
    targets = [target(Words()), target(Bytes()), target(Ids()), target(healthy("lowercase"))]
    assert all(columns(line) <= width for line in rows(text, *targets, width=width).splitlines())


def test_every_character_of_a_hostile_text_is_visible():
    output = rows(HOSTILE, target(Words()), target(Bytes()), target(Ids(), "t:\x1b[2J"))
    assert output.replace("\n", "").isprintable()
    assert "\n::error::" not in output


def test_tokens_joined_are_the_text_of_a_byte_level_vocabulary():
    output = rows("one two " * 40, target(Bytes()))
    lines = [line.strip() for line in output.splitlines() if "\u2502" in line]
    assert "".join(lines).replace("\u2502", "") == "one two " * 40


class OtherWords(Words):
    texts = ("<unk>", "\u2581two", "\u2581one")


@pytest.mark.parametrize(
    ("tokenizers", "drawn"),
    [
        ((Words(),), False),
        ((Words(), Words()), False),
        ((Words(), Ids()), False),
        ((Words(), Bytes()), True),
        ((Words(), OtherWords()), True),
        ((Ids(), Ids(), Ids()), True),
    ],
)
def test_two_targets_that_are_meant_to_be_equal_are_a_table(tokenizers, drawn):
    assert are_drawn_as_rows([target(one) for one in tokenizers]) is drawn
