"""scrubjay as a plugin of OpenCode: one file below its configuration folder (rules of 1.18.33; no setting is touched)."""

from __future__ import annotations

import os
from collections.abc import Mapping

from scrubjay.install import jsplugin


class OpenCode(jsplugin.JsPlugin):
    """See `Installer`."""

    name = "opencode"
    title = "OpenCode"
    events = ("SessionStart", "UserPromptSubmit", "Stop")

    def config_home(self, environ: Mapping[str, str], home_folder: str) -> str:
        """`$XDG_CONFIG_HOME/opencode`, else `~/.config/opencode`: `OPENCODE_CONFIG_DIR` only adds a folder."""
        config = environ.get("XDG_CONFIG_HOME") or os.path.join(home_folder, ".config")
        return os.path.join(os.path.abspath(config), "opencode")

    def folder(self, environ: Mapping[str, str], home_folder: str) -> str:
        """`plugin`; the client looks into `plugins` too."""
        return os.path.join(self.config_home(environ, home_folder), "plugin")


INSTALLER = OpenCode()
