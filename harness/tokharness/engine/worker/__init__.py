"""What runs in a worker process: batches of texts, diagnosis, shrinking, audits, metrics."""
