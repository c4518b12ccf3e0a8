"""Clean-ups of text that a target makes are named by TOK101, and nothing else is."""

import itertools
import re
import textwrap
import urllib.parse

import pytest

from tokharness.diagnosis.text import clean_ups

CODE = "TOK101"
TEXTS = (
    *(
        "a",
        "word",
        " word",
        "Word",
        "a b",
        "a  b ",
        "1234",
        "\u00e9",
        "e\u0301",
        "\ufb01",
        "\u0130",
    ),
    *("a\u200bb", "a\u00a0b", "\u3000", "a\0b", "a\nb", "a\r\nb", "\u00c0A", "x\u0323\u0307"),
    *("a   b", "a     b", "ab\tc", "\t", "a\x0bb", "a\n"),
)
FAMILIES = ("leading-space", "letter-case")
LINES = ("a\n b", " a\n\tb\n", "a \nb", "a\n\n\nb", "\n\n", "a\n \n b", "\n a", "a\x85 b")


def each_line(change):
    return lambda text: "".join(
        part if part == "\n" else change(part) for part in re.split("(\n)", text)
    )


def without_repeats(most):
    """Keep at most so many equal characters in a row; line ends are kept."""

    def change(text):
        runs = (list(run) for _, run in itertools.groupby(text))
        return "".join("".join(run if run[0] == "\n" else run[:most]) for run in runs)

    return change


@pytest.mark.parametrize(
    ("change", "form", "texts"),
    [
        (each_line(str.strip), "white space stripped at both ends of each line", LINES),
        (each_line(str.rstrip), "white space stripped at the end of each line", LINES),
        (each_line(str.lstrip), "white space stripped at the start of each line", LINES),
        (
            lambda text: "\n".join(line.strip() for line in text.splitlines()),
            "lines as Python has them stripped and joined by LF",
            LINES,
        ),
        (lambda text: re.sub("\n\n+", "\n", text), "line ends collapsed", LINES),
        (
            lambda text: re.sub("\n\n\n+", "\n\n", text),
            "more than two line ends in a row are two",
            LINES,
        ),
        (
            lambda text: "\n".join(
                line for line in text.split("\n") if line and not line.isspace()
            ),
            "blank lines removed",
            LINES,
        ),
        (
            lambda text: re.sub("[^\\S\n]*\n\\s*", "\n", text),
            "white space around line ends removed",
            LINES,
        ),
        (textwrap.dedent, "indentation of all lines removed", ("  a\n  b", " a\n  b\n")),
        (
            lambda text: re.sub("<[^<>]+>", "", text),
            "tags of HTML removed",
            ("<a b='1'>c</a>", "<>"),
        ),
        (
            lambda text: re.sub("\x1b\\[[^m]*m", "", text),
            "colors of terminals removed",
            ("\x1b[0m", "a\x1b[1;31mb", "\x1b[J"),
        ),
        (without_repeats(3), "more than three equal characters in a row are three", ("soooooo",)),
        (without_repeats(2), "more than two equal characters in a row are two", ("sooo", "----")),
        (without_repeats(1), "equal characters in a row are one", ("soo", "----")),
        (
            lambda text: "".join(chr(ord(a) ^ 32) if "A" <= a <= "Z" else a for a in text),
            "ASCII letters in lowercase",
            ("\u00c4\u0416A",),
        ),
        (
            lambda text: "".join(chr(ord(a) ^ 32) if "a" <= a <= "z" else a for a in text),
            "ASCII letters in uppercase",
            ("\u00e4\u0436a",),
        ),
        (str.title, "title case", ("\u01c6", "two words", "don't")),
        (
            lambda text: "\n".join(line.rstrip() for line in text.splitlines()),
            "lines as Python has them stripped at the end and joined by LF",
            LINES,
        ),
        (lambda text: re.sub("<[^<>]*>", "", text), "tags of HTML removed, and <>", ("<a>", "<>")),
        (
            lambda text: re.sub(r"\x1b\[[\d;]*[a-zA-Z]", "", text),
            "escape sequences of terminals removed",
            ("\x1b[0m", "a\x1b[1;31mb", "\x1b[J"),
        ),
        (
            lambda text: urllib.parse.unquote(text.replace("+", " ")),
            "percent-encoding and plus signs decoded",
            ("a+b%20c", "%2B"),
        ),
    ],
)
def test_a_clean_up_of_text_is_one_bug_with_its_name(
    check_texts, byte_tokenizer, change, form, texts
):
    found = check_texts(CODE, byte_tokenizer(change), [*TEXTS, *texts], families=FAMILIES)
    assert [(str(bug.cause), bug.cause.weak) for bug in found.bugs] == [
        (f"normalizer: {form}", False)
    ]


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (
            lambda text: "".join(one.lower() if one < "\u0100" else one for one in text),
            "replaced characters: U+0041..U+005A, U+00C0..U+00D6, U+00D8..U+00DE, others",
        ),
        (lambda text: text.replace("\n\n", "\n"), "dropped characters: U+000A <control-000A>"),
    ],
)
def test_a_change_that_is_like_a_clean_up_on_some_texts_has_its_own_cause(
    check_texts, byte_tokenizer, change, cause
):
    texts = [*TEXTS, *LINES, "a\n\n\n\nb", "\u00c4"]
    assert [str(bug.cause) for bug in check_texts(CODE, byte_tokenizer(change), texts).bugs] == [
        cause
    ]


def test_clean_ups_differ_on_their_probes():
    results = {
        name: tuple(map(change, clean_ups.PROBES)) for name, change in clean_ups.CLEAN_UPS.items()
    }
    assert len({*results.values(), clean_ups.PROBES}) == len(results) + 1


def test_a_clean_up_may_come_before_surrogates_are_replaced(check_texts, byte_tokenizer):
    def change(text):
        return re.sub("[\ud800-\udfff]", "\ufffd", without_repeats(3)(text))

    texts = ["\udc88" + "\udc80" * 5, "soooooo", "\ud800"]
    (bug,) = check_texts(CODE, byte_tokenizer(change), [*TEXTS, *texts]).bugs
    assert "three equal characters" in str(bug.cause)
