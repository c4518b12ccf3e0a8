"""Steps of merging, pairs of parts of characters, and tokens that are equal in another form."""

import pytest

from tokharness_tokenizers.reference.tokenizer_json import read

STEPS = ("zq", "zqx", "zqxj")
BEFORE = (b"\xd0\xb6", b"\xd0\xb6\xe0")
AFTER = (b"\xa4\xa4", b"\xa4\xa4\xe0", b"\xa4\xa4\xe0\xa4", b"\xa4\xa4\xe0\xa4\x95")
"""A Cyrillic letter and a first byte; the other two bytes of a letter of Devanagari and another."""


def test_steps_towards_one_token_are_named(healthy, plant, named_ids):
    """A step is named if a thousand tokens come before it."""
    others = [*map(chr, range(0x4E00, 0x4E00 + 1000))]
    first = healthy.n_vocab + len(others)
    assert named_ids("TOK409", plant(*others, *STEPS)) >= {first, first + 1}
    twin = plant(*others, *STEPS, "zqw", "zqxk")
    assert named_ids("TOK409", twin).isdisjoint({first, first + 1})


@pytest.mark.parametrize(("line", "is_named"), [("zqx zqx zqx", True), ("zqx zqx zq", False)])
def test_a_token_that_a_corpus_has_only_inside_of_another_is_named(
    healthy, plant, named_ids, tmp_path, line, is_named
):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(f"{line}\n" * 1000)
    named = named_ids("TOK411", plant("zq", "zqx"), corpus=str(corpus))
    assert (healthy.n_vocab in named) is is_named


def test_a_pair_of_parts_of_a_character_between_two_scripts_is_found(healthy, plant, named_ids):
    numbers = {healthy.n_vocab + 1, healthy.n_vocab + len(BEFORE + AFTER) - 1}
    assert named_ids("TOK410", plant(*BEFORE, *AFTER)) >= numbers
    assert named_ids("TOK410", plant(*BEFORE, *AFTER[:2])) == set()


@pytest.mark.parametrize(
    ("form", "tokens"),
    [
        pytest.param("NFC", ("\u00e9z", "e\u0301z"), id="NFC"),
        pytest.param("skeleton", ("paypal", "p\u0430ypal"), id="skeleton"),
    ],
)
def test_tokens_that_are_equal_in_another_form_are_named(healthy, plant, audit, form, tokens):
    (finding,) = audit("TOK406", plant(*tokens))
    (row,) = finding.evidence["forms"]
    assert row["equal in"] == form
    assert row["ids"] == [[healthy.n_vocab, healthy.n_vocab + 1]]
    assert audit("TOK406", plant(tokens[0])) == []


@pytest.mark.parametrize(("pieces", "forms"), [(("ab", "##ab"), ["text"]), (("ab", "##b"), [])])
def test_two_pieces_of_one_text_are_named(audit, pieces, forms):
    vocab = {piece: number for number, piece in enumerate(("[UNK]", *pieces))}
    model = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": vocab,
    }
    stages = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
    tokenizer = read({"added_tokens": [], **dict.fromkeys(stages), "model": model}, "file")
    findings = audit("TOK406", tokenizer)
    assert [row["equal in"] for one in findings for row in one.evidence["forms"]] == forms


def test_the_longest_token_of_each_script_is_named(healthy, plant, audit):
    def longest(tokenizer):
        rows = [
            row for one in audit("TOK408", tokenizer) for row in one.evidence.get("scripts", ())
        ]
        return {row["script"]: row["its id"] for row in rows}

    before = longest(healthy)
    assert healthy.decode([before["Latin"]]) == " northern"
    cyrillic = {"Cyrillic": healthy.n_vocab + 1}
    assert longest(plant("\u0436\u0436", "\u0436\u0436\u0436\u0436")) == before | cyrillic
