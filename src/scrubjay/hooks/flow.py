"""What happens at a session's start, at a prompt and at its end, for any agent. Hot: standard library only.

A flow returns text; the agent's own module wraps it as the client wants it. Every ledger write may be skipped (busy,
read-only): `Call.write` says whether it was done.
"""

from __future__ import annotations

import os
import time

from scrubjay import clock, hook, quickjson, scope, settings
from scrubjay.errors import BadInput
from scrubjay.home import current
from scrubjay.ledger import Ledger, Resident
from scrubjay.quicksql import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scrubjay.inject.recall import Recall

    OwnIndex = Callable[["Call"], str]
    """Text of what the client's own memory puts into the context; asked only where a block is built."""

STALLED_DAYS = 1
"""Work that waits this long after the last good pass of the worker is worth a line to the person."""
PROGRESS_STEPS = 10_000
"""Instructions of SQLite's machine between two looks at the clock: well under a millisecond."""
MAX_ID_CHARS = 200


class Usage(dict[str, int]):
    """Memory id → how often it was injected, asked for the few that a prompt weighs and not for all."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger

    def __bool__(self) -> bool:
        return True

    def get(self, key: str, default: int = 0) -> int:  # type: ignore[override]
        """`default` for one that never was."""
        found = self._ledger.usage([key]).get(key)
        return found[0] if found is not None else default


class Call:
    """One firing of a hook: who, where, with which settings."""

    __slots__ = ("agent", "at", "cwd", "detail", "environ", "event", "home", "ledger", "outcome", "place", "session",
                 "settings")  # fmt: skip

    def __init__(self, agent: str, event: str, session: str, cwd: str, environ: Mapping[str, str]) -> None:
        self.agent, self.event, self.session, self.cwd, self.environ = (
            agent,
            event,
            session[:MAX_ID_CHARS],
            cwd,
            environ,
        )
        self.home = current()
        self.settings = settings.load(self.home.config)
        hook.set_deadline(self.settings.number("hook.deadline_ms"))
        try:
            self.at = clock.stamp()
        except BadInput:
            self.at = clock.machine_stamp()
            hook.leave_line([agent, event], "failed", "SCRUBJAY_NOW is no ISO time; the machine's clock was taken")
        self.ledger = Ledger.open_hot(self.home.ledger)
        self.place = scope.look(self.home, cwd, isolate=self.settings.flag("projects.isolate_worktrees"))
        self.outcome, self.detail = "noop", ""

    def blocked(self) -> bool:
        """Does the person want nothing here? Then `outcome` says why."""
        mode = self.settings.text("mode")
        self._remember_wish(learning=mode not in ("off", "read-only"))
        if mode == "off":
            self.outcome = "off"
        elif self._within(self.settings.words("learn.exclude")):
            self.outcome = "excluded"
        elif self.ledger is not None and (pauses := self.ledger.pauses(at=self.at)):
            keys = {"", self.place.project} if self.place.project else {""}
            if keys & pauses.keys() or self._within(key for key in pauses if key.startswith(("/", "~"))):
                self.outcome = "paused"
        return self.outcome != "noop"

    def _remember_wish(self, *, learning: bool) -> None:
        """What is said while the mode forbids learning stays unlearnt, also when a later session's worker reads it."""
        if self.ledger is not None:
            scope = f"session:{self.agent}:{self.session}"
            if self.ledger.is_shut(scope) == learning:
                act = self.ledger.reopen if learning else self.ledger.shut
                act(scope, at=self.at)

    def _within(self, folders: Iterable[str]) -> bool:
        """Is the working directory, or the repository that it belongs to, in one of these folders?"""
        for folder in folders:
            top = os.path.realpath(os.path.expanduser(folder)) if folder else ""
            for path in (self.place.cwd, self.place.worktree, self.place.root):
                if top and path and (path == top or path.startswith(top.rstrip("/") + "/")):
                    return True
        return False

    def write(self, act: Callable[[Ledger], object]) -> bool:
        """Do one ledger write; False when there is no ledger or it could not be written now."""
        if self.ledger is None:
            return False
        before = self.ledger.skipped
        act(self.ledger)
        return self.ledger.skipped == before

    def note(self, started: float) -> None:
        """The row that says that this hook fired."""
        ms = round((time.monotonic() - started) * 1000)
        self.write(
            lambda ledger: ledger.note_event(
                self.agent,
                self.event,
                self.session,
                self.outcome,
                detail=self.detail,
                ms=ms,
                at=self.at,
                cwd=self.place.cwd,
            )
        )


