"""`Store`: the memory that one directory sees, and everything that can be done with it."""

from __future__ import annotations

import io
import os
from collections.abc import Collection, Iterable, Mapping
from typing import BinaryIO, Literal

from scrubjay import agents, clock, settings
from scrubjay import home as homes
from scrubjay.agents.neutral import Neutral, neutral_source
from scrubjay.agents.neutral.record import FIELDS
from scrubjay.api import results, sessions
from scrubjay.api.messages import Conversation, Message, place_in_list, stream
from scrubjay.api.results import Context, Memory, Proof, Recalled
from scrubjay.errors import BadInput, NothingFound
from scrubjay.home import Home
from scrubjay.importing.report import ImportReport
from scrubjay.importing.run import Wanted, bring_over
from scrubjay.inject.recall import Request, Seen, recall
from scrubjay.inject.resident import resident
from scrubjay.learn import review
from scrubjay.learn.forgetting import forget
from scrubjay.learn.pipeline import learn_given
from scrubjay.learn.places import Places
from scrubjay.learn.remember import Remembered, Wish, remember
from scrubjay.learn.report import LearnReport
from scrubjay.learn.review import Answer, Reviewed
from scrubjay.ledger import Ledger
from scrubjay.operations import MemoryType, Scope, Status
from scrubjay.projects import resolve
from scrubjay.scope import Place
from scrubjay.search.build import refresh
from scrubjay.search.fresh import fresh_index
from scrubjay.settings import Settings
from scrubjay.store import history
from scrubjay.store.forget import Forgotten
from scrubjay.store.library import Library, Stored
from scrubjay.why import why

HANDED_OVER = "-"
"""Name of the source of what is no file."""


def open(  # noqa: A001 - `scrubjay.open`, as `gzip.open`
    directory: str | os.PathLike[str] = ".", *, agent: str = "api", home: str | os.PathLike[str] | None = None
) -> Store:
    """The memory that `directory` sees: its project's, its team's, the user's.

    `agent`: name of the agent that you build, small letters, digits, `.`, `_`, `-`, at most 40; what is learnt carries it.
    `home`: the scrubjay home; None: `SCRUBJAY_HOME`, else `~/.scrubjay`, which the agents of this machine share. Nothing is
    read or written yet. Raises `BadInput` for a bad name or a relative home.
    """
    return Store(directory, agent=agent, home=home)


