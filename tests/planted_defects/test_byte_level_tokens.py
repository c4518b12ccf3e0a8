"""Defects that are planted into a byte-level BPE vocabulary: each is found, by its id or bytes."""

import dataclasses
from types import SimpleNamespace

import pytest

CODES = ("TOK401", "TOK402", "TOK403", "TOK404", "TOK405", "TOK406", "TOK407", "TOK408")
SPECIAL = "<|endoftext|>"


@pytest.fixture
def kinds(audit):
    """Return the findings of a check by the kind of their cause."""
    return lambda code, tokenizer: {one.cause.kind: one for one in audit(code, tokenizer)}


@pytest.fixture
def ids_of_class(audit):
    """Return the ids that TOK408 names for a class."""

    def ids(tokenizer, name):
        rows = [row for one in audit("TOK408", tokenizer) for row in one.evidence["classes"]]
        return {number for row in rows if row["class"] == name for number in row["ids"]}

    return ids


def test_every_merged_token_of_the_healthy_vocabulary_is_its_own_encoding(healthy):
    merged = [token for token in healthy.ranks if len(token) > 1]
    assert len(merged) > 30
    for token in merged:
        assert healthy.encode_ordinary(token.decode()) == [healthy.ranks[token]]


def test_the_healthy_vocabulary_has_no_bug_and_no_risk(healthy, audit):
    findings = [one for code in CODES for one in audit(code, healthy)]
    assert [str(one.cause) for one in findings if one.verdict != "fact"] == []


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        pytest.param(b"\xb1z", "begin inside a character", id="begins inside"),
        pytest.param(b"z\xd0", "end inside a character", id="ends inside"),
        pytest.param(b"\xb1\xd0", "begin and end inside a character", id="both"),
    ],
)
def test_a_token_of_a_part_of_a_character_is_found(healthy, plant, kinds, token, kind):
    finding = kinds("TOK402", plant(token))["partial UTF-8"]
    assert (finding.count, finding.text, finding.evidence[kind]) == (1, token, 1)
    assert "partial UTF-8" not in kinds("TOK402", healthy)


def test_a_byte_without_a_token_is_found(healthy, kinds):
    ranks = {token: number for token, number in healthy.ranks.items() if token != b"\xf4"}
    lacking = dataclasses.replace(healthy, ranks=ranks)
    assert kinds("TOK403", lacking)["byte without a token"].text == b"\xf4"
    assert kinds("TOK403", healthy) == {}


def test_a_token_of_a_byte_that_utf8_never_uses_is_found(healthy, plant, kinds):
    finding = kinds("TOK403", plant(b"\xc0"))["bytes UTF-8 never uses"]
    assert (finding.count, finding.text) == (1, b"\xc0")
    assert kinds("TOK403", healthy) == {}


def test_a_token_with_a_replacement_character_is_found(healthy, plant, kinds):
    finding = kinds("TOK404", plant("z\ufffd"))["replacement character in token"]
    assert finding.evidence["ids"] == [healthy.n_vocab]
    assert kinds("TOK404", healthy) == {}


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        pytest.param("    ", "spaces", id="spaces"),
        pytest.param("\t\t", "tabs", id="tabs"),
        pytest.param("\n\n", "line feeds", id="line feeds"),
        pytest.param("\u3000\u3000", "other", id="ideographic spaces"),
        pytest.param("\r\n", "mixed", id="a line end of Windows"),
    ],
)
def test_a_token_of_white_space_is_counted_by_its_kind(healthy, plant, kinds, token, kind):
    before = kinds("TOK405", healthy)["white space only"]
    finding = kinds("TOK405", plant(token))["white space only"]
    assert (finding.count, finding.text) == (before.count + 1, token)
    assert finding.evidence[kind] == before.evidence.get(kind, 0) + 1


def test_a_second_id_of_a_token_is_found(healthy, kinds):
    twice = dataclasses.replace(healthy, other_ids={healthy.n_vocab: b" the"})
    finding = kinds("TOK406", twice)["duplicate tokens"]
    assert finding.evidence["ids"] == [[healthy.ranks[b" the"], healthy.n_vocab]]
    assert kinds("TOK406", healthy) == {}