def start(
    call: Call, own_index: OwnIndex, *, fresh: bool, compacted: bool = False, replayed: bool = True, once: bool = False
) -> str:
    """The resident block for a session's start, or "".

    `fresh`: the context is empty. Otherwise (resume, fork) a client with `replayed` replays what it was given, and the block
    is due only when it was given none; another gets the very text that was stored. `compacted`: the context was summarised
    away, what was injected into it is gone too. `once`: of two hooks for this start the first speaks.
    """
    ledger = call.ledger
    if compacted:
        call.write(lambda ledger: ledger.note_compaction(call.agent, call.session, at=call.at))
    if fresh or compacted:
        call.write(lambda ledger: ledger.clear_injected(call.agent, call.session))
        for name in (_fork(call), late_fact(call)):
            if ledger is not None and ledger.get(name):
                ledger.put(name, "")
    elif ledger is None and replayed:
        call.detail = "replayed by the client"
        return ""
    elif ledger is not None and (given := ledger.resident(call.agent, call.session)) is not None:
        if replayed or ledger.get(late_fact(call)):
            call.detail = "replayed by the client"
            return ""
        if given.text and call.settings.flag("resident.enabled"):
            call.outcome, call.detail = "injected", "as it was given before"
            return given.text
        return ""
    text, _stored = resident_block(call, own_index(call), late=once)
    return text


def resident_block(call: Call, own_index: str, *, late: bool = False) -> tuple[str, bool]:
    """The block built now, and whether it could be stored. `late`: only while the session has none, which of two hooks for
    one event the first finds; the text is "" for the other."""
    from scrubjay.inject import resident

    block = resident.resident(_index(call), call.place, call.settings, agent=call.agent, own_index=own_index)
    text = block.text if call.settings.flag("resident.enabled") else ""
    ids = block.ids if text else []
    told_ids = [one for one in block.told_ids if text or one not in block.ids]
    given = Resident(text, ids, block.rule_ids, call.at, told_ids)
    was_first: list[bool] = []
    stored = call.write(
        lambda ledger: was_first.append(ledger.set_resident(call.agent, call.session, given, replace=not late))
    )
    if stored and not was_first[0]:
        return "", True
    told = {"ids": ids, "left_out": block.left_out, "chars": len(text)}
    _tell_last(call, "resident", told)
    if text:
        call.outcome, call.detail = "injected", f"{len(ids)} memories, {len(text)} characters"
    return text, stored


def nearest(call: Call, idle_s: int) -> str:
    """The session of this directory whose last event lies nearest to `idle_s` seconds ago, "" when there is none: that is the
    parent of a fork where the client doesn't name it."""
    now = clock.parse(call.at)
    best: tuple[float, str] = (0.0, "")
    for row in call.ledger.events(call.agent) if call.ledger is not None and now is not None else ():
        moment = clock.parse(str(row["at"]))
        if row["cwd"] == call.place.cwd and row["session"] not in ("", call.session) and moment is not None:
            distance = abs((now - moment).total_seconds() - idle_s)  # type: ignore[operator]
            if not best[1] or distance < best[0]:
                best = (distance, str(row["session"]))
    return best[1]


def inherit(call: Call, parent: str) -> bool:
    """A fork goes on from another session: what that one was given counts as given here too.

    False when that is not known, or this session was given something of its own already.
    """
    ledger = call.ledger
    if ledger is None or not parent or ledger.resident(call.agent, call.session) is not None:
        return False
    given = ledger.resident(call.agent, parent)
    if given is None:
        return False
    rows = [(key, channel, 0, "") for key, (channel, _at) in ledger.injected(call.agent, parent).items()]
    said = quickjson.dumps([parent, ledger.last_compaction(call.agent, parent), call.at])
    call.write(lambda _: ledger.put(_fork(call), said))
    if ledger.get(late_fact(call, parent)):
        call.write(lambda _: ledger.put(late_fact(call), "1"))
    call.detail = "replayed by the client"
    return call.write(lambda _: ledger.set_resident(call.agent, call.session, given)) and call.write(
        lambda _: ledger.add_injected(call.agent, call.session, rows, at=call.at)
    )


def _fork(call: Call) -> str:
    """Name of the fact that says what a fork was forked from."""
    return f"fork:{call.agent}:{call.session}"


def late_fact(call: Call, session: str = "") -> str:
    """Name of the fact that says that a session's block came with a prompt, and so lies in its history."""
    return f"late:{call.agent}:{session or call.session}"


def _said_before_the_fork(call: Call, ledger: Ledger, connection: sqlite3.Connection | None) -> set[str]:
    """Memories that rest on words which a fork copied from its parent: they are in its context, under the parent's id."""
    origin = ledger.get(_fork(call))
    if not origin or connection is None:
        return set()
    from scrubjay.search import listing

    return listing.said_in(connection, *quickjson.loads(origin))


def prompt(call: Call, text: str, prompt_id: str, own_index: OwnIndex) -> str:
    """What one prompt brings back, or ""."""
    from scrubjay.inject.prompts import machine_made
    from scrubjay.inject.recall import Request, Seen, recall

    ledger = call.ledger
    if ledger is None:
        start_worker(call)  # it makes it anew
        return _without_ledger(call, text)
    given = ledger.resident(call.agent, call.session)
    if given is None:
        if machine_made(text):
            return ""
        # the session's start was missed (installed meanwhile, or late): its block comes with the first prompt
        block, stored = resident_block(call, own_index(call), late=True)
        given = ledger.resident(call.agent, call.session)
        if block and stored:
            call.write(lambda _: ledger.put(late_fact(call), "1"))
        if block or not stored or given is None:
            return block if stored else ""
    injected = {key: channel for key, (channel, _at) in ledger.injected(call.agent, call.session).items()}
    injected.update((key, "resident") for key in given.told_ids)
    connection = _index(call)
    injected.update((key, "fork") for key in _said_before_the_fork(call, ledger, connection))
    seen = Seen(
        injected=injected,
        known_rules=given.rule_ids,
        last_compaction=ledger.last_compaction(call.agent, call.session),
        chars=ledger.injected_chars(call.agent, call.session, "recall"),
        usage=Usage(ledger),
    )
    request = Request(text, call.place, agent=call.agent, session=call.session)
    found = recall(request, connection, call.settings, seen)
    return _deliver(call, found, prompt_id)


