"""A change to somebody else's file: planned, shown, applied, taken back.

Nobody's file is written over when it changed since it was read. What is kept for taking a change back is the inverse
edit, never a copy of the file, which may hold keys. A symbolic link stays a link: its target is edited.
"""

from __future__ import annotations

import difflib
import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from scrubjay.errors import BadInput, Conflict, StoreUnavailable
from scrubjay.home import Home
from scrubjay.install import shim, state
from scrubjay.install.jsontext import apply as spliced
from scrubjay.install.state import Installed

MAX_SETTINGS_BYTES = 8 << 20
_BLANK_OBJECT = b"{} \t\r\n"
_SUPPOSED: ContextVar[dict[str, bytes | None] | None] = ContextVar("supposed", default=None)
"""Real path → what stands there as far as anybody asks; see `as_if`."""

_SECRET_MEMBER = re.compile(
    r'("[^"\n]*(?:key|token|secret|passw|auth|credential|cookie)[^"\n]*"\s*:\s*)"(?:[^"\\\n]|\\.)*"', re.IGNORECASE
)
_LONG_WORD = re.compile(r"(?<![\w/.-])(?=[\w+=-]*\d)[\w+=-]{24,}(?![\w/.-])")


@dataclass(frozen=True, kw_only=True, slots=True)
class FileChange:
    """One file before and after. `before` None: it is not there; `after` None: it will be removed."""

    agent: str
    path: str
    """As the agent knows it; when it is a symbolic link, its target is edited and the link stays."""
    before: bytes | None
    after: bytes | None
    entry: Installed
    """What is recorded when it is applied."""

    @property
    def diff(self) -> str:
        """Unified diff for people; what looks like a key is masked. "" when nothing changes."""
        return shown_diff(self.before or b"", self.after or b"", self.path)


@dataclass(frozen=True, kw_only=True, slots=True)
class Removed:
    """What taking our entries out of one file did."""

    path: str
    restored: bool
    """True: the bytes are those from before the installation (or the file is gone again, as before)."""
    changed_since: str
    """What others changed since the installation, as lines with `+` and `-`; "" when nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Obstacle:
    """Why entries of ours that are there do not do their work."""

    what: str
    remedy: str
    """The command or edit that mends it."""


class Unplanned:
    """What no `jay init` without its name finds or plans. The rest of `Installer` is the subclass's."""

    def found(self, home_folder: str, environ: Mapping[str, str]) -> list[str]:
        """See `Installer`."""
        del home_folder, environ
        return []

    def plan(
        self, home: Home, home_folder: str, environ: Mapping[str, str], *, trust: bool = False
    ) -> list[FileChange]:
        """See `Installer`."""
        del home, home_folder, environ, trust
        return []


