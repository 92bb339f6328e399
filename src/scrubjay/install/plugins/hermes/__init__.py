"""scrubjay's memory in Hermes: a MemoryProvider that hands each event on to scrubjay's hook, and its answer back.

`jay init hermes` put this folder here and `jay uninstall hermes` takes it away; changes to it are lost with either. Runs in
Hermes's own Python, so it needs nothing but the standard library, and it may never fail, hang or print.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any

from agent.memory_provider import MemoryProvider  # type: ignore[import-not-found, unused-ignore]

HERE = os.path.dirname(os.path.abspath(__file__))
PROMPT_S = 2.0
"""The person waits. The hook's own deadline lies far below."""
TOOL_S = 20.0
LAST_S = 2.0
"""What is still on its way may take so long when Hermes ends."""
MAX_TEXT = 200_000
"""Characters of a prompt that are handed on."""


class Scrubjay(MemoryProvider):  # type: ignore[misc, unused-ignore]
    """One for each agent that Hermes runs."""

    def __init__(self) -> None:
        self._told = _read("scrubjay.json")
        """Paths of the hook and of its home."""
        self._about: dict[str, Any] = {}
        self._session = self._parent = self._source = ""
        self._running: list[subprocess.Popen[bytes]] = []
        self._status: Any = None

    @property
    def name(self) -> str:
        return "scrubjay"

    def is_available(self) -> bool:
        return os.access(str(self._told.get("hook", "")), os.X_OK)

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        self._session, self._source = session_id, "startup"
        names = ("platform", "chat_type", "agent_context")
        self._about = {name: str(kwargs.get(name) or "") for name in names}
        self._about["config_home"] = str(kwargs.get("hermes_home") or os.path.dirname(os.path.dirname(HERE)))
        self._about["cwd"] = _cwd()
        self._status = kwargs.get("status_callback")

    def system_prompt_block(self) -> str:
        """Asked for whenever Hermes builds the prompt: at a session's start, after a compaction, after going back."""
        source, self._source = self._source, "resume"
        return self._ask("SessionStart", source=source, parent=self._parent)

    def on_turn_start(self, turn_number: int, message: str, **kwargs: Any) -> None:
        self._about["cwd"] = (
            _cwd()
        )  # here and not in `prefetch`, which runs in a thread without the session's own folder

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        """`session_id` may be empty."""
        if not query or not query.strip():
            return ""
        return self._ask("UserPromptSubmit", prompt=query[:MAX_TEXT], prompt_id=f"{time.time_ns():x}")

    def sync_turn(
        self, user_content: str, assistant_content: str, *, session_id: str = "", messages: Any = None
    ) -> None:
        self._start("Stop")

    def on_session_end(self, messages: Any) -> None:
        """Does not wait: Hermes switches to the next session right behind it, whose prompt may be there already."""
        self._start("SessionEnd")

    def on_pre_compress(self, messages: Any) -> str:
        self._source = "compact"
        return ""

    def on_session_switch(
        self,
        new_session_id: str,
        *,
        parent_session_id: str = "",
        reset: bool = False,
        rewound: bool = False,
        **kwargs: Any,
    ) -> None:
        before, self._session = self._session, new_session_id
        reason = str(kwargs.get("reason") or "")
        if reset:
            self._source, self._parent = "clear", ""
        elif reason in ("branch", "compression") and new_session_id != before:
            self._parent = parent_session_id or before
            self._ask("SessionSwitch", parent=self._parent)

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        return [dict(tool) for tool in _read("tools.json").get("tools", ())]

    def handle_tool_call(self, tool_name: str, args: dict[str, Any], **kwargs: Any) -> str:
        values = {"tool": tool_name.removeprefix("scrubjay_"), "arguments": args}
        answer = _object(self._run("Tool", values, TOOL_S))
        return json.dumps(answer or {"error": "the memory did not answer; go on without it"}, ensure_ascii=False)

    def shutdown(self) -> None:
        end = time.monotonic() + LAST_S
        for process in self._running:
            try:
                process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                _kill(process)

    def backup_paths(self) -> list[str]:
        home = self._told.get("home")
        return [os.path.join(str(home), "memory")] if home else []

    def _ask(self, event: str, **values: str) -> str:
        """The text for the model, "" mostly and on any failure."""
        answer = _object(self._run(event, values, PROMPT_S))
        line = answer.get("systemMessage")
        if isinstance(line, str) and callable(self._status) and sys.stdout.isatty():
            with suppress(Exception):
                self._status(line)
        found = answer.get("hookSpecificOutput")
        text = found.get("additionalContext") if isinstance(found, dict) else ""
        return text if isinstance(text, str) else ""

    def _run(self, event: str, values: dict[str, Any], seconds: float) -> bytes:
        """What the hook printed. It has a process group of its own: after `seconds` all of it ends."""
        process = self._spawn(event, subprocess.PIPE)
        if process is None:
            return b""
        try:
            return process.communicate(self._payload(values), timeout=seconds)[0]
        except Exception:  # noqa: BLE001 - whatever it is, the person's turn goes on
            _kill(process)
            return b""

    def _start(self, event: str) -> None:
        """Nothing is waited for."""
        process = self._spawn(event, subprocess.DEVNULL)
        if process is not None and process.stdin is not None:
            self._running = [*(one for one in self._running if one.poll() is None), process]
            with suppress(Exception):
                process.stdin.write(self._payload({}))  # far less than a pipe holds
                process.stdin.close()
            process.stdin = None  # nothing more to say to it, also not at the end

    def _payload(self, values: dict[str, Any]) -> bytes:
        return json.dumps({**self._about, "session_id": self._session, **values}).encode()

    def _spawn(self, event: str, stdout: int) -> subprocess.Popen[bytes] | None:
        try:
            return subprocess.Popen(
                [str(self._told["hook"]), "hermes", event],
                stdin=subprocess.PIPE,
                stdout=stdout,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={**os.environ, "HERMES_HOME": self._about["config_home"]},
                start_new_session=True,
            )
        except Exception:  # noqa: BLE001 - no hook, no memory: nothing else may happen
            return None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """The hook and whatever it started in its group (its worker has one of its own)."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(Exception):
        process.wait(1)
    for stream in (process.stdin, process.stdout):
        with suppress(Exception):
            if stream is not None:
                stream.close()


def register(ctx: Any) -> None:
    """Hermes calls this when it loads the folder."""
    ctx.register_memory_provider(Scrubjay())


def _read(name: str) -> dict[str, Any]:
    """A file beside this one."""
    with suppress(Exception), open(os.path.join(HERE, name), "rb") as file:
        return _object(file.read())
    return {}


def _object(data: bytes) -> dict[str, Any]:
    with suppress(Exception):
        value = json.loads(data)
        return value if isinstance(value, dict) else {}
    return {}


def _cwd() -> str:
    """Where the session works: Hermes's own answer, which knows of the folder that a gateway was given."""
    with suppress(Exception):
        from agent.runtime_cwd import resolve_agent_cwd  # type: ignore[import-not-found, unused-ignore]

        return str(resolve_agent_cwd())
    with suppress(OSError):
        return os.getcwd()
    return "/"
