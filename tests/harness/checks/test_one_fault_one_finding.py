"""A fault is one finding, even if it shows in many ways, and its cause is the true one."""

import re

import pytest
import regex

from tokharness.unicode.normalization import normalize

FAMILIES = ("letter-case", "surrogates", "leading-space")
SURROGATE = re.compile("[\ud800-\udfff]")
MARKS = regex.compile(r"\p{M}+")
MARK_PAIRS = ("\u1b6c\u0345", "\u1b00\u05c1")
LETTERS = dict(zip("\u0430\u0435\u043e\u0440\u0441\u0443", "aeopcy", strict=True))


def only(first, last, change):
    """Change of the characters of a range; all others stay unchanged."""
    return lambda text: "".join(change(c) if first <= c <= last else c for c in text)


def dropping_lone_surrogates(text):
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def keeping_a_and_b(text):
    return "".join(c for c in text if c in "ab ")


def ordering_marks(text):
    """Put the marks of each sequence into the order of their code points."""
    return MARKS.sub(lambda marks: "".join(sorted(marks[0])), text)


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (lambda t: t[:6], "truncated: 6 characters"),
        (lambda t: t if SURROGATE.search(t) else t[::-1], "reordered characters"),
        (ordering_marks, "reordered characters: combining marks"),
        (lambda t: normalize("NFD", t), "normalizer: NFD"),
        pytest.param(
            keeping_a_and_b,
            "dropped characters: U+0000..U+001F, U+0021..U+0060, U+0063..U+10FFFF",
            marks=pytest.mark.slow,
        ),
        (lambda t: SURROGATE.sub("?", t), "surrogates: other text"),
        (lambda t: SURROGATE.sub("\ufffd", t), "surrogates: U+FFFD, also in pairs"),
        (dropping_lone_surrogates, "surrogates: nothing"),
        (only("A", "Z", str.lower), "normalizer: ASCII letters in lowercase"),
        (only("\u0410", "\u042f", str.lower), "replaced characters: U+0410..U+042F, others"),
        (lambda t: "".join(LETTERS.get(c, c) for c in t), None),
        (lambda t: t.replace("\u00df", "ss"), "replaced characters: U+00DF LATIN SMALL LETTER"),
    ],
)
def test_a_fault_that_shows_in_many_ways_is_one_finding(check_texts, byte_tokenizer, change, cause):
    texts = ["".join(LETTERS), "x\u0410", "\u00df", "Abc", "MASSE", "\u00e9\uddb0", *MARK_PAIRS]
    findings = check_texts("TOK101", byte_tokenizer(change), texts, families=FAMILIES)
    assert len(findings.bugs) == 1
    assert cause is None or str(findings.bugs[0].cause).startswith(cause)


def test_a_normal_form_of_one_script_only_is_named_as_partial(check_texts, byte_tokenizer):
    def composes_latin(text):
        return re.sub("[a-z][\u0300-\u036f]+", lambda m: normalize("NFC", m[0]), text)

    texts = ["e\u0301", "\u1100\u1161", "\u304b\u3099", "e\u0301\u1100\u1161", "\u212b"]
    (bug,) = check_texts("TOK101", byte_tokenizer(composes_latin), texts).bugs
    assert str(bug.cause) == "normalizer: NFC in part"


def test_ids_around_every_text_are_one_finding_and_hide_no_other(check_texts, byte_tokenizer):
    class Framed(byte_tokenizer):
        def encode(self, text):
            return [300, *super().encode(text), 301]

        def decode(self, ids):
            return super().decode([i for i in ids if i < 256])

    dropping = Framed(lambda t: t.replace("\u200b", ""))
    findings = check_texts(
        "TOK201", dropping, ["a", "b\u200b", "\u200b"], reference=byte_tokenizer()
    )
    assert sorted(finding.cause.kind for finding in findings.bugs) == [
        "dropped characters",
        "ids around every text",
    ]


def test_special_ids_that_every_text_gets_pass(check_texts, byte_tokenizer):
    class Framed(byte_tokenizer):
        special_tokens = {"<s>": 300}  # noqa: RUF012 - as users write it

        def encode(self, text):
            return [300, *super().encode(text), 300]

        def decode(self, ids):
            return super().decode([i for i in ids if i < 256])

    assert check_texts("TOK103", Framed(), ["a", "", "<s>", "b c"]) == []


def test_a_declared_form_may_be_applied_before_surrogates_are_joined(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer(lambda t: normalize("NFKC", t), normalizer="NFKC")
    findings = check_texts("TOK101", tokenizer, ["\ud835\udc00", "\ufb01", "\U0001d400"])
    assert findings.bugs == []


def test_a_target_that_contradicts_itself_is_state_and_nothing_else(check_texts, byte_tokenizer):
    calls = []

    def at_times(text):
        calls.append(text)
        return text + "!" if len(calls) % 7 == 0 else text

    texts = [f"word {n}" for n in range(100)]
    (bug,) = check_texts("TOK101", byte_tokenizer(at_times), texts).bugs
    assert bug.cause.kind == "state"
