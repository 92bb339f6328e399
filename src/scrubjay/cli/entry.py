"""What the installed `jay` calls: imports nothing by itself, so that Ctrl-C is answered while the rest is being loaded."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """`scrubjay.cli.main.main`, and no traceback for Ctrl-C before and after it either."""
    try:
        from scrubjay.cli.main import main as command

        command()
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stderr.write("\njay: interrupted; nothing half-done is left behind\n")
        sys.exit(130)
