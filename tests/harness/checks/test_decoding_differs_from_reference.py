"""TOK202: ids that decode differently than with the reference."""

import re
from types import SimpleNamespace

import pytest
from planted._gguf_files import healthy as healthy_gguf
from planted._tokenizer_files import healthy

from tokharness.diagnosis.ids.compared_decoding import Difference, kinds_of_difference
from tokharness.diagnosis.ids.decoding_rules import rule_causes
from tokharness.model import Verdict, target_of
from tokharness.targets.subject import Subject
from tokharness_tokenizers.reference.decoders import clean_up

CODE = "TOK202"
TEXTS = ("a", "\u4e2d\u6587", "\U0001f9ff b", "x y .", "the ' end . a", "")
SPECIAL = {"<s>": 256, "</s>": 257}


@pytest.fixture
def causes(check_texts, byte_tokenizer):
    """Return the causes of a byte tokenizer whose ``decode`` is changed, with their verdicts."""

    def causes_of(
        decode, *, claims_parity=True, n_vocab=258, weak=None, of_tokens=False, **methods
    ):
        def healthy(ids):
            names = {number: text.encode() for text, number in SPECIAL.items()}
            if not all(0 <= number < 258 for number in ids):
                raise KeyError(max(ids))
            return b"".join(names.get(number) or bytes([number]) for number in ids)

        def text(ids):
            return healthy(ids).decode("utf-8", "replace")

        reference = byte_tokenizer(special_tokens=SPECIAL, n_vocab=258)
        reference.decode = text
        if of_tokens:
            reference.decode_single_token_bytes = lambda number: healthy([number])
        else:
            reference.decode_bytes = healthy
        target = byte_tokenizer(special_tokens=SPECIAL, n_vocab=n_vocab, **methods)
        target.decode = lambda ids: decode(ids, text, healthy)
        findings = check_texts(
            CODE, target, TEXTS, reference=reference, claims_parity=claims_parity
        )
        named = [one for one in findings if weak in (None, one.cause.weak)]
        return {str(finding.cause): finding.verdict for finding in named}

    return causes_of


@pytest.mark.parametrize("texts", [(), ("ab\u00e9c",)])
def test_the_ids_and_both_texts_are_evidence(check_texts, byte_tokenizer, texts):
    target, reference = (byte_tokenizer(n_vocab=256) for _ in range(2))
    target.decode = lambda ids: reference.decode(ids).replace("\u00e9", "e") + "!" * (256 in ids)
    findings = check_texts(CODE, target, texts, reference=reference, claims_parity=True)
    for bug in findings.bugs:
        ids = bug.evidence["for"]
        assert bug.evidence["entry point"] == "decode"
        assert bug.evidence["given"] == target.decode(ids) != reference.decode(ids)
    assert {bug.text for bug in findings.bugs}


def unchanged(ids, text, _):
    return text(ids)


def leaving_out_special(ids, text, _):
    return text([number for number in ids if number not in SPECIAL.values()])


def dropping(ids, _, data):
    return data(ids).decode("utf-8", "ignore")


def accepting(ids, text, _):
    return text([number if 0 <= number < 258 else 0x58 for number in ids])


def refusing_empty(ids, text, _):
    if not ids:
        raise ValueError("no ids")
    return text(ids)


def swapping(ids, text, _):
    return text([0x58 if number == 0xC0 else number for number in ids])


def refusing_parts(ids, _, data):
    return data(ids).decode()


def refusing_special(ids, text, _):
    return text([{}[number] if number in SPECIAL.values() else number for number in ids])


def replacing_all(ids, text, data):
    try:
        return data(ids).decode()
    except UnicodeDecodeError:
        return "\ufffd"


def one_for_each_byte(ids, _, data):
    text = data(ids).decode("utf-8", "surrogateescape")
    return "".join("\ufffd" if "\udc80" <= char <= "\udcff" else char for char in text)


def cleaning_up(ids, text, _):
    return clean_up(text(ids))


def cleaning_up_without_special(ids, text, data):
    return cleaning_up([number for number in ids if number not in SPECIAL.values()], text, data)


