"""A text as a table of code points, bytes and tokens."""

import re

import pytest
from planted._tokenizer_files import healthy

from tokharness.cli._token_table import token_table
from tokharness.model import target_of


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


LONG = "python:/folder/of/a/file/with/a/long/name.py:factory_of_target_{}"
NAMED = "an \u00e9\U0001f600\u4e2d\ufb1d\u0627\u0301"


@pytest.mark.parametrize("width", range(40, 130, 3))
@pytest.mark.parametrize("number", [1, 2])
def test_code_points_and_names_are_whole_at_every_width(width, number):
    output = table(NAMED, *[Words()] * number, width=width, spec=LONG)
    drawn = output.split("\n" + LONG.format(0))[0].split("\n1 = ")[0]
    assert set(re.findall(r"U\+\w+", drawn)) == {f"U+{ord(one):04X}" for one in NAMED}
    if "LATIN" in drawn:
        assert {"SMALL", "ACUTE", "COMBINING", "IDEOGRAPH-4E2D"} <= set(drawn.split())
    assert all(len(line) <= width for line in drawn.splitlines())


def test_a_narrow_table_has_numbers_and_says_what_they_are():
    output = table("one", Words(), Words(), width=40, spec=LONG)
    assert cells(output, "U+006F") == ["o", "U+006F", "1 [\u2581one]", "1 [\u2581one]"]
    assert f"2 = {LONG.format(1)}: decodes to the same text\n" in output
