"""Asking Codex itself which hooks it sees: `codex app-server`, JSON-RPC over standard input and output (0.171.0)."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from scrubjay.install import jsonrpc

SECONDS = 10
"""It answers within one; a machine that takes longer is not asked."""

_INITIALISE = {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "scrubjay", "version": "1"}}}
_INITIALISED = {"method": "initialized"}


def hooks(folder: str, environ: Mapping[str, str]) -> list[dict[str, Any]] | None:
    """Every hook that a session in `folder` would have, as `hooks/list` names them; None when there is no `codex` to ask, or
    it does not know the question."""
    program = shutil.which("codex", path=environ.get("PATH"))
    if program is None:
        return None
    question = {"id": jsonrpc.QUESTION, "method": "hooks/list", "params": {"cwds": [folder]}}
    said = jsonrpc.ask(
        [program, "app-server"], [_INITIALISE, _INITIALISED, question],
        cwd=folder, env={**environ, "SCRUBJAY_INSIDE": "1"}, seconds=SECONDS,
    )  # fmt: skip
    with suppress(LookupError, TypeError):
        return [one for row in said["result"]["data"] for one in row["hooks"]] if said is not None else None
    return None
