"""The words of sources, documents and screens are those of plain technical English.

Each pattern was replaced throughout by the words next to it. Reword a new text that matches one.
"""

import re
from pathlib import Path

import click
import pytest

from tokharness import plugins
from tokharness.cli import commands

ROOT = Path(__file__).parents[1]
FOLDERS = ("harness", "tokenizers", "cases", "tests", "docs", ".github")
SUFFIXES = {".py", ".md", ".html", ".js", ".css", ".json", ".jsonl", ".toml", ".yml"}
OLD_KEYS = {"upgrade.py", "test_upgrade.py"}
"""Files with keys of the JSON of an earlier version."""

SOURCES = sorted(
    path
    for path in (
        *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*")),
        *ROOT.glob("*"),
    )
    if path.suffix in SUFFIXES and path.is_file() and path != Path(__file__)
    if "data" not in path.parts and path.name not in OLD_KEYS
)

REPLACED = {
    r"told|tells?|telling": "report, explain, show, distinguish",
    r"manieth": "every N-th",
    r"deadly": "crashing",
    r"crew": "workers",
    r"sift\w*": "triage",
    r"acquitted|sighted": "readmitted, discovered",
    r"judgements?": "gate result",
    r"anew|once more|one more time": "again",
    r"whoever|whosoever|nobody": "the word for the person or the program",
    r"owes|owed|hither\w*": "must return, must do",
    r"(?:lost|dropped|left out) in silence": "silently",
    r"makes no sense as|whatever it (?:is|was)": "the usual word",
    r"beside(?!s)": "next to, in addition to",
    r"astray": "wrong, not its own encoding",
    r"(?:treated|read|cut|split|handled|said|decoded) otherwise|otherwise than": "differently",
    r"no longer (?:has|have|had) no|has \w+ no longer": "no longer has",
    r"in 1 cases": "in 1 case",
    r"is (?:no|none) (?:text|report|journal|number|JSON|UTF-8|id|character)": "is not a",
    r"of one's own|of his own": "your own",
    r"as many as there are|so many of them": "at most N",
    r"what is (?:found|told|tried|asked|measured|known) (?:is|are)": "name the thing",
    r"on the way where nothing fails": "if nothing fails",
    r"had it in hand|by and by|hither|thereof|therein|herein|whereof": "the usual word",
    r"facts? (?:that (?:is|are) )?by design|behaviou?r by design": "fact",
    r"(?:has|have|gets?|gives?|with|encoded (?:as|to)) other ids": "different or changed ids",
    r"lost capabilit(?:y|ies)": "lost entry point",
    r"of the characters swept|reached something new|kept whole": "name the texts or the tokens",
    r"named as the \w+ are|stands? side by side|fails once": "subject, verb, object",
    r"catalogue [A-D]\d+|DESIGN\.md|CATALOGUE\.md|LAYOUT\.md": "a source that readers have",
}
"""Pattern of what stood in this project once -> what to write."""

OLD = re.compile("|".join(rf"\b(?:{pattern})\b" for pattern in REPLACED), re.IGNORECASE)
KEPT = re.compile(r"</?aside|she'll tell us")
"""An element of HTML, and a sentence of a case."""


def matches(text):
    return [
        f"line {number}: {match[0]}"
        for number, line in enumerate(KEPT.sub("", text).split("\n"), 1)
        for match in OLD.finditer(line.replace("_", " "))
    ]


def test_no_source_has_a_replaced_word():
    found = [
        f"{path.relative_to(ROOT)} {match}"
        for path in SOURCES
        for match in matches(path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("name", commands.list_commands(click.Context(commands)))
def test_the_help_of_a_command_has_no_replaced_word(name):
    context = click.Context(commands)
    command = commands.get_command(context, name)
    assert matches(command.get_help(click.Context(command, info_name=name))) == []


@pytest.mark.parametrize("code", plugins.checks())
def test_the_page_of_a_check_has_no_replaced_word(code):
    assert matches(plugins.checks()[code].page) == []


def test_a_replaced_word_is_found_in_names_too():
    assert matches("def is_told(): ...") == ["line 1: told"]
    assert matches("a threshold") == []
