"""What an engine may do in the place of a component, where no planted fault shows it."""

import json

import pytest

from tokharness_tokenizers.reference.added_tokens import (
    CUT_BY_TEXT,
    AddedToken,
    AddedTokens,
    Cutter,
)
from tokharness_tokenizers.reference.departing_components import (
    departing_normalizers,
    departing_pre_tokenizers,
)
from tokharness_tokenizers.reference.departing_models import LATE, LATER, departing_models
from tokharness_tokenizers.reference.departing_searches import departing_searches
from tokharness_tokenizers.reference.engine_alterations import (
    departing_added_tokens,
    engine_alterations,
)
from tokharness_tokenizers.reference.further_models import further_models
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.wordpiece import WordPiece
from tokharness_tokenizers.reference.normalizers.forms import BertNormalizer
from tokharness_tokenizers.reference.normalizers.replacing import Prepend
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import Bert, Punctuation
from tokharness_tokenizers.reference.tokenizer_json.file import read


def test_ideographs_of_one_block_are_those_that_have_spaces_around_them():
    _, departing = next(departing_normalizers(BertNormalizer()))
    assert departing.normalize("A\u3400\xe9\u4e00") == "a\u3400e \u4e00 "
    assert BertNormalizer().normalize("A\u3400\xe9\u4e00") == "a \u3400 e \u4e00 "


def test_punctuation_may_be_that_of_ascii():
    departing = dict(departing_pre_tokenizers(Punctuation()))
    only_ascii = departing["Punctuation: only ASCII has punctuation"]
    assert only_ascii.pieces("a\u2018b!?", at_start=True) == ["a\u2018b", "!", "?"]
    assert Punctuation().pieces("a\u2018b!?", at_start=True) == ["a", "\u2018", "b", "!", "?"]


@pytest.mark.parametrize(
    ("what", "parts"),
    [
        ("rstrip: one character at most", ["a", "  <t>\t", " b"]),
        ("lstrip: one character at most", ["a ", " <t>\t ", "b"]),
        ("lstrip and rstrip: one character at most", ["a ", " <t>\t", " b"]),
    ],
)
def test_an_added_token_takes_one_character_of_white_space(what, parts):
    token = AddedToken("<t>", 7, lstrip=True, rstrip=True)
    cutter = Cutter({"<t>": token}, str.isalnum)
    added = AddedTokens((token,), cutter, Cutter({}, str.isalnum))
    departing = dict(departing_added_tokens(added))[what]
    text = "a  <t>\t b"
    assert [text[start:end] for start, end, _ in departing.before.cut(text, special=False)] == parts
    twice = "<t><t>"
    assert [*departing.before.cut(twice, special=False)] == [(0, 3, 7), (3, 6, 7)]


def test_the_text_of_a_special_token_may_cut_plain_text():
    special, plain = AddedToken("<s>", 1, special=True, lstrip=True), AddedToken("<t>", 2)
    cutter = Cutter({"<s>": special, "<t>": plain}, str.isalnum)
    added = AddedTokens((special, plain), cutter, Cutter({}, str.isalnum))
    departing = dict(departing_added_tokens(added))[CUT_BY_TEXT]
    parts = departing.parts("a <s>b<t>", str.upper, special=False)
    assert parts == [
        (True, "A ", None), (False, "<S>", None), (False, "B", None), (False, "<t>", 2)
    ]  # fmt: skip
    assert departing.parts("a <s>", str.upper, special=True) == added.parts(
        "a <s>", str.upper, special=True
    )


def test_no_white_space_is_taken_where_no_added_token_takes_any():
    token = AddedToken("<t>", 7)
    added = AddedTokens((token,), Cutter({"<t>": token}, str.isalnum), Cutter({}, str.isalnum))
    assert [what for what, _ in departing_added_tokens(added)] == [
        "are read at the start of a text alone",
        "each one is read once in a text",
        "the shortest one at a place counts",
        "case is ignored",
    ]


@pytest.mark.parametrize(
    ("content", "is_pattern"),
    [
        ("a.b", True),
        ("[ab]", True),
        ("ab", False),
        ("[a", False),
        ("(a+)+b", False),
        ("a" * 65, False),
    ],
)
def test_texts_are_patterns_only_if_a_search_takes_little_time(content, is_pattern):
    token = AddedToken(content, 7)
    added = AddedTokens((token,), Cutter({content: token}, str.isalnum), Cutter({}, str.isalnum))
    names = [what for what, _ in departing_searches(added)]
    assert any("patterns" in what for what in names) == is_pattern


