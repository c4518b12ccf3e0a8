"""Training as SentencePiece does it: from a corpus to distinct words, and from them to pieces."""
