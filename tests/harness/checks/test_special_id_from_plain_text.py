"""TOK103: plain text is encoded as a special token."""

import html
import re
from urllib.parse import unquote

import pytest

from tokharness import plugins
from tokharness.model import TargetFacts
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import members

CODE = "TOK103"
SPECIAL = {"<|end|>": 300, "<|task|>": 301}
FAMILY = ("special-tokens",)


def reading_special(transform):
    """An encode that gives the special id for the special text in ``transform(text)``."""

    def encode(text):
        ids = []
        for part in re.split(r"(<\|end\|>|<\|task\|>)", transform(text)):
            ids += [SPECIAL[part]] if part in SPECIAL else part.encode("utf-8", "replace")
        return ids

    return encode


@pytest.fixture
def tokenizer(byte_tokenizer):
    def make(transform=None):
        target = byte_tokenizer(special_tokens=SPECIAL)
        if transform is not None:
            target.encode = reading_special(transform)
        return target

    return make


def test_a_target_that_reads_special_text_as_text_passes(check_texts, tokenizer):
    assert check_texts(CODE, tokenizer(), families=FAMILY) == []


def test_a_target_without_special_tokens_passes(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer(), families=FAMILY) == []


def test_a_control_token_that_the_target_does_not_declare_is_a_risk(check_texts, byte_tokenizer):
    target = byte_tokenizer()
    plain = target.encode
    target.encode = lambda text: [
        i
        for part in re.split(r"(<\|im_start\|>)", text)
        for i in ([300] if part == "<|im_start|>" else plain(part))
    ]
    (risk,) = check_texts(CODE, target, families=FAMILY)
    assert (risk.verdict, risk.text) == ("risk", "<|im_start|>")
    assert str(risk.cause) == "special token: exact text, undeclared"


@pytest.mark.parametrize("words", [r".+", r"\S+|\s", r"<[^<>]*>|."])
def test_one_id_for_a_word_or_for_unknown_text_is_not_a_control_token(
    check_texts, byte_tokenizer, words
):
    target = byte_tokenizer()
    target.encode = lambda text: [len(word) for word in re.findall(words, text, re.DOTALL)]
    assert check_texts(CODE, target, families=FAMILY) == []


def lower(text):
    return re.sub("[A-Z]", lambda letter: letter[0].lower(), text)


def unescaped(text):
    return re.sub(r"\\u([0-9a-f]{4})|\\x([0-9a-f]{2})", lambda e: chr(int(e[1] or e[2], 16)), text)


def without(expression):
    dropped = dict.fromkeys(members(expression))
    return lambda text: text.translate(dropped)


def nfkc(text):
    return normalize("NFKC", text)


without_invisible = without(r"[\p{Default_Ignorable_Code_Point}\p{Cf}]")
without_controls = without(r"\p{Cc}")
TAGS = {0xE0000 + plain: plain for plain in range(32, 127)}
LETTERS = {0x17F: "s", 0x212A: "k", 0x130: "i", 0x131: "i"}


@pytest.fixture(scope="session")
def near_misses():
    """Texts that the family makes of the special tokens."""
    cases = plugins.families()["special-tokens"].cases(TargetFacts(("<|end|>", "<|task|>")))
    return [case.text for case in cases if case.twin in ("<|end|>", "<|task|>")]


