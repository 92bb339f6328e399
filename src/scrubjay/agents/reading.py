"""Reading one file from where the last read ended: what is the same for every agent.

`Book` collects what an agent's `FileParser` finds on each line; `read_file` drives it, decides where the next read begins and
hands the messages on in parts, so that memory stays bounded whatever the size of the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from scrubjay.agents import jsonl
from scrubjay.agents.base import Json
from scrubjay.agents.graph import MESSAGE, NONE, PROMPT, Anchor, Graph
from scrubjay.agents.harness import strip_injected
from scrubjay.agents.jsonl import Record
from scrubjay.session import MAX_MESSAGE_CHARS, Message, Origin, Role, Session

MAX_TOOL_CHARS = 2_000
"""Kept of a tool's output and of the harness's texts: nothing is learnt from more."""
MAX_TURN_TAIL = 4 << 20
"""Bytes. The next read begins two turns back, one turn back, or at a mark, whichever is within this many bytes."""
MARK_EVERY = 1 << 20
"""Bytes between marks: places inside a turn where a later read may begin."""
MAX_ANCHORS = 64
_MAX_CONTEXT_DRAFTS = 2_000
_MAX_LIST = 200
LIVE = 16
ATTACHED = 32
"""The record names no parent: it follows the one before it."""


class NeedWhole(Exception):
    """What was read belongs to something before the place where this read began: begin at the top."""


@dataclass(slots=True)
class Draft:
    """A message in the making: the blocks of one API message arrive on several lines."""

    index: int
    role: Role
    origin: Origin
    at: str
    cwd: str
    offset: int
    line: int
    fresh: bool
    compacted: bool = False
    texts: list[str] = field(default_factory=list)
    chars: int = 0
    pasted: list[str] = field(default_factory=list)
    files: dict[str, None] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)

    @property
    def prompt(self) -> bool:
        return self.origin in ("user", "machine")


@dataclass(slots=True)
class Place:
    """The line being read."""

    offset: int = 0
    end: int = 0
    line: int = 0
    fresh: bool = True


@dataclass(slots=True)
class Candidate:
    """A place where the next read may begin."""

    offset: int
    line: int
    first_node: int
    before: int
    """The node that the next one hangs on when it names no parent."""
    state: dict[str, Json]


@dataclass(slots=True)
class About:
    """What a parser knows of the session as a whole."""

    id: str = ""
    cwd: str = ""
    remote: str = ""
    git_branch: str = ""
    headless: bool = False
    sub_agent: bool = False
    title: str = ""
    forked_from: str = ""


class Book:
    """What one read of one file has found so far."""

    def __init__(self, state: Mapping[str, Json], *, whole: bool) -> None:
        before, anchors = _anchors(state)
        self.graph = Graph(before, anchors)
        self.whole = whole
        self.place = Place()
        self.skipped: Counter[str] = Counter()
        self.native_memory: dict[str, None] = {}
        self.drafts: list[Draft] = []
        self.aliases: dict[int, int] = {}
        self.leaf = NONE
        self.understood = 0
        self.fresh_records = 0
        self.chars = 0
        self.prompts: list[int] = []
        self.turns: list[Candidate] = []
        self.marks: list[Candidate] = []
        self.cut_at_boundary = False
        self.handed_on = 0
        self._compacted = state.get("compacted") is True

    def skip(self, kind: str) -> None:
        """Count what is passed over; context that was counted by an earlier read is not counted again."""
        if self.place.fresh:
            self.skipped[kind] += 1

    def node(self, uid: str, parent: str | None, flags: int = 0, *, attach: bool = False) -> int:
        """A record of the graph; NONE when its id was there already (the first one counts).

        `parent` None: a root, or with `attach` a child of the record before it.
        """
        if uid and self.graph.near(uid) != NONE:
            self.skip("repeated_records")
            return NONE
        if parent is None:
            return (
                self.graph.add(uid, self.graph.previous(), flags | ATTACHED)
                if attach
                else self.graph.add(uid, NONE, flags)
            )
        index = self.graph.find(parent)
        if index == NONE:
            if self.place.fresh and not self.whole:
                raise NeedWhole
            self.skip("orphan_records")
            index = self.graph.substitute(parent)
        return self.graph.add(uid, index, flags)

    def message(self, index: int, role: Role, origin: Origin, *, at: str, cwd: str) -> Draft:
        """Make node `index` a message; its texts are added to the draft."""
        place = self.place
        draft = Draft(index, role, origin, at, cwd, place.offset, place.line, place.fresh)
        draft.compacted, self._compacted = self._compacted, False
        if origin == "user" or origin == "machine":
            self.graph.set_flags(index, MESSAGE | PROMPT)
            self.prompts.append(index)
        else:
            self.graph.set_flags(index, MESSAGE)
        self.drafts.append(draft)
        return draft

    def compaction(self) -> None:
        """The next message is the first after a compaction."""
        self._compacted = True

    def add_text(self, draft: Draft, text: str) -> None:
        """Another block of the message; what goes over the limit is cut and counted."""
        if "<scrubjay-" in text:
            text = strip_injected(text)
        said = draft.role != "tool" and (draft.role == "assistant" or draft.prompt)
        limit = MAX_MESSAGE_CHARS if said else MAX_TOOL_CHARS
        room = limit - draft.chars
        if len(text) > room:
            if limit == MAX_MESSAGE_CHARS:
                self.skip("cut_messages")
            text = text[: max(room, 0)]
        if text:
            draft.texts.append(text)
            draft.chars += len(text)
            self.chars += len(text)
        draft.fresh = draft.fresh or self.place.fresh

    def add_pasted(self, draft: Draft, text: str) -> None:
        """Pasted content, apart from the message's own text."""
        if len(text) > MAX_MESSAGE_CHARS:
            self.skip("cut_messages")
        if text and len(draft.pasted) < _MAX_LIST:
            draft.pasted.append(text[:MAX_MESSAGE_CHARS])
            self.chars += len(draft.pasted[-1])

    def add_files(self, draft: Draft, files: list[str], commands: list[str]) -> None:
        for path in files:
            if path and len(draft.files) < _MAX_LIST and len(path) < 4096:
                draft.files[path] = None
        draft.commands += [
            command[:MAX_TOOL_CHARS] for command in commands[: _MAX_LIST - len(draft.commands)] if command
        ]
        draft.fresh = draft.fresh or self.place.fresh

    def turn_begins(self, state: dict[str, Json]) -> None:
        """A prompt is about to be added: a good place to begin the next read, with the parser in this state."""
        self.turns = [*self.turns[-2:], self._candidate(state)]
        self.cut_at_boundary = True

    def mark(self, state: dict[str, Json]) -> None:
        self.marks = [*self.marks[-3:], self._candidate(state)]
        self.cut_at_boundary = True

    def _candidate(self, state: dict[str, Json]) -> Candidate:
        if self._compacted:
            state["compacted"] = True
        return Candidate(self.place.offset, self.place.line, len(self.graph), max(self.graph.previous(), 0), state)

    # What is handed on.

    def session(self, agent: str, path: str, about: About, *, sub_agent: bool) -> Session:
        """The messages since the last part, with their context; `forget` makes room for the next part."""
        live = self._mark_live()
        messages: dict[str, Message] = {}
        live_keys, fresh = set(), set()
        keys = {draft.index: self.graph.key(draft.index) for draft in self.drafts}
        for draft in self.drafts:
            message = self._message(draft, keys)
            messages.setdefault(message.key, message)
            if live[draft.index]:
                live_keys.add(message.key)
            if draft.fresh:
                fresh.add(message.key)
        return Session(
            agent=agent,
            id=about.id,
            path=path,
            cwd=about.cwd,
            messages=tuple(messages.values()),
            live=frozenset(live_keys),
            fresh=frozenset(fresh),
            remote=about.remote,
            git_branch=about.git_branch,
            headless=about.headless,
            sub_agent=about.sub_agent or sub_agent,
            title=about.title,
            forked_from=about.forked_from,
            skipped=dict(sorted(self.skipped.items())),
            native_memory=tuple(self.native_memory),
        )

    def _message(self, draft: Draft, keys: dict[int, str]) -> Message:
        above = self.graph.nearest_message(self.graph.parent(draft.index), self.aliases)
        parent = above.key if isinstance(above, Anchor) else keys.get(above) or self.graph.key(above)
        key = keys[draft.index]
        return Message(
            key=key,
            parent=None if parent == key else parent,
            role=draft.role,
            origin=draft.origin,
            at=draft.at,
            text="\n\n".join(draft.texts).strip(),
            pasted=tuple(draft.pasted),
            cwd=draft.cwd,
            files=tuple(draft.files),
            commands=tuple(draft.commands),
            offset=draft.offset,
            line=draft.line,
            compacted=draft.compacted,
        )

    def _mark_live(self) -> bytearray:
        """Live or not, for the nodes from the first draft on. On the way to the leaf, or beside it without a prompt between."""
        first = min((draft.index for draft in self.drafts), default=len(self.graph))
        if not self.whole and self.leaf != NONE:
            reached = self.graph.outside_reached(self.leaf)
            if reached is not None and not reached.live:
                raise NeedWhole
        live = self.graph.path(self.leaf, first)
        for index in range(first, len(self.graph)):
            if not live[index] and not self.graph.flags(index) & PROMPT:
                parent = self.graph.parent(index)
                live[index] = 1 if parent == NONE or parent < self.graph.first else self._was_live(parent, live, first)
            if live[index]:
                self.graph.set_flags(index, LIVE)
        return live

    def _was_live(self, parent: int, live: bytearray, first: int) -> int:
        return live[parent] if parent >= first else (1 if self.graph.flags(parent) & LIVE else 0)

    def corrections(self) -> dict[str, bool]:
        """Prompts handed on earlier in this read whose live flag has turned out otherwise."""
        if not self.handed_on:
            return {}
        path = self.graph.path(self.leaf, 0)
        return {
            self.graph.key(index): bool(path[index])
            for index in self.prompts
            if index < self.handed_on and bool(path[index]) != bool(self.graph.flags(index) & LIVE)
        }

    def forget(self) -> None:
        """Drop what was handed on, all but the last two turns."""
        self.handed_on = len(self.graph)
        starts = [place for place, draft in enumerate(self.drafts) if draft.prompt][-2:]
        context = self.drafts[starts[0] :] if starts else []
        self.drafts = context[-_MAX_CONTEXT_DRAFTS:]
        for draft in self.drafts:
            draft.fresh = False
        self.chars = 0
        self.skipped.clear()
        self.native_memory.clear()

    # Where the next read begins.

    def tail(self, end: int) -> Candidate | None:
        """The best place at or before byte `end` for the next read to begin; None: the top of the file."""
        good = [candidate for candidate in self.turns[-2:] if end - candidate.offset <= MAX_TURN_TAIL]
        if good:
            return good[0]
        marks = [candidate for candidate in self.marks if candidate.offset <= end]
        far = [candidate for candidate in marks if end - candidate.offset >= MARK_EVERY]
        return far[-1] if far else marks[0] if marks else None

    def anchors(self, candidate: Candidate) -> dict[str, Json]:
        """For a later read that begins at `candidate`: the records before it that the ones after it hang on."""
        parents: dict[str, int] = {}
        for index in range(candidate.first_node, len(self.graph)):
            parent = self.graph.parent(index)
            if self.graph.flags(index) & ATTACHED:
                continue
            if NONE < parent < candidate.first_node and len(parents) < MAX_ANCHORS:
                parents[self.graph.stated_parent(index)] = parent
        before = candidate.before
        path = self.graph.path(self.leaf, min([before, *parents.values()]))
        found: Json = {uid: self._anchor(parent, bool(path[parent])) for uid, parent in parents.items()}
        return {"before": self._anchor(before, bool(path[before])), "anchors": found}

    def _anchor(self, index: int, live: bool) -> Json:
        above = self.graph.nearest_message(index, self.aliases)
        if isinstance(above, Anchor):
            return [above.key, above.live]
        prompt = bool(self.graph.flags(index) & PROMPT)
        return [self.graph.key(above), live or (not prompt and bool(self.graph.flags(index) & LIVE))]


