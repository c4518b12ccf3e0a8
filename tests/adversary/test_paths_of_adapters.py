"""A pipe or a device in the place of the file of each adapter."""

import os

import pytest

from tokharness import plugins
from tokharness.errors import PluginError, TokharnessError
from tokharness.targets.description import describe
from tokharness.targets.loading import automatic_reference, load_target

SCHEMES = sorted(scheme for scheme, one in plugins.adapters().items() if not one.runs_code)
NAMES = ("tokenizer.json", "a.model", "a.txt", "a.tiktoken", "a.gguf")


def call_all(scheme, folder):
    """Load and describe what a path of each name is; raise PluginError for the fault of ours."""
    for name in NAMES:
        for call in (load_target, describe, automatic_reference):
            try:
                call(f"{scheme}:{folder / name}")
            except PluginError:
                raise
            except TokharnessError:  # the sentences are those of the reader, or of the library
                pass


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_is_no_file_neither_hangs_nor_breaks_an_adapter(scheme, tmp_path, sentence_of):
    for kind in ("pipe", "device"):
        folder = tmp_path / kind
        folder.mkdir()
        for name in NAMES:
            if kind == "pipe":
                os.mkfifo(folder / name)
            else:
                (folder / name).symlink_to("/dev/zero")
        assert sentence_of(lambda: call_all(scheme, folder)) == ""  # noqa: B023 - called here
