"""Parts of the adapter of Hugging Face's ``tokenizers``."""