def each_alone(ids, text, _):
    return "".join(text([number]) for number in ids)


def each_alone_without_parts(ids, _, data):
    return "".join(data([number]).decode("utf-8", "ignore") for number in ids)


def reading_latin_1(ids, _, data):
    return data(ids).decode("latin-1")


def with_question_marks(ids, text, data):
    return one_for_each_byte(ids, text, data).replace("\ufffd", "?")


def with_backslashes(ids, _, data):
    return data(ids).decode("utf-8", "backslashreplace")


def escaping(ids, text, _):
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", lambda one: f"\\u{ord(one[0]):04x}", text(ids))


def escaping_each_alone(ids, text, data):
    return "".join(escaping([number], text, data) for number in ids)


def reversing_words(ids, text, _):
    return " ".join(reversed(text(ids).split(" ")))


DESIGN = [
    (leaving_out_special, "decoding: special tokens left out", Verdict.FACT),
    (dropping, "decoding: bytes dropped", Verdict.RISK),
]


@pytest.mark.parametrize("claims_parity", [True, False])
def test_equal_decoders_pass(causes, claims_parity):
    assert causes(unchanged, claims_parity=claims_parity) == {}
    assert causes(unchanged, claims_parity=claims_parity, n_vocab=None) == {}


@pytest.mark.parametrize(("decode", "cause", "automatic"), DESIGN)
def test_a_matter_of_design_is_a_bug_of_a_named_reference_only(causes, decode, cause, automatic):
    assert causes(decode) == {cause: Verdict.BUG}
    assert causes(decode, claims_parity=False) == {cause: automatic}


QUESTION_MARKS = "decoder: U+003F is in place of U+FFFD"
BACKSLASHES = "decoder: bytes of no character are written as escapes, such as \\xff"
ALONE = "decoder: each token is decoded alone"
ESCAPED = "decoder: control characters are written as escapes, such as \\u000a"
CLEANED_UP = "decoder: normalizer: spaces before punctuation cleaned up"


@pytest.mark.parametrize(
    ("decode", "wanted"),
    [
        (refusing_parts, {"decoding: parts of characters refused"}),
        (refusing_special, {"decoding: special tokens refused"}),
        (replacing_all, {"decoder: if a part is not a character, all of the text is one U+FFFD"}),
        (one_for_each_byte, {"decoding: number of U+FFFD"}),
        (each_alone, {ALONE}),
        (each_alone_without_parts, {f"{ALONE}, and parts of characters are left out"}),
        (reading_latin_1, {"decoder: each byte is a character, as in Latin-1"}),
        (with_question_marks, {QUESTION_MARKS}),
        (with_backslashes, {BACKSLASHES}),
        (escaping, {ESCAPED}),
        (escaping_each_alone, {ALONE, ESCAPED}),
        (cleaning_up, {CLEANED_UP}),
        (cleaning_up_without_special, {CLEANED_UP, "decoding: special tokens left out"}),
        (swapping, {"decoding: other text"}),
    ],
)
def test_what_a_decoder_does_has_one_name_that_predicts_its_texts(causes, decode, wanted):
    assert causes(decode, weak=False).keys() == wanted


def test_a_question_mark_may_stand_for_each_replacement(byte_tokenizer):
    """The bytes B8 AD E6 96 have three replacements, one for each part of a character."""
    target, reference = (byte_tokenizer() for _ in range(2))
    target.decode = lambda ids: reference.decode(ids).replace("\ufffd", "?")
    subject = Subject(target_of("target", target), target_of("reference", reference))
    ids = (0xB8, 0xAD, 0xE6, 0x96)
    difference = Difference(("other text",), ids, "???", "\ufffd" * 3)
    assert QUESTION_MARKS in map(str, rule_causes(difference, subject))


def test_bytes_of_tokens_stand_for_the_bytes_of_a_text(causes):
    assert causes(with_question_marks, weak=False, of_tokens=True).keys() == {QUESTION_MARKS}


@pytest.mark.slow
def test_a_decoder_that_no_rule_predicts_has_a_symptom(causes):
    assert causes(reversing_words, weak=True)
    assert causes(reversing_words, weak=False) == {}


