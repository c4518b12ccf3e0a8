"""Write the generated parts of the documentation: ``python docs/generate.py``.

The pages of checks and families come from their docstrings, the page of the commands from their
options, and tables between ``<!-- NAME -->`` and ``<!-- end -->`` from the installed plugins. With
``--screens`` the screens (``<!-- screen: COMMAND -->``) are replaced by what the command prints.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import io
import os
import re
import shlex
import sys
from pathlib import Path

import click

from tokharness import plugins
from tokharness.cli import commands, main
from tokharness.config import PROFILES
from tokharness_tokenizers import file_formats
from tokharness_tokenizers.programs import known_engines

DOCS = Path(__file__).parent
README = DOCS.parent / "README.md"
NOTE = "<!-- Written by docs/generate.py; do not edit. -->\n"
PART = re.compile(r"<!-- (checks|profiles|formats|engines) -->\n.*?<!-- end -->", re.DOTALL)
SCREEN = re.compile(r"(<!-- screen: (.*?) -->\n```text\n).*?(?=```)", re.DOTALL)
BUILT_IN = ("tokharness.", "tokharness_cases.", "tokharness_tokenizers.")


def pages() -> dict[Path, str]:
    """Text of every generated file by its path."""
    texts = {DOCS / "checks" / f"{code}.md": check_page(code) for code in plugins.all_checks()}
    texts[DOCS / "checks" / "index.md"] = check_index()
    texts[DOCS / "families.md"] = family_page()
    texts[DOCS / "commands.md"] = command_page()
    for path in (README, *sorted(DOCS.glob("*.md"))):
        if path not in texts:
            text = path.read_text("utf-8")
            folder = "docs/" if path == README else ""
            texts[path] = PART.sub(lambda match, folder=folder: part(match[1], folder), text)
    return texts


def part(name: str, docs: str) -> str:
    """Return the generated part of this name; ``docs`` is the path to this folder."""
    tables = {
        "checks": check_table,
        "profiles": profile_table,
        "formats": format_table,
        "engines": engine_table,
    }
    return f"<!-- {name} -->\n{tables[name](docs)}\n<!-- end -->"


def table(*rows: tuple[str, ...]) -> str:
    """Return a Markdown table; the first row is its header."""
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])


def markdown(page: str) -> str:
    """Return a docstring as Markdown: literals, code blocks and roles."""
    page = re.sub(r":[a-z]+:`[~!]?([^`]+)`", r"`\1`", page)
    page = page.replace("``", "`").replace("::\n", ":\n")
    return re.sub(r"\x08\n(.+?)(?=\n\n|\Z)", r"```text\n\1\n```", page, flags=re.DOTALL)


def check_table(docs: str) -> str:
    """All checks, each with a link to its page."""
    rows = [
        (f"[`{check.code}`]({docs}checks/{check.code}.md)", check.name, plugins.summary(check.page))
        for check in plugins.all_checks().values()
    ]
    return table(("code", "check", "what it finds"), *rows)


def profile_table(_: str) -> str:
    """All profiles."""
    rows = [(f"`{profile.name}`", profile.page) for profile in PROFILES.values()]
    return table(("profile", "what it runs"), *rows)


def format_table(_: str) -> str:
    """All output formats."""
    rows = [(f"`{name}`", plugins.summary(one.page)) for name, one in plugins.formats().items()]
    return table(("format", "what it is"), *rows)


def engine_table(_: str) -> str:
    """All engines, from the first lines of their programs."""
    kinds = {one.__name__.rpartition(".")[2]: one.WORDS for one in file_formats.formats()}
    rows = []
    for name, engine in known_engines().items():
        words = [f"`{word}`" for word in (*engine.names, *engine.published)]
        rest = "FILE" if engine.formats else "NAME"
        registry = "PyPI" if engine.is_python else "npm"
        reads = ", ".join(kinds[one] for one in engine.formats)
        rows.append(
            (f"`engine:{name}:{rest}`", f"{registry}: {engine.package}", reads, " ".join(words))
        )
    return table(("engine", "package", "files", "names of vocabularies"), *rows)


def check_page(code: str) -> str:
    """Page of one check."""
    check = plugins.all_checks()[code]
    needs = ""
    if isinstance(check, plugins.ChatCheck):
        needs = "Requires: a tokenizer.\n\n" if check.needs_tokens else ""
    elif isinstance(check, plugins.Check) and check.requires:
        needs = f"Requires: {', '.join(f'`{name}`' for name in check.requires)}.\n\n"
    return f"{NOTE}\n# {code} {check.name}\n\n{needs}{markdown(check.page)}\n"


def check_index() -> str:
    """Table of contents of the checks."""
    return (
        f"{NOTE}\n# Checks\n\n"
        "`tokharness explain CODE` prints the page of a check. `--select` and `--ignore` take a\n"
        "code, the beginning of one, such as `TOK1`, or a name. The verdict of a\n"
        "finding is *bug*, *risk* or *fact*: a fact is by design.\n\n"
        f"{check_table('').replace('(checks/', '(')}\n"
    )


def family_page() -> str:
    """Pages of all families."""
    sections = [
        f"## {name}\n\n{markdown(family.page)}\n" for name, family in plugins.families().items()
    ]
    return f"{NOTE}\n# Case families\n\n" + "\n".join(sections)


COMMANDS = """
# Commands

