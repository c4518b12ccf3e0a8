"""TOK101: changes that a target or its reference declares, or that no target can avoid."""

import functools
import re
import string

import pytest
from planted._gguf_files import CONTROL, PREFIX, RECORDS, USER_DEFINED, converted

from tokharness.checks import lossy_round_trip
from tokharness.diagnosis.text.characters import describe_by_replacement
from tokharness.engine.worker.batch_columns import observe
from tokharness.model import Verdict, target_of
from tokharness.targets.subject import Subject
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import members

CODE = "TOK101"
TEXTS = (
    *("a", "Word", "a  b ", "\u00e9", "e\u0301", "\u0340", "\uac00", "\ufb01", "\uff21b"),
    *("\u212b", "a\u0315\u0300", "\u034f", "\u00c0A", "x\u0323\u0307", "\u0130", "a\u200bb"),
)
LONE = ("\ud800", "a\udc00b", "\ude00\ud83d")
SPACED = "spaces after words: U+0020 SPACE"


def form(name):
    return functools.partial(normalize, name)


def dropping(expression):
    table = dict.fromkeys(members(expression))
    return lambda text: text.translate(table)


def words_with_spaces(text):
    return "".join(f"{word} " for word in re.findall(r"\w+|[^\w\s]+", text))


@pytest.mark.parametrize("normalizer", ["NFC", "NFKD", "lowercase"])
def test_a_declared_normalizer_is_one_finding_by_design(check_texts, byte_tokenizer, normalizer):
    change = str.lower if normalizer == "lowercase" else form(normalizer)
    findings = check_texts(CODE, byte_tokenizer(change, normalizer=normalizer), TEXTS)
    assert findings.bugs == []
    assert [str(finding.cause) for finding in findings] == [f"declared normalizer: {normalizer}"]


def test_a_declared_form_of_an_old_version_is_by_design_at_that_version(
    check_texts, byte_tokenizer
):
    old = functools.partial(normalize, "NFC", version="14.0")
    findings = check_texts(
        CODE,
        byte_tokenizer(old, normalizer="NFC"),
        (*TEXTS, "\U000105d2\u0307"),
        normalizer_version="14.0",
    )
    assert findings.bugs == []


def test_a_form_that_is_declared_but_not_applied_is_a_bug(check_texts, byte_tokenizer):
    (bug,) = check_texts(CODE, byte_tokenizer(normalizer="NFC"), TEXTS).bugs
    assert str(bug.cause) == "declared normalizer not applied: NFC"


