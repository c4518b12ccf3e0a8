"""Train with Hugging Face's tokenizers: ``python hugging_face_trainer.py SIZE MERGES < FILES``.

FILES has the names of text files, one per line; each file is one text. The pre-tokenizer is that of
GPT-2, and pairs that occur only once are not merged. MERGES receives the merges as JSON, each as
two hexadecimal byte strings.
"""

import json
import sys
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers, trainers


def main():
    size, out = sys.argv[1:]
    names = sys.stdin.read().splitlines()
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=int(size), min_frequency=2, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator((Path(name).read_bytes().decode() for name in names), trainer)
    byte_of = bytes_of_alphabet()
    merges = [
        [bytes(map(byte_of.__getitem__, token)).hex() for token in merge]
        for merge in json.loads(tokenizer.to_str())["model"]["merges"]
    ]
    Path(out).write_text(json.dumps(merges))


def bytes_of_alphabet():
    """Return the byte of each character of GPT-2's alphabet; invisible bytes start at U+0100."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    hidden = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {
        chr(0x100 + place): byte for place, byte in enumerate(hidden)
    }


if __name__ == "__main__":
    main()
