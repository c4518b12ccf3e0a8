"""Texts of control tokens, their near-misses, and hidden characters in documents."""

import pytest

from tokharness.scanning.characters import ControlTexts, hidden_rows, scripts_of

CONTROL = ControlTexts(["<|endoftext|>", "<|im_start|>", "[INST]", "<s>", "word"])


@pytest.mark.parametrize(
    ("text", "exact", "near"),
    [
        ("plain < | text", {}, {}),
        ("if a <b and c> d [0] <span>", {}, {}),
        ("a<|endoftext|>b<|endoftext|>", {"<|endoftext|>": 2}, {}),
        ("< |ENDOFTEXT| >", {}, {"<|endoftext|>": 1}),
        ("<|im_start|> <|Im_start|>", {"<|im_start|>": 1}, {"<|im_start|>": 1}),
        ("[inst]", {}, {"[INST]": 1}),
        ("\uff1c\uff5cendoftext\uff5c\uff1e", {}, {"<|endoftext|>": 1}),
        ("<|endof\u200btext|>", {}, {"<|endoftext|>": 1}),
        ("<|end\u043eftext|>", {}, {"<|endoftext|>": 1}),
        ("a word, a Word", {"word": 1}, {}),
    ],
)
def test_control_texts_are_found(text, exact, near):
    found, misses = CONTROL.find(["other", text])
    assert found == ({1: exact} if exact else {})
    assert {row: one for row, one in misses.items() if one} == ({1: near} if near else {})


def test_hidden_characters_are_counted_and_white_space_is_not():
    texts = ["a\tb\r", "a\u200bb\u200b\u202e", "caf\u00e9", "esc \x1b", "\u00ad"]
    found = hidden_rows(texts, "".join(texts).encode())
    assert found == {1: {"\u200b": 2, "\u202e": 1}, 3: {"\x1b": 1}, 4: {"\u00ad": 1}}


def test_the_script_of_most_letters_is_the_script_of_a_document():
    texts = ["abc \u0431", "123", "\u0430\u0431\u0432 a", "\u4e2d\u6587", "\u2014 abc"]
    assert scripts_of(texts) == ["Latn", "Zyyy", "Cyrl", "Hani", "Latn"]
