"""One chat file of Gemini CLI, line by line (to 0.61): a list of messages that later lines add to, cut or replace.

A line is a header, a message, `{"$set": …}` or `{"$rewindTo": id}`. A message's id may come again: the last record counts for
what it says, the first for when it was said, since a resume writes all of the history anew with its own time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from scrubjay.agents.base import Json, state_text
from scrubjay.agents.gemini_cli import prompts
from scrubjay.agents.graph import NONE
from scrubjay.agents.jsonl import Record, array, objects, second, string, table
from scrubjay.agents.reading import About, Book, Draft, FileParser, NeedWhole
from scrubjay.session import Origin

_SILENT = re.compile(rb'\{"\$set":\{"lastUpdated":"[^"\\]{1,40}"\}\}\s*')
_NOTICES = frozenset(("info", "error", "warning"))
_EXTERNAL_TOOLS = ("web_fetch", "google_web_search", "mcp_")
_SHELL_TOOL = "run_shell_command"
_FILE_ARGUMENTS = ("file_path", "absolute_path", "path", "dir_path")
_MEMORY_PATH = re.compile(r"/\.gemini/(?:GEMINI\.md$|tmp/[^/]+/memory/)")
_RESPONSE = "_response"
"""A tool's result that a resume writes a second time has the id of the call's message with this behind it."""
_MAX_RECENT = 200
_MAX_OUTPUT = 4_000


class GeminiParser(FileParser):
    """See the module. `typed`: ids of sessions whose prompts were typed at a terminal."""

    def __init__(self, book: Book, state: Mapping[str, Json], typed: frozenset[str]) -> None:
        super().__init__(book)
        self._about = About(
            id=state_text(state, "id"),
            cwd=state_text(state, "cwd"),
            title=state_text(state, "title"),
            sub_agent=state.get("sub") is True,
        )
        self._typed = typed
        self._spoken, self._machine = state.get("spoken") is True, state.get("machine") is True
        external = state.get("external")
        self._external: dict[str, None] = dict.fromkeys(map(str, external)) if isinstance(external, list) else {}
        self._summary = state_text(state, "summary")
        """Id of the newest summary of a compression."""
        self._recent: dict[str, tuple[int, Draft | None]] = {}
        self._prompts: list[int] = []
        """Nodes of the prompts that the client's own list still holds."""

    def state(self) -> dict[str, Json]:
        about = self._about
        return {
            "id": about.id,
            "cwd": about.cwd,
            "title": about.title,
            "sub": about.sub_agent,
            "spoken": self._spoken,
            "machine": self._machine,
            "external": list(self._external),
            "summary": self._summary,
        }

    def about(self) -> About:
        self._about.headless = self._machine and not self._spoken
        return self._about

    def boundary(self) -> None:
        self._recent.clear()

    def line(self, line: bytes) -> None:
        if _SILENT.fullmatch(line):
            self.count(known=True)
            return
        for record in self.records(line):
            self.take(record)

    def take(self, record: Record) -> None:
        """One record."""
        changed = table(record, "$set")
        if isinstance(record.get("$rewindTo"), str):
            self.count(known=True)
            self._rewind(string(record, "$rewindTo"))
        elif changed:
            self.count(known=True)
            self._header(changed)
            if isinstance(changed.get("messages"), list):
                self._replace(objects(changed, "messages"))
        elif string(record, "id") and "type" in record:
            self._message(record)
        elif string(record, "sessionId"):
            self.count(known=True)
            self._header(record)
        else:
            self._strange(string(record, "type"))

    def _strange(self, kind: str) -> None:
        self.count(known=False)
        self.book.skip(f"unknown_records:{kind[:40]}")

    def _header(self, record: Record) -> None:
        about = self._about
        about.id = string(record, "sessionId") or about.id
        about.title = string(record, "summary")[:200] or about.title
        about.sub_agent = about.sub_agent or record.get("kind") == "subagent"
        folders = [path for path in array(record, "directories") if isinstance(path, str) and path.startswith("/")]
        about.cwd = about.cwd or (folders[0] if folders else "")

    # The list of messages.

    def _rewind(self, uid: str) -> None:
        """That message and all after it are gone. An id that the client does not find takes everything."""
        graph = self.book.graph
        index = graph.find(uid)
        if index == NONE and not self.book.whole:
            raise NeedWhole
        parent = 0 if index == NONE else max(graph.parent(index), 0)
        graph.step_back(parent)
        self.book.leaf = parent
        self._prompts = [prompt for prompt in self._prompts if NONE < prompt < index]
        self._recent.clear()

    def _replace(self, messages: list[Record]) -> None:
        """The list as the client has it now: a resume's copy, what a rewind left, or a summary in place of a beginning."""
        graph = self.book.graph
        listed = [one for one in messages if string(one, "id") and not self._context(one)]
        known = [graph.find(string(one, "id")) for one in listed]
        new = [place for place, index in enumerate(known) if index == NONE]
        summary = next((place for place in new if prompts.is_summary(listed[place])), NONE)
        if summary != NONE and string(listed[summary], "id") == self._summary:
            summary = NONE  # of an earlier compression, before the place where this read began
        there = set(known)
        last = max(there, default=NONE)
        # A prompt that failed is taken from the end of the list, a compression takes from its beginning.
        missing = [prompt for prompt in self._prompts if prompt not in there]
        summed_up = summary != NONE or any(prompt < last or (last == NONE and new) for prompt in missing)
        if not self.book.whole:
            first = next((place for place, index in enumerate(known) if index != NONE), NONE)
            if listed and summary == NONE and (first == NONE or summed_up):
                raise NeedWhole  # all of it may lie before the place where this read began
            # What is listed before that place is no news, save a summary and the word that takes note of it.
            new = [place for place in new if (summary <= place <= summary + 1 if summed_up else place > first)]
        if summed_up:
            self.book.compaction()
            self._prompts = [prompt for prompt in self._prompts if prompt in there]
            self._summary = string(listed[summary], "id") if summary != NONE else self._summary
        for place in new:
            self._message(listed[place], client=summed_up)

    def _message(self, record: Record, *, client: bool = False) -> None:
        """`client`: no person said it, whatever it says."""
        kind, uid = string(record, "type"), string(record, "id")
        if kind in _NOTICES or (kind == "user" and self._context(record)):
            self.count(known=True)
            return
        if kind not in ("user", "gemini"):
            self._strange(kind)
            return
        self.count(known=True)
        if self.book.graph.near(uid) != NONE:
            self._again(uid, record)
        elif kind == "gemini":
            self._answer(uid, record, client=client)
        elif any("functionResponse" in part for part in prompts.parts_of(record)):
            if not (uid.endswith(_RESPONSE) and self.book.graph.near(uid.removesuffix(_RESPONSE)) != NONE):
                self._result(uid, record)
        else:
            self._user(uid, record, client=client)

    def _context(self, record: Record) -> bool:
        if not prompts.is_context(record):
            return False
        self._about.cwd = self._about.cwd or prompts.folder_of(record)
        return True

    def _node(self, uid: str) -> int:
        index = self.book.node(uid, None, attach=True)
        if index != NONE:
            self.book.leaf = index
        return index

    # Messages.

    def _user(self, uid: str, record: Record, *, client: bool) -> None:
        book, about = self.book, self._about
        text, pulled = prompts.words_of(record)
        origin: Origin = "harness"
        if (text or pulled) and not client and not about.sub_agent:
            origin = "user" if about.id in self._typed else "machine"
            book.turn_begins(self.state())
            self._spoken, self._machine = self._spoken or origin == "user", self._machine or origin == "machine"
        index = self._node(uid)
        if index == NONE:
            return
        draft = book.message(index, "user", origin, at=second(string(record, "timestamp")), cwd=about.cwd)
        if origin == "harness":
            book.add_text(draft, prompts.text_of(record))
            return
        self._prompts.append(index)
        for part in pulled:
            book.add_pasted(draft, part)
        book.add_text(draft, text)

    def _answer(self, uid: str, record: Record, *, client: bool) -> None:
        index = self._node(uid)
        if index == NONE:
            return
        if len(self._recent) >= _MAX_RECENT:
            self._recent.clear()
        self._recent[uid] = (index, None)
        self._again(uid, record, client=client)

    def _again(self, uid: str, record: Record, *, client: bool = False) -> None:
        """An answer is written when it is there, and again when its tools are done."""
        index, draft = self._recent.get(uid, (NONE, None))
        text, calls = prompts.text_of(record), objects(record, "toolCalls") or prompts.calls_of(record)
        if index == NONE or not (text or calls):
            return
        if draft is None:
            role, origin = ("system", "harness") if client else ("assistant", "assistant")
            at = second(string(record, "timestamp"))
            draft = self.book.message(index, role, origin, at=at, cwd=self._about.cwd)  # type: ignore[arg-type]
            self._recent[uid] = (index, draft)
        if text:
            draft.texts.clear()
            draft.chars = 0
            self.book.add_text(draft, text)
        files: list[str] = []
        draft.commands.clear()
        for call in calls:
            name, arguments = string(call, "name"), table(call, "args")
            if name == _SHELL_TOOL and (command := string(arguments, "command")):
                self.book.add_files(draft, [], [command])
            if name.startswith(_EXTERNAL_TOOLS):
                self._external[string(call, "id")] = None
            else:
                files += [path for key in _FILE_ARGUMENTS if (path := string(arguments, key))]
        self.book.add_files(draft, files, [])
        for path in files:
            if _MEMORY_PATH.search(path):
                self.book.native_memory[path] = None

    def _result(self, uid: str, record: Record) -> None:
        book = self.book
        index = self._node(uid)
        if index == NONE:
            return
        origin: Origin = "tool"
        texts: list[str] = []
        for part in prompts.parts_of(record):
            answer = table(part, "functionResponse")
            if answer:
                name = string(answer, "name")
                if self._external.pop(string(answer, "id"), 0) is None or name.startswith(_EXTERNAL_TOOLS):
                    origin = "external"
                response = table(answer, "response")
                texts.append(string(response, "output") or string(response, "error"))
        draft = book.message(index, "tool", origin, at=second(string(record, "timestamp")), cwd=self._about.cwd)
        for text in texts:
            book.add_text(draft, text[:_MAX_OUTPUT])
