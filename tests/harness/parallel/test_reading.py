"""Parallel text is read from folders and tables, and aligned by line numbers."""

import json
from dataclasses import replace

import pytest

from tokharness.errors import UsageError
from tokharness.parallel.reading import read

LINES = {
    "eng_Latn": ["One.", "Two words.", "Three."],
    "fra_Latn": ["Un.", "Deux mots.", "Trois."],
    "zho_Hant": ["\u4e00\u3002", "\u4e8c\u3002", "\u4e09\u3002"],
}


def write(folder, files):
    for name, lines in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return folder


def texts(parallel):
    return {one.code: one.text for one in parallel.languages}


def flores_in_folders(folder):
    dev = {f"dev/{code}.dev": lines[:2] for code, lines in LINES.items()}
    devtest = {f"devtest/{code}.devtest": lines[2:] for code, lines in LINES.items()}
    return write(folder, {**dev, **devtest, "README": ["text"]})


def flores_in_one_folder(folder):
    dev = {f"{code}.dev": lines[:2] for code, lines in LINES.items()}
    return write(folder, {**dev, **{f"{code}.devtest": lines[2:] for code, lines in LINES.items()}})


def files_of_udhr(folder):
    return write(folder, {f"udhr_{code}.txt": lines for code, lines in LINES.items()})


def tsv(folder):
    rows = ["\t".join(row) for row in ([*LINES], *zip(*LINES.values(), strict=True))]
    return write(folder, {"mine.tsv": rows}) / "mine.tsv"


def csv(folder):
    rows = [
        ",".join(f'"{cell}"' for cell in row)
        for row in ([*LINES], *zip(*LINES.values(), strict=True))
    ]
    return write(folder, {"mine.csv": rows}) / "mine.csv"


def json_lines(folder):
    rows = [dict(zip(LINES, row, strict=True)) for row in zip(*LINES.values(), strict=True)]
    return write(folder, {"mine.jsonl": map(json.dumps, rows)}) / "mine.jsonl"


@pytest.mark.parametrize(
    "make", [flores_in_folders, flores_in_one_folder, files_of_udhr, tsv, csv, json_lines]
)
def test_the_lines_of_a_language_are_joined_by_a_space(tmp_path, make):
    parallel = read(make(tmp_path))
    assert texts(parallel) == {code: " ".join(lines) for code, lines in LINES.items()}
    assert (parallel.lines, parallel.left_out) == (3, ())
    names = [one.name for one in parallel.languages]
    assert names == ["English", "French", "Traditional Chinese"]


def test_the_articles_of_declarations_in_html_are_lines(tmp_path):
    def page(code, *articles):
        words = (
            f'<article data-number="{number}"><h2>{number}</h2><p>{text}\n {text}</p></article>'
            for number, text in enumerate(articles, 1)
        )
        return [f'<html lang="{code}"><title>x</title><header>pre</header>', *words, "</html>"]

    folder = tmp_path / "declaration"
    write(folder, {"eng.html": page("en", "one", "two"), "fra.html": page("fr", "un", "deux")})
    write(folder, {"007.html": page("fr", "in", "dous"), "deu.html": page("de", "eins")})
    parallel = read(tmp_path)
    assert texts(parallel) == {
        "en": "pre 1 one one 2 two two",
        "fr": "pre 1 un un 2 deux deux",
        "fr-x-007": "pre 1 in in 2 dous dous",
    }
    assert [one.name for one in parallel.languages[1:]] == ["French (fr)", "French (fr-x-007)"]
    reason = "article 2 of deu.html is empty, and article 2 of eng.html is not"
    assert parallel.left_out == (("de", reason),)


def test_a_line_that_is_blank_in_every_language_does_not_count(tmp_path):
    parallel = read(write(tmp_path, {"en.txt": ["a", "", "b"], "fr.txt": ["c", " ", "d"]}))
    assert (texts(parallel), parallel.lines) == ({"en": "a b", "fr": "c d"}, 2)


@pytest.mark.parametrize(
    ("name", "lines", "reason"),
    [
        ("de.txt", ["x"], "it has 1 lines, and English has 2"),
        ("de.txt", ["x", "y", "z"], "it has 3 lines, and English has 2"),
        ("de.txt", ["x", ""], "line 2 of de.txt is empty, and line 2 of en.txt is not"),
        ("id.txt", ["1", "2"], "it has only numbers"),
        (
            "README.txt",
            ["x", "y"],
            "its name is not the code of a language, such as fra_Latn or fr",
        ),
    ],
)
def test_a_language_without_the_lines_of_english_is_left_out(tmp_path, name, lines, reason):
    files = {"en.txt": ["a", "b"], "fr.txt": ["c", "d"], name: lines}
    parallel = read(write(tmp_path, files))
    assert texts(parallel) == {"en": "a b", "fr": "c d"}
    assert parallel.left_out == ((name.removesuffix(".txt"), reason),)