def test_a_change_beyond_the_declared_form_is_a_bug(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer(
        lambda text: normalize("NFC", text.replace("\u200b", "")), normalizer="NFC"
    )
    findings = check_texts(CODE, tokenizer, TEXTS)
    assert [finding.cause.kind for finding in findings.bugs] == ["dropped characters"]


def test_lone_surrogates_that_become_the_replacement_character_are_by_design(
    check_texts, byte_tokenizer
):
    (fact,) = check_texts(CODE, byte_tokenizer(), LONE, families=("surrogates",))
    assert (str(fact.cause), fact.verdict) == ("lone surrogates: U+FFFD", "fact")
    assert fact.text == "\ud800"


@pytest.mark.parametrize("form", [None, "NFC"])
def test_a_pair_that_comes_back_joined_is_no_lone_surrogate(check_texts, byte_tokenizer, form):
    def refuse_lone(text):
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        return normalize(form, joined) if form else joined

    tokenizer = byte_tokenizer(refuse_lone, normalizer=form)
    texts = ["\ud83d\ude00", "a\ud83d\ude00", "\ud83d\ude00 e\u0301", *LONE]
    findings = check_texts(CODE, tokenizer, texts)
    declared = ["declared normalizer: NFC"] if form else []
    assert [str(finding.cause) for finding in findings] == declared


@pytest.mark.parametrize("instead", ["", "?"])
def test_lone_surrogates_that_become_something_else_are_a_bug(check_texts, byte_tokenizer, instead):
    tokenizer = byte_tokenizer(after=lambda text: text.replace("\ufffd", instead))
    assert check_texts(CODE, tokenizer, LONE).bugs


def test_a_character_that_two_surrogates_form_is_replaced_as_that_character(
    check_texts, byte_tokenizer
):
    texts = ["\U0001f600", "\ud83d\ude00", "a\ud83d\ude00"]
    (bug,) = check_texts(CODE, byte_tokenizer(lambda t: t.replace("\U0001f600", ":)")), texts).bugs
    assert str(bug.cause).startswith("replaced characters: U+1F600")


@pytest.mark.parametrize("text", ["\udce1A", "\ud800", "A\udfff\u0130"])
def test_a_declared_normalizer_that_keeps_surrogates_is_by_design(check_texts, text):
    class Characters:
        normalizer = "lowercase"

        def encode(self, text):
            return list(map(ord, text.lower()))

        def decode(self, ids):
            return "".join(map(chr, ids))

    findings = check_texts("TOK101", Characters(), [text, "A", "b"])
    assert findings.bugs == []
    assert [finding.cause.kind for finding in findings] == ["declared normalizer"]


class Words:
    """A closed vocabulary of letters; all other characters become [UNK]."""

    special_tokens = {"[UNK]": 0}  # noqa: RUF012 - what a target declares

    def encode(self, text):
        return [ord(c) if c.isascii() and c.isalpha() else 0 for c in text]

    def decode(self, ids):
        return "".join(chr(i) if i else "[UNK]" for i in ids)


@pytest.mark.parametrize("code", ["TOK101", "TOK103"])
def test_an_unknown_token_is_by_design(check_texts, code):
    findings = check_texts(code, Words(), ["abc", "a1", "\u4e2d", "[UNK]", "\U0001f600"])
    assert findings.bugs == []
    assert [finding.cause.kind for finding in findings] == (
        ["unknown token"] if code == "TOK101" else []
    )


def test_an_unknown_token_does_not_hide_a_normal_form(check_texts, byte_tokenizer):
    known = string.printable
    target = byte_tokenizer(special_tokens={"<unk>": 0})

    def encode(text):
        text = normalize("NFKC", text).replace("\u2581", " ")
        return [ord(c) if c in known else 0 for c in text]

    target.encode, target.decode = (
        encode,
        lambda ids: "".join(chr(i) if i else "\ufffd" for i in ids),
    )
    texts = ["\ufb01", "\uff21\uff22", "\u2581x", "a\u2581\u00b2", "\u4e2d"]
    findings = check_texts("TOK101", target, texts)
    assert {str(finding.cause) for finding in findings.bugs} == {
        "normalizer: NFKC",
        "replaced characters: U+2581 LOWER ONE EIGHTH BLOCK, U+0020 SPACE",
    }


def test_a_fault_is_not_lost_among_many_texts_that_change_as_declared(byte_tokenizer):
    target = byte_tokenizer(
        before=lambda text: normalize("NFC", text).replace("Q", ""), normalizer="NFC"
    )
    texts = [*(f"e\u0301{number}" for number in range(500)), "Q", "a"]
    subject = Subject(target_of("target", target))
    rows = lossy_round_trip.failing(observe(subject, "family", texts), subject)
    assert texts.index("Q") in rows
    assert texts.index("a") not in rows
    assert 1 < len(rows) < 50


@pytest.mark.slow
def test_what_the_declared_normalizer_drops_is_not_part_of_a_fault(check_texts, byte_tokenizer):
    def declared(text):
        return dropping(r"\p{Mn}")(normalize("NFD", text))

    target = byte_tokenizer(
        before=lambda text: declared(text).replace("\u200b", ""),
        normalizer="accents",
        normalize=declared,
    )
    (bug,) = check_texts(CODE, target, ("a\u0301", "\u200b", "a\u200b", "a")).bugs
    assert str(bug.cause) == "dropped characters: U+200B ZERO WIDTH SPACE"


def test_all_surrogates_have_one_name():
    some = [*range(0xD800, 0xDC80), *range(0xDC81, 0xE000)]
    assert describe_by_replacement({chr(one): "?" for one in some}) == {"?": "surrogates (Cs)"}
    lows = {chr(one): "" for one in range(0xDC80, 0xDD00)}
    assert describe_by_replacement(lows) == {"": "U+DC80..U+DCFF"}


class Letters:
    """The 26 letters, and an unknown token that is declared, but not special."""

    unknown_id = 0

    def encode(self, text):
        return [ord(char) - 96 if "a" <= char <= "z" else 0 for char in text]

    def decode(self, ids):
        return "".join(chr(number + 96) if number else "[UNK]" for number in ids)


def test_a_declared_unknown_token_that_is_not_special_is_by_design(check_texts):
    (finding,) = check_texts(CODE, Letters(), ["ab", "a b", "\u1342"])
    assert finding.verdict is Verdict.FACT
    assert finding.cause.kind == "unknown token"


def test_an_added_token_that_is_not_read_is_no_normalizer_that_is_not_applied(check_texts):
    types = RECORDS["scored_bpe"][PREFIX + "token_type"]
    declared, loaded = (
        converted("scored_bpe", token_type=[*types[:2], kind, *types[3:]])
        for kind in (USER_DEFINED, CONTROL)
    )
    found = check_texts(CODE, loaded, ["a", "a b", "</s>a", "</s> a"], reference=declared)
    causes = {str(failure.cause) for failure in found}
    named = "user-defined tokens with the text of a usual control token are control tokens"
    assert f"added tokens: {named}" in causes
    assert not any("not applied" in cause for cause in causes)


def test_what_the_named_reference_declares_is_by_design_in_a_target_that_declares_nothing(
    check_texts, byte_tokenizer
):
    declares = byte_tokenizer(str.lower, normalizer="lowercase", normalize=str.lower)
    findings = check_texts(
        CODE, byte_tokenizer(str.lower), TEXTS, reference=declares, claims_parity=True
    )
    assert findings.bugs == []
    assert [str(finding.cause) for finding in findings] == ["declared normalizer: lowercase"]


def test_a_text_that_comes_back_without_the_declared_change_of_the_named_reference_is_not_lost(
    check_texts, byte_tokenizer
):
    declares = byte_tokenizer(str.lower, normalizer="lowercase", normalize=str.lower)
    assert not check_texts(CODE, byte_tokenizer(), TEXTS, reference=declares, claims_parity=True)


def test_a_loss_beyond_what_the_named_reference_declares_is_a_bug(check_texts, byte_tokenizer):
    declares = byte_tokenizer(str.lower, normalizer="lowercase", normalize=str.lower)
    tokenizer = byte_tokenizer(lambda text: text.lower().replace("\u200b", ""))
    findings = check_texts(CODE, tokenizer, TEXTS, reference=declares, claims_parity=True)
    assert [bug.cause.kind for bug in findings.bugs] == ["dropped characters"]


@pytest.mark.slow
def test_what_the_named_reference_declares_and_the_target_does_not_do_hides_no_loss(
    check_texts, byte_tokenizer
):
    declares = byte_tokenizer(form("NFC"), normalizer="NFC")
    findings = check_texts(
        CODE,
        byte_tokenizer(after=words_with_spaces),
        ("word", "is", "a", "b", "a,b", "(a)", "a!b", "e\u0301", "\u0340", "e,\u0301"),
        reference=declares,
        claims_parity=True,
    )
    assert [str(bug.cause) for bug in findings.bugs] == [f"decoder: {SPACED}"]
