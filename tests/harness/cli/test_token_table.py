"""A text as a table of code points, bytes and tokens."""

import re

from tokharness.cli._token_table import token_table
from tokharness.model import target_of
from tokharness_tokenizers.faulty._tokenizer_files import healthy


class Words:
    """A token for each word, which shows no offsets."""

    texts = ("[UNK]", "\u2581one", "\u2581two")

    def encode(self, text):
        marked = [f"\u2581{word}" for word in text.split()]
        return [self.texts.index(word) if word in self.texts else 0 for word in marked]

    def decode(self, ids):
        return " ".join(self.texts[number] for number in ids).replace("\u2581", "")

    def token_text(self, number):
        return self.texts[number]


class Ids(Words):
    token_text = None


def table(text, *tokenizers, width=120, spec="t:{}"):
    targets = [target_of(spec.format(number), one) for number, one in enumerate(tokenizers)]
    return token_table(text, targets, width=width, color=False)


def cells(output, code_point):
    (line,) = [line for line in output.splitlines() if code_point in line]
    return re.split(r"  +", line.strip())


def test_a_token_is_in_the_row_of_its_first_character():
    assert cells(table("one two", Words()), "U+0074")[-1] == "2 [\u2581two]"


def test_a_token_of_a_normalized_text_is_in_the_row_where_its_offset_begins():
    assert cells(table("A b", healthy("lowercase")), "U+0041")[-1] == "97 [a]"


def test_tokens_whose_places_are_not_known_are_on_a_line():
    lines = table("none two", Words()).splitlines()
    assert lines[-1] == "  texts of the tokens: [UNK] | \u2581two"


def test_a_target_that_shows_no_texts_has_no_line_of_them():
    assert "texts of the tokens" not in table("none two", Ids())
