"""Models: BPE over characters, WordPiece, WordLevel and Unigram, a module each."""
