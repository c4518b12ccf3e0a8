"""Target adapters, and the reference implementations that targets are compared with."""
