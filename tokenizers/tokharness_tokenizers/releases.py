"""Targets ``SCHEME@RELEASE:REST``: another release of a library, in an environment of its own.

The program of the library (:mod:`.programs.releases`) runs there. What the file declares is what
our reference reads from it, as it is for the release that is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.programs import known_releases
from tokharness_tokenizers.programs.environments import python_of
from tokharness_tokenizers.programs.starting import start_python

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.targets.processes.remote import Remote

__all__ = ["add_here", "declare", "prepare", "start"]


def prepare(scheme: str, release: str) -> None:
    """Make the environment of a release, if it is not there; raises TokharnessError."""
    python_of(known_releases()[scheme], release)


def start(scheme: str, release: str, *arguments: str) -> Remote:
    """Start the program of a release; raises TokharnessError if there is none, or it refuses."""
    program = known_releases()[scheme]
    return start_python(python_of(program, release), program.path, arguments)


def declare(remote: Remote, declared: Any) -> Remote:
    """Add what our reading of a file declares to change in a text, and to be a token.

    ``declared`` is a reference, or a declaration of the package ``hugging_face``.
    """
    for name in ("normalizer", "algorithm", "unknown_id", "n_vocab"):
        value = getattr(declared, name, None)
        if value is not None and getattr(remote, name, None) is None:
            setattr(remote, name, value)
    add_here(remote, bytes_inside=getattr(declared, "bytes_inside", None))
    if remote.normalizer is not None:
        add_here(remote, normalize=getattr(declared, "normalize", None))
    return remote


def add_here(remote: Remote, **methods: Callable[[Any], Any] | None) -> None:
    """Add methods that our reading of a file has, and the program does not."""
    for name, method in methods.items():
        if method is not None and not hasattr(remote, name):
            remote.add_here(name, method)
