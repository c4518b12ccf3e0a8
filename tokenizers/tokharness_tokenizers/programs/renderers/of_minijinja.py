"""minijinja, with the methods of Python's values and the functions that chat templates use."""

# renderer: minijinja
# package: minijinja

import json
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from minijinja import Environment, TemplateError


class RefusedError(Exception):
    """The template calls ``raise_exception``."""


class Served:
    """A template with the blocks of ``transformers``; a message of minijinja names the line."""

    def __init__(self, template: str, variables: dict[str, Any], now: str) -> None:
        self.name, self.version = "minijinja", f"minijinja {version('minijinja')}"
        self._variables = variables
        clock = datetime.fromisoformat(now)
        self._environment = Environment(
            templates={"template": template},
            trim_blocks=True,
            lstrip_blocks=True,
            globals={"raise_exception": _refuse, "strftime_now": clock.strftime},
        )
        self.failure = self._parse()

    def _parse(self) -> dict[str, Any]:
        """Return how the template fails to compile, which happens when it is first rendered."""
        try:
            self._environment.render_template("template", messages=[])
        except TemplateError as error:
            return _failure(error) if error.kind == "SyntaxError" else {}
        except Exception:
            return {}
        return {}

    def render(self, conversation: dict[str, Any]) -> dict[str, Any]:
        """Return the text of a conversation, or how the template fails."""
        values = {"tools": None, "documents": None, "add_generation_prompt": False}
        values |= {**self._variables, **conversation["options"]}
        values["messages"] = conversation["messages"]
        try:
            return {"text": self._environment.render_template("template", **values)}
        except Exception as error:
            return _failure(error)


def _refuse(message: str) -> None:
    raise RefusedError(message)


def _failure(error: Exception) -> dict[str, Any]:
    refused = next((one for one in (error, error.__cause__) if isinstance(one, RefusedError)), None)
    if refused is not None:
        return {"failure": "refusal", "message": str(refused)}
    message, line = getattr(error, "message", str(error)), getattr(error, "line", None)
    return {"failure": "crash", "message": message, "line": line or 0}


def load(_kind: str, path: str) -> Served:
    """Compile the template of a file of JSON."""
    given = json.loads(Path(path).read_bytes())
    return Served(given["template"], given["variables"], given["now"])
