"""Our hooks in a JSON file that holds a table `hooks` of events, in the layout that Claude Code began and others took over.

Edited as text: everything of others keeps its bytes, order and comments.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace

from scrubjay import clock
from scrubjay.errors import BadInput
from scrubjay.home import Home
from scrubjay.install import base, jsontext, state
from scrubjay.install.base import FileChange
from scrubjay.install.jsontext import Node, Splice, Style
from scrubjay.install.state import Installed

Handler = dict[str, object]
Group = dict[str, object]


@dataclass(frozen=True, kw_only=True)
class HookFile:
    """One agent's hooks in one file."""

    agent: str
    timeouts: Mapping[str, int]
    """Event that we listen to → seconds."""
    by_shell: bool
    """The agent runs `command` through a shell; else it takes a program in `command` and its arguments in `args`."""
    comments: bool = False
    """The agent allows `//` and `/* */` in the file."""

    def group(self, home: Home, event: str) -> Group:
        """Our entry for one event."""
        return {"hooks": [self.handler(home, event)]}

    def handler(self, home: Home, event: str) -> Handler:
        """What stands inside it."""
        timeout = self.timeouts[event]
        if self.by_shell:
            command = f"{shlex.quote(home.shim)} {self.agent} {event}"
            return {"type": "command", "command": command, "timeout": timeout}
        return {"type": "command", "command": home.shim, "args": [self.agent, event], "timeout": timeout}

    def read(self, path: str) -> tuple[bytes | None, dict[str, object]]:
        """The file's bytes and its value, {} for one that is missing or blank. `BadInput` when the agent cannot read it."""
        now = base.read_bytes(path)
        return now, self.value(now or b"", path)

    def value(self, data: bytes, path: str) -> dict[str, object]:
        """The value of the file, checked as far as we touch it."""
        body = self._body(text_of(data, path))[1]
        if not body.strip():
            return {}
        settings = jsontext.load(body, path=path)
        self._check(settings, body, path)
        assert isinstance(settings, dict)
        return settings

    def plan(self, home: Home, path: str) -> FileChange | None:
        """What putting our entries into the file changes; None when each event has exactly ours, once."""
        now, settings = self.read(path)
        return None if settings and self._whole(home, settings) else self._change(home, path, now)

    def ours(self, settings: Mapping[str, object], shims: set[str]) -> list[tuple[str, int, int, Handler]]:
        """(event, position of the group, position of the handler, handler) of each entry that calls one of these shims."""
        found: list[tuple[str, int, int, Handler]] = []
        hooks = settings.get("hooks")
        for event, groups in hooks.items() if isinstance(hooks, dict) else ():
            for at, group in enumerate(groups if isinstance(groups, list) else ()):
                handlers = group.get("hooks") if isinstance(group, dict) else None
                for number, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                    if self._is_ours(handler, shims):
                        found.append((event, at, number, handler))
        return found

    def other_homes(self, settings: Mapping[str, object], home: Home) -> list[str]:
        """Shims of other scrubjay homes that the file calls too."""
        hooks = settings.get("hooks")
        groups = (
            [one for rows in hooks.values() if isinstance(rows, list) for one in rows]
            if isinstance(hooks, dict)
            else []
        )
        handlers = [one for group in groups if isinstance(group, dict) for one in group.get("hooks") or []]
        calls = [call_of(one) for one in handlers]
        return sorted(
            {call[0] for call in calls if call[1:2] == [self.agent] and call[0].endswith("/bin/hook")} - {home.shim}
        )

    def without(self, now: bytes, entry: Installed, home: Home) -> bytes | None:
        """The file minus our entries, minus containers that we brought and that are empty now; None: none of ours there."""
        text = text_of(now, entry.path)
        start, body = self._body(text)
        if not body.strip():
            return None
        settings = jsontext.load(body, path=entry.path)
        root = jsontext.scan(body)
        hooks = root.get("hooks") if isinstance(settings, dict) else None
        if hooks is None or hooks.kind != "object":
            return None
        splices, emptied, touched = [], [], False
        for position, (event, array) in enumerate(zip(hooks.keys, hooks.items, strict=True)):
            gone, inner = self._ours_in(body, array, {entry.command, home.shim})
            touched = touched or bool(gone or inner)
            brought = not entry.at or f"hooks.{event}" in entry.created or "hooks" in entry.created
            if gone and len(gone) == len(array.items) and brought:
                emptied.append(position)
            else:
                splices += inner + jsontext.without(array, gone, text[start:])
        if not touched:
            return None
        if len(emptied) == len(hooks.items) and (not entry.at or "hooks" in entry.created):
            splices = jsontext.without(root, [len(root.keys) - 1 - root.keys[::-1].index("hooks")], text[start:])
        else:
            splices += jsontext.without(hooks, emptied, text[start:])
        return (text[:start] + jsontext.apply(text[start:], splices)).encode("utf-8")

    def _body(self, text: str) -> tuple[int, str]:
        """Where the JSON begins, and the JSON with comments blanked, so that every place is that in `text`."""
        start = len(text) - len(text.removeprefix("\ufeff"))
        return start, jsontext.blanked(text[start:]) if self.comments else text[start:]

    def _whole(self, home: Home, settings: Mapping[str, object]) -> bool:
        hooks = settings.get("hooks", {})
        assert isinstance(hooks, dict)
        for event in hooks.keys() | self.timeouts.keys():
            ours = [
                {key: value for key, value in group.items() if key != "hooks"} | {"hooks": [handler]}
                for group in hooks.get(event, [])
                if isinstance(group, dict) and isinstance(group.get("hooks"), list)
                for handler in group["hooks"]
                if self._is_ours(handler, {home.shim})
            ]
            if ours != ([self.group(home, event)] if event in self.timeouts else []):
                return False
        return True

    def _check(self, settings: object, body: str, path: str) -> None:
        """`BadInput` for a shape that the agent would not take."""
        hint = "nothing was changed"
        if not isinstance(settings, dict):
            raise BadInput("the settings are no JSON object", at=f"{path}, line 1", hint=hint)
        hooks = settings.get("hooks", {})
        node = jsontext.scan(body).get("hooks")
        line = body.count("\n", 0, node.start) + 1 if node else 1
        if not isinstance(hooks, dict):
            raise BadInput("`hooks` is no JSON object", at=f"{path}, line {line}", hint=hint)
        for event in self.timeouts:
            if not isinstance(hooks.get(event, []), list):
                raise BadInput(f"`hooks.{event}` is no JSON array", at=f"{path}, line {line}", hint=hint)

    def _is_ours(self, handler: object, shims: set[str]) -> bool:
        call = call_of(handler)
        return call[1:2] == [self.agent] and call[0] in shims

    def _change(self, home: Home, path: str, now: bytes | None) -> FileChange:
        """Our entries on top of what others have there; older entries of ours go first."""
        entry = next((one for one in state.installed(home) if one.path == path), None)
        entry = entry or Installed(agent=self.agent, path=path, at="", events=(), command=home.shim)
        before = now
        created: tuple[str, ...] = ()
        if now is not None and now.strip():
            if entry.at and state.digest(now) == entry.after:
                before = jsontext.apply(text_of(now, path), entry.inverse).encode() if entry.before else None
            else:
                before = self.without(now, entry, home) or now
                created = entry.created
        text = (before or b"").decode("utf-8")
        splices, made = self._additions(home, text)
        after = jsontext.apply(text, splices)
        data = after.encode("utf-8")
        new = replace(
            entry,
            at=clock.text(clock.now()),
            events=tuple(self.timeouts),
            command=home.shim,
            before=state.digest(before) if before is not None else "",
            after=state.digest(data),
            inverse=tuple(jsontext.inverse(text, splices)),
            created=tuple(dict.fromkeys((*created, *made))),
            lines=state.line_hashes(data),
        )
        return FileChange(agent=self.agent, path=path, before=now, after=data, entry=new)

    def _additions(self, home: Home, text: str) -> tuple[list[Splice], list[str]]:
        """Where our entries go in `text`, and which containers they bring with them."""
        everything = {event: [self.group(home, event)] for event in self.timeouts}
        start, body = self._body(text)
        if not body.strip():
            whole = json.dumps({"hooks": everything}, ensure_ascii=False, indent=2) + "\n"
            if not text[start:].strip():
                return [Splice(start=start, end=len(text), new=whole)], ["hooks"]
            between = "" if text.endswith("\n") else "\n"  # below a comment that stands alone
            return [Splice(start=len(text), end=len(text), new=between + whole)], ["hooks"]
        root = jsontext.scan(body)
        style = Style.of(body, root)
        hooks = root.get("hooks")
        if hooks is None:
            member = f'"hooks":{"" if style.compact else " "}' + style.dump(everything, 1)
            splices, made = [jsontext.append(body, root, member, style=style, depth=0)], ["hooks"]
        else:
            splices, made = self._into(home, body, hooks, style)
        splices = [replace(one, start=one.start + start, end=one.end + start) for one in splices]
        # what is blank in the body may be a comment in the text, and stays
        return [replace(one, start=one.end) if text[one.start : one.end].strip() else one for one in splices], made

    def _into(self, home: Home, body: str, hooks: Node, style: Style) -> tuple[list[Splice], list[str]]:
        splices, members, made = [], [], []
        for event in self.timeouts:
            array = hooks.get(event)
            if array is None:
                members.append(f'"{event}":{"" if style.compact else " "}' + style.dump([self.group(home, event)], 2))
                made.append(f"hooks.{event}")
            else:
                member = style.dump(self.group(home, event), 3)
                splices.append(jsontext.append(body, array, member, style=style, depth=2))
        if members:
            between = "," if style.compact else "," + style.newline + style.unit * 2
            splices.append(jsontext.append(body, hooks, between.join(members), style=style, depth=1))
        return splices, made

    def _ours_in(self, body: str, array: Node, shims: set[str]) -> tuple[list[int], list[Splice]]:
        """Positions of groups that hold nothing but ours, and the edits to groups that hold others' handlers too."""
        gone: list[int] = []
        inner: list[Splice] = []
        for position, group in enumerate(array.items):
            handlers = group.get("hooks") if group.kind == "object" else None
            if handlers is None or handlers.kind != "array":
                continue
            ours = [
                number
                for number, handler in enumerate(handlers.items)
                if self._is_ours(json.loads(body[handler.start : handler.end]), shims)
            ]
            if ours and len(ours) == len(handlers.items):
                gone.append(position)
            elif ours:
                inner += jsontext.without(handlers, ours)
        return gone, inner


def call_of(handler: object) -> list[str]:
    """Program and arguments of a handler, whichever way it names them; [""] when it runs no command."""
    if not isinstance(handler, dict) or not isinstance(handler.get("command"), str):
        return [""]
    arguments = handler.get("args")
    if isinstance(arguments, list):
        return [handler["command"], *map(str, arguments)]
    try:
        return shlex.split(handler["command"]) or [""]
    except ValueError:
        return [""]


def text_of(data: bytes, path: str) -> str:
    """The text of a settings file. `BadInput` when it is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadInput("not UTF-8", at=f"{path}, line {line}", hint="nothing was changed") from None
