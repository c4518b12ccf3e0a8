"""Find what a program needs, and start it; the commands of renderers of conversations.

A package of npm is looked for in the folders ``node_modules`` that :data:`NODE_VARIABLE` names, or
among the global packages; a package of PyPI in the Pythons that :data:`PYTHON_VARIABLE` names, or
in that of tokharness. The working directory is not looked at: its code would run with a file that
is mere data.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import NotInstalledError, TargetError, UnknownNameError
from tokharness.home import expand_user
from tokharness.targets.processes.remote import Remote
from tokharness_tokenizers import libraries
from tokharness_tokenizers.programs import HERE, known_renderers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness_tokenizers.programs import Engine

__all__ = [
    "NODE_VARIABLE",
    "PYTHON_VARIABLE",
    "command",
    "command_of",
    "find_node",
    "folder_of_package",
    "is_installed",
    "require",
    "start_engine",
    "start_python",
    "version_of_package",
]

NODE_VARIABLE = "TOKHARNESS_NODE_MODULES"
"""The environment variable with the paths of folders ``node_modules``, separated as in PATH; no
other folder is looked at."""

PYTHON_VARIABLE = "TOKHARNESS_ENGINES_PYTHON"
"""The environment variable with the paths of Pythons that have engines of PyPI, separated as in
PATH: packages that no one environment can have are in several."""

SECONDS = 10.0
"""Time limit for what npm, or another Python, says of its packages."""

ON_DESCRIPTOR_3 = 'TOKHARNESS_ANSWERS=3 exec "$0" "$@" 3>&1 1>&2'
"""Node.js cannot redirect what its packages print: answers get a descriptor of their own."""


def start_python(python: Path | str, program: Path, arguments: Sequence[str]) -> Remote:
    """Start a program in a Python, with nothing of ours on its path."""
    argv = [str(python), "-I", str(HERE / "json_lines.py"), str(program), *arguments]
    return _start(program.name, argv)


def _start(name: str, argv: Sequence[str]) -> Remote:
    """Start a program; an error has its name in the place of the whole command."""
    try:
        return Remote(argv)
    except TargetError as error:
        words = str(error).replace(" ".join(argv)[:300], f"the program {name}")
        raise TargetError(words, failure=error.failure) from error


def start_engine(engine: Engine, arguments: Sequence[str]) -> Remote:
    """Start the program of an engine; raises TargetError if what it needs is not installed."""
    return _start(f"of {engine.name}", [*command_of(engine), *arguments])


def require(engine: Engine) -> None:
    """Raise NotInstalledError, which says what to install, if an engine cannot be started."""
    command_of(engine)


def command_of(engine: Engine) -> list[str]:
    """Return the command that starts an engine; raises NotInstalledError."""
    if engine.is_python:
        python = _python_with(engine.package)
        if python is None:
            raise NotInstalledError(
                f"{_named(engine)} needs the package {engine.package}, which is not "
                f"installed: pip install {engine.package}, or set {PYTHON_VARIABLE} to a Python "
                "that has it"
            )
        return [python, "-I", str(HERE / "json_lines.py"), str(engine.path)]
    node = find_node()
    if node is None:
        raise NotInstalledError(
            f"{_named(engine)} needs Node.js, which is not installed: install Node.js 20"
        )
    folder = folder_of_package(engine.package)
    if folder is None:
        raise NotInstalledError(
            f"{_named(engine)} needs the package {engine.package}, which is not installed: "
            f"npm install --global {engine.package}, or set {NODE_VARIABLE} to a folder "
            "node_modules that has it"
        )
    # Of packages with several builds, that for import, as modules get it.
    command = [node, "--conditions=import", "--no-warnings", str(HERE / "json_lines.mjs")]
    return ["/bin/sh", "-c", ON_DESCRIPTOR_3, *command, str(engine.path), str(folder)]


def _named(engine: Engine) -> str:
    """Return what errors call a program: the spec of its targets, if it has some."""
    is_target = engine.scheme != "renderer"
    return f"{engine.scheme}:{engine.name}" if is_target else f"the renderer {engine.name}"


def is_installed(engine: Engine) -> bool:
    """Whether the program of an engine can be started."""
    try:
        require(engine)
    except TargetError:
        return False
    return True


def version_of_package(engine: Engine) -> str:
    """Return the version of an engine's package; "" if it is not installed."""
    if engine.is_python:
        python = _python_with(engine.package)
        if python is None or python == sys.executable:
            return libraries.find_version(engine.package) or ""
        return _release_in(python, engine.package)
    folder = folder_of_package(engine.package)
    if folder is None:
        return ""
    try:
        record = json.loads((folder / engine.package / "package.json").read_bytes())
    except (OSError, ValueError):
        return ""
    return str(record.get("version", ""))[:100] if isinstance(record, dict) else ""


