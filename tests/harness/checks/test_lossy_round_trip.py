"""TOK101: the decoded text is not the text that was encoded."""

import functools
import html
import re
import urllib.parse
from types import SimpleNamespace

import pytest
from parity_conversions import wordpiece
from planted._gguf_files import healthy

from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import category, members
from tokharness.unicode.versions import category_in
from tokharness_tokenizers.reference.tokenizer_json import read

CODE = "TOK101"
TEXTS = (
    *("a", "word", " word", "Word", "a b", "a  b ", "1234", "\U0001f600", "stra\u00dfe", "\u0130"),
    *("\u00e9", "e\u0301", "\u0340", "\uac00", "\ufb01", "\uff21b", "\u212b", "a\u0315\u0300"),
    *("a\u200bb", "\u200b", "\u200d", "\ufeffa", "\u00ad", "a\u00a0b", "\u3000", "\u2060x"),
    *("a\0b", "\0", "\x01", "a\nb", "a\r\nb", "\u034f", "\ufe0f", "\U000e0041", "\u0600a"),
    *("\u115f", "\U000e0100", "\u00c0A", "x\u0323\u0307"),
    *("a   b", "a     b", "ab\tc", "\t", "a\x0bb", "a\n", f"e\u0301{'a' * 13}e\u0301a"),
)
WHITE_SPACE = "".join(map(chr, members(r"\p{White_Space}")))
LONE = ("\ud800", "a\udc00b", "\ude00\ud83d")
FAMILIES = ("zero-width", "leading-space", "letter-case")


def form(name):
    return functools.partial(normalize, name)


def nfc_in_parts(text):
    return "".join(normalize("NFC", text[at : at + 16]) for at in range(0, len(text), 16))


def dropping(expression):
    table = dict.fromkeys(members(expression))
    return lambda text: text.translate(table)


def replacing(old, new):
    return lambda text: text.replace(old, new)


@pytest.mark.parametrize("families", [FAMILIES, ("bidi", "emoji", "noncharacters", "homoglyphs")])
def test_a_lossless_target_passes(check_texts, byte_tokenizer, families):
    assert check_texts(CODE, byte_tokenizer(), TEXTS, families=families) == []


def read_as_utf8(text):
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


@pytest.mark.parametrize(
    ("change", "form", "texts"),
    [
        (html.unescape, "HTML entities decoded", ("a &lt; b", "&#97;", "&amp;")),
        (lambda text: text.removeprefix("\ufeff"), "U+FEFF stripped at the start", ("\ufeff",)),
        (urllib.parse.unquote, "percent-encoding decoded", ("a%20b", "%41")),
        (read_as_utf8, "Latin-1 characters read as the bytes of UTF-8", ("\u00c3\u00a9",)),
        (
            lambda text: re.sub(r"[ \t]+\n", "\n", text),
            "spaces and tabs stripped before line ends",
            ("a \nb", "\t\n"),
        ),
    ],
)
def test_what_a_layer_before_the_tokenizer_decodes_is_named(
    check_texts, byte_tokenizer, change, form, texts
):
    (bug,) = check_texts(CODE, byte_tokenizer(change), [*TEXTS, *texts]).bugs
    assert (str(bug.cause), bug.cause.weak) == (f"normalizer: {form}", False)


def test_a_target_that_drops_a_mark_everywhere_does_not_strip_it(check_texts, byte_tokenizer):
    target = byte_tokenizer(replacing("\ufeff", ""))
    (bug,) = check_texts(CODE, target, ["\ufeffa", "a\ufeffb", "\ufeff"]).bugs
    assert str(bug.cause).startswith("dropped characters: U+FEFF")


def test_a_target_that_decodes_one_entity_does_not_decode_entities(check_texts, byte_tokenizer):
    target = byte_tokenizer(replacing("&amp;", "&"))
    (bug,) = check_texts(CODE, target, ["a &lt; b", "&amp;"]).bugs
    assert "HTML" not in str(bug.cause)


def test_a_text_that_fails_after_itself_but_not_after_another_is_state(check_texts, byte_tokenizer):
    target, before = byte_tokenizer(), [" "]
    plain = target.encode

    def encode(text):
        after_space = before[0].endswith(" ")
        before[0] = text
        return plain(text.removeprefix(" ") if after_space else text)

    target.encode = encode
    found = check_texts(CODE, target, [" a ", "b", " b", " c "])
    assert {bug.cause.kind for bug in found.bugs} == {"state"}


