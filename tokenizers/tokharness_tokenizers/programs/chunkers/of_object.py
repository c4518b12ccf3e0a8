"""An object of the user that splits texts, loaded as plain_object.py loads one."""

import importlib.util
import inspect
from pathlib import Path
from typing import Any

WORDS = ("name", "version", "loses", "counts_with", "truncates")
METHODS = ("split", "truncate", "count")
WINDOW_OPTIONS = ("pair", "side", "strategy", "padding", "multiple")
DECLARED = {"loses": ("white space",), "truncates": ("left", "right")}
"""Attributes with few values: a misspelt one must not be taken for none."""


class Served:
    """An object with ``split``, and what else it has of a chunker; ``where`` is for errors."""

    def __init__(self, chunker: Any, where: str) -> None:
        split, windows = (getattr(chunker, name, None) for name in ("split", "windows"))
        if not callable(split) and not callable(windows):
            raise TypeError(f"{where} returned a {type(chunker).__name__} without split()")
        if callable(windows):
            self.window_options = _options_of(windows)
            self.windows = lambda text, limit, n, options: windows(text, limit, n, **options)
        for name in METHODS:
            if callable(method := getattr(chunker, name, None)):
                setattr(self, name, method)
        for name in WORDS:
            if isinstance(value := getattr(chunker, name, None), str):
                setattr(self, name, value)
        _check_declared(chunker, where)
        self.has_overlap = True
        if not callable(split):
            return
        how = _how_overlap_is_given(split)
        self.has_overlap = bool(how)
        if how == "by name":
            self.split = lambda text, limit, n=0: chunker.split(text, limit, overlap=n)
        elif not how:
            self.split = lambda text, limit, _=0: chunker.split(text, limit)


def _check_declared(chunker: Any, where: str) -> None:
    for name, values in DECLARED.items():
        if (value := getattr(chunker, name, None)) and value not in values:
            allowed = " or ".join(map(repr, values))
            raise ValueError(f"{name} of {where} is {value!r:.40}, and not {allowed}")
    if (spec := getattr(chunker, "counts_with", None)) and not isinstance(spec, str):
        kind = type(spec).__name__
        raise TypeError(f"counts_with of {where} is a {kind}, and not the spec of a tokenizer")


def _options_of(windows: Any) -> list[str]:
    """Return the settings that ``windows`` takes by name."""
    parameters = inspect.signature(windows).parameters
    is_open = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    return [name for name in WINDOW_OPTIONS if is_open or name in parameters]


def _how_overlap_is_given(split: Any) -> str:
    """Return ``by name``, ``by place``, or "" if it takes no overlap.

    A third parameter with another name is something else, such as whether to strip.
    """
    try:
        parameters = inspect.signature(split).parameters
    except (TypeError, ValueError):  # a function of C
        return "by place"
    kinds = {one.kind for one in parameters.values()}
    if (overlap := parameters.get("overlap")) is not None:
        return "by place" if overlap.kind is overlap.POSITIONAL_ONLY else "by name"
    return "by place" if inspect.Parameter.VAR_POSITIONAL in kinds else ""


def load(where: str, factory: str) -> Served:
    """Import a file or a module, and call its factory."""
    path = Path(__file__).parents[1] / "plain_object.py"
    spec: Any = importlib.util.spec_from_file_location("plain_object", path)
    plain = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plain)
    return Served(plain.load(where, factory), f"{factory}() of {where}")
