"""Entry point of every agent's hook: `hook <agent> <Event>`, the event's JSON on standard input.

Hot: the standard library only, and of it little. Ends with exit code 0 whatever happens and prints nothing on failure;
writes nothing but ledger rows; one deadline covers everything. What went wrong leaves one line for `jay doctor`.
"""

from __future__ import annotations

import gc
import os
import sys
import time

from scrubjay import home, quickload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import FrameType

MAX_STDIN_BYTES = 16_000_000
"""A payload over this is no prompt of a person; it is not even parsed."""
MAX_LOG_BYTES = 1_000_000
DEADLINE_MS = 400
"""Until the settings are read, which may hang too; then `hook.deadline_ms` counts."""
GRACE_S = 0.15
"""What a late or failed hook may still take to leave its line."""

AGENTS = {
    "claude-code": "claude_code",
    "codex": "codex",
    "gemini-cli": "gemini_cli",
    "hermes": "hermes",
    "kimi-code": "kimi_code",
    "openclaw": "openclaw",
    "opencode": "opencode",
    "pi": "pi",
    "plugin": "plugin",
    "qwen-code": "qwen_code",
}
"""First argument of the hook → module below `hooks`. `plugin`: whichever client runs the one plugin of all three."""

_started = time.monotonic()
_deadline = {"armed": False}


def main(argv: Sequence[str] | None = None) -> int:
    """Read the event from standard input, print the client's JSON (or nothing) and end the process with 0."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    gc.disable()  # a process that lives for milliseconds has nothing to collect: saves 1 to 2 of 30
    try:
        if len(arguments) == 2 and not os.environ.get("SCRUBJAY_INSIDE"):
            _arm(arguments)
            quickload.use(home.current().pack)
            output = answer(arguments[0], arguments[1], _stdin(), os.environ)
            _disarm()
            _print(output)
    except BaseException as error:  # noqa: BLE001 - a prompt goes on whatever happened here
        _last_moments()
        leave_line(arguments, "failed", where(error))
    # No tear-down: it costs milliseconds, and closing the last connection makes SQLite copy its log back to disk.
    os._exit(0)


def answer(agent: str, event: str, data: bytes, environ: Mapping[str, str]) -> bytes:
    """The bytes for standard output; b"" for nothing. `data` is the event's JSON as the client wrote it.

    Raises whatever goes wrong: `main` makes silence and a line for doctor of it.
    """
    if agent == "doctor":
        # `jay doctor` tries the whole way here and looks for the word that it sent
        leave_line([agent, event], "answered", data[:32].decode("ascii", "replace"))
    if agent not in AGENTS or len(data) > MAX_STDIN_BYTES:
        return b""
    # not `importlib`, which loads more than the module that is wanted
    module = __import__("scrubjay.hooks." + AGENTS[agent], fromlist=["answer"])
    if word := environ.get("SCRUBJAY_SELFTEST"):
        leave_line(["doctor", f"{agent} {event}"], "answered", word[:32])
        return b""
    return module.answer(event, data, environ, started=_started)  # type: ignore[no-any-return]


def _stdin() -> bytes:
    parts = []
    size = 0
    while size <= MAX_STDIN_BYTES and (part := os.read(0, 1 << 20)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _print(output: bytes) -> None:
    while output:
        output = output[os.write(1, output) :]


def _arm(arguments: list[str]) -> None:
    """From here on the deadline runs: whatever is going on then, the process ends with 0 and has printed nothing.

    `_signal` and not `signal`: the latter builds five enumerations, which costs more than opening the ledger.
    """
    import _signal  # type: ignore[import-not-found, unused-ignore]

    def late(_number: int, _frame: FrameType | None) -> None:
        _last_moments()
        leave_line(arguments, "late", "")
        os._exit(0)

    _signal.signal(_signal.SIGALRM, late)
    _deadline["armed"] = True
    value = os.environ.get("SCRUBJAY_HOOK_DEADLINE_MS", "")
    set_deadline(int(value) if value.isdigit() else DEADLINE_MS)


def set_deadline(ms: int) -> None:
    """Move the deadline to `ms` milliseconds after the start. Nothing happens where none runs (the library's own callers)."""
    if _deadline["armed"]:
        import _signal  # type: ignore[import-not-found, unused-ignore]

        left = max(10, ms) / 1000 - (time.monotonic() - _started)
        _signal.setitimer(_signal.ITIMER_REAL, max(0.001, left))


def _last_moments() -> None:
    """What still happens has `GRACE_S`: the ledger or the log may be what hangs."""
    import _signal  # type: ignore[import-not-found, unused-ignore]

    _signal.signal(_signal.SIGALRM, lambda *_: os._exit(0))
    _signal.setitimer(_signal.ITIMER_REAL, GRACE_S)


def _disarm() -> None:
    if _deadline["armed"]:
        import _signal  # type: ignore[import-not-found, unused-ignore]

        _deadline["armed"] = False
        _signal.setitimer(_signal.ITIMER_REAL, 0)


def where(error: BaseException) -> str:
    """Class and innermost place of an error. Its message may quote a prompt and is left out."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace is not None else ""
    return f"{type(error).__name__}{place}"


def leave_line(arguments: list[str], outcome: str, detail: str) -> None:
    """One ledger row for doctor; where the ledger cannot be written, one line in the log; where that neither, nothing."""
    try:
        from scrubjay import clock
        from scrubjay.errors import BadInput

        place = home.current()
        agent, event = arguments
        ms = round((time.monotonic() - _started) * 1000)
        try:
            at = clock.stamp()
        except BadInput:
            at = clock.machine_stamp()
        try:
            from scrubjay.ledger import Ledger

            ledger = Ledger.open_hot(place.ledger)
            if ledger is not None:
                ledger.note_event(agent, event, "", outcome, detail=detail, ms=ms, at=at)
                return
        except BaseException as error:  # noqa: BLE001 - then the log
            detail = f"{detail}, ledger: {where(error)}"
        if os.path.isdir(place.state) and not (
            os.path.exists(place.log) and os.path.getsize(place.log) > MAX_LOG_BYTES
        ):
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            descriptor = os.open(place.log, flags, 0o600)
            os.write(descriptor, f"{at} hook {agent} {event} {outcome} {detail} {ms} ms\n".encode())
    except BaseException:  # noqa: BLE001, S110 - nobody is left to tell
        pass
