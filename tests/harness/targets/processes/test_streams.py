"""A process that speaks the protocol does not outlive its parent."""

import os
import subprocess
import sys

import pytest

OPENS = """
from tokharness.targets.processes.streams import ProtocolStreams
ProtocolStreams()
print("opened", flush=True)
"""


@pytest.mark.parametrize("is_held", [True, False])
def test_a_process_whose_parent_has_ended_loads_nothing(is_held):
    reading, writing = os.pipe()
    os.write(writing, b"nonce\n")  # a parent writes it as soon as it has started the process
    if not is_held:
        os.close(writing)
    process = subprocess.run(
        [sys.executable, "-c", OPENS], check=False, stdin=reading, stderr=subprocess.PIPE
    )
    assert (b"opened" in process.stderr) == is_held