@pytest.mark.slow
def test_a_space_after_the_last_word_is_predicted(check_texts):
    file = healthy("clip_merges")
    marks = {number: file.token_text(number).endswith("</w>") for number in range(file.n_vocab)}
    library = SimpleNamespace(encode=file.encode_ordinary, special_tokens=file.special_tokens)
    library.decode = lambda ids: file.decode(ids) + " " * bool(ids and marks[ids[-1]])
    texts = ["a in", "the in the", "thing"]
    (bug,) = check_texts(CODE, library, texts, reference=file, claims_parity=True).bugs
    assert (str(bug.cause), bug.cause.weak) == ("decoding: a space at the end", False)


@pytest.mark.slow
def test_another_text_of_the_unknown_token_is_the_cause(check_texts):
    file = healthy_gguf("unigram")
    library = SimpleNamespace(encode=file.encode_ordinary, special_tokens=file.special_tokens)
    library.decode = lambda ids: file.decode(ids).replace("<unk>", " \u2047 ", ids.count(0))
    texts = ["\u4e2d", "a \u4e2d\u6587 a"]
    (bug,) = check_texts(CODE, library, texts, reference=file, claims_parity=True).bugs
    assert (str(bug.cause), bug.cause.weak) == ("decoding: text of the unknown token", False)


def test_many_runs_of_replacement_characters_are_compared_in_little_time():
    parts = ["\ufffd\ufffd a"] * 200
    other = "\ufffdx a".join([""] * 201)
    assert kinds_of_difference("".join(parts), other, (), known=True) == ("runs of bytes",)
    assert kinds_of_difference("".join(parts), other + "!", (), known=True) == ("other text",)


@pytest.mark.parametrize("claims_parity", [True, False])
def test_an_id_that_no_text_has_and_that_decodes_to_another_text_is_a_bug(causes, claims_parity):
    assert causes(swapping, claims_parity=claims_parity) == {"decoding: other text": Verdict.BUG}


def test_ids_that_decode_refuses_are_a_bug(causes):
    assert causes(refusing_empty) == {"decoding: ids refused": Verdict.BUG}


def test_an_id_past_the_end_that_only_the_reference_refuses_is_a_bug(causes):
    assert causes(accepting) == {"decoding: unknown ids accepted": Verdict.BUG}


def test_an_id_past_the_end_that_decodes_to_a_neighbour_has_the_cause_of_its_own_check(causes):
    names = {number: text.encode() for text, number in SPECIAL.items()}
    table = {**{number: bytes([number]) for number in range(256)}, **names}
    found = causes(accepting, decode_single_token_bytes=table.__getitem__)
    assert list(found) == ["id decodes to another token's text: the nearest"]


def test_bytes_that_differ_though_the_texts_do_not_are_a_bug(causes):
    names = {number: text.encode() for text, number in SPECIAL.items()}

    def replacing(ids):
        data = b"".join(names.get(number) or bytes([number]) for number in ids)
        return data.replace(b"\xff", b"\xfe")

    found = causes(unchanged, decode_bytes=replacing)
    assert found == {"decoding: other bytes": Verdict.BUG}


@pytest.mark.slow
def test_a_target_on_which_everything_differs_is_taken_apart_in_a_bounded_number_of_calls(causes):
    calls = []

    def counting(ids, *_):
        calls.append(ids)
        return "?" * len(ids)

    assert causes(counting)
    assert len(calls) < 30_000


@pytest.mark.parametrize(
    ("want", "kind"),
    [
        ("\ufffd\ufffd", "runs of bytes"),  # as Hugging Face's decoder ByteFallback does
        ("\0\ufffd\ufffd", "number of U+FFFD"),
        ("\ufffd", "other text"),  # a byte too few: the character is lost
        ("b\ufffd", "other text"),
    ],
)
def test_a_run_of_bytes_that_is_replaced_as_a_whole_has_a_name(want, kind):
    assert kinds_of_difference("\0\ufffd", want, (), known=True)[0] == kind
    assert kinds_of_difference(want, "\0\ufffd", (), known=True)[0] in (kind, "bytes dropped")