def _without_ledger(call: Call, text: str) -> str:
    """What a prompt brings while nobody knows what the session already holds.

    Lost, it is there again with the next prompt or the one after: until then saying something twice is better than silence.
    One that is there but cannot be read, or that could not be made anew, would have every prompt say the same.
    """
    from scrubjay.inject.recall import Request, Seen, recall

    if os.path.lexists(call.home.ledger) or not os.access(call.home.state, os.W_OK):
        return ""
    request = Request(text, call.place, agent=call.agent, session=call.session)
    return recall(request, _index(call), call.settings, Seen()).block


def _index(call: Call) -> sqlite3.Connection | None:
    from scrubjay.search import query

    connection = query.open(call.home.search)
    if connection is not None:
        watch(connection)
    return connection


def watch(connection: sqlite3.Connection) -> None:
    """A query that takes long calls back, so that the deadline is seen inside it too."""
    connection.set_progress_handler(lambda: 0, PROGRESS_STEPS)


def _deliver(call: Call, found: Recall, prompt_id: str) -> str:
    """The block, once it is noted that it was given: what cannot be noted would come again with every prompt."""
    rows = [*found.rules, *found.memories]
    told = {
        "ids": [row.id for row in rows],
        "left_out": [[row.id, row.filter] for row in found.left_out],
        "reason": found.reason,
        "chars": len(found.block),
    }
    if not found.block:
        _tell_last(call, "recall", told)
        call.detail = found.reason
        return ""
    share, rest = divmod(len(found.block), max(1, len(rows)))
    noted = [(row.id, "recall", share + (rest if n == 0 else 0), prompt_id) for n, row in enumerate(rows)]
    was_first: list[bool] = []
    if not call.write(
        lambda ledger: was_first.append(ledger.add_injected(call.agent, call.session, noted, at=call.at))
    ):
        call.outcome, call.detail = "skipped", "ledger cannot be written"
        return ""
    if not was_first[0]:
        call.outcome, call.detail = "skipped", "another hook of this prompt was faster"
        return ""
    _tell_last(call, "recall", told)
    call.outcome, call.detail = "injected", f"{len(rows)} memories, {len(found.block)} characters"
    return found.block


def queue(call: Call, kind: str, payload: Mapping[str, str]) -> None:
    """Leave a job for the worker."""
    if call.settings.text("mode") == "read-only":
        kind, payload = "refresh", {}
    text = quickjson.dumps(payload) if payload else ""
    if call.write(lambda ledger: ledger.enqueue(kind, text, at=call.at)):
        call.outcome = "queued" if call.outcome == "noop" else call.outcome


def start_worker(call: Call) -> None:
    """In the background, unless one runs."""
    from scrubjay.hooks import background

    background.start(call.home, call.environ)


def notice(call: Call) -> str:
    """The one line to the person: news since the last one, or what keeps us from learning; "" mostly."""
    wanted, ledger = call.settings.text("notices"), call.ledger
    if wanted == "off" or ledger is None:
        return ""
    failing = ledger.get("worker.failing_since")
    if not failing and ledger.waiting():
        last = ledger.get("worker.ok_at")
        moment, now = clock.parse(last) if last else None, clock.parse(call.at)
        failing = last if moment and now and (now - moment).days >= STALLED_DAYS else ""
    if failing:
        return f"scrubjay: not learning since {_day(failing, call.at)}: jay doctor"
    learnt, pending = _number(ledger.get("news.learnt")), _number(ledger.get("news.pending"))
    if wanted != "news" or not (learnt or pending):
        return ""
    if not call.write(lambda _: ledger.put("news.learnt", "")) or not call.write(
        lambda _: ledger.put("news.pending", "")
    ):
        return ""
    parts = [f"{learnt} learnt"] if learnt else []
    parts += [f"{pending} to review (jay review)"] if pending else []
    return "scrubjay: " + ", ".join(parts)


def _tell_last(call: Call, channel: str, told: Mapping[str, object]) -> None:
    text = quickjson.dumps(told)
    call.write(lambda ledger: ledger.set_last(call.place.cwd, call.agent, call.session, channel, text, at=call.at))


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 0


def _day(stamp: str, now: str) -> str:
    """`Tuesday` within a week, else the date."""
    then, today = clock.parse(stamp), clock.parse(now)
    if then is None or today is None or (today - then).days >= 7:
        return stamp[:10]
    names = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    return names[then.weekday()]
