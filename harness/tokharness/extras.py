"""The extras of tokharness: which there are, and what installs one.

The message for a missing library ends with what installs its extra *here*: no release need be on a
package index where tokharness was installed from a checkout or a repository.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

__all__ = ["VARIABLE", "known", "what_installs"]

VARIABLE = "TOKHARNESS_EXTRAS"
"""Set by ``action.yml``: the value of its input ``extras``."""


def known() -> frozenset[str]:
    """Return the names of the extras; none if tokharness runs without being installed."""
    try:
        return frozenset(distribution("tokharness").metadata.get_all("Provides-Extra") or ())
    except PackageNotFoundError:
        return frozenset()


def what_installs(extra: str) -> str:
    """Return what to do for an extra, to stand after a colon.

    It is a command of pip that names what tokharness was installed from (PEP 610), such as
    ``pip install '/checkout[hf]'``. In the GitHub action and in a hook of pre-commit, it is what to
    write in the file from which their environments are made.
    """
    given = os.environ.get(VARIABLE)
    if given is not None and extra not in (names := given.replace(",", " ").split()):
        return f"write extras: {','.join([*names, extra])} in the step that uses the action"
    if os.environ.get("PRE_COMMIT") == "1" and Path(sys.prefix).name.startswith("py_env-"):
        return f'write additional_dependencies: [".[{extra}]"] in the hook'
    return f"pip install {_requirement(extra, _source())}"


def _source() -> dict[str, Any]:
    """Return the ``direct_url.json`` of the installation; empty if a package index was asked."""
    try:
        return dict(json.loads(distribution("tokharness").read_text("direct_url.json") or "{}"))
    except (PackageNotFoundError, ValueError):
        return {}


def _requirement(extra: str, source: dict[str, Any]) -> str:
    """Return the argument of ``pip install``, quoted for a shell."""
    name = f"tokharness[{extra}]"
    url = source.get("url")
    if url is None:
        return shlex.quote(name)
    if "dir_info" in source:
        from urllib.request import url2pathname  # which loads the modules for HTTP and TLS

        folder = url2pathname(urlsplit(url).path)
        option = "-e " if source["dir_info"].get("editable") else ""
        return option + shlex.quote(f"{folder}[{extra}]")
    if "vcs_info" in source:
        url = url.replace("file:///", "file://localhost/")  # older releases of pip want a host
        url = f"{source['vcs_info']['vcs']}+{url}@{source['vcs_info']['commit_id']}"
    if subdirectory := source.get("subdirectory"):
        url += f"#subdirectory={subdirectory}"
    return shlex.quote(f"{name} @ {url}")
