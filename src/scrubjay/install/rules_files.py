"""A block of memories in a rules file, for agents that only read such files. On request only: `jay init --rules`.

The block stands between markers, is made anew after every change to the memories, and goes with `jay uninstall`. Where its
markers are gone it is not put back.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from scrubjay import clock, settings
from scrubjay.errors import BadInput, ScrubjayError
from scrubjay.home import Home, user_home
from scrubjay.install import base, jsontext, rules_block, state
from scrubjay.install.base import FileChange, Obstacle, Removed, Unplanned
from scrubjay.install.jsonhooks import text_of
from scrubjay.install.jsontext import Splice
from scrubjay.install.rules_block import BEGIN, END, Whose
from scrubjay.install.state import Installed

NAME = "rules-files"
MIN_ROOM_BYTES = 400
"""Below this a block says nothing of use."""
ALWAYS = "---\nalwaysApply: true\n---\n\n"
"""Cursor reads a rule on every request only with this before it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """Where an agent reads the person's own rules, for every project. From the documentation of each, November 2026."""

    title: str
    path: str
    """Below the person's home folder; "" where there is no such file."""
    folder: str = ""
    """Is there once the agent ran."""
    repository: str = ""
    """What it reads in a repository."""


KNOWN = {
    "agents-md": Known(title="AGENTS.md", path=".agents/AGENTS.md", repository="AGENTS.md"),
    "aider": Known(title="Aider", path="", repository="CONVENTIONS.md (named by `read:` in .aider.conf.yml)"),
    "cline": Known(title="Cline", path="Documents/Cline/Rules/scrubjay.md", folder="Documents/Cline",
                   repository=".clinerules/scrubjay.md"),
    "copilot-cli": Known(title="Copilot CLI", path=".copilot/copilot-instructions.md", folder=".copilot",
                         repository=".github/copilot-instructions.md"),
    "cursor": Known(title="Cursor", path="", repository=".cursor/rules/scrubjay.mdc"),
    "goose": Known(title="Goose", path=".config/goose/.goosehints", folder=".config/goose", repository=".goosehints"),
    "windsurf": Known(title="Windsurf", path=".codeium/windsurf/memories/global_rules.md", folder=".codeium/windsurf",
                      repository=".windsurf/rules/scrubjay.md"),
}  # fmt: skip
MAX_BYTES = {"global_rules.md": 6_000, ".windsurf/rules": 12_000}
"""End of a file's path, or of its folder's → what the client takes of the whole file: characters, counted as bytes here."""


def here(home_folder: str) -> list[str]:
    """Names of those that seem to be used on this machine and have a file for the person's own rules."""
    return [name for name, one in KNOWN.items() if one.folder and os.path.isdir(os.path.join(home_folder, one.folder))]


def plan(home: Home, wanted: Sequence[str], home_folder: str) -> list[FileChange]:
    """What putting the block into these files changes: names of `KNOWN`, or paths. `BadInput` for what is neither."""
    changes = []
    for one in dict.fromkeys(wanted):
        path, whose = _target(home, one, home_folder)
        now = base.read_bytes(path)
        entry = next((row for row in state.installed(home) if row.path == path), None)
        if entry is None:
            created = (whose, *_missing(os.path.dirname(path)))
            entry = Installed(agent=NAME, path=path, at="", events=(), command=home.shim, created=created)
        change = _change(home, entry, now, add=True)
        if change is not None:
            changes.append(change)
    return changes


def write(home: Home, planned: list[FileChange]) -> None:
    """Write what was planned, then bring every block up to what is remembered by now."""
    if planned:
        base.install(home, planned)
    regenerate(home)


def regenerate(home: Home) -> list[str]:
    """Bring every block up to date; the paths written. A file that cannot be read or written now is passed over: `obstacles`
    names it."""
    written = []
    for entry in _rows(home):
        with suppress(ScrubjayError):
            if _whose(entry) == "project":
                _stays_inside(entry.path, user_home())
            now = base.read_bytes(entry.path)
            change = _change(home, entry, now, add=False) if now is not None else None
            if change is not None:
                written += base.apply(home, [change])
    return written


