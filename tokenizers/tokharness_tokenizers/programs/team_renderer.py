"""A renderer of a user, for ``json_lines.py``: a factory of a file or of a module.

``FACTORY(template, variables)`` returns a function of messages and options, such as ``tools`` and
``add_generation_prompt``. The function returns a text, or a text and ids, and raises whatever it
refuses.
"""

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any


class Served:
    """The function that a factory returns."""

    def __init__(self, name: str, function: Any) -> None:
        self.name, self._function = name, function

    def render(self, conversation: dict[str, Any]) -> dict[str, Any]:
        """Return the text of a conversation, and the ids if the function returns some."""
        given = self._function(conversation["messages"], conversation["options"])
        if isinstance(given, str):
            return {"text": given}
        if not isinstance(given, tuple) or len(given) != 2 or not isinstance(given[0], str):
            kind = type(given).__name__
            raise TypeError(f"the function returned {kind}, and neither a text nor a text and ids")
        text, ids = given
        return {"text": text, "ids": list(map(int, ids))}


def load(where: str, factory: str, path: str) -> Served:
    """Import a file, from whose folder it may import, or a module, and call its factory."""
    given = json.loads(Path(path).read_bytes())
    if where.endswith(".py"):
        folder, file = os.path.split(where)
        sys.path.insert(0, folder)
        module = importlib.import_module(file[:-3])
    else:
        sys.path.append(os.getcwd())  # noqa: PTH109 - as an import of a script does
        module = importlib.import_module(where)
    return Served(factory, getattr(module, factory)(given["template"], given["variables"]))
