"""Make ``known_templates.json``: ``python tests/make_known_templates.py``.

It has digests of published templates.
``known_templates.tsv`` has tab-separated lines: the name of a template, its source, and the file,
in which variables such as ``$TOKHARNESS_TEST_CHAT_TEMPLATES`` may stand. ``$TRL`` is the folder of
the files of trl's wheel. Of templates with the same statements, the first one is kept.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from tokharness.conversations import known_templates
from tokharness.conversations.known_templates import FILE, packed
from tokharness.conversations.statements import statements_of
from tokharness.conversations.syntax import tree_of

TABLE = Path(__file__).with_name("known_templates.tsv")


def main() -> None:
    """Write the digests."""
    lines = TABLE.read_text("ascii").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    unique = {}
    for name, source, file in rows:
        text = Path(os.path.expandvars(file)).read_text("utf-8")
        statements = statements_of(tree_of(text))
        key = tuple(one.digest for one in statements)
        unique.setdefault(key, (name, source, statements))
    head = {
        "about": "digests of the statements of published templates, and the names in them",
        "command": "python tests/make_known_templates.py",
    }
    record = {**head, **packed({(name, source): found for name, source, found in unique.values()})}
    Path(known_templates.__file__).with_name(FILE).write_text(
        json.dumps(record, indent=0) + "\n", encoding="ascii"
    )


if __name__ == "__main__":
    main()
