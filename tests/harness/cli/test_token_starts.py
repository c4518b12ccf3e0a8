"""Where the tokens of a text begin: by their bytes, by offsets, by their texts."""

import pytest

from tokharness.cli._token_table import token_starts
from tokharness.model import target_of


class Texts:
    """Tokens with these texts, for every text."""

    def __init__(self, *texts):
        self.texts = texts

    def encode(self, _):
        return list(range(len(self.texts)))

    def decode(self, ids):
        return "".join(self.texts[number] for number in ids)

    def token_text(self, number):
        return self.texts[number]


class Spans(Texts):
    """Tokens with offsets."""

    def __init__(self, *spans, first_id=0):
        super().__init__(*"?" * (len(spans) + first_id))
        self.ids, self.spans = list(range(first_id, first_id + len(spans))), list(spans)

    def encode_with_offsets(self, _):
        return self.ids, self.spans


class Bytes(Spans):
    """Tokens with bytes, and with offsets that say something else."""

    def __init__(self, *data):
        super().__init__(*[(1, 1)] * len(data))
        self.data = data

    def decode_single_token_bytes(self, number):
        return self.data[number]


def starts(text, tokenizer, reference=None):
    target = target_of("t:1", tokenizer)
    other = None if reference is None else target_of("t:2", reference)
    return token_starts(text, target.encode(text), target, lambda _: other)


def test_bytes_that_spell_the_text_show_where_tokens_begin():
    assert starts("\u00e9a", Bytes(b"\xc3", b"\xa9", b"a")) == [0, 0, 1]


def test_offsets_show_it_where_bytes_do_not_spell_the_text():
    assert starts("\u00e9a", Bytes(b"e", b"a")) == [1, 1]


def test_an_empty_span_after_the_text_is_at_its_last_character():
    assert starts("ab", Spans((0, 2), (2, 2))) == [0, 1]


def test_the_offsets_of_the_reference_are_used_for_the_same_ids():
    assert starts("ab", Texts("x", "y"), Spans((0, 1), (1, 2))) == [0, 1]
    assert starts("ab", Texts("x", "y"), Spans((0, 1), (1, 2), first_id=7)) is None


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        ("a bc", ("\u2581a", "\u2581b", "c"), [0, 2, 3]),
        ("Abc d", ("ab", "##c", "d"), [0, 2, 4]),
        ("abc  d", ("a@@", "bc", "d"), [0, 1, 5]),
        ("ab c", ("a", "b</w>", "c</w>"), [0, 1, 3]),
        ("a b", ("\u2581a\u2581b",), [0]),
        ("a ", ("a", "\u2581"), [0, 1]),
    ],
)
def test_texts_that_spell_the_text_show_it_without_marks(text, tokens, expected):
    assert starts(text, Texts(*tokens)) == expected


@pytest.mark.parametrize("tokens", [("a",), ("a", "[UNK]"), ("a", "b", "c"), ("b", "a")])
def test_texts_that_do_not_spell_the_text_show_nothing(tokens):
    assert starts("ab", Texts(*tokens)) is None


def test_a_text_without_characters_or_tokens_has_no_places():
    assert starts("", Spans((0, 0))) is None
    assert starts("a", Texts()) is None
