"""What a worker does for each request: a module per operation, each with ``respond``."""
