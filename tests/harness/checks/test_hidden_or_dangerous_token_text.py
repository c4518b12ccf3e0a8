"""TOK408: what the texts of tokens hold."""

import pytest

from tokharness.engine.events import SkipRecorded

CODE = "TOK408"


class Texts:
    """A vocabulary that shows its tokens as texts, from id 0 on."""

    def __init__(self, *texts, special=(), added=(), **attributes):
        self.texts = [*texts, *special, *added]
        self.n_vocab = len(self.texts)
        self.special_tokens = {text: self.texts.index(text) for text in special}
        self.added_tokens = {text: self.texts.index(text) for text in added}
        vars(self).update(attributes)

    def encode(self, text):
        return [0] * len(text)

    def decode(self, ids):
        return "".join(self.texts[number] for number in ids)

    def token_text(self, number):
        return self.texts[number]


class Bytes(Texts):
    """A vocabulary that shows its tokens as bytes."""

    token_text = property()

    def decode(self, ids):
        return b"".join(self.texts[number] for number in ids)

    def decode_single_token_bytes(self, number):
        return self.texts[number]


@pytest.fixture
def classes(check_texts):
    """Return the classes of the fact, or of the risk, with the ids of their tokens."""

    def of(tokenizer, verdict="risk"):
        findings = [one for one in check_texts(CODE, tokenizer) if one.verdict == verdict]
        assert len(findings) <= 1
        return {
            row["class"]: row["ids"] for finding in findings for row in finding.evidence["classes"]
        }

    return of


def test_a_vocabulary_of_words_has_no_finding(check_texts):
    assert (
        check_texts(CODE, Texts("a", "the", " the", "\u00e9t\u00e9", "\u0434\u0430", "\u4e2d"))
        == []
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a\u0001", "control characters"),
        ("\ue000x", "private use"),
        ("\ufdd0x", "noncharacters"),
        ("e\u0301", "not NFC"),
        ("https", None),
        ("https://", "URLs and e-mail addresses"),
        ("joe@example.org", "URLs and e-mail addresses"),
        ("<script", "HTML"),
        ("<String", None),
        ("&nbsp;", "HTML"),
        ("\u00c3\u00a9", "mojibake"),
        ("Spa\u00df\u201d", None),
        ("=" * 16, "one character repeated"),
        ("=" * 15, None),
        ("a\u4e2d", "letters of several scripts"),
        ("\u30c6\u6f22", None),
    ],
)
def test_a_class_is_counted_as_a_fact(classes, text, name):
    assert classes(Texts("ab", text), "fact") == ({name: [1]} if name else {})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a\u202e", "bidirectional controls"),
        ("\U000e0061\U000e0062", "tag characters"),
        ("\x1b]", "terminal escapes"),
        ("\u009b31", "terminal escapes"),
        ("\u3164\u3164", "invisible letters"),
        ("pass\u200bword", "hidden characters"),
    ],
)
def test_a_class_that_hides_or_acts_is_a_risk(classes, text, name):
    assert classes(Texts("ab", text)) == {name: [1]}


@pytest.mark.parametrize("text", ["\u202e", " \u202e", "\u2581\u202e", "\x1b", "<0x1B>", "\u3164"])
def test_a_token_of_one_character_is_no_risk(classes, text):
    assert classes(Texts("ab", text)) == {}


def test_a_row_has_the_shortest_token_of_whole_characters_and_the_longest(check_texts):
    tokens = [b"\x00", b"\x00\xe4", b"ab\x00", b"a\x00", b"c" * 100 + b"\x00"]
    (row,) = check_texts(CODE, Bytes(*tokens)).facts[0].evidence["classes"]
    assert row == {
        "class": "control characters",
        "tokens": 5,
        "single characters": 1,
        "example": "a\x00",
        "its id": 3,
        "longest": "c" * 80,
        "id of the longest": 4,
        "ids": [0, 1, 2, 3, 4],
    }