class Store:
    """See `open`. Every call looks at the files anew; whatever is wrong is a `ScrubjayError`, and then nothing was changed."""

    def __init__(
        self, directory: str | os.PathLike[str], *, agent: str = "api", home: str | os.PathLike[str] | None = None
    ) -> None:
        wrong = FIELDS["session"]["agent"](agent)
        if wrong:
            raise BadInput(f"the name of an agent {wrong}", at="agent")
        root = os.path.expanduser(os.fspath(home)) if home is not None else ""
        if home is not None and not os.path.isabs(root):
            raise BadInput("the scrubjay home is no absolute path", at="home")
        self._home = Home(root) if root else homes.current()
        self._directory = os.path.abspath(os.path.expanduser(os.fspath(directory)))
        self._agent = agent

    def __repr__(self) -> str:
        return f"Store({self._directory!r}, agent={self._agent!r})"

    @property
    def directory(self) -> str:
        """Absolute; it need not exist."""
        return self._directory

    @property
    def home(self) -> str:
        """The scrubjay home, absolute."""
        return self._home.root

    @property
    def agent(self) -> str:
        """The name that what is learnt carries."""
        return self._agent

    # Bringing back

    def context(self, *, session: str = "") -> Context:
        """What a session here starts with, for the system prompt.

        With a `session` the block is built once and stays the same bytes, whatever is learnt meanwhile, until `compacted`;
        `recall` then leaves out what it holds and brings rules that are newer. Empty while memory is paused or off.
        """
        place, values = self._place(), self._settings()
        if self._unwanted(place, values):
            return results.NOTHING
        with sessions.ledger(self._home, session) as ledger:
            before = ledger.resident(self._agent, session) if ledger else None
            if before is not None:
                return results.given(before)
            with fresh_index(self._home, place, _quiet) as index:
                block = resident(index, place, values, agent=self._agent)
            if not values.flag("resident.enabled"):
                block.text, block.ids = "", []
            if ledger:
                sessions.note_context(ledger, self._agent, session, block)
            return results.context(block)

    def recall(self, text: str, *, session: str = "", explain: bool = False) -> Recalled:
        """What the prompt `text` brings back: at most `recall.max_memories`, often nothing.

        With a `session` nothing comes twice, and what was said in it is not repeated to it. `explain`: also which memories
        were close, and what stopped each. Never raises for any text.
        """
        place, values = self._place(), self._settings()
        if self._unwanted(place, values):
            return results.nothing("paused")
        request = Request(text, place, agent=self._agent, session=session, explain=explain)
        with sessions.ledger(self._home, session) as ledger, fresh_index(self._home, place, _quiet) as index:
            seen = sessions.seen(ledger, self._agent, session) if ledger else Seen()
            found = recall(request, index, values, seen)
            if ledger:
                sessions.note_recall(ledger, self._agent, session, found)
        return results.recalled(found, text)

    def compacted(self, session: str) -> None:
        """The context of `session` was summarised away: what it was given may, and its block will, be given anew."""
        with Ledger.open(self._home.ledger) as ledger:
            ledger.note_compaction(self._agent, session, at=clock.text(clock.now()))
            ledger.clear_injected(self._agent, session)
            sessions.drop_context(ledger, self._agent, session)

    # Taking in

    def remember(
        self,
        text: str,
        *,
        scope: Scope | None = None,
        type: MemoryType | None = None,  # noqa: A002 - the field's own name
        name: str = "",
        paths: Collection[str] = (),
        aliases: Collection[str] = (),
        by: Literal["user", "agent"] = "user",
    ) -> Remembered:
        """Write one thing down. `by`: `user` only for the person's own words; what the agent wants to keep is `agent` and
        waits until the person says it (`learn` notices) or says yes (`accept`).

        `scope` None: the project, outside every project the user. Raises `Refused` (a secret and nothing else, hidden
        characters, more than 4,000 characters, an agent with what was forgotten) and `BadInput` (empty, no such scope here).
        """
        if by not in ("user", "agent"):
            raise BadInput("a memory is written by the `user` or the `agent`", at="by")
        wish = Wish(
            text=text,
            cwd=self._directory,
            scope=scope,
            type=type,
            name=name,
            paths=tuple(paths),
            aliases=tuple(aliases),
            by=by,
            waits=by == "agent",
        )
        return remember(self._home, wish)

    def learn(
        self,
        messages: Iterable[Message | Mapping[str, object]],
        *,
        session: str,
        headless: bool = False,
        forked_from: str = "",
        dry_run: bool = False,
    ) -> LearnReport:
        """Keep what is worth it of a conversation: the whole of it so far, or its beginning and what is new.

        A message is a `Message` or a mapping with its fields. Each is learnt from once, so the growing list may be given
        after every turn. `headless`: a program writes the prompts; what they say waits for review. Raises `BadInput` with
        `at` such as `messages[3]`, and then nothing was learnt.
        """
        about = Conversation(
            agent=self._agent, session=session, cwd=self._directory, headless=headless, forked_from=forked_from
        )
        data = io.BytesIO(stream(about, messages))
        try:
            return learn_given(self._home, Neutral(data), neutral_source(HANDED_OVER), dry_run=dry_run)
        except BadInput as error:
            raise BadInput(error.what, at=place_in_list(error.at), rule=error.rule, hint=error.hint) from error

    def ingest(self, source: str | os.PathLike[str] | BinaryIO, *, dry_run: bool = False) -> LearnReport:
        """Learn from a `scrubjay.session/1` file, or a binary stream of one, as `jay ingest` does. The stream names its agent
        and directory itself. Raises `BadInput` with file and line."""
        if not isinstance(source, str | os.PathLike):
            return learn_given(self._home, Neutral(source), neutral_source(HANDED_OVER), dry_run=dry_run)
        path = os.path.abspath(os.path.expanduser(os.fspath(source)))
        try:
            with io.open(path, "rb") as file:  # noqa: UP020 - `open` is another one here
                return learn_given(self._home, Neutral(file), neutral_source(path), dry_run=dry_run)
        except OSError as error:
            raise BadInput(f"cannot be read: {error.strerror}", at=path) from error

    def import_from(self, *agents: str, files: Collection[str] = (), dry_run: bool = False) -> ImportReport:
        """Bring over what agents of this machine keep in memories of their own, as `jay import` does (docs/import.md): all of
        them, or those named, or `files` of instructions. The originals are only read; again changes nothing. Raises `BadInput`
        for an unknown agent or a file that is not there."""
        paths = [os.path.abspath(os.path.expanduser(one)) for one in files]
        return bring_over(self._home, Wanted(cwd=self._directory, agents=agents, files=paths, dry_run=dry_run))

    # Looking at, and taking back

    def memories(self, *, status: Status | None = "active") -> tuple[Memory, ...]:
        """Everything that this directory sees, in stable order (store, file name). `status` None: whatever its status."""
        library, stores = self._library(), self._place().stores()
        found = library.memories(statuses=None if status is None else (status,), stores=stores)
        return tuple(map(results.memory, found))

    def get(self, id: str) -> Memory:  # noqa: A002
        """One memory by its id or the unique beginning of it. Raises `NothingFound`, `BadInput` for an ambiguous beginning."""
        return results.memory(self._find(self._library(), id))

    def why(self, id: str) -> Proof:  # noqa: A002
        """Whose words it rests on, when and where they were said, and what became of it. Raises as `get`."""
        library = self._library()
        return results.proof(why(library, self._find(library, id).memory.id))

    def forget(self, *ids: str, purge: bool = False, reason: str = "") -> Forgotten:
        """Take memories away: out of search and context, and not learnt again from the same words. `undo` brings them back,
        unless it was a `purge`: then evidence, index and history go too. Raises as `get`, and `Refused` without an id."""
        library = self._library()
        found = [self._find(library, one).memory.id for one in ids]
        places = agents.own_memories(homes.user_home(), os.environ) if purge else []
        done = forget(self._home, library, found, purge=purge, reason=reason, places=places)
        self._reindex()
        return done

    def accept(self, *ids: str) -> Reviewed:
        """The person's yes to memories that wait (`memories(status="pending")`); their no is `forget`. Raises as `get`, and
        `BadInput` for one that does not wait."""
        library = self._library()
        found = [self._find(library, one).memory.id for one in ids]
        return review.answer(self._home, [Answer(id=one, verb="accept") for one in found])

    def undo(self, change: str = "") -> str:
        """Take one change back: the `undo` of a result or the `sha` of a `Change`; "" is the newest change of anybody.
        Returns what takes this back. Raises `NothingFound`, `Conflict` (changed since), `Refused` (a purge)."""
        done = history.undo(self._home, change or None)
        self._reindex()
        return done.undo

    def _settings(self) -> Settings:
        return settings.load(self._home.config)

    def _place(self) -> Place:
        return resolve(self._home, self._directory, create=False)

    def _library(self) -> Library:
        place = self._place()
        return Library.open(self._home, repos=[place.worktree] if place.git and place.worktree else [])

    def _reindex(self) -> None:
        refresh(self._home, self._library())

    def _find(self, library: Library, id: str) -> Stored:  # noqa: A002
        stored = library.get(id)
        if stored.store not in self._place().stores():
            raise NothingFound(f"no memory {id!r} here", hint="it belongs to another project")
        return stored

    def _unwanted(self, place: Place, values: Settings) -> bool:
        """The person paused memory, or excluded this folder."""
        pauses: Collection[str] = ()
        ledger = Ledger.open_hot(self._home.ledger)
        if ledger is not None:
            with ledger:
                pauses = ledger.pauses(at=clock.text(clock.now())).keys()
        if "" in pauses or (place.project and place.project in pauses):
            return True
        folders = [*values.words("learn.exclude"), *(one for one in pauses if one.startswith(("/", "~")))]
        return Places(self._home, exclude=folders, shut={}, dry_run=True).excluded(place.cwd)


def _quiet(_text: str) -> None:
    """A stale index is as good as there is."""
