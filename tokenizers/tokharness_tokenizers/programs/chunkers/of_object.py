"""An object of the user that splits texts, loaded as plain_object.py loads one."""

import importlib.util
import inspect
from pathlib import Path
from typing import Any

WORDS = ("name", "version", "loses", "counts_with", "truncates")
METHODS = ("split", "truncate", "count")


class Served:
    """An object with ``split``, and what else it has of a chunker; ``where`` is for errors."""

    def __init__(self, chunker: Any, where: str) -> None:
        if not callable(getattr(chunker, "split", None)):
            raise TypeError(f"{where} returned a {type(chunker).__name__} without split()")
        for name in METHODS:
            if callable(method := getattr(chunker, name, None)):
                setattr(self, name, method)
        for name in WORDS:
            if isinstance(value := getattr(chunker, name, None), str):
                setattr(self, name, value)
        self.has_overlap = _takes_overlap(chunker.split)
        if not self.has_overlap:
            self.split = lambda text, limit, _=0: chunker.split(text, limit)


def _takes_overlap(split: Any) -> bool:
    try:
        inspect.signature(split).bind("", 1, 0)
    except TypeError:
        return False
    except ValueError:  # a function of C
        return True
    return True


def load(where: str, factory: str) -> Served:
    """Import a file or a module, and call its factory."""
    path = Path(__file__).parents[1] / "plain_object.py"
    spec: Any = importlib.util.spec_from_file_location("plain_object", path)
    plain = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plain)
    return Served(plain.load(where, factory), f"{factory}() of {where}")
