"""The person's editor ($VISUAL, $EDITOR), on a private copy: nothing half-typed is ever read as a memory."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile

from scrubjay import redact
from scrubjay.cli.output import failed, stdout
from scrubjay.cli.question import agreed
from scrubjay.errors import BadInput, ScrubjayError


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


def offer_again(text: str, error: ScrubjayError) -> bool:
    """After a refusal: True when the person wants the editor on their words again. Without a terminal to ask on, the words
    go to a private temporary file that the error's hint names; never when they hold a secret."""
    if stdout.is_terminal and os.isatty(0):
        failed(error, json=False)
        return agreed("\nEdit again?", default=True)
    if redact.is_clean(text):
        descriptor, path = tempfile.mkstemp(prefix="jay-edit-", suffix=".md")
        with open(descriptor, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)
        error.hint = f"what you typed is in {path}" + (f"; {error.hint}" if error.hint else "")
    return False