class Installer(Protocol):
    """What scrubjay does to one agent's settings. `home_folder` is the person's; `environ` may move the agent's."""

    name: str
    title: str

    def found(self, home_folder: str, environ: Mapping[str, str]) -> list[str]:
        """Config homes that exist; [] when the agent is not here."""

    def plan(
        self, home: Home, home_folder: str, environ: Mapping[str, str], *, trust: bool = False
    ) -> list[FileChange]:
        """What installing would change, in this order; [] when everything is there. Nothing is written.

        `trust`: the person also said yes to what the agent asks before it runs a hook (Codex); no other agent asks.
        `BadInput` naming file and line for settings that the agent could not read either.
        """

    def uninstall(self, home: Home, *, dry_run: bool = False) -> list[Removed]:
        """Take our entries out of every file that we ever wrote to, and out of today's when the record is lost."""

    def obstacles(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle]:
        """What keeps entries that are there from doing their work, as far as files tell. Cheap: `jay status` asks too."""

    def commands(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[tuple[str, list[str]]]:
        """(event, argument vector) of each entry of ours, read from the settings and run as the agent would run it."""

    def ask(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle] | None:
        """What the agent itself says about our entries, where it can be asked without a session; None where not."""


def install(home: Home, changes: list[FileChange]) -> list[str]:
    """Write the shim and then the changes; the paths written."""
    shim.write(home)
    return apply(home, changes)


def apply(home: Home, changes: list[FileChange]) -> list[str]:
    """Write the changes and record how to take them back; the paths written. `Conflict` when a file changed meanwhile."""
    for change in changes:
        assert change.after is not None
        with state.recorded(home, change.entry):
            replace_bytes(change.path, change.before, change.after)
    return [change.path for change in changes]


def take_back(home: Home, entry: Installed, without_ours: bytes | None, *, dry_run: bool) -> Removed | None:
    """Undo one installation. `without_ours` is the file as it is now minus our entries, None when it holds none.

    Unchanged since: the recorded inverse edit, proven by the recorded hash. Else only our entries go. None: nothing to do.
    """
    now = read_bytes(entry.path)
    result, restored = without_ours, False
    if now is not None and state.digest(now) == entry.after:
        original = spliced(now.decode("utf-8"), entry.inverse).encode("utf-8")
        restored = (state.digest(original) if entry.before else "") == entry.before
        result = original if restored else without_ours
    if entry.at and not entry.before and result is not None and not result.translate(None, _BLANK_OBJECT):
        restored = True  # the file was made for us, and nobody has put anything into it
    changed = "" if restored or now is None or not entry.lines else changed_since(entry, now)
    if not dry_run:
        if now is not None and (restored or result is not None):
            replace_bytes(entry.path, now, None if restored and not entry.before else result)
        state.drop(home, entry.path, server=entry.server)
    elif now is not None and (restored or result is not None):
        _note(entry.path, None if restored and not entry.before else result)
    if now is None or (result is None and not restored):
        return None
    return Removed(path=entry.path, restored=restored, changed_since=changed)


@contextmanager
def as_if(changes: Sequence[FileChange] = ()) -> Iterator[None]:
    """Within it files read as if these changes, and what is taken out without being written, were made already: two of ours in
    one file are planned, and shown, one on top of the other."""
    token = _SUPPOSED.set({**(_SUPPOSED.get() or {}), **{os.path.realpath(one.path): one.after for one in changes}})
    try:
        yield
    finally:
        _SUPPOSED.reset(token)


def _note(path: str, data: bytes | None) -> None:
    supposed = _SUPPOSED.get()
    if supposed is not None:
        supposed[os.path.realpath(path)] = data


def read_bytes(path: str) -> bytes | None:
    """The file, None when there is none. `BadInput` for what is no plain file or far too large, `StoreUnavailable` for one
    that may not be read. Within `as_if`: as it would be."""
    supposed = _SUPPOSED.get()
    if supposed is not None and os.path.realpath(path) in supposed:
        return supposed[os.path.realpath(path)]
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_SETTINGS_BYTES:
            raise BadInput("not a settings file", at=path, hint="nothing was changed")
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StoreUnavailable(f"cannot read: {error.strerror}", at=path, hint="nothing was changed") from error


def replace_bytes(path: str, before: bytes | None, after: bytes | None) -> None:
    """Put `after` in the place of `before`: whole or not at all, mode and owner kept, through symbolic links.

    `Conflict` when the file is not `before` any more, `StoreUnavailable` when it is read-only or its folder is.
    """
    target = os.path.realpath(path)
    if read_bytes(target) != before:
        raise Conflict("the file changed while it was being edited", at=path, hint="nothing was written; do it again")
    try:
        mode = stat.S_IMODE(os.stat(target).st_mode) if before is not None else 0o600
        if not mode & 0o222:
            # Somebody wants it so (a generated or managed file); renaming over it would be possible, and wrong.
            raise StoreUnavailable(
                "the file is read-only",
                at=target,
                hint=f"allow writing (chmod u+w {target}) or add the change yourself",
            )
        if after is None:
            os.unlink(target)
        else:
            _write(target, after, mode, before is not None)
    except OSError as error:
        raise StoreUnavailable(f"cannot write: {error.strerror}", at=target, hint="nothing was changed") from error


def _write(target: str, data: bytes, mode: int, existed: bool) -> None:
    os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".scrubjay-", dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        if existed:
            owner = os.stat(target)
            with suppress(OSError):  # only root may give files away; the file is then ours anyway
                os.chown(temporary, owner.st_uid, owner.st_gid)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def shown_diff(before: bytes, after: bytes, path: str) -> str:
    """Unified diff with masked values."""
    old, new = _lines(before), _lines(after)
    return mask("\n".join(difflib.unified_diff(old, new, path, path, n=2, lineterm="")))


def changed_since(entry: Installed, now: bytes) -> str:
    """Lines that are not as we left them. Lines that went cannot be shown: no copy of them was kept."""
    matcher = difflib.SequenceMatcher(a=entry.lines, b=state.line_hashes(now), autojunk=False)
    lines, out = _lines(now), []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            continue
        if b > a:
            out.append(f"- {b - a} line{'s' if b - a > 1 else ''} that stood at line {a + 1}")
        out += [f"+ {line}" for line in lines[c:d]]
    return mask("\n".join(out))


def mask(text: str) -> str:
    """Hide values that look like keys: settings files hold them, and a diff is shown and logged."""
    return _LONG_WORD.sub("…", _SECRET_MEMBER.sub(r'\1"…"', text))


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").splitlines()