@pytest.mark.parametrize(
    ("change", "cause", "smallest"),
    [
        (form("NFC"), "normalizer: NFC", "\u0340"),
        (form("NFD"), "normalizer: NFD", "\u00e9"),
        (form("NFKC"), "normalizer: NFKC", "\u0340"),
        (form("NFKD"), "normalizer: NFKD", "\u00e9"),
        (str.lower, "normalizer: lowercase", "A"),
        (str.casefold, "normalizer: case folding", "A"),
        (str.strip, "normalizer: white space as Python has it stripped", " "),
        (lambda t: t.replace("\r\n", "\n"), "normalizer: CRLF to LF", "\r\n"),
        (lambda t: t.expandtabs(4), "normalizer: tabs expanded to columns of four", "\t"),
        (replacing("   ", " "), "normalizer: each three spaces become one", "   "),
        (lambda t: "\n".join(t.splitlines()), "normalizer: lines as Python has them joined", "\n"),
        (nfc_in_parts, "normalizer: NFC in parts of 16 characters", "\u0340"),
        (replacing("\u200b", ""), "dropped characters: U+200B", "\u200b"),
        (dropping(r"\p{Cf}"), "dropped characters: format characters (Cf)", "\u00ad"),
        (
            dropping(r"\p{Default_Ignorable_Code_Point}"),
            "dropped characters: Default_Ignorable_Code_Point",
            "\u00ad",
        ),
        (replacing("\u00a0", " "), "replaced characters: U+00A0", "\u00a0"),
        (lambda t: t.partition("\0")[0], "truncated: U+0000", "\0"),
        (lambda t: t.rstrip("\0"), "dropped characters: U+0000 <control-0000>", "\0"),
        (lambda t: " " + t, "added characters: U+0020 SPACE, at the start", "a"),
        (lambda t: t + "\n", "added characters: U+000A <control-000A>, at the end", "a"),
    ],
)
def test_a_planted_fault_is_one_bug_with_its_cause(
    check_texts, byte_tokenizer, change, cause, smallest
):
    (bug,) = check_texts(CODE, byte_tokenizer(change), TEXTS).bugs
    assert str(bug.cause).startswith(cause)
    assert bug.text == smallest
    assert bug.count > 0


@pytest.mark.parametrize(
    ("change", "form"),
    [
        (str.strip, "white space as Python has it stripped"),
        (
            lambda t: "" if t.isspace() else t,
            "texts of nothing but white space as Python has it left out",
        ),
        (lambda t: t if t.strip(WHITE_SPACE) else "", "texts of nothing but white space left out"),
        (lambda t: t.strip(WHITE_SPACE), "white space stripped"),
        (lambda t: t.strip(" \t\n\v\f\r"), "ASCII white space stripped"),
        (
            lambda t: t.rstrip(WHITE_SPACE.replace("\x85", "\ufeff")),
            "white space as JavaScript has it stripped at the end",
        ),
        (
            lambda t: t.replace("\x85", "").replace("\0", "").lstrip(WHITE_SPACE),
            "white space stripped at the start",
        ),
    ],
)
def test_white_space_is_stripped_as_a_language_has_it(check_texts, byte_tokenizer, change, form):
    ends = ("\x1c", "\x85", "\u3000", " \x1d\t", "\ufeff", "\u2007")
    texts = (*TEXTS, *ends, *(f"{end}a" for end in ends), *(f"a{end}" for end in ends))
    found = check_texts(CODE, byte_tokenizer(change), texts).bugs
    causes = {str(bug.cause) for bug in found if "U+0000" not in str(bug.cause)}
    assert causes == {f"normalizer: {form}"}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    "change", [form("NFC"), str.lower, replacing("\u200b", ""), lambda t: " " + t]
)
def test_on_whole_families_a_fault_is_one_bug(check_texts, byte_tokenizer, change):
    assert len(check_texts(CODE, byte_tokenizer(change), TEXTS, families=FAMILIES).bugs) == 1


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        (lambda t: normalize("NFC", t.replace("\u200b", "")), ["dropped", "normalizer"]),
        (lambda t: t.replace("\u200b", "").lower(), ["dropped", "normalizer"]),
        (lambda t: t.replace("\u200b", "").replace("\u00a0", " "), ["dropped", "replaced"]),
    ],
)
def test_two_faults_are_two_bugs_and_no_third(check_texts, byte_tokenizer, change, kinds):
    findings = check_texts(CODE, byte_tokenizer(change), TEXTS, families=FAMILIES)
    assert sorted(finding.cause.kind.split()[0] for finding in findings.bugs) == kinds


@pytest.mark.slow
def test_two_dropped_characters_are_one_bug_that_names_both(check_texts, byte_tokenizer):
    drop = dropping("[\u200b\ufeff]")
    (bug,) = check_texts(CODE, byte_tokenizer(drop), TEXTS, families=FAMILIES).bugs
    assert bug.cause.kind == "dropped characters"
    assert "U+200B" in str(bug.cause)
    assert "U+FEFF" in str(bug.cause)


