"""`AsyncStore`: a `Store` whose calls are awaited. Each runs in a thread, for what waits is files and locks."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterable, Mapping
from typing import BinaryIO, Literal

from scrubjay.api.messages import Message
from scrubjay.api.results import Context, Memory, Proof, Recalled
from scrubjay.api.store import Store
from scrubjay.importing.report import ImportReport
from scrubjay.learn.remember import Remembered
from scrubjay.learn.report import LearnReport
from scrubjay.learn.review import Reviewed
from scrubjay.operations import MemoryType, Scope, Status
from scrubjay.store.forget import Forgotten


def open_async(
    directory: str | os.PathLike[str] = ".", *, agent: str = "api", home: str | os.PathLike[str] | None = None
) -> AsyncStore:
    """As `open`; the methods are awaited."""
    return AsyncStore(Store(directory, agent=agent, home=home))


class AsyncStore:
    """See `Store`: the same methods, parameters, results and errors. `store` is the one that waits."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def __repr__(self) -> str:
        return f"Async{self.store!r}"

    async def context(self, *, session: str = "") -> Context:
        """See `Store.context`."""
        return await asyncio.to_thread(self.store.context, session=session)

    async def recall(self, text: str, *, session: str = "", explain: bool = False) -> Recalled:
        """See `Store.recall`."""
        return await asyncio.to_thread(self.store.recall, text, session=session, explain=explain)

    async def compacted(self, session: str) -> None:
        """See `Store.compacted`."""
        await asyncio.to_thread(self.store.compacted, session)

    async def remember(
        self,
        text: str,
        *,
        scope: Scope | None = None,
        type: MemoryType | None = None,  # noqa: A002
        name: str = "",
        paths: Collection[str] = (),
        aliases: Collection[str] = (),
        by: Literal["user", "agent"] = "user",
    ) -> Remembered:
        """See `Store.remember`."""
        return await asyncio.to_thread(
            self.store.remember, text, scope=scope, type=type, name=name, paths=paths, aliases=aliases, by=by
        )

    async def learn(
        self,
        messages: Iterable[Message | Mapping[str, object]],
        *,
        session: str,
        headless: bool = False,
        forked_from: str = "",
        dry_run: bool = False,
    ) -> LearnReport:
        """See `Store.learn`. The messages are read before it gives way: the list may change afterwards."""
        kept = messages if isinstance(messages, Mapping | Message | str | bytes) else list(messages)
        return await asyncio.to_thread(
            self.store.learn, kept, session=session, headless=headless, forked_from=forked_from, dry_run=dry_run
        )

    async def ingest(self, source: str | os.PathLike[str] | BinaryIO, *, dry_run: bool = False) -> LearnReport:
        """See `Store.ingest`."""
        return await asyncio.to_thread(self.store.ingest, source, dry_run=dry_run)

    async def import_from(self, *agents: str, files: Collection[str] = (), dry_run: bool = False) -> ImportReport:
        """See `Store.import_from`."""
        return await asyncio.to_thread(self.store.import_from, *agents, files=files, dry_run=dry_run)

    async def memories(self, *, status: Status | None = "active") -> tuple[Memory, ...]:
        """See `Store.memories`."""
        return await asyncio.to_thread(self.store.memories, status=status)

    async def get(self, id: str) -> Memory:  # noqa: A002
        """See `Store.get`."""
        return await asyncio.to_thread(self.store.get, id)

    async def why(self, id: str) -> Proof:  # noqa: A002
        """See `Store.why`."""
        return await asyncio.to_thread(self.store.why, id)

    async def forget(self, *ids: str, purge: bool = False, reason: str = "") -> Forgotten:
        """See `Store.forget`."""
        return await asyncio.to_thread(self.store.forget, *ids, purge=purge, reason=reason)

    async def accept(self, *ids: str) -> Reviewed:
        """See `Store.accept`."""
        return await asyncio.to_thread(self.store.accept, *ids)

    async def undo(self, change: str = "") -> str:
        """See `Store.undo`."""
        return await asyncio.to_thread(self.store.undo, change)