@pytest.mark.parametrize(
    ("transform", "how"),
    [
        (lower, "case"),
        (lambda text: text.translate(LETTERS).lower(), "case folding"),
        (str.casefold, "case folding"),
        (without_controls, "control characters removed"),
        (without_invisible, "invisible characters removed"),
        (lambda text: text.replace("\u200b", ""), "invisible characters removed"),
        (lambda text: text.translate(TAGS), "tag characters read as ASCII"),
        (nfkc, "NFKC"),
        (html.unescape, "HTML entities"),
        (unquote, "URL escapes"),
        (unescaped, "backslash escapes"),
        (lambda text: text.replace("\\", ""), "backslashes removed"),
        (lambda text: "".join(text.split()), "white space removed"),
        (lambda text: without(r"\p{M}")(normalize("NFD", text)), "marks removed"),
        (lambda text: text.replace("\u0435", "e").replace("\u0430", "a"), "confusables"),
        (lambda text: nfkc(lower(nfkc(text))), "case and NFKC"),
        (lambda text: nfkc(html.unescape(text)), "HTML entities and NFKC"),
        (lambda text: lower(without_invisible(text)), "case and invisible characters removed"),
        (lambda text: unquote(html.unescape(text)), "HTML entities and URL escapes"),
    ],
)
def test_one_change_that_makes_a_special_token_is_one_bug(
    check_texts, tokenizer, near_misses, transform, how
):
    """A filter that runs first refuses the token's own text."""
    guarded = tokenizer(
        lambda text: "" if re.search(r"<\|(end|task)\|>", text) else transform(text)
    )
    findings = check_texts(CODE, guarded, near_misses)
    assert [str(finding.cause) for finding in findings.bugs] == [f"special token: {how}"]


def test_entities_decoded_twice_are_named(check_texts, tokenizer, near_misses):
    target = tokenizer(lambda text: html.unescape(html.unescape(text)))
    names = {str(bug.cause) for bug in check_texts(CODE, target, near_misses).bugs}
    assert "special token: HTML entities twice" in names


@pytest.mark.parametrize("text", ["<|en<|end|>d|>", "<|<|end|>end|>", "a<|e<|task|>nd|>"])
def test_a_filter_that_runs_once_is_found_by_a_nested_token(check_texts, tokenizer, text):
    target = tokenizer(lambda text: text.replace("<|end|>", "").replace("<|task|>", ""))
    (bug,) = check_texts(CODE, target, [text, "<|end|>"]).bugs
    assert str(bug.cause) == "special token: nested token joined"


def test_stripped_white_space_around_the_token_is_named(check_texts, tokenizer):
    target = tokenizer(lambda text: "<|end|>" if text.strip() == "<|end|>" != text else "")
    (bug,) = check_texts(CODE, target, [" <|end|>", "<|end|>\n", "a <|end|>", "<|end|>"]).bugs
    assert str(bug.cause) == "special token: white space around it stripped"


def test_white_space_next_to_the_token_is_not_the_reason(check_texts, tokenizer):
    """The token becomes its id after a line end only, so its exact text is the cause."""
    target = tokenizer(lambda text: text if "\n<|end|>" in text else "")
    (bug,) = check_texts(CODE, target, ["a\n<|end|>", "\n<|end|>b", "<|end|>", "\n \n<|end|>"]).bugs
    assert str(bug.cause) == "special token: exact text"


def test_a_part_of_the_token_and_other_text_are_the_last_explanations(check_texts, tokenizer):
    part = tokenizer(lambda text: text.replace("<|end", "<|end|>"))
    (bug,) = check_texts(CODE, part, ["<|end", "a<|end b"]).bugs
    assert str(bug.cause) == "special token: a part of it"
    other = tokenizer(lambda text: text.replace("EOS", "<|end|>"))
    (bug,) = check_texts(CODE, other, ["EOS", "an EOS"]).bugs
    assert str(bug.cause) == "special token: other text"


@pytest.mark.parametrize(
    ("transform", "name", "length"),
    [(nfkc, "NFKC", 7), (without_invisible, "invisible characters removed", 8), (lower, "case", 7)],
)
def test_in_addition_to_the_exact_text_a_change_has_its_own_smallest_text(
    check_texts, tokenizer, near_misses, transform, name, length
):
    bugs = check_texts(CODE, tokenizer(transform), ["<|end|>", *near_misses]).bugs
    smallest = {str(bug.cause).removeprefix("special token: "): bug.text for bug in bugs}
    assert smallest.keys() == {"exact text", name}
    assert len(smallest[name]) == length