def test_an_old_normal_form_is_still_that_form(check_texts, byte_tokenizer):
    old = functools.partial(normalize, "NFC", version="14.0")
    (bug,) = check_texts(CODE, byte_tokenizer(old), (*TEXTS, "\U000105d2\u0307e\u0301")).bugs
    assert str(bug.cause) == "normalizer: NFC"


def test_right_ids_with_wrong_text_are_the_decoders_fault(check_texts, byte_tokenizer):
    faulty = byte_tokenizer(after=replacing("\0", " "))
    texts = (*TEXTS, "\0\ud800")
    findings = check_texts(CODE, faulty, texts, reference=byte_tokenizer())
    (bug,) = findings.bugs
    assert bug.cause.kind == "decoder"
    assert "U+0000" in str(bug.cause)
    assert bug.text == "\0"


def test_the_decoders_fault_is_named_in_text_that_the_normalizer_changes(
    check_texts, byte_tokenizer
):
    declared = {"before": str.lower, "normalizer": "lowercase", "normalize": str.lower}
    (bug,) = check_texts(
        CODE,
        byte_tokenizer(after=lambda text: text.replace("a", ""), **declared),
        ("a", "A", "B a"),
        reference=byte_tokenizer(**declared),
    ).bugs
    assert bug.cause.kind == "decoder"


def test_exceptions_are_left_to_another_check(check_texts, byte_tokenizer):
    def refuse(text):
        raise ValueError(text)

    assert check_texts(CODE, byte_tokenizer(refuse), TEXTS) == []


def test_a_panic_on_one_character_does_not_hide_what_happens_to_another(
    check_texts, byte_tokenizer
):
    class PanicError(BaseException):
        pass

    def change(text):
        if "\uffff" in text:
            raise PanicError
        return text.replace("\u200b", "")

    (bug,) = check_texts(CODE, byte_tokenizer(change), TEXTS, families=("noncharacters",)).bugs
    assert bug.cause.kind == "dropped characters"


def test_a_fault_that_comes_and_goes_is_state(check_texts, byte_tokenizer):
    encoded = set()

    def first_time(text):
        known = text in encoded
        encoded.add(text)
        return text if known else text + "!"

    (bug,) = check_texts(CODE, byte_tokenizer(first_time), TEXTS).bugs
    assert bug.cause.kind == "state"


def cut(text, most):
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "limit", "characters"),
    [
        (lambda text: text[:4096], "4096 characters", 4097),
        (lambda text: cut(text, 8192), "8192 bytes of UTF-8", 8193),
    ],
)
def test_a_limit_of_length_is_one_cause_with_the_shortest_text(
    check_texts, byte_tokenizer, before, limit, characters
):
    findings = check_texts("TOK101", byte_tokenizer(before), families=["long-inputs"])
    assert [str(finding.cause) for finding in findings.bugs] == [f"truncated: {limit}"]
    assert len(findings.bugs[0].text) == characters


