"""Make ``known.json``, the fingerprints of published vocabularies: ``python tests/make_known.py``.

``known_vocabularies.tsv`` has tab-separated lines: the name of a vocabulary, words by which names
of files write it (letters and digits alone, in lower case), its source, and the spec of a target,
in which variables such as ``$TOKHARNESS_TEST_VOCABULARIES`` may stand.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from tokharness.diagnosis.vocabulary import known
from tokharness.diagnosis.vocabulary.known import HASH_BYTES, fingerprint_of
from tokharness.targets.loading import load_target
from tokharness.targets.subject import Subject

TABLE = Path(__file__).with_name("known_vocabularies.tsv")


def main() -> None:
    """Write the fingerprints."""
    lines = TABLE.read_text("ascii").splitlines()
    rows = [_row(*line.split("\t")) for line in lines if line and not line.startswith("#")]
    head = {
        "about": "digest and sketches of the ordinary tokens of published vocabularies",
        "command": "python tests/make_known.py",
    }
    record = {**head, "vocabularies": rows}
    Path(known.__file__).with_name("known.json").write_text(
        json.dumps(record, indent=1) + "\n", encoding="ascii"
    )


def _row(name: str, words: str, source: str, spec: str) -> dict[str, str | int]:
    own = fingerprint_of(Subject(load_target(os.path.expandvars(spec))))
    if own is None:
        sys.exit(f"{spec} shows too few tokens")
    return {
        "name": name,
        "words": words,
        "source": source,
        "size": own.size,
        "digest": own.digest,
        "places": "".join(f"{one:0{2 * HASH_BYTES}x}" for one in own.places),
        "tokens": "".join(f"{one:0{2 * HASH_BYTES}x}" for one in own.tokens),
    }


if __name__ == "__main__":
    main()