def test_exact_text_alone_is_one_bug_with_the_token_as_smallest_text(check_texts, tokenizer):
    (bug,) = check_texts(CODE, tokenizer(str), families=FAMILY).bugs
    assert bug.text == "<|end|>"
    assert str(bug.cause) == "special token: exact text"
    assert "<|end|>" in bug.message


def test_a_safe_encode_ordinary_passes(check_texts, tokenizer):
    target = tokenizer()
    target.encode_ordinary = target.encode
    target.encode = reading_special(str)
    assert check_texts(CODE, target, families=FAMILY) == []


@pytest.mark.slow
def test_a_special_id_that_every_text_gets_passes(check_texts, tokenizer):
    target = tokenizer()
    plain = target.encode
    target.encode = lambda text: [300, *plain(text)]
    assert check_texts(CODE, target, families=FAMILY) == []


@pytest.mark.slow
def test_a_special_id_more_often_than_in_every_text_is_a_bug(check_texts, tokenizer):
    target = tokenizer()
    obey = reading_special(str)
    target.encode = lambda text: [300, *obey(text)]
    assert len(check_texts(CODE, target, families=FAMILY).bugs) == 1


@pytest.mark.slow
def test_special_tokens_that_only_the_reference_declares_count(check_texts, byte_tokenizer):
    target = byte_tokenizer()
    target.encode = reading_special(str)
    reference = byte_tokenizer(special_tokens=SPECIAL)
    assert len(check_texts(CODE, target, families=FAMILY, reference=reference).bugs) == 1


@pytest.mark.parametrize("known", ["abcdefghijklmnopqrstuvwxyz ", "\u0430\u0431\u0432\u0433"])
def test_the_unknown_token_is_not_a_special_id_from_plain_text(check_texts, byte_tokenizer, known):
    # Like a vocabulary without Latin, or a normalizer that drops unassigned characters.
    target = byte_tokenizer(special_tokens={"[UNK]": 0, "[CLS]": 1})
    target.encode = lambda text: [
        1,
        *(1 + (known.find(c) + 1 or -1) for c in text if c.isprintable()),
    ]
    assert check_texts(CODE, target, families=("digits",)) == []


def test_what_a_target_removes_is_named_if_the_exact_text_is_safe(check_texts, tokenizer):
    def reads_what_has_selectors(text):
        return re.sub("[\ufe00-\ufe0f]", "", text)

    target = tokenizer()
    plain, special = target.encode, reading_special(reads_what_has_selectors)
    target.encode = lambda text: (special if re.search("[\ufe00-\ufe0f]", text) else plain)(text)
    texts = ["<|end|>\ufe0f", "<|end|><|task|>\ufe0f", "<|en\ufe0fd|>"]
    (bug,) = check_texts(CODE, target, texts).bugs
    assert str(bug.cause) == "special token: invisible characters removed"


@pytest.mark.slow
def test_special_tokens_of_long_texts_are_tried(check_texts, tokenizer):
    target = tokenizer()
    plain, special = target.encode, reading_special(str)
    target.encode = lambda text: (special if len(text) > 1000 else plain)(text)
    (bug,) = check_texts(CODE, target, [], families=("long-inputs",)).bugs
    assert str(bug.cause) == "special token: exact text"


@pytest.mark.slow
def test_a_typed_padding_token_is_a_bug_on_a_target_that_pads(byte_tokenizer, check_texts):
    target = byte_tokenizer(special_tokens={"<pad>": 300})
    target.encode = lambda text: _padded(
        [one for part in text.split("<pad>") for one in (300, *part.encode())][1:]
    )
    target.decode = lambda ids: bytes(i for i in ids if i < 256).decode("utf-8", "replace")
    (bug,) = check_texts(CODE, target, families=FAMILY).bugs
    assert (str(bug.cause), bug.text) == ("special token: exact text", "a<pad>a")


