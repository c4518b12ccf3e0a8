"""Compare the speed of the reference with the library sentencepiece, on a model.

    python tests/benchmarks/sentencepiece_speed.py [--repeat N] [FILE ...]

Without FILE, the models of TOKHARNESS_TEST_VOCABULARIES. The corpora are those of
``reference_speed.py``: 10 MB of source code and 2 MB of hostile text. Each repetition has a new
reference with a cold cache of words. Times are CPU seconds; repetitions alternate, and the best one
counts. The ids are compared once, outside the measured time.
"""

import argparse
import os
from pathlib import Path

from reference_speed import best_seconds, describe_differences, family_text, source_code

from tokharness_tokenizers.adapters import sentencepiece_processor
from tokharness_tokenizers.reference.sentencepiece import reading


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    folder = Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "."), "sentencepiece")
    parser.add_argument("files", nargs="*", type=Path, default=sorted(folder.glob("*.model")))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--megabytes", type=float, default=10)
    arguments = parser.parse_args()
    size = int(arguments.megabytes * 1_000_000)
    corpora = {"code": source_code(size), "hostile": family_text(size // 5)}
    print(f"{'':<26}{'':<9}{'library':>11}{'reference':>11}{'ratio':>7}")
    for file in arguments.files:
        engine = sentencepiece_processor.load(str(file))
        reference = reading.load(file)
        for name, texts in corpora.items():
            theirs, ours = best_seconds(engine, reference, texts, arguments.repeat, "encode")
            row = f"{file.stem:<26}{name:<9}{theirs:>9.2f} s{ours:>9.2f} s{ours / theirs:>7.2f}"
            print(row + describe_differences(engine, reference, texts, "encode"), flush=True)


if __name__ == "__main__":
    main()