def test_the_token_of_a_byte_may_stand_for_its_character():
    known = {"<unk>": 0, "1": 1, "<0x31>": 2, "<0x61>": 3, "a": 4, "11": 5}
    model = BPE(known, [("1", "1")], unknown="<unk>", byte_fallback=True)
    departing = dict(departing_models(model))[LATER]
    assert [number for number, _ in model.tokens("1a111")] == [1, 4, 5, 1]
    assert [number for number, _ in departing.tokens("1a111")] == [2, 4, 5, 2]


@pytest.mark.parametrize("known", [{"<0x31>": 0, "1": 1}, {"1": 0}, {"<0x31>": 0}])
def test_the_token_of_a_byte_does_not_stand_for_a_later_character(known):
    assert LATER not in dict(departing_models(BPE(known, [], byte_fallback=True)))


def test_without_byte_fallback_no_token_of_a_byte_stands_for_a_character():
    assert LATER not in dict(departing_models(BPE({"1": 0, "<0x31>": 1}, [])))


@pytest.mark.parametrize(
    ("what", "text", "normalized"),
    [
        ("kana are ideographs, too", "a\u3042b", "a \u3042 b"),
        ("Hangul syllables are ideographs, too", "a\uac00", "a \u1100\u1161 "),
        ("kana and Hangul syllables are ideographs, too", "\u3042\uac00", " \u3042  \u1100\u1161 "),
        ("unassigned characters are removed, too", "\u0378A\u200b", "a"),
        ("format characters are not removed", "A\u200b\u00e9\ufffd", "a\u200be"),
        ("private characters are not removed", "\u200b\ue000A", "\ue000a"),
        ("controls are not removed", "\0\x07\u200b\tA", "\0\x07 a"),
        ("controls that Python has as white space are no controls", "A\x0bb\x1fc", "a b c"),
        ("U+0000 is not removed", "\0\x07A", "\0a"),
        ("U+FFFD is not removed", "\ufffd\0A", "\ufffda"),
    ],
)
def test_bert_cleans_less_or_spaces_more(what, text, normalized):
    departing = dict(departing_normalizers(BertNormalizer()))[f"BertNormalizer: {what}"]
    assert departing.normalize(text) == normalized


@pytest.mark.parametrize(("text", "changed"), [(" a", " a"), ("a", "\u2581a"), ("", "")])
def test_nothing_may_be_put_before_a_space(text, changed):
    departing = dict(departing_normalizers(Prepend("\u2581")))
    assert departing["Prepend: nothing is put before a space"].normalize(text) == changed


def test_symbols_may_be_punctuation():
    departing = dict(departing_pre_tokenizers(Bert()))
    words = departing["BertPreTokenizer: symbols are punctuation, too"]
    assert words.pieces("a\u20acb c.", at_start=True) == ["a", "\u20ac", "b", "c", "."]


VOCABULARY = {"[UNK]": 0, "a": 1, "##a": 2}


@pytest.mark.parametrize(
    ("what", "word", "ids"),
    [
        ("a character without a piece is unknown, and the word goes on", "axa", [1, 0, 2]),
        ("words of more than 2 characters are unknown", "aaa", [0]),
        ("a long word is cut as any other", "aaaa", [1, 2, 2, 2]),
        ("words of more than 50 characters are unknown", "aaaa", [1, 2, 2, 2]),
    ],
)
def test_a_word_is_unknown_elsewhere_or_at_another_length(what, word, ids):
    departing = dict(departing_models(WordPiece(VOCABULARY, max_characters=3)))[what]
    assert [number for number, _ in departing.tokens(word)] == ids


@pytest.mark.parametrize(("word", "ids"), [("ab", [2, 1]), ("ba", [1, 2]), ("bx", [0])])
def test_pieces_of_the_start_and_of_the_rest_may_stand_for_each_other(word, ids):
    model = WordPiece({"[UNK]": 0, "b": 1, "##a": 2})
    what = "a piece of the start of a word and one of its rest stand for each other"
    assert [number for number, _ in dict(departing_models(model))[what].tokens(word)] == ids


@pytest.mark.parametrize(
    ("what", "ids"), [("the longest token counts", [4, 2]), ("nothing is merged", [0, 1, 2])]
)
def test_a_list_of_merges_may_be_ignored(what, ids):
    vocabulary = {text: number for number, text in enumerate(("a", "b", "c", "bc", "ab"))}
    departing = dict(departing_models(BPE(vocabulary, [("b", "c"), ("a", "b")])))[what]
    assert [number for number, _ in departing.tokens("abc")] == ids


def test_departures_from_a_list_of_merges_share_its_table():
    model = BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")])
    departing = dict(departing_models(model))
    assert departing.pop("nothing is merged").pairs == {}
    assert all(one.pairs is model.pairs for one in departing.values())


