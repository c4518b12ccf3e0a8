"""Stream parsers, for the command ``tokharness parse``; they have no ids.

``parser:FILE.py:FACTORY``   a file, which may import modules from its folder, like a script
``parser:MODULE:FACTORY``    a module that is installed or in the current directory

FACTORY is the name of a function or class that takes no arguments and returns a new parser, an
object with the methods ``feed(delta)`` and ``finish()``. Both return a list of events: pairs of the
name of a field, such as ``"reasoning"``, and a text. Texts of the same field are joined. These
attributes are optional: ``takes`` (what a delta is: ``"text"``, ``"bytes"`` or ``"ids"``, a list of
numbers), ``markers`` (texts that it recognizes, such as ``"</think>"``) and ``examples`` (streams
that it is checked on, too; a parser of ids needs them).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import TargetError
from tokharness_tokenizers.programs import HERE

if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["GUARDED", "SCHEME", "alone", "load"]

SCHEME = "parser"
GUARDED = True


def load(rest: str) -> NoReturn:
    """Raise TargetError: a parser is no tokenizer."""
    raise TargetError(f"parser:{rest} has no ids: check it with tokharness parse parser:{rest}")


def alone(rest: str) -> tuple[str, ...]:
    """Return the arguments of the program that serves a parser; raises TargetError."""
    where, _, factory = rest.rpartition(":")
    if not where or not factory.isidentifier():
        raise TargetError(
            f"parser:{rest} has no factory: write parser:FILE.py:FACTORY or parser:MODULE:FACTORY"
        )
    if where.endswith(".py") and not Path(where).is_file():
        raise TargetError(f"there is no file {where}: check the path")
    program = HERE / "parsers" / "of_object.py"
    return (sys.executable, "-P", str(HERE / "json_lines.py"), str(program), where, factory)