@pytest.mark.parametrize(
    ("token", "name"),
    [
        pytest.param("\u00e2\u20ac\u2122", "mojibake", id="mojibake"),
        pytest.param("-" * 16, "one character repeated", id="one character repeated"),
        pytest.param("z\x01", "control characters", id="control"),
        pytest.param("z\x1b[", "terminal escapes", id="terminal escape"),
        pytest.param("z\ue000", "private use", id="private use"),
        pytest.param("z\ufdd0", "noncharacters", id="noncharacter"),
        pytest.param("\U000e0072\U000e006d", "tag characters", id="tag characters"),
        pytest.param("\u202ez", "bidirectional controls", id="bidirectional control"),
        pytest.param("z\u200bz", "invisible characters", id="zero width"),
        pytest.param("z\u200bz", "hidden characters", id="zero width, not needed"),
        pytest.param("z\u3164", "invisible letters", id="invisible letter"),
        pytest.param("e\u0301", "not NFC", id="not NFC"),
        pytest.param("https://", "URLs and e-mail addresses", id="a URL"),
        pytest.param("</div", "HTML", id="HTML"),
        pytest.param("z\u0436", "letters of several scripts", id="mixed scripts"),
        pytest.param(
            "th\u0435", "look-alikes of words in mixed scripts", id="mixed scripts, like a word"
        ),
        pytest.param("<|EndOfText|>", "near-special tokens", id="special but for case"),
        pytest.param("\uff1c|endoftext|>", "near-special tokens", id="special after NFKC"),
        pytest.param("<|\u0435ndoftext|>", "near-special tokens", id="special by skeleton"),
        pytest.param("<|endoftexts|>", "near-special tokens", id="special and a character"),
        pytest.param("<|endoftex|>", "near-special tokens", id="special less a character"),
        pytest.param("<|endoftezt|>", "near-special tokens", id="special but for a character"),
    ],
)
def test_a_token_of_suspicious_text_is_named_with_its_class(
    healthy, plant, ids_of_class, token, name
):
    before = ids_of_class(healthy, name)
    assert all(len(healthy.decode_single_token_bytes(number)) == 1 for number in before)
    assert ids_of_class(plant(token), name) - before == {healthy.n_vocab}


def test_an_id_without_a_token_is_found(healthy, kinds):
    special = {SPECIAL: healthy.n_vocab}
    finding = kinds("TOK407", dataclasses.replace(healthy, special_tokens=special))
    hole = healthy.n_vocab - 1
    assert f"({hole:,})" in finding["id-space holes"].cause.message
    assert kinds("TOK407", healthy) == {}


@pytest.mark.parametrize("kind", ["special", "ordinary"])
def test_an_id_past_the_end_is_found(healthy, plant, kinds, kind):
    tokenizer = healthy if kind == "special" else plant(" zq")
    names = ("encode_ordinary", "decode", "decode_single_token_bytes", "special_tokens")
    methods = {name: getattr(tokenizer, name) for name in names}
    too_small = SimpleNamespace(**methods, n_vocab=tokenizer.n_vocab - 1)
    finding = kinds("TOK407", SimpleNamespace(**vars(too_small), encode=tokenizer.encode_ordinary))
    past = finding["ids past n_vocab"]
    assert past.cause.parameters == (("of", kind),)
    assert past.evidence["ids"] == [tokenizer.n_vocab - 1]


@pytest.mark.parametrize(
    "special",
    [
        pytest.param(lambda healthy: {SPECIAL: healthy.ranks[b" the"]}, id="an ordinary token"),
        pytest.param(
            lambda healthy: {SPECIAL: healthy.n_vocab - 1, "<|pad|>": healthy.n_vocab - 1},
            id="another special token",
        ),
    ],
)
def test_a_special_id_of_two_tokens_is_found(healthy, kinds, special):
    tokens = special(healthy)
    finding = kinds("TOK407", dataclasses.replace(healthy, special_tokens=tokens))
    shared = finding["shared special id"]
    assert (shared.count, shared.text) == (1, SPECIAL if len(tokens) > 1 else " the")
