"""Regenerate ``reports/conformance/templates.md``: ``python tests/make_template_table.py``.

The chat templates of the folder that ``TOKHARNESS_TEST_CHAT_TEMPLATES`` names, each with all
checks of conversations that need no tokenizer: what each promise is found to be, and the causes of
bugs and risks. Nothing of a template itself is written.
"""

from __future__ import annotations

import os
from pathlib import Path

from tokharness import plugins
from tokharness.conversations.examination import examine
from tokharness.conversations.run import views
from tokharness.conversations.templates import ChatTemplate, Found

TABLE = Path(__file__).parents[1] / "reports" / "conformance" / "templates.md"
VARIABLE = "TOKHARNESS_TEST_CHAT_TEMPLATES"
HELD, NOT_CHECKED = "holds", "not checked"
PROMISES = {
    "TOK501": "renders",
    "TOK502": "does not vary",
    "TOK503": "closes turns",
    "TOK504": "keeps texts",
    "TOK505": "no Python",
    "TOK506": "keeps data",
    "TOK507": "keeps history",
    "TOK508": "no hidden text",
    "TOK509": "no mistake",
    "TOK510": "results match",
    "TOK511": "one begin token",
    "TOK515": "marks answers",
}
"""What a template promises, by the code of the check."""


def rows_of(paths):
    """Yield the name of each template with the report of its checks."""
    names = {
        path.stem: ChatTemplate("default", path.read_text("utf-8"), path.name) for path in paths
    }
    chosen = [check for code, check in plugins.chat_checks().items() if code in PROMISES]
    for name, view in zip(names, views("", Found(names)), strict=True):
        yield name, examine(view, name, chosen, [name])


def states_of(report):
    """Return what each promise is found to be: the worst verdict, that it holds, or neither."""
    worst = dict.fromkeys(report.started.checks, HELD)
    for finding in sorted(report.findings, key=lambda one: -one.rank):
        if finding.verdict != "fact":
            worst[finding.code] = str(finding.verdict)
    return {code: worst.get(code, NOT_CHECKED) for code in PROMISES}


def table(rows):
    """Return the table as Markdown, and the causes of each template below it."""
    head = ["template", *PROMISES.values()]
    lines = [
        "# Chat templates by promise",
        "",
        "Made by `python tests/make_template_table.py`.",
        "",
    ]
    lines += ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    causes = []
    for name, report in rows:
        lines.append("| " + " | ".join([name, *states_of(report).values()]) + " |")
        found = [one for one in report.findings if one.verdict != "fact"]
        causes += ["", f"## {name}", ""] if found else []
        causes += [f"- {one.verdict} {one.code} {one.name}: {one.cause}" for one in found]
    return "\n".join([*lines, *causes]) + "\n"


if __name__ == "__main__":
    TABLE.write_text(table(rows_of(sorted(Path(os.environ[VARIABLE]).glob("*.jinja")))), "utf-8")
