"""One Claude Code transcript, line by line (2.0 to 2.1.332).

Every record with a `uuid` is a node: attachments, progress and system records carry nothing to learn but stand in the parent
chain. The big ones among them are taken in by a byte test, without decoding.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from scrubjay.agents.base import Json, state_text
from scrubjay.agents.claude_code import prompts
from scrubjay.agents.claude_code.prompts import Prompt
from scrubjay.agents.graph import ASIDE, NONE
from scrubjay.agents.jsonl import Record, objects, second, string, table
from scrubjay.agents.reading import About, Book, Draft, FileParser
from scrubjay.session import Origin

_BOOKKEEPING = frozenset(
    (
        *(
            "agent-name",
            "agent-setting",
            "ai-title",
            "api-request",
            "api-request-blob",
            "api-request-shape",
            "atis-latch",
        ),
        *("cost-state", "custom-title", "file-history-delta", "file-history-snapshot", "last-prompt", "mode"),
        *("permission-mode", "pr-link", "queue-operation", "summary", "tools-used"),
    )
)
"""Record types that are no part of the conversation, seen up to 2.1.332; others without a `uuid` are counted as unknown."""

_FIRST_TYPE = re.compile(rb'\{"type":"([a-z-]{1,40})"')
_SKIPPABLE = frozenset(
    (
        b"api-request",
        b"api-request-blob",
        b"api-request-shape",
        b"file-history-snapshot",
        b"tools-used",
        b"atis-latch",
        b"cost-state",
    )
)
_SILENT_ATTACHMENT = re.compile(
    rb'\{"parentUuid":(null|"[0-9a-f-]{36}"),"isSidechain":(true|false),(?:"agentId":"\w{1,40}",)?"attachment":\{"type":"'
    rb"(?:prompt_snapshot|skill_listing|environment|model|date|agent_listing_delta|deferred_tools_delta|auto_mode|session_context"
    rb'|remote_session_change|hook_success|task_reminder|edited_text_file|todo_reminder)"'
)
_ATTACHMENT_END = re.compile(rb'"type":"attachment","uuid":"([0-9a-f-]{36})","timestamp":"[^"]{1,40}"')
_SILENT_PROGRESS = re.compile(rb'\{"parentUuid":(null|"[0-9a-f-]{36}"),"isSidechain":(true|false),')
_PROGRESS_TYPE = b'"type":"progress","data":{'
_PROGRESS_END = re.compile(rb'"uuid":"([0-9a-f-]{36})","timestamp":"[^"]{1,40}"\}\s*\Z')
_CUT_PARENT = re.compile(rb'"parentUuid":"([0-9a-f-]{36})"')

_FILE_ARGUMENTS = ("file_path", "notebook_path", "path")
_EXTERNAL_TOOLS = ("WebFetch", "WebSearch", "mcp__")
_MEMORY_PATH = re.compile(r"/projects/[^/]+/memory/|/agent-memory(?:-local)?/|/session-memory/")
_MAX_COPIES = 32
_MAX_OPEN_TOOLS = 256


class ClaudeParser(FileParser):
    """See the module."""

    def __init__(self, book: Book, state: Mapping[str, Json]) -> None:
        super().__init__(book)
        self._about = About(
            id=state_text(state, "id"),
            cwd=state_text(state, "cwd"),
            git_branch=state_text(state, "branch"),
            title=state_text(state, "title"),
            sub_agent=state.get("sub") is True,
        )
        self._sdk = state.get("sdk") is True
        self._spoken = state.get("spoken") is True
        self._machine = state.get("machine") is True
        copies, external = state.get("copies"), state.get("external")
        self._copies: dict[str, str] = {str(k): str(v) for k, v in copies.items()} if isinstance(copies, dict) else {}
        self._external: dict[str, None] = dict.fromkeys(map(str, external)) if isinstance(external, list) else {}
        self._open: dict[str, Draft] = {}
        self._envelope_seen: tuple[object, object] = (None, None)

    def state(self) -> dict[str, Json]:
        about = self._about
        return {
            "id": about.id,
            "cwd": about.cwd,
            "branch": about.git_branch,
            "title": about.title,
            "sub": about.sub_agent,
            "sdk": self._sdk,
            "spoken": self._spoken,
            "machine": self._machine,
            "copies": dict(self._copies),
            "external": list(self._external),
        }

    def about(self) -> About:
        self._about.headless = self._machine and not self._spoken
        return self._about

    def boundary(self) -> None:
        self._open.clear()

    def line(self, line: bytes) -> None:
        if self._quick(line):
            return
        for record in self.records(line):
            self._record(record)

    def _quick(self, line: bytes) -> bool:
        """Take in a record that can hold nothing to learn, without decoding it."""
        if line.startswith(b'{"type":"'):
            first = _FIRST_TYPE.match(line)
            # Two records glued together would be missed by this test; the second then begins inside the line.
            if first and first[1] in _SKIPPABLE and b'}{"' not in line:
                self.count(known=True)
                return True
            return False
        silent = _SILENT_ATTACHMENT.match(line)
        if silent:
            ends = _ATTACHMENT_END.findall(line)
        elif _PROGRESS_TYPE in line[:1024] and (silent := _SILENT_PROGRESS.match(line)):
            ends = _PROGRESS_END.findall(line)
        else:
            return False
        if len(ends) != 1 or b'}{"' in line:
            return False
        self.count(known=True)
        parent = None if silent[1] == b"null" else silent[1][1:-1].decode()
        self._add(ends[0].decode(), parent, ASIDE if silent[2] == b"true" else 0)
        return True

    def _add(self, uid: str, parent: str | None, flags: int, *, attach: bool = False) -> int:
        # In a sub-agent's own file every record is a sidechain, and they are the conversation.
        return self.book.node(uid, parent, 0 if self._about.sub_agent else flags, attach=attach)

    def _record(self, record: Record) -> None:
        kind = string(record, "type")
        uid = string(record, "uuid")
        if kind in _BOOKKEEPING and not uid:
            self.count(known=True)
            self._bookkeeping(kind, record)
            return
        if not uid or kind not in ("user", "assistant", "system", "attachment", "progress"):
            self.count(known=False)
            self.book.skip(f"unknown_records:{kind[:40]}")
            if not uid:
                return
        else:
            self.count(known=True)
        self._envelope(record)
        parent = string(record, "parentUuid") or string(record, "logicalParentUuid") or None
        boundary = record.get("subtype") == "compact_boundary"
        aside = record.get("isSidechain") is True
        match kind:
            case "user":
                self._user(record, uid, parent)
                return
            case "assistant":
                self._assistant(record, uid, parent)
                return
        index = self._add(uid, parent, ASIDE if aside else 0, attach=boundary)
        if index == NONE:
            return
        if boundary:
            self.book.compaction()
        elif kind == "attachment":
            self._attachment(record, index)

    def _bookkeeping(self, kind: str, record: Record) -> None:
        book = self.book
        match kind:
            case "queue-operation":
                # Older SDK runs say so nowhere else: nobody can queue before the first prompt of a terminal.
                self._sdk = self._sdk or not self._about.id
                if not self._about.id:
                    self._about.id = string(record, "sessionId")
            case "last-prompt":
                leaf = book.graph.near(string(record, "leafUuid"))
                if leaf != NONE:
                    book.leaf = leaf
            case "custom-title" | "ai-title":
                title = string(record, "customTitle") or string(record, "aiTitle") or string(record, "title")
                self._about.title = title[:200] or self._about.title

    def _envelope(self, record: Record) -> None:
        about, seen = self._about, (record.get("sessionId"), record.get("gitBranch"))
        if seen == self._envelope_seen and about.cwd:
            return
        self._envelope_seen = seen
        about.id = string(record, "sessionId") or about.id
        about.cwd = about.cwd or string(record, "cwd")
        about.git_branch = string(record, "gitBranch") or about.git_branch

    # Records of the conversation.

    def _user(self, record: Record, uid: str, parent: str | None) -> None:
        book = self.book
        aside = record.get("isSidechain") is True
        content = table(record, "message").get("content")
        blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
        results = [block for block in blocks if block.get("type") == "tool_result"]
        texts = prompts.texts_of(content)
        judged: Prompt | None = None
        if texts or not results:
            who = prompts.speaker(record, session_is_sdk=self._sdk)
            judged = prompts.judge(record, texts, who)
            if judged.origin in ("user", "machine"):
                if results:
                    # A remark beside a tool's result (a refusal with its reason): still the person's words.
                    results = []
                if self._copy(record, judged, uid, parent):
                    return
                book.turn_begins(self.state())
                self.boundary()
                self._remember(record, judged, uid)
        index = self._add(uid, parent, ASIDE if aside else 0)
        if index == NONE:
            return
        if not aside or self._about.sub_agent:
            book.leaf = index
        at, cwd = second(string(record, "timestamp")), string(record, "cwd")
        if judged is not None and not (results and judged.origin == "harness"):
            draft = book.message(index, "user", judged.origin, at=at, cwd=cwd)
            for text in judged.pasted:
                book.add_pasted(draft, text)
            book.add_text(draft, judged.text)
            book.add_files(draft, [], judged.commands)
            self._spoken = self._spoken or judged.origin == "user"
            self._machine = self._machine or judged.origin == "machine"
            return
        origin: Origin = "tool"
        ids = [string(block, "tool_use_id") for block in results]
        if any(self._external.pop(call, 0) is None for call in ids):
            origin = "external"
        draft = book.message(index, "tool", origin, at=at, cwd=cwd)
        for block in results:
            book.add_text(draft, prompts.result_text(block)[:4_000])

    def _copy(self, record: Record, judged: Prompt, uid: str, parent: str | None) -> bool:
        """Older clients wrote kept messages again after a compaction, under new ids but with the same time: no new words."""
        original = self._copies.get(_print(record, judged))
        if original is None or original == uid:
            return False
        index = self._add(uid, parent, 0)
        if index != NONE:
            self.book.leaf = index
            first = self.book.graph.near(original)
            if first != NONE:
                self.book.aliases[index] = first
            self.book.skip("copied_messages")
        return True

    def _remember(self, record: Record, judged: Prompt, uid: str) -> None:
        if string(record, "timestamp"):
            self._copies[_print(record, judged)] = uid
            if len(self._copies) > _MAX_COPIES:
                del self._copies[next(iter(self._copies))]

    def _assistant(self, record: Record, uid: str, parent: str | None) -> None:
        book = self.book
        aside = record.get("isSidechain") is True
        index = self._add(uid, parent, ASIDE if aside else 0)
        if index == NONE:
            return
        if not aside or self._about.sub_agent:
            book.leaf = index
        message = table(record, "message")
        if message.get("model") == "<synthetic>" or record.get("isApiErrorMessage"):
            return
        texts: list[str] = []
        files: list[str] = []
        commands: list[str] = []
        for block in objects(message, "content"):
            match block.get("type"):
                case "text":
                    texts.append(string(block, "text"))
                case "tool_use":
                    self._tool_use(block, files, commands)
        if not any(texts) and not files and not commands and not _calls(message):
            return
        api = string(message, "id")
        draft = self._open.get(api)
        own = not aside or self._about.sub_agent
        if draft is None:
            at, cwd = second(string(record, "timestamp")), string(record, "cwd")
            draft = book.message(index, "assistant", "assistant" if own else "harness", at=at, cwd=cwd)
            if api:
                self._open[api] = draft
        for text in texts if own else ():  # of a sub-agent inside the main file only what it touched is of use
            book.add_text(draft, text)
        book.add_files(draft, files, commands)
        for path in files:
            self._memory(path)

    def _tool_use(self, block: Record, files: list[str], commands: list[str]) -> None:
        arguments, name = table(block, "input"), string(block, "name")
        files += [path for key in _FILE_ARGUMENTS if (path := string(arguments, key))]
        if command := string(arguments, "command"):
            commands.append(command)
        if name.startswith(_EXTERNAL_TOOLS):
            self._external[string(block, "id")] = None
            if len(self._external) > _MAX_OPEN_TOOLS:
                del self._external[next(iter(self._external))]

    def _attachment(self, record: Record, index: int) -> None:
        attachment = table(record, "attachment")
        match attachment.get("type"):
            case "queued_command":
                self._queued(record, attachment, index)
            case "instructions" | "nested_memory" | "relevant_memories":
                for file in [*objects(attachment, "files"), *objects(attachment, "memories"), attachment]:
                    self._memory(string(file, "path"))

    def _queued(self, record: Record, attachment: Record, index: int) -> None:
        """What a person typed while the agent was at work; a program's notices come the same way."""
        who = prompts.speaker(record, session_is_sdk=self._sdk)
        judged = prompts.judge({}, prompts.texts_of(attachment.get("prompt")), who)
        if attachment.get("commandMode") not in (None, "prompt") or record.get("isSidechain"):
            judged.origin = "harness"
        if judged.origin in ("user", "machine"):
            self.book.turn_begins(self.state())
            self.boundary()
        draft = self.book.message(
            index, "user", judged.origin, at=second(string(record, "timestamp")), cwd=string(record, "cwd")
        )
        for text in judged.pasted:
            self.book.add_pasted(draft, text)
        self.book.add_text(draft, judged.text)
        self.book.leaf = index

    def _memory(self, path: str) -> None:
        if path and _MEMORY_PATH.search(path):
            self.book.native_memory[path] = None


def _calls(message: Record) -> bool:
    return any(block.get("type") == "tool_use" for block in objects(message, "content"))


def _print(record: Record, judged: Prompt) -> str:
    said = "\x1f".join((string(record, "timestamp"), judged.text, *judged.pasted))
    return hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=9).hexdigest()