def test_the_longest_piece_may_count_in_place_of_scores():
    ids = {text: number for number, text in enumerate(("a", "b", "c", "bc", "ab"))}
    model = SentencePieceBPE(ids, [0.0, 0.0, 0.0, -1.0, -2.0], unknown=9)
    assert [number for number, _ in model.tokens("abcx")] == [0, 3, 9]
    departing = dict(further_models(model))["the longest piece counts"]
    assert [number for number, _ in departing.tokens("abcx")] == [4, 2, 9]


@pytest.mark.parametrize(
    ("what", "ids"),
    [
        ("bytes are looked for in lower-case hexadecimal digits", [0]),
        (
            "bytes are looked for in lower-case hexadecimal digits, and each other byte is unknown",
            [0, 1],
        ),
    ],
)
def test_bytes_may_be_looked_for_in_lower_case(what, ids):
    names = {f"<0x{byte:02X}>": byte for byte in range(1, 256)}
    tokens = {"<unk>": 0, **{name: 1 if "99" in name else n for name, n in names.items()}}
    model = BPE(tokens, [], unknown="<unk>", byte_fallback=True)
    assert [number for number, _ in model.tokens("\u0659")] == [0xD9, 1]
    assert [number for number, _ in dict(departing_models(model))[what].tokens("\u0659")] == ids


@pytest.mark.parametrize(
    ("what", "data"),
    [
        (
            "characters beyond the BMP have the bytes of two surrogates, as in CESU-8",
            "eda0bdedb880",
        ),
        ("the bytes of a character are in reverse order", "80989ff0"),
    ],
)
def test_a_character_may_have_other_bytes_than_those_of_utf_8(what, data):
    names = [f"<0x{byte:02X}>" for byte in range(256)]
    bpe = BPE({name: n for n, name in enumerate(names)}, [], byte_fallback=True)
    unigram = Unigram([(name, -9.0) for name in names], None, byte_fallback=True)
    for model in (bpe, unigram):
        tokens = dict(departing_models(model))[what].tokens("\U0001f600")
        assert bytes(number for number, _ in tokens) == bytes.fromhex(data)


@pytest.mark.parametrize(
    ("what", "word", "ids"),
    [
        ("a word without pieces is left out", "ax", []),
        ("a word without pieces is left out", "ab", [1, 2]),
        ("the end of a long word is left out", "abbbb", [1, 2, 2]),
        ("the end of a long word is left out", "ax", [0]),
    ],
)
def test_a_list_of_word_pieces_may_lose_text(what, word, ids):
    model = WordPiece({"[UNK]": 0, "a": 1, "##b": 2}, max_characters=3)
    assert [number for number, _ in dict(departing_models(model))[what].tokens(word)] == ids


def test_each_character_without_a_token_is_unknown_where_the_list_of_merges_has_bytes():
    names = {f"<0x{byte:02X}>": byte + 1 for byte in range(256)}
    model = BPE({"?": 0, **names}, [], unknown="?", byte_fallback=True, fuse_unknown=True)
    each = "byte_fallback is false, and unknown characters are not joined"
    assert dict(departing_models(model))[each].tokens("xy") == [(0, 1), (0, 1)]


def test_the_order_of_merges_may_differ_in_a_long_word():
    model = BPE({"a": 0, "aa": 1}, [("a", "a")])
    departing = dict(departing_models(model))["the rightmost of equal pairs is merged first"]
    assert [number for number, _ in departing.tokens("a" * 4001)] == [0, *[1] * 2000]


def test_each_character_without_a_piece_is_unknown_where_bytes_are_known():
    pieces = [("<unk>", -9.0), *((f"<0x{byte:02X}>", -9.0) for byte in range(256))]
    departing = dict(departing_models(Unigram(pieces, 0, byte_fallback=True)))
    each = departing["byte_fallback is false, and unknown characters are not joined"]
    assert each.tokens("xy") == [(0, 1), (0, 1)]


@pytest.mark.needs("tokenizers")
@pytest.mark.parametrize("fused", [True, False])
def test_unknown_characters_stand_after_bytes_as_in_the_library(fused):
    import tokenizers

    record = {
        "added_tokens": [],
        "model": {
            "type": "BPE",
            "vocab": {"<unk>": 0, "a": 1, "<0x0A>": 2, "\u2581": 3, "b": 4, "ab": 5},
            "merges": ["a b"],
            "unk_token": "<unk>",
            "byte_fallback": True,
            "fuse_unk": fused,
        },
    }
    library = tokenizers.Tokenizer.from_str(json.dumps(record))
    altered = {
        what: one for _, what, one in engine_alterations(read(record, "file")) if what == LATE
    }
    for text in ("x\n", "x\ny", "ax\n\nb", "xy\nab", "\nx"):
        ids = library.encode(text).ids
        assert altered[LATE].encode_ordinary(text) == ids
    assert read(record, "file").encode_ordinary("x\n") == [0, 2] != library.encode("x\n").ids