`tokharness COMMAND --help` prints these options too.

Exit codes: 0 passed; 1 findings at or above `--fail-on`, or changes that fail the gate; 2 a mistake
in usage or configuration, an internal error, a plugin that fails, or a run that was not finished;
130 interrupted.

## Shell completion

For Bash, add this line to `~/.bashrc`; for Zsh and fish, write `zsh_source` and `fish_source`:

<!-- run -->
```sh
eval "$(_TOKHARNESS_COMPLETE=bash_source tokharness)"
```

## Environment variables

| variable | what it does |
|---|---|
| `TIKTOKEN_CACHE_DIR` | the folder from which tiktoken's vocabularies are read |
| `NO_COLOR` | no colours in the terminal |
| `TOKHARNESS_CACHE_DIR` | the folder of the cache of comparisons; empty for no cache |
| `TOKHARNESS_NODE_MODULES` | folders `node_modules` with the packages of `engine:` |
| `TOKHARNESS_ENGINES_PYTHON` | Pythons with packages of `engine:`, `grammar:` and `chunker:` |
| `TOKHARNESS_ENVIRONMENTS` | the folder of the environments of releases |
| `TOKHARNESS_TRACEBACK` | print the traceback of an internal error or of a plugin |
"""


def command_page() -> str:
    """Options of all commands."""
    context = click.Context(commands)
    sections = [COMMANDS]
    for name in commands.list_commands(context):
        command = commands.get_command(context, name)
        assert command is not None  # noqa: S101 - it was listed
        sections.append(command_section(name, command, context))
    return NOTE + "\n".join(sections)


def command_section(name: str, command: click.Command, parent: click.Context) -> str:
    """Options of one command."""
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join(["tokharness", name, *command.collect_usage_pieces(context)])
    text = (
        f"## {name}\n\n```text\n{usage}\n```\n\n{markdown(inspect.cleandoc(command.help or ''))}\n"
    )
    options = [one for one in command.params if isinstance(one, click.Option)]
    rows = [row for option in options if (row := option.get_help_record(context))]
    cells = [(f"`{option}`", re.sub(r" +", " ", help_text)) for option, help_text in rows]
    return text + (f"\n{table(('option', 'what it does'), *cells)}\n" if cells else "")


def screen(command: str) -> str:
    """Return what a command prints, in 100 columns."""
    output = io.StringIO()
    sys.argv, os.environ["COLUMNS"] = shlex.split(command), "100"
    with contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
        main()
    return f"$ {command}\n{output.getvalue()}"


def write(*, screens: bool) -> None:
    """Write every generated file."""
    (DOCS / "checks").mkdir(exist_ok=True)
    for path, text in pages().items():
        shown = SCREEN.sub(lambda match: match[1] + screen(match[2]), text) if screens else text
        path.write_text(shown, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--screens", action="store_true", help="run the commands of screens too")
    write(screens=parser.parse_args().screens)
