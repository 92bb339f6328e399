"""What was done on this machine: marks, cursors, runs, queue, events, what each session was given.

Hot: standard library only. Only marks and usage counts are lost with it; a missing or corrupt ledger is made anew.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence


class Resident:
    """The resident block of one session, as it was given."""

    __slots__ = ("at", "memory_ids", "rule_ids", "text")

    def __init__(self, text: str, memory_ids: Sequence[str], rule_ids: Sequence[str], at: str) -> None:
        self.text, self.memory_ids, self.rule_ids, self.at = text, list(memory_ids), list(rule_ids), at


class Ledger:
    """Use as a context manager or `close` it. Times are texts of `clock.text`."""

    path: str
    notes: list[str]
    """What opening did: "corrupt, moved aside to …"."""

    @classmethod
    def open(cls, path: str) -> Ledger:
        """Cold: creates, migrates, sets WAL (not on network file systems); corrupt → moved aside and made anew.

        Raises `StoreUnavailable` (cannot be written) and `BadInput` (written by a newer scrubjay).
        """
        raise NotImplementedError

    @classmethod
    def open_hot(cls, path: str) -> Ledger | None:
        """For hooks: no migration, gives up after 50 ms; None when missing, corrupt, locked, older or newer."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- learning -------------------------------------------------------------------------------------------------

    def cursor(self, agent: str, path: str) -> str | None:
        """The reader's cursor (JSON text) for a session file."""
        raise NotImplementedError

    def set_cursor(self, agent: str, path: str, cursor: str) -> None:
        raise NotImplementedError

    def marked(self, learner: str, version: int, keys: Collection[str]) -> set[str]:
        """Those of `keys` that this learner, in this version or a later one, has read."""
        raise NotImplementedError

    def mark(self, learner: str, version: int, run: int, outcomes: Iterable[tuple[str, str]]) -> None:
        """`outcomes`: (message key, outcome word)."""
        raise NotImplementedError

    def branches(self, agent: str, session: str, live: Mapping[str, bool]) -> None:
        """Note which messages of a session lie on its live branch."""
        raise NotImplementedError

    def abandoned(self, keys: Collection[str]) -> set[str]:
        """Those of `keys` that some session has and that are off the live branch in every session that has them."""
        raise NotImplementedError

    def start_run(self, kind: str, *, at: str) -> int:
        """Id of a new run (`learn`, `dream`, …)."""
        raise NotImplementedError

    def end_run(self, run: int, *, at: str, outcome: str, counts: Mapping[str, int] | None = None) -> None:
        raise NotImplementedError

    def runs(self, kind: str = "", limit: int = 20) -> list[dict[str, object]]:
        """Newest first: id, kind, started_at, ended_at ("" = killed or running), outcome, counts."""
        raise NotImplementedError

    # --- queue ----------------------------------------------------------------------------------------------------

    def enqueue(self, kind: str, payload: str, *, at: str) -> None:
        """One job; the same (kind, payload) waiting already is not queued twice."""
        raise NotImplementedError

    def take(self) -> tuple[int, str, str] | None:
        """The oldest job (id, kind, payload); it stays until `done`, so a killed worker leaves it for the next."""
        raise NotImplementedError

    def done(self, job: int) -> None:
        raise NotImplementedError

    def waiting(self) -> int:
        """Jobs in the queue."""
        raise NotImplementedError

    # --- hooks ----------------------------------------------------------------------------------------------------

    def note_event(self, agent: str, event: str, session: str, outcome: str, *, detail: str = "", ms: int = 0,
                   at: str = "", cwd: str = "") -> None:  # fmt: skip
        """One firing of a hook. `detail` never holds text of a prompt or a memory."""
        raise NotImplementedError

    def events(self, agent: str = "", limit: int = 100) -> list[dict[str, object]]:
        """Newest first: agent, event, session, cwd, outcome, detail, ms, at."""
        raise NotImplementedError

    def last_events(self) -> dict[tuple[str, str], str]:
        """(agent, event) → time of the newest firing."""
        raise NotImplementedError

    def injected(self, agent: str, session: str) -> dict[str, tuple[str, str]]:
        """Memory id → (channel, at), since the session's last `clear_injected`."""
        raise NotImplementedError

    def injected_chars(self, agent: str, session: str, channel: str) -> int:
        """Characters that this channel brought since the last `clear_injected`."""
        raise NotImplementedError

    def add_injected(self, agent: str, session: str, rows: Iterable[tuple[str, str, int, str]], *, at: str) -> None:
        """`rows`: (memory id, channel, characters, prompt id). Counts the use of each memory."""
        raise NotImplementedError

    def free_injected(self, agent: str, session: str, prompts: Collection[str]) -> None:
        """A rewind took these prompts (by prompt id) out of the context: what they brought may come again."""
        raise NotImplementedError

    def injected_prompts(self, agent: str, session: str) -> set[str]:
        """Ids of the prompts that brought something since the last `clear_injected`."""
        raise NotImplementedError

    def clear_injected(self, agent: str, session: str) -> None:
        """After a compaction. Usage counts stay."""
        raise NotImplementedError

    def resident(self, agent: str, session: str) -> Resident | None:
        raise NotImplementedError

    def set_resident(self, agent: str, session: str, resident: Resident) -> None:
        raise NotImplementedError

    def note_compaction(self, agent: str, session: str, *, at: str) -> None:
        raise NotImplementedError

    def last_compaction(self, agent: str, session: str) -> str:
        """Its time, "" when there was none."""
        raise NotImplementedError

    def set_last(self, cwd: str, agent: str, session: str, channel: str, detail: str, *, at: str) -> None:
        """What a directory's newest session was given and why, as JSON text without memory bodies (`jay last`)."""
        raise NotImplementedError

    def last(self, cwd: str) -> list[dict[str, object]]:
        """Newest first, of the newest session in this directory: agent, session, channel, detail, at."""
        raise NotImplementedError

    # --- counters, pauses -----------------------------------------------------------------------------------------

    def usage(self, ids: Collection[str] | None = None) -> dict[str, tuple[int, str]]:
        """Memory id → (times injected, last time)."""
        raise NotImplementedError

    def count(self, name: str, by: int = 1) -> None:
        """A named counter, such as `turns.dropped`."""
        raise NotImplementedError

    def counts(self) -> dict[str, int]:
        raise NotImplementedError

    def pause(self, scope: str, until: str) -> None:
        """`scope`: "" everything, else a project key or a path; `until`: a time, or "" until `resume`."""
        raise NotImplementedError

    def resume(self, scope: str) -> None:
        raise NotImplementedError

    def pauses(self, *, at: str) -> dict[str, str]:
        """Scope → until, those that hold at this time."""
        raise NotImplementedError

    def get(self, name: str) -> str:
        """A small fact kept by name (`init.at`, `news.shown_at`), "" when unset."""
        raise NotImplementedError

    def put(self, name: str, value: str) -> None:
        raise NotImplementedError
