"""scrubjay as an extension of pi: one file below its folder (rules of 1.6.0 and 0.73.1; no setting is touched)."""

from __future__ import annotations

import os
from collections.abc import Mapping

from scrubjay.install import jsplugin


class Pi(jsplugin.JsPlugin):
    """See `Installer`."""

    name = "pi"
    title = "pi"
    events = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")

    def config_home(self, environ: Mapping[str, str], home_folder: str) -> str:
        """`PI_CODING_AGENT_DIR`, else `~/.pi/agent`."""
        chosen = environ.get("PI_CODING_AGENT_DIR") or os.path.join(home_folder, ".pi", "agent")
        if chosen == "~" or chosen.startswith("~/"):
            chosen = home_folder + chosen[1:]
        return os.path.abspath(chosen)

    def folder(self, environ: Mapping[str, str], home_folder: str) -> str:
        return os.path.join(self.config_home(environ, home_folder), "extensions")


INSTALLER = Pi()
