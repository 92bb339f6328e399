"""OpenProgram's topics: paragraphs below `memory/topics/` that end in a block id and cite dated footnotes."""

from __future__ import annotations

import glob
import os
import re

from scrubjay.agents import files
from scrubjay.importing.base import Ask, Found, Trouble
from scrubjay.importing.text import Text, items, markdown_below

_DEFINITION = re.compile(
    r"^\[\^(?P<id>[A-Za-z0-9-]+)\]:[ \t]*(?:Time:[ \t]*`?(?P<time>\d{4}(?:-\d\d){0,2}|undated)`?)?.*$", re.MULTILINE
)
_CITATION = re.compile(r"\s*\[\^([A-Za-z0-9-]+)\]")
_BLOCK_ID = re.compile(r"(?:\s+\^[A-Za-z0-9-]+)+\s*$")
_LINK = re.compile(r"\[([^\]]+)\]\([^)\s]*\.md#\^[A-Za-z0-9-]+\)")


class OpenProgram:
    """See `Importer`."""

    name = "openprogram"
    title = "OpenProgram"

    def read(self, ask: Ask) -> Found:
        """See `Importer`. Of each profile; what is derived from the topics is left."""
        found = Found()
        profiles = sorted(glob.glob(os.path.join(glob.escape(ask.home), ".openprogram-*")))
        for state in files.existing([os.path.join(ask.home, ".openprogram"), *profiles]):
            for text in markdown_below(os.path.join(state, "memory", "topics"), found):
                _topic(text, found)
        return found


def _topic(text: Text, found: Found) -> None:
    times = {match["id"]: match["time"] or "" for match in _DEFINITION.finditer(text.text)}
    lines = _DEFINITION.sub("", text.text).split("\n")
    for item in items(lines):
        if not _BLOCK_ID.search(item.text):
            found.troubles.append(Trouble(path=text.path, line=item.line, what="a paragraph without a block id"))
            continue
        cited = _CITATION.findall(item.text)
        body = _LINK.sub(r"\1", _CITATION.sub("", _BLOCK_ID.sub("", item.text))).strip()
        if missing := [one for one in cited if one not in times]:
            found.troubles.append(
                Trouble(path=text.path, line=item.line, what=f"cites footnote {missing[0]!r}, which is not there")
            )
            continue
        dated = [times[one] for one in cited if times[one] not in ("", "undated")]
        newest = max(dated, default="")
        if body:
            found.notes.append(
                text.note(
                    item.line,
                    body,
                    aliases=(item.section,) if item.section else (),
                    observed=newest if len(newest) == 10 else "",
                )
            )


IMPORTER = OpenProgram()