def _anchors(state: Mapping[str, Json]) -> tuple[Anchor | None, dict[str, Anchor]]:
    before = _read_anchor(state.get("before"))
    given = state.get("anchors")
    table = given if isinstance(given, dict) else {}
    return before, {uid: anchor for uid, value in table.items() if (anchor := _read_anchor(value)) is not None}


def _read_anchor(value: Json) -> Anchor | None:
    if isinstance(value, list) and len(value) == 2:
        key, live = value
        if key is None or isinstance(key, str):
            return Anchor(key, live is True)
    return None


class FileParser:
    """One agent's understanding of one file. Subclasses fill in `record` and `about`; a state holds no message text."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def line(self, line: bytes) -> None:
        """Take in one line, without its LF."""
        raise NotImplementedError

    def records(self, line: bytes) -> list[Record]:
        """The records of one line; what of it is none is counted."""
        found, broken = jsonl.records(line)
        if broken:
            self.book.skip("broken_lines")
        return found

    def count(self, *, known: bool) -> None:
        """One record, of a kind that is understood or not; only those past the cursor say whether a file is."""
        book = self.book
        if book.place.fresh:
            book.fresh_records += 1
            book.understood += known

    def boundary(self) -> None:
        """Nothing that follows may be joined to what came before."""

    def state(self) -> dict[str, Json]:
        """What a later read that begins at this line must know."""
        return {}

    def held_from(self) -> int | None:
        """Offset of the first line that cannot be judged before more lines follow; None: everything was taken in."""
        return None

    def about(self) -> About:
        raise NotImplementedError

    def branches(self) -> dict[str, bool]:
        """Live flags, for this session, of prompts in other files."""
        return {}


ParserFactory = Callable[[Book, Mapping[str, Json]], FileParser]
"""A parser for a file, with the state of the place where the read begins ({}: the top)."""