class RulesFiles(Unplanned):
    """See `Installer`. Nothing is planned for it unless it is asked for by name: `plan` of this module."""

    name = NAME
    title = "rules files"

    def uninstall(self, home: Home, *, dry_run: bool = False) -> list[Removed]:
        """See `Installer`."""
        removed = []
        rows = _rows(home)
        known = {row.path for row in rows}
        lost = [os.path.join(user_home(), one.path) for one in KNOWN.values() if one.path]
        rows += [Installed(agent=NAME, path=path, at="", events=()) for path in lost if path not in known]
        for entry in rows:
            now = base.read_bytes(entry.path)
            left = None if now is None else _without(text_of(now, entry.path))
            done = base.take_back(home, entry, None if left is None else left.encode(), dry_run=dry_run)
            if done is not None:
                removed.append(done)
            if not dry_run and not os.path.lexists(entry.path):
                for folder in entry.created[1:]:
                    with suppress(OSError):
                        os.rmdir(folder)
        return removed

    def obstacles(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle]:
        """See `Installer`."""
        del environ
        found = []
        for entry in _rows(home):
            try:
                if _whose(entry) == "project":
                    _stays_inside(entry.path, home_folder)
                now = base.read_bytes(entry.path)
                there = now is not None and _span(text_of(now, entry.path)) is not None
            except ScrubjayError as error:
                found.append(Obstacle(what=f"{error.what} ({entry.path})", remedy=error.hint))
                continue
            if not there:
                remedy = f"jay init --rules {entry.path}, or jay uninstall {NAME}"
                found.append(Obstacle(what=f"our block is gone from {entry.path}", remedy=remedy))
        return found

    def commands(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[tuple[str, list[str]]]:
        """See `Installer`."""
        del home, home_folder, environ
        return []

    def ask(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle] | None:
        """See `Installer`."""
        del home, home_folder, environ
        return None


def _rows(home: Home) -> list[Installed]:
    return [one for one in state.installed(home) if one.agent == NAME]


def _target(home: Home, wanted: str, home_folder: str) -> tuple[str, Whose]:
    """The file, and whose memories it holds."""
    known = KNOWN.get(wanted)
    if known is not None:
        if not known.path:
            what = f"{known.title} has no rules file of the person's own"
            raise BadInput(what, at="--rules", hint=f"name one: --rules {known.repository}")
        if known.folder and not os.path.isdir(os.path.join(home_folder, known.folder)):
            raise BadInput(f"{known.title} was never started here", at="--rules", hint="start it once, then again")
        return os.path.join(home_folder, known.path), "user"
    name = os.path.basename(wanted)
    if "/" not in wanted and not name.endswith((".md", ".mdc")) and not name.startswith("."):
        hint = f"names: {', '.join(KNOWN)}; or the path of a file"
        raise BadInput(f"no rules file is called {wanted!r}", at="--rules", hint=hint)
    path = os.path.abspath(os.path.expanduser(wanted))
    own = [os.path.join(home_folder, one.path) for one in KNOWN.values() if one.path]
    if path not in own:
        _stays_inside(path, home_folder)
    if os.path.realpath(path) in map(os.path.realpath, own):
        return path, "user"
    folder = os.path.dirname(os.path.realpath(path))
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return path, rules_block.whose(home, folder, home_folder)


def _whose(entry: Installed) -> Whose:
    return "project" if entry.created[:1] == ("project",) else "user"


def _stays_inside(path: str, home_folder: str) -> None:
    """`BadInput` when a link leads from a repository out of its work tree: a clone must not choose where we write."""
    folder = os.path.dirname(path)
    while not os.path.lexists(os.path.join(folder, ".git")):
        if folder == os.path.dirname(folder):
            return
        folder = os.path.dirname(folder)
    root, target = os.path.realpath(folder), os.path.realpath(path)
    if root == os.path.realpath(home_folder):  # dot files kept in git: the person's own
        return
    if os.path.commonpath([root, target]) != root or ".git" in os.path.relpath(target, root).split(os.sep):
        raise BadInput("a link leads out of the repository", at=path, hint=f"name the file itself: --rules {target}")


def _change(home: Home, entry: Installed, now: bytes | None, *, add: bool) -> FileChange | None:
    """The file with today's block; None when it has it, or (without `add`) when the markers are gone."""
    text = text_of(now or b"", entry.path)
    span = _span(text)
    if span is None and not add:
        return None
    whose = _whose(entry)
    base_text, start, lead = _apart(entry, now, text)
    room = _room(home, entry.path, base_text)
    block = rules_block.block(home, whose, _folder(entry.path), room) if room >= MIN_ROOM_BYTES else ""
    if not block:
        raise BadInput("the file has no room for a block", at=entry.path, hint="shorten what else it holds")
    if "\r\n" in base_text:
        block = block.replace("\n", "\r\n")
    splice = Splice(start=start, end=start, new=lead + block)
    after = jsontext.apply(base_text, [splice])
    data = after.encode()
    if data == now:
        return None
    existed = now is not None and not (entry.at and not entry.before and base_text.strip() == "")
    new = replace(
        entry,
        at=entry.at or clock.text(clock.now()),
        before=state.digest(base_text.encode()) if existed else "",
        after=state.digest(data),
        inverse=tuple(jsontext.inverse(base_text, [splice])),
        lines=state.line_hashes(data),
    )
    return FileChange(agent=NAME, path=entry.path, before=now, after=data, entry=new)


def _apart(entry: Installed, now: bytes | None, text: str) -> tuple[str, int, str]:
    """The file without us, where the block goes in it, and what stands between the two: by the recorded edit when nobody
    changed the file since, else by the markers, else at the end."""
    span = _span(text)
    if span is None:
        return text, len(text), _gap(text, entry.path)
    unchanged = now is not None and entry.inverse and state.digest(now) == entry.after
    start = entry.inverse[0].start if unchanged else _before(text, span[0])
    return text[:start] + text[span[1] :], start, text[start : span[0]]


def _without(text: str) -> str | None:
    """The text minus the block and the empty line before it; None: no block there."""
    span = _span(text)
    return None if span is None else text[: _before(text, span[0])] + text[span[1] :]


def _before(text: str, start: int) -> int:
    """Where the empty line begins that stands before the block."""
    for newline in ("\r\n", "\n"):
        if text[:start].endswith(newline * 2):
            return start - len(newline)
    return start


def _span(text: str) -> tuple[int, int] | None:
    """From the beginning of the first marker's line to behind the last one's; None when they are not both there, in order."""
    start = text.find(BEGIN)
    end = text.find(END, start)
    if start < 0 or end < 0:
        return None
    end += len(END)
    end += 2 if text[end : end + 2] == "\r\n" else 1 if text[end : end + 1] == "\n" else 0
    return start, end


def _gap(text: str, path: str) -> str:
    """What stands between what the file held and the block."""
    if not text:
        return ALWAYS if path.endswith(".mdc") else ""
    newline = "\r\n" if "\r\n" in text else "\n"
    return newline if text.endswith("\n") else newline * 2


def _room(home: Home, path: str, others: str) -> int:
    """Bytes for the block: our own limit, and what the client's leaves beside what others wrote."""
    own = settings.load(home.config).number("resident.max_chars")
    limits = [most for end, most in MAX_BYTES.items() if path.endswith(end) or os.path.dirname(path).endswith(end)]
    left = min(limits, default=own + len(others.encode()) + 8) - len(others.encode()) - 8
    return min(own, left)


def _folder(path: str) -> str:
    return os.path.dirname(os.path.realpath(path))


def _missing(folder: str) -> Iterator[str]:
    """Folders on the way to this one that are not there, the innermost first."""
    while folder and not os.path.lexists(folder):
        yield folder
        folder = os.path.dirname(folder)


INSTALLER = RulesFiles()
