"""The training corpus of the embedded vocabulary, made from installed packages without a download.

It has the source code of Python's standard library, and the names of CLDR from babel: months, days,
languages, territories and more, in several hundred languages and all their scripts. Equal versions
of Python and babel give the same corpus.
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
    """Yield the modules of the standard library without its tests, in the order of their paths."""
    root = Path(sysconfig.get_path("stdlib"))
    paths = {path.relative_to(root).as_posix(): path for path in root.rglob("*.py")}
    for name in sorted(paths):
        if not _is_excluded(name):
            try:
                yield paths[name].read_bytes().decode().replace("\r\n", "\n")
            except UnicodeDecodeError:  # a few old modules are in Latin-1
                continue


def _is_excluded(name: str) -> bool:
    parts = name.split("/")
    # Build configuration, which differs between machines.
    is_configuration = parts[-1].startswith("_sysconfigdata") or parts[0].startswith("config-")
    is_package = parts[0] in {"site-packages", "dist-packages"}
    is_test = any(part.startswith(("test", "idle_test")) for part in parts)
    return is_configuration or is_package or is_test


def locale_names() -> Iterator[str]:
    """Yield one text per language: the distinct names of its CLDR locales, one per line.

    Use this only in a process that has not used babel before: babel resolves aliases in its cache,
    and a locale that is loaded later inherits the resolved data of its parent.
    """
    from babel import Locale
    from babel.localedata import locale_identifiers

    names: dict[str, dict[str, None]] = {}
    for identifier in sorted(locale_identifiers()):
        names_of_language = names.setdefault(identifier.split("_", maxsplit=1)[0], {})
        for name in _names(Locale.parse(identifier)):
            names_of_language.setdefault(name)
    for language in sorted(names):
        yield "".join(f"{name}\n" for name in names[language])


def _names(locale: Locale) -> Iterator[str]:
    """Yield the names of a locale, sorted by key, since the order in babel's data may change."""
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
