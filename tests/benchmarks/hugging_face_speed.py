"""Compare the speed of the reference with Hugging Face's library, on the files that both read.

    python tests/benchmarks/hugging_face_speed.py [--repeat N] [FILE ...]

Without FILE, those of TOKHARNESS_TEST_VOCABULARIES: each tokenizer.json, and the lists of tokens
and merges of BERT and CLIP. The corpora are those of
``reference_speed.py``: 10 MB of source code and 2 MB of hostile text, encoded as plain text. The
reference is at the library's Unicode versions. Each repetition has a new reference with a cold
cache of words; the library keeps its own. Times are CPU seconds; repetitions alternate, and the
best one counts. The ids are compared once, outside the measured time.
"""

import argparse
import os
from pathlib import Path

from reference_speed import best_seconds, describe_differences, family_text, source_code

from tokharness_tokenizers.adapters import hugging_face, reference_target
from tokharness_tokenizers.hugging_face.loaded import stage_versions

KINDS = ("hf/*.json", "wordpiece/*.txt", "clip/*.gz")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    folder = Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "."))
    files = [one for kind in KINDS for one in sorted(folder.glob(kind))]
    parser.add_argument("files", nargs="*", type=Path, default=files)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    corpora = {"code": source_code(10_000_000), "hostile": family_text(2_000_000)}
    print(f"{'':<20}{'':<9}{'library':>11}{'reference':>11}{'ratio':>7}")
    for file in arguments.files:
        engine = hugging_face.load(str(file))
        reference = reference_target.load(str(file))
        known = reference.stage_versions
        reference = reference.with_stage_versions(
            {table: version for table, version in stage_versions().items() if table in known}
        )
        for name, texts in corpora.items():
            theirs, ours = best_seconds(engine, reference, texts, arguments.repeat)
            row = (
                f"{file.name[:19]:<20}{name:<9}{theirs:>9.2f} s{ours:>9.2f} s{ours / theirs:>7.2f}"
            )
            print(row + describe_differences(engine, reference, texts), flush=True)


if __name__ == "__main__":
    main()
