"""What each tool does, for the directories that the client works in. Knows nothing of the protocol."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from scrubjay import clock, settings
from scrubjay.errors import BadInput, NothingFound, Refused
from scrubjay.home import Home
from scrubjay.hooks import background
from scrubjay.inject.fence import one_line
from scrubjay.inject.recall import Recall, Request, Seen, recall
from scrubjay.learn import hints
from scrubjay.learn.amending import Amendment, amend, own_note
from scrubjay.learn.forgetting import forget
from scrubjay.learn.places import Places
from scrubjay.learn.remember import Wish
from scrubjay.learn.rulebook import REFUSALS
from scrubjay.ledger import Ledger
from scrubjay.mcp_server import words
from scrubjay.mcp_server.tools import SCHEMAS, WRITES, checked
from scrubjay.operations import MemoryType
from scrubjay.projects import resolve
from scrubjay.scope import Place
from scrubjay.search import query
from scrubjay.search.build import refresh
from scrubjay.search.fresh import fresh_index
from scrubjay.settings import Settings
from scrubjay.store.library import MIN_PREFIX_CHARS, Library, Stored
from scrubjay.why import why

MAX_INDEX_LINES = 100
ROOM_PER_MEMORY, MOST_ROOM = 400, 9_000
"""Characters of an answer: the agent asked for it, so it may be longer than what a prompt brings back."""
NEAR = frozenset({"floor", "weak", "far-below-best"})
"""Filters of recall whose victims are named when nothing passed: too little of what was asked."""
MAX_NEAR = 3


class Desk:
    """One for a server; every call opens the stores anew, so that two servers and a person's editor can be at them."""

    def __init__(self, home: Home, *, read_only: bool = False, client: str = "") -> None:
        self.home, self.read_only = home, read_only
        self.client = client or f"mcp-{os.getpid()}-{clock.machine_stamp()}"
        """What citations are counted under: one use a memory and server."""

    def call(self, tool: str, given: Mapping[str, Any], cwds: Sequence[str]) -> str:
        """The tool's answer. Raises `ScrubjayError`: bad arguments, nothing found, refused, a store that is not there."""
        if tool not in SCHEMAS or (self.read_only and tool in WRITES):
            raise BadInput(f"no tool is called {tool!r}", hint="this server only reads" if tool in WRITES else "")
        mode = settings.load(self.home.config).text("mode")
        if mode == "off":
            raise BadInput("the person switched memory off", at="setting mode")
        if mode == "read-only" and tool in WRITES:
            raise BadInput("the person set memory to read-only; nothing was written", at="setting mode")
        act: Callable[..., str] = getattr(self, f"_{tool}")
        return act(self._places(cwds), **checked(tool, dict(given)))

    def listed(self, cwds: Sequence[str]) -> list[Stored]:
        """What may be shown: active memories of these directories, in stable order."""
        return [one for one in self._visible(self._places(cwds)) if one.memory.status == "active" and not one.broken]

    def index(self, cwds: Sequence[str]) -> str:
        """Text of `memory://index`."""
        return words.index(self.listed(cwds), MAX_INDEX_LINES)

    def _places(self, cwds: Sequence[str]) -> list[Place]:
        """Those of the directories in which the person wants memory now."""
        every = [resolve(self.home, cwd, create=False) for cwd in cwds]
        values = settings.load(self.home.config)
        ledger = Ledger.open_hot(self.home.ledger)
        pauses: dict[str, str] = {}
        if ledger is not None:
            with ledger:
                pauses = ledger.pauses(at=clock.text(clock.now()))
        folders = [*values.words("learn.exclude"), *(one for one in pauses if one.startswith(("/", "~")))]
        unwanted = Places(self.home, exclude=folders, shut={}, dry_run=True).excluded
        wanted = [
            place
            for place in every
            if "" not in pauses and not (place.project and place.project in pauses) and not unwanted(place.cwd)
        ]
        if not wanted:
            raise Refused(REFUSALS["paused"], at=", ".join(cwds), rule="paused", hint="jay pause --off, learn.exclude")
        return wanted

    def _library(self, places: Sequence[Place]) -> Library:
        trees = [place.worktree for place in places if place.git and place.worktree]
        return Library.open(self.home, repos=trees, take_in=not self.read_only)

    def _visible(self, places: Sequence[Place], library: Library | None = None) -> list[Stored]:
        stores = [store for place in places for store in place.stores()]
        return (library or self._library(places)).memories(stores=stores)

    def _find(self, places: Sequence[Place], library: Library, wanted: str) -> Stored:
        """By id or unique beginning, among what these directories see: other projects' memories are not there."""
        rows = self._visible(places, library)
        start = wanted.strip().lower()
        start = start if start.startswith("m-") else f"m-{start}"
        fitting = [one for one in rows if one.memory.id == start]
        if not fitting and len(start) >= len("m-") + MIN_PREFIX_CHARS:
            fitting = [one for one in rows if one.memory.id.startswith(start)]
        if len(fitting) > 1:
            raise BadInput(f"{len(fitting)} memories begin with {wanted!r}", hint="give more of the id")
        if not fitting:
            raise NothingFound(f"no memory {wanted!r} here", hint="recall gives ids")
        target = fitting[0].memory.merged_into
        return next((one for one in rows if one.memory.id == target), fitting[0]) if target else fitting[0]

    def _recall(self, places: Sequence[Place], query: str, limit: int = 5) -> str:
        asked = _asked(settings.load(self.home.config), limit)
        given: dict[str, str] = {}
        blocks: list[str] = []
        near: list[str] = []
        for place in places:
            found = self._search(place, query, asked, given)
            given |= {row.id: "recall" for row in found.memories}
            blocks += [found.block] if found.block else []
            near += [f"[{one.id}] {one_line(one.name)}" for one in found.rejected if one.filter in NEAR]
        if blocks:
            return "\n".join(blocks)
        close = "; ".join(dict.fromkeys(near[:MAX_NEAR]))
        return "No memory answers this." + (f" Further off: {close}." if close else "")

    def _search(self, place: Place, text: str, asked: Settings, given: Mapping[str, str]) -> Recall:
        request = Request(text, place, explain=True)
        seen = Seen(injected=given, usage=self._usage())
        if self.read_only:
            index = query.open(self.home.search)
            try:
                return recall(request, index, asked, seen)
            finally:
                if index is not None:
                    index.close()
        with fresh_index(self.home, place, lambda _text: None) as index:
            return recall(request, index, asked, seen)

    def _usage(self) -> dict[str, int]:
        ledger = Ledger.open_hot(self.home.ledger)
        if ledger is None:
            return {}
        with ledger:
            return {memory: times for memory, (times, _at) in ledger.usage().items()}

    def _read(self, places: Sequence[Place], id: str) -> str:  # noqa: A002 - the tool's own word
        return words.whole(self._find(places, self._library(places), id), clock.now())

    def _why(self, places: Sequence[Place], id: str) -> str:  # noqa: A002
        library = self._library(places)
        return words.proof(why(library, self._find(places, library, id).memory.id))

    def _remember(self, places: Sequence[Place], text: str, **more: Any) -> str:
        place = places[0]
        kind: MemoryType | None = more.get("type") or ("user" if more.get("scope") == "user" else None)
        wish = Wish(
            text=text,
            cwd=place.cwd,
            scope=more.get("scope"),
            type=kind,
            name=more.get("name", ""),
            paths=tuple(more.get("paths", ())),
            aliases=tuple(more.get("aliases", ())),
        )
        result = hints.ask(self.home, wish)
        self._work(result.status)
        return words.remembered(result)

    def _update(self, places: Sequence[Place], id: str, **more: Any) -> str:  # noqa: A002
        library = self._library(places)
        stored = self._find(places, library, id)
        asked = Amendment(
            text=more.get("text", ""),
            name=more.get("name", ""),
            description=more.get("description", ""),
            aliases=tuple(more.get("aliases", ())),
        )
        done = amend(library, stored, asked, cwd=places[0].cwd)
        if done.outcome == "proposed":
            hints.leave(self.home, "remember", done.id, places[0].cwd)
            self._work("pending")
            told = f"{stored.memory.id} stays as it is; {done.id} waits and replaces it once the person said or accepted it."
        else:
            told = f"{done.id} {done.outcome}."
        return "\n".join([told, *done.notes])

    def _forget(self, places: Sequence[Place], id: str, reason: str = "") -> str:  # noqa: A002
        library = self._library(places)
        stored = self._find(places, library, id)
        memory = stored.memory
        if stored.store.scope == "team":
            raise Refused(REFUSALS["shared"], at=memory.id, rule="shared", hint="delete its file and commit that")
        if own_note(stored):
            done = forget(self.home, library, [memory.id], reason=reason or "an agent took back its note")
            refresh(self.home, library.again())
            return f"{memory.id} is forgotten" + (f"; jay undo {done.undo[:10]} brings it back." if done.undo else ".")
        hints.leave(self.home, "forget", memory.id, places[0].cwd)
        self._work("pending")
        return (
            f"{memory.id} goes as soon as a message of the person in the ten minutes around now is found that asks for it. "
            f"They can do it at once: jay forget {memory.id}"
        )

    def _cite(self, places: Sequence[Place], ids: list[str]) -> str:
        library = self._library(places)
        found = [self._find(places, library, one).memory.id for one in ids]
        if found:
            with Ledger.open(self.home.ledger) as ledger:
                rows = [(one, "cite", 0, "") for one in found]
                ledger.add_injected("mcp", self.client, rows, at=clock.text(clock.now()))
        return "Noted."

    def _work(self, status: str) -> None:
        """Let the worker look for the person's words; without it the next hook's worker does."""
        if status == "pending":
            with suppress(OSError):
                background.start(self.home, os.environ)


def _asked(values: Settings, limit: int) -> Settings:
    """The settings for a question that the agent asks: `recall.enabled` is about prompts only."""
    room = max(values.number("recall.max_chars"), min(MOST_ROOM, ROOM_PER_MEMORY * limit))
    mine: dict[str, settings.Value] = {
        "recall.enabled": True,
        "recall.max_memories": limit,
        "recall.max_chars": room,
        "recall.session_max_chars": room,
    }
    every = {row.key: values.get(row.key) for row in settings.ROWS}
    return Settings({**every, **mine}, values.sources)