def test_the_fact_has_the_tokens_of_each_script_and_the_longest(check_texts):
    texts = [
        "ab\x01",
        " the",
        "\u0434\u0430",
        "\u0434\u0430\u0434",
        "\u4e2d",
        "1,",
        "a\u0434\u0434",
    ]
    (fact,) = check_texts(CODE, Texts(*texts)).facts
    assert fact.evidence["scripts"] == [
        {"script": "Cyrillic", "tokens": 3, "longest": "\u0434\u0430\u0434", "its id": 3},
        {"script": "Latin", "tokens": 2, "longest": " the", "its id": 1},
        {"script": "Han", "tokens": 1, "longest": "\u4e2d", "its id": 4},
    ]


def test_the_risk_names_its_classes_and_no_token(check_texts):
    findings = check_texts(CODE, Texts("ab", "\x1b[", "\x1b[0", "a\u202e"))
    assert str(findings.risks[0].cause) == (
        "hidden or dangerous token text: bidirectional controls, terminal escapes"
    )
    assert (findings.risks[0].count, findings.risks[0].text) == (3, "a\u202e")
    assert "terminal escapes 2 (id 1)" in findings.risks[0].message


@pytest.mark.parametrize(
    "near",
    [
        "<|\uff45ndoftext|>",
        "<|endoft\u0435xt|>",
        "<|endof\u200btext|>",
        "<|EndOfText|>",
        "<|endoftext|",
        "<|endoftexts|>",
    ],
)
def test_a_token_that_nearly_is_a_special_token_is_a_risk(classes, near):
    target = Texts("ab", near)
    target.texts.append("<|endoftext|>")
    target.special_tokens, target.n_vocab = {"<|endoftext|>": 2}, 3
    assert classes(target)["near-special tokens"] == [1]


def test_an_ordinary_token_with_the_text_of_a_special_one_is_not_near_it_but_a_risk(classes):
    target = Texts("ab", "<|endoftext|>", " <|endoftext|>", special=["<|endoftext|>"])
    assert classes(target) == {"ordinary tokens with a special token's text": [2, 3]}


@pytest.mark.parametrize(
    ("special", "text"), [("<s>", "<p>"), ("<s>", "<S>"), ("EOS", "eos"), ("<|end|>", "<|start|>")]
)
def test_an_ordinary_token_is_not_near_a_special_one(classes, special, text):
    assert classes(Texts("ab", text, special=[special])) == {}


def test_a_word_of_mixed_scripts_that_looks_like_a_word_is_a_risk(classes):
    names = classes(Texts("paypal", "p\u0430ypal"))
    assert names == {"look-alikes of words in mixed scripts": [1]}


def test_a_word_of_one_script_that_looks_like_a_word_is_a_fact(classes):
    target = Texts("co", "\u0441\u043e")
    assert classes(target) == {}
    assert classes(target, "fact") == {"words that look like ASCII words": [1]}


def test_special_and_added_tokens_are_classes_of_their_own(classes):
    target = Texts("ab", special=["\x1b[s"], added=["\u202e", "<img"])
    assert classes(target) == {
        "bidirectional controls in declared tokens": [2],
        "terminal escapes in declared tokens": [1],
    }
    assert classes(target, "fact")["HTML in declared tokens"] == [3]


def test_ordinary_declared_tokens_are_no_content(check_texts):
    added = ["<|im_end|>", "\n\n", "  "]
    assert check_texts(CODE, Texts("ab", special=["<s>", "[CLS]"], added=added)) == []


def test_a_part_of_a_character_does_not_hide_the_rest(classes):
    assert classes(Bytes(b"ab", b"\x80\x1b[\xe4")) == {"terminal escapes": [1]}


def test_bytes_that_a_vocabulary_writes_as_letters_are_read(classes):
    letters = [chr(0x100 + place) for place in range(68)]
    written = "".join(chr(0x100 + byte) if byte <= 0x20 else chr(byte) for byte in b"\x1b[")
    assert classes(Texts(*letters, f"{written}</w>")) == {"terminal escapes": [68]}


def test_a_target_that_shows_no_tokens_is_skipped(events, faulty):
    run = events(faulty("plain"), select=("TOK105", CODE), families=("plain-words",))
    reasons = [event.skip.reason for event in run if isinstance(event, SkipRecorded)]
    assert "the target has no decode_single_token_bytes or token_text and no n_vocab" in reasons