def _padded(ids):
    return [*ids, *[300] * (512 - len(ids))]


def test_a_character_that_gets_the_special_id_alone_is_not_a_disguise(check_texts, byte_tokenizer):
    target = byte_tokenizer(special_tokens=SPECIAL)
    target.encode = lambda text: [300 if char == "\n" else ord(char) % 256 for char in text]
    texts = ["\n", "<|e\nnd|>", "\n<|END|>", "<|end|>\n"]
    (bug,) = check_texts(CODE, target, texts)
    assert (str(bug.cause), bug.text) == ("special token: other text", "\n")


def test_the_text_of_another_special_token_with_the_id_is_an_exact_text(
    check_texts, byte_tokenizer
):
    target = byte_tokenizer(special_tokens={"<|end|>": 300, "\n": 300})
    target.encode = lambda text: [300 if char == "\n" else ord(char) % 256 for char in text]
    (bug,) = check_texts(CODE, target, ["\n", "<|e\nnd|>", "\n<|END|>"])
    assert str(bug.cause) == "special token: exact text"


def test_a_change_is_named_where_the_reference_has_another_name_for_the_id(
    check_texts, byte_tokenizer
):
    target = byte_tokenizer(special_tokens={"<end_of_text>": 300})
    target.encode = lambda text: [300] if text.lower() == "<end_of_text>" else list(text.encode())
    other = byte_tokenizer(special_tokens={"<|endoftext|>": 300})
    texts = ("<END_OF_TEXT>", "<end_of_text>", "a")
    findings = check_texts(CODE, target, texts, reference=other, claims_parity=True)
    causes = {str(bug.cause) for bug in findings.bugs}
    assert causes == {"special token: exact text", "special token: case"}


def with_unknown_bytes(byte_tokenizer, *missing):
    """A target that lacks some characters, which get the id of its unknown token."""
    target = byte_tokenizer(special_tokens={"<unk>": 300}, unknown_id=300)
    plain = target.encode
    target.encode = lambda text: [300 if i in b"".join(missing) else i for i in plain(text)]
    return target


def test_bytes_that_become_the_unknown_token_are_no_special_text(check_texts, byte_tokenizer):
    target = with_unknown_bytes(byte_tokenizer, b"A", b"U", b"Z", b"u", b"<")
    assert check_texts(CODE, target, ["A", "UZ", "<unk>"], families=FAMILY) == []


def test_a_special_id_of_several_letters_that_is_not_the_unknown_one_is_a_bug(
    check_texts, byte_tokenizer
):
    target = with_unknown_bytes(byte_tokenizer, b"A", b"B")
    target.unknown_id = None
    assert check_texts(CODE, target, ["A", "B", "AB"]).bugs


def test_a_single_letter_with_a_special_id_is_still_a_bug(check_texts, byte_tokenizer):
    (bug,) = check_texts(CODE, with_unknown_bytes(byte_tokenizer, b"A"), ["A", "b"])
    assert bug.verdict == "bug"


def test_a_text_of_which_the_declared_normalizer_makes_the_token_is_its_exact_text(
    check_texts, tokenizer
):
    target = tokenizer(lambda text: normalize("NFKC", text))
    target.normalizer = "NFKC"
    (bug,) = check_texts(CODE, target, families=FAMILY)
    assert str(bug.cause) == "special token: exact text"


def test_no_text_is_that_of_a_token_that_pads(check_texts, byte_tokenizer):
    target = byte_tokenizer(special_tokens={"<pad>": 300})
    plain = target.encode
    target.normalizer = "NFKC"

    def encode(text):
        ids = [300] if normalize("NFKC", text) == "<pad>" else plain(normalize("NFKC", text))
        return [*ids, *[300] * (64 - len(ids))]

    target.encode = encode
    assert check_texts(CODE, target, ["<pad>", "<pa\u1d48>", "a"], families=FAMILY) == []
