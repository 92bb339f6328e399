"""The person's editor ($VISUAL, $EDITOR), on a private copy: nothing half-typed is ever read as a memory."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile

from scrubjay.errors import BadInput


def edited(text: str, *, suffix: str) -> str:
    """`text` as the person left it. Raises `BadInput` when the editor cannot be run or ends with an error."""
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "memory" + suffix)
        with open(os.open(copy, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="utf-8", newline="") as file:
            file.write(text)
        try:
            subprocess.run([*editor, copy], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            hint = "set $EDITOR; nothing was changed"
            raise BadInput(f"the editor failed: {editor[0]!r}", hint=hint) from error
        with open(copy, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()
