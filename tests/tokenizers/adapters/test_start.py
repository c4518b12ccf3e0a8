from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import importlib, pkgutil, sys
from tokharness_tokenizers import adapters
for module in pkgutil.iter_modules(adapters.__path__):
    importlib.import_module(f"{adapters.__name__}.{module.name}")
heavy = {"tiktoken", "regex", "babel", "requests", "tokenizers", "sentencepiece"}
print(*sorted(heavy & set(sys.modules)))
"""


def test_importing_the_adapters_loads_no_library() -> None:
    command = [sys.executable, "-c", SCRIPT]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout.split() == []
