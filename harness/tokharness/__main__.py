"""The command ``tokharness``, also as ``python -m tokharness``."""

import sys


def main() -> None:
    """Run the command line and exit; a signal ends it, also while it is still imported."""
    try:
        import signal

        # Nothing that is imported before our own handler needs an end in good order.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
    except KeyboardInterrupt:
        sys.exit(130)
    from tokharness.interrupts import handle_signals

    handle_signals()
    from tokharness.cli import main as command_line

    command_line()


if __name__ == "__main__":
    # `python -m` puts the current folder first, where a json.py would hide the standard library's.
    if not sys.flags.safe_path:
        del sys.path[0]
    main()