def find_node() -> str | None:
    """Return the path of Node.js; None if it is not installed."""
    return _find_program("node")


def _find_program(name: str) -> str | None:
    """Return the path of a program; parts of PATH that depend on the working directory are none."""
    parts = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, parts)))


def _python_with(package: str) -> str | None:
    """Return the Python that has a package of PyPI; None if there is none."""
    named = os.environ.get(PYTHON_VARIABLE)
    if not named:
        return sys.executable if libraries.find_version(package) else None
    paths = [str(Path(one).absolute()) for one in named.split(os.pathsep) if one]
    return next((one for one in paths if _release_in(one, package)), None)


@functools.cache
def _release_in(python: str, package: str) -> str:
    """Return the release of a package in a Python; "" if it does not have it."""
    script = "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"
    return _output_of([python, "-I", "-c", script, package])


def folder_of_package(package: str) -> Path | None:
    """Return the folder ``node_modules`` that has a package; None if there is none.

    It is that of :data:`NODE_VARIABLE` if this is set, else the global one.
    """
    return next((one for one in _folders() if (one / package / "package.json").is_file()), None)


def _folders() -> Iterator[Path]:
    if named := os.environ.get(NODE_VARIABLE):
        yield from (Path(folder).absolute() for folder in named.split(os.pathsep) if folder)
        return
    if (folder := _global_folder()) is not None:
        yield Path(folder)


@functools.cache
def _global_folder() -> str | None:
    npm = _find_program("npm")
    return (_output_of([npm, "root", "--global"]) if npm else "") or None


def _output_of(argv: Sequence[str]) -> str:
    """Return what a program prints; "" if it fails."""
    try:
        done = subprocess.run(
            argv,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
            cwd=expand_user("~"),  # the working directory may have settings of npm
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


SCHEME = "python:"
MODEL = "MODEL"
"""Stands for the names of a package that has many."""

TEAM = HERE / "team_renderer.py"


def command(name: str) -> list[str]:
    """Return the command of a renderer; its last argument will be the file with its template.

    Raises:
        TargetError: what it needs is not installed, or no factory is named.
        UnknownNameError: there is no renderer of this name.

    """
    if name.startswith(SCHEME):
        where, _, factory = name.removeprefix(SCHEME).rpartition(":")
        if not where or not factory.isidentifier():
            raise TargetError(
                f"{name} has no factory: write python:FILE.py:FACTORY or python:MODULE:FACTORY, "
                "where FACTORY(template, variables) returns the renderer"
            )
        if where.endswith(".py"):
            if not Path(where).is_file():
                raise TargetError(f"there is no file {where}: check the path")
            where = os.path.realpath(where)
        words = [sys.executable, "-P", str(HERE / "json_lines.py"), str(TEAM)]
        return [*words, where, factory]
    known = known_renderers()
    words = [word for one in known.values() for word in _words_of(one)]
    engine, _, variant = name.partition(":")
    one = known.get(engine)
    if one is not None and one.names and not variant:
        raise TargetError(
            f"the renderer {name} has several: write {' or '.join(_words_of(one)[:3])}"
        )
    if one is None or (name not in words and (not variant or one.names != (MODEL,))):
        raise UnknownNameError("renderer", name, [*words, f"{SCHEME}FILE.py:FACTORY"])
    variants = [variant] if variant else []
    return [*command_of(one), *variants, "template"]


def _words_of(one: Engine) -> list[str]:
    return [f"{one.name}:{name}" for name in one.names] or [one.name]
