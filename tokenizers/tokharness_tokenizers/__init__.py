"""What tokharness tests, and the reference implementations it tests against."""
