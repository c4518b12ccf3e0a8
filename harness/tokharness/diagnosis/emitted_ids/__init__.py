"""Ids as a model emits them: whether their decoded text is encoded as the same ids again."""
