"""What ports of BERT do with the text and the words of a list of word pieces."""

from types import SimpleNamespace

from tokharness.diagnosis.ids.alterable import alterations_of
from tokharness.model import target_of
from tokharness_tokenizers.reference.tokenizer_json import read

PIECES = ("[UNK]", "#", *"abxyz\u03c3\u03c2", *(f"##{one}" for one in "abxyz\u03c3\u03c2"))
FILE = {
    "normalizer": {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    },
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "model": {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 5,
        "vocab": {piece: number for number, piece in enumerate(PIECES)},
    },
    "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": False},
    "added_tokens": [],
}
TEXTS = ("ab", "x y", "Ab#", "a##b", "abxyz", "abxyza", "bbbbbbbb x", "xyzxyzxyz")


def port(change=str, longest=None):
    """Return a tokenizer that changes texts, and reads so many characters of a word."""
    file = read(FILE, "word pieces")

    def encode(text):
        words = file.pretokens(change(text))
        return [token for word in words for token in file.encode_ordinary(word[:longest])]

    return SimpleNamespace(encode=encode, decode=file.decode)


def test_the_end_of_a_long_word_may_be_lost(check_texts):
    file = read(FILE, "word pieces")
    (bug,) = check_texts("TOK201", port(longest=5), TEXTS, reference=file).bugs
    assert str(bug.cause) == "model: the end of a long word is left out"
    assert not bug.cause.weak


def test_a_port_without_a_departure_has_no_finding(check_texts):
    assert not check_texts("TOK201", port(), TEXTS, reference=read(FILE, "word pieces")).bugs


def altered(text):
    rows = alterations_of(text, target_of("word pieces", read(FILE, "word pieces")))
    return {what: list(ids) for (_, what), ids in rows.items()}


def test_the_mark_of_a_part_may_be_removed_from_text():
    own = port(lambda text: text.replace("##", ""))
    for text in ("a##b", "##", "a ##b", "a#b"):
        assert altered(text)["## is removed from a text"] == own.encode(text)


def test_lowercase_is_named_before_title_case():
    rows = altered("a\u03a3")
    names = ["lowercase before it", "title case before it"]
    assert [what for what in rows if what in names] == names
    assert all(rows[what] == port(str.lower).encode("a\u03a3") for what in names)
