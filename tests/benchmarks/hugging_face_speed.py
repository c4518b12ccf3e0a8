"""Compare the speed of the reference with Hugging Face's library, on a tokenizer.json.

    python tests/benchmarks/hugging_face_speed.py [--repeat N] [FILE ...]

Without FILE, the files of TOKHARNESS_TEST_VOCABULARIES. The corpora are those of
``reference_speed.py``: 10 MB of source code and 2 MB of hostile text, encoded as plain text. The
reference is at the library's Unicode versions. Each repetition has a new reference with a cold
cache of words; the library keeps its own. Times are CPU seconds; repetitions alternate, and the
best one counts. The ids are compared once, outside the measured time.
"""

import argparse
import os
from pathlib import Path

from reference_speed import best_seconds, describe_differences, family_text, source_code

from tokharness_tokenizers.adapters import hugging_face
from tokharness_tokenizers.hugging_face.unicode_versions import stage_versions
from tokharness_tokenizers.reference import tokenizer_json


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    folder = Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "."), "hf")
    parser.add_argument("files", nargs="*", type=Path, default=sorted(folder.glob("*.json")))
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    corpora = {"code": source_code(10_000_000), "hostile": family_text(2_000_000)}
    print(f"{'':<20}{'':<9}{'library':>11}{'reference':>11}{'ratio':>7}")
    for file in arguments.files:
        engine = hugging_face.load(str(file))
        reference = tokenizer_json.load(file)
        known = reference.stage_versions
        reference = reference.with_stage_versions(
            {table: version for table, version in stage_versions().items() if table in known}
        )
        for name, texts in corpora.items():
            theirs, ours = best_seconds(engine, reference, texts, arguments.repeat)
            row = f"{file.stem:<20}{name:<9}{theirs:>9.2f} s{ours:>9.2f} s{ours / theirs:>7.2f}"
            print(row + describe_differences(engine, reference, texts), flush=True)


if __name__ == "__main__":
    main()
