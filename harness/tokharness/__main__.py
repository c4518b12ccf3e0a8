"""``python -m tokharness`` is the command ``tokharness``."""

from tokharness.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
