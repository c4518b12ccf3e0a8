"""tokharness: a Unicode robustness and security test harness for tokenizers."""