def test_a_limit_of_tokens_is_named(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer()
    tokenizer.encode = lambda text: list(text.replace("ab ", "\t").encode())[:512]
    tokenizer.decode = lambda ids: bytes(ids).decode("utf-8", "ignore").replace("\t", "ab ")
    findings = check_texts("TOK101", tokenizer, texts=["ab quick \u4e2d" * 200, "a" * 600])
    assert [str(finding.cause) for finding in findings.bugs] == ["truncated: 512 tokens"]


class MarksOutSpaceKept:
    """BERT that removes all marks, and keeps the space before the first word."""

    def __init__(self):
        self._healthy = healthy("word_pieces")
        self.special_tokens = self._healthy.special_tokens
        self.normalizer, self.normalize = self._healthy.normalizer, self._healthy.normalize

    def encode(self, text):
        kept = (char for char in text if category(char) not in {"Mc", "Me"})
        return self._healthy.encode_ordinary("".join(kept))

    def decode(self, ids):
        return f" {self._healthy.decode(ids)}" if ids else ""


@pytest.mark.slow
def test_the_cause_of_lost_text_is_in_encoding_where_decoding_is_changed_too(check_texts):
    words = ("the", "a b", "example")
    marks = ("the\u0903", "\u0488the", "a\u0903 b", "example\u1038")
    found = check_texts(CODE, MarksOutSpaceKept(), words + marks, reference=healthy("word_pieces"))
    assert sorted(str(bug.cause) for bug in found.bugs) == [
        "decoder: the space at the start is kept, and those before punctuation are removed",
        "normalizer: marks of all categories are removed",
    ]


def assigned_but_tabs(text):
    kept = (char for char in text if category_in(char, "14.0") != "Cn" and char != "\t")
    return "".join(kept)


@pytest.mark.parametrize("code", ["TOK101", "TOK201"])
def test_two_classes_that_a_port_of_a_lossy_file_drops_are_two_causes(check_texts, code):
    """The reference itself removes marks and case; some of the marks are unassigned, too."""
    file = read(wordpiece(), "wordpiece")
    names = ("decode", "normalizer", "normalize", "special_tokens", "unknown_id")
    library = SimpleNamespace(
        encode=file.encode_ordinary, **{name: getattr(file, name) for name in names}
    )
    port = SimpleNamespace(
        encode=lambda text: file.encode_ordinary(assigned_but_tabs(text)), decode=file.decode
    )
    texts = ("a\t0", "a\tA", "a\t\x1da", "a\u0378b", "\u0383", "the", "a\ta\u0378")
    found = check_texts(code, port, texts, reference=library, claims_parity=True)
    assert {str(bug.cause) for bug in found.bugs} == {
        "dropped characters: unassigned code points (Cn) as of Unicode 14.0",
        "dropped characters: U+0009 <control-0009>",
    }


@pytest.mark.parametrize(
    ("version", "name"), [(None, "unassigned code points (Cn)"), ("14.0", " as of Unicode 14.0")]
)
def test_a_target_that_drops_what_is_not_assigned_is_named_so(
    check_texts, byte_tokenizer, version, name
):
    def assigned(char):
        known = category(char) if version is None else category_in(char, version)
        return known != "Cn"

    target = byte_tokenizer(before=lambda text: "".join(filter(assigned, text)))
    (bug,) = check_texts(CODE, target, ("a\u0378b", "\U0001fad9", "a")).bugs
    assert bug.cause.kind == "dropped characters"
    assert str(bug.cause).endswith(name)


def words_with_spaces(text):
    return "".join(f"{word} " for word in re.findall(r"\w+|[^\w\s]+", text))


COLLAPSED = "normalizer: white space as Python has it collapsed and stripped"
SPACED = "spaces after words: U+0020 SPACE"


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("change", "causes"),
    [
        (str, {SPACED}),
        (str.lower, {SPACED, "normalizer: lowercase"}),
        (form("NFC"), {SPACED, "normalizer: NFC"}),
        (replacing("\u2061", ""), {SPACED, "dropped characters: U+2061 FUNCTION APPLICATION"}),
    ],
)
def test_each_loss_of_a_decoder_of_words_has_its_own_cause(
    check_texts, byte_tokenizer, change, causes
):
    tokenizer = byte_tokenizer()
    decode = tokenizer.decode
    tokenizer.decode = lambda ids: words_with_spaces(change(decode(ids)))
    texts = [*TEXTS, "a,b", "(a)", "a\n", "A b", "x\u2061y", "\u2061"]
    found = {str(failure.cause): failure for failure in check_texts(CODE, tokenizer, texts)}
    assert found.keys() == causes | {COLLAPSED}
    assert (found[SPACED].text, found[COLLAPSED].text) == ("a", " ")


def test_white_space_between_words_is_unicodes_where_controls_come_back(
    check_texts, byte_tokenizer
):
    tokenizer = byte_tokenizer()
    decode, words = tokenizer.decode, re.compile(r"\w+|\x1f|[^\w\s]+")
    tokenizer.decode = lambda ids: "".join(f"{word} " for word in words.findall(decode(ids)))
    texts = [*TEXTS, "a,b", "(a)", "a\n", "a\x1f", "\x1f"]
    found = {str(failure.cause) for failure in check_texts(CODE, tokenizer, texts)}
    assert found == {SPACED, "normalizer: white space collapsed and stripped"}


def test_a_space_at_the_end_of_each_text_is_none_after_words(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer()
    decode = tokenizer.decode
    tokenizer.decode = lambda ids: decode(ids) + " "
    (finding,) = check_texts(CODE, tokenizer, [*TEXTS, "a,b", "(a)"])
    assert str(finding.cause) == "added characters: U+0020 SPACE, at the end"


def test_a_fault_of_the_decoder_is_one_cause_where_the_ids_differ_too(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer(after=words_with_spaces)
    encode, decode = tokenizer.encode, tokenizer.decode
    tokenizer.encode = lambda text: [0x161, *encode(text)[1:]] if text[:1] == "a" else encode(text)
    tokenizer.decode = lambda ids: decode([number & 0xFF for number in ids])
    reference = byte_tokenizer()
    reference.decode = lambda ids: bytes(number & 0xFF for number in ids).decode()
    texts = ("word", "is", "a", "b", "a,b", "(b)", "b,a")
    findings = check_texts(CODE, tokenizer, texts, reference=reference)
    assert [str(bug.cause) for bug in findings.bugs] == [f"decoder: {SPACED}"]
