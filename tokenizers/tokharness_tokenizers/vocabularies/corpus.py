"""Training text that comes with what is installed anyway: no download, the same on equal versions.

Python's standard library (source code) and the names of CLDR, which babel carries: months, days,
languages, territories and more, in several hundred languages and all their scripts.
"""

from __future__ import annotations

import hashlib
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from babel import Locale

__all__ = ["digest", "locale_names", "standard_library", "texts"]


def texts() -> list[str]:
    """Return the whole corpus in a fixed order, about 17 MB of UTF-8."""
    return [*standard_library(), *locale_names()]


def digest(corpus: Iterable[str]) -> str:
    """Return the SHA-256 of a corpus, as hex digits."""
    total = hashlib.sha256()
    for text in corpus:
        total.update(text.encode() + b"\0")
    return total.hexdigest()


def standard_library() -> Iterator[str]:
    """Give the standard library's modules without its tests, in the order of their paths."""
    root = Path(sysconfig.get_path("stdlib"))
    paths = {path.relative_to(root).as_posix(): path for path in root.rglob("*.py")}
    for name in sorted(paths):
        if not _is_left_out(name):
            try:
                yield paths[name].read_bytes().decode().replace("\r\n", "\n")
            except UnicodeDecodeError:  # a few old modules are in Latin-1
                continue


def _is_left_out(name: str) -> bool:
    parts = name.split("/")
    # What the build found out about its machine is in these, and differs from one to the next.
    machine = parts[-1].startswith("_sysconfigdata") or parts[0].startswith("config-")
    installed = parts[0] in {"site-packages", "dist-packages"}
    return machine or installed or any(part.startswith(("test", "idle_test")) for part in parts)


def locale_names() -> Iterator[str]:
    """Give the names of CLDR, one text a language: its locales' names, each once, one a line.

    Only for a process that has not asked babel for anything else: it resolves aliases in its
    cache, and a locale that is loaded later inherits what its parent was resolved to.
    """
    from babel import Locale
    from babel.localedata import locale_identifiers

    found: dict[str, dict[str, None]] = {}
    for identifier in sorted(locale_identifiers()):
        lines = found.setdefault(identifier.split("_", maxsplit=1)[0], {})
        for name in _names(Locale.parse(identifier)):
            lines.setdefault(name)
    for language in sorted(found):
        yield "".join(f"{name}\n" for name in found[language])


def _names(locale: Locale) -> Iterator[str]:
    """Give a locale's names by key: the order in which babel's data has them is not relied on."""
    for table in (
        locale.languages,
        locale.territories,
        locale.scripts,
        locale.currencies,
        locale.months["format"]["wide"],
        locale.months["stand-alone"]["wide"],
        locale.days["format"]["wide"],
        locale.days["stand-alone"]["wide"],
        locale.days["format"]["abbreviated"],
        locale.eras["wide"],
    ):
        for _, name in sorted(table.items()):
            yield name
    for tables in (locale.meta_zones, locale.time_zones):
        for _, zone in sorted(tables.items()):
            yield from _strings(zone)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif hasattr(value, "items"):
        for _, inner in sorted(value.items()):
            yield from _strings(inner)
