"""Models, which turn a pre-token into tokens, a module each."""