def test_a_language_without_a_part_is_left_out(tmp_path):
    files = {"dev/fr.dev": ["c"], "dev/en.dev": ["a"], "devtest/en.devtest": ["b"]}
    files |= {"dev/de.dev": ["e"], "devtest/de.devtest": ["f"]}
    assert read(write(tmp_path, files)).left_out == (("fr", "it has no file for devtest"),)


def test_a_json_line_without_a_key_is_an_empty_line(tmp_path):
    rows = ['{"en": "a", "fr": "c"}', '{"en": "b", "fr": "d", "de": "e"}']
    parallel = read(write(tmp_path, {"mine.jsonl": rows}) / "mine.jsonl")
    reason = "de in line 1 of mine.jsonl is empty, and en in line 1 of mine.jsonl is not"
    assert (texts(parallel), parallel.left_out) == ({"en": "a b", "fr": "c d"}, (("de", reason),))


@pytest.mark.parametrize(
    ("files", "name", "message"),
    [
        ({}, "no_such", "cannot read the parallel text .*no_such: No such file or directory"),
        ({"mine.doc": ["x"]}, "mine.doc", "is neither a folder nor a file .tsv, .csv, .jsonl"),
        ({"mine.pdf": ["x"]}, "", "has no file of a language, such as eng_Latn.txt"),
        ({"fr.txt": ["x"], "de.txt": ["y"]}, "", "has de, fr and no English: add it as en, eng or"),
        ({"en.txt": ["x"]}, "", "has English only"),
        (
            {"en.txt": ["x", ""], "fr.txt": ["y", "z"]},
            "",
            "English only: fr is left out, since line 2 of en.txt is empty, and line 2 of fr.txt",
        ),
        ({"en.txt": ["x"], "fr.txt": []}, "", "fr.txt is empty: the parallel text needs lines"),
        ({"en.txt": ["x"], "en.dev": ["x"]}, "", "has English only|has no English"),
        ({"en.txt": ["x"], "udhr_en.txt": ["x"]}, "", "are of the same language: keep one of them"),
        ({"a.tsv": ["en\tfr\ten", "x\ty\tz"]}, "a.tsv", "line 1 of .*a.tsv has two columns 'en'"),
        ({"a.tsv": ["en\tfr", "x\ty", "x"]}, "a.tsv", "line 3 of .*a.tsv has 1 columns, and the"),
        ({"a.tsv": []}, "a.tsv", "a.tsv is empty: its first line names the language of each col"),
        ({"a.csv": ["en,fr", '"x,y']}, "a.csv", "line 2 of .*a.csv is not CSV"),
        ({"a.jsonl": ["{}"]}, "a.jsonl", "a.jsonl is empty: each line is an object with a key"),
        ({"a.jsonl": ["", "[1]"]}, "a.jsonl", "line 2 of .*a.jsonl is not a JSON object"),
        ({"a.jsonl": ['{"en": 1}']}, "a.jsonl", 'line 1 of .*a.jsonl has no string under "en"'),
        ({"a.jsonl": ['{"en": "\\ud800"}']}, "a.jsonl", "line 1 of .* has a lone surrogate"),
        ({"a.jsonl": ['{"en": "", "en": ""}']}, "a.jsonl", "line 1 of .*has two columns 'en'"),
    ],
)
def test_what_is_no_parallel_text_is_an_error(tmp_path, files, name, message):
    write(tmp_path, files)
    with pytest.raises(UsageError, match=message):
        read(tmp_path / name)


def test_bytes_that_are_not_utf_8_are_an_error_with_the_line(tmp_path):
    write(tmp_path, {"en.txt": ["a", "b"]})
    (tmp_path / "fr.txt").write_bytes(b"c\n\xff\n")
    with pytest.raises(UsageError, match=r"line 2 of .*fr.txt is not UTF-8: convert the file"):
        read(tmp_path)


def test_a_file_from_windows_is_the_same_text(tmp_path):
    folder = write(tmp_path, {"en.txt": ["a", "b"], "fr.txt": ["c", "d"]})
    before = read(folder)
    (tmp_path / "fr.txt").write_bytes(b"\xef\xbb\xbfc\r\nd")
    assert replace(read(folder)) == before
