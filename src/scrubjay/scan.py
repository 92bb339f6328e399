"""What `jay scan` shows: a read-only look at the sessions on this machine. Nothing is written, nothing is sent."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from scrubjay import agents, home, redact
from scrubjay.agents.base import Source
from scrubjay.learn.pipeline import Progress, learn
from scrubjay.learn.report import LearnReport, Learnt

NOT_READABLE_YET: Mapping[str, tuple[str, ...]] = {
    "Cursor": (".cursor/chats",),
    "Copilot CLI": (".copilot/session-state",),
}
"""Agents whose sessions no reader understands so far → where they keep them, below the home folder."""

BEST = 5
SAMPLE_FILES = 40
"""The newest session files that are searched for secrets unless all are asked for."""
SAMPLE_BYTES = 2_000_000
"""Of each of them the last bytes: what was pasted lately."""
CHARS_PER_TOKEN = 4
"""The usual rule of thumb for English; an estimate, and called so where it is shown."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """One agent on this machine."""

    agent: str
    title: str
    files: int
    bytes: int
    oldest: str
    """Date of the oldest session file, `2026-09-03`."""
    newest: str
    unreadable: int
    """Files that cannot be read (compressed without a decoder, no permission)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OldSecret:
    """A secret that lies in a transcript: what and where, never its value."""

    kind: str
    file: str
    line: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Scan:
    """The whole picture."""

    agents: tuple[Found, ...]
    not_readable_yet: tuple[str, ...]
    best: tuple[Learnt, ...]
    keep: int
    ask: int
    refused: Mapping[str, int]
    people_messages: int
    secrets: tuple[OldSecret, ...]
    secrets_searched_files: int
    secrets_all: bool
    tokens_per_session: int
    """Estimate for the project with most memories: the size of its resident block, in tokens."""
    tokens_project: str
    problems: tuple[str, ...]
    skipped: Mapping[str, int]

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def scan(*, all_secrets: bool = False, step: Progress) -> Scan:
    """Look at every agent's sessions. `step` is called before each file."""
    sources = _sources()
    report = learn(home.current(), dry_run=True, backlog=True, progress=step)
    secrets, searched = _secrets([source for found in sources.values() for source in found], all_secrets, step)
    tokens, project = _tokens(report)
    readers = agents.readers()
    return Scan(
        agents=tuple(_found(name, readers[name].title, found) for name, found in sources.items() if found),
        not_readable_yet=_not_readable_yet(),
        best=tuple(best(report)),
        keep=len(report.created),
        ask=len(report.pending),
        refused=dict(report.refused_by_rule),
        people_messages=report.messages,
        secrets=tuple(secrets),
        secrets_searched_files=searched,
        secrets_all=all_secrets,
        tokens_per_session=tokens,
        tokens_project=project,
        problems=report.problems,
        skipped=dict(report.skipped),
    )


def best(report: LearnReport) -> list[Learnt]:
    """The five that show best what would be kept (else asked about): rules first, of different kinds, the newest of each."""
    ranked = sorted(report.created or report.pending, key=lambda one: one.at, reverse=True)
    ranked.sort(key=lambda one: ("feedback", "user", "project", "reference").index(one.type))
    chosen: list[Learnt] = []
    for distinct in (True, False):  # one of each cue first, then whatever is left
        for one in ranked:
            if len(chosen) < BEST and one not in chosen and not (distinct and one.cue in {c.cue for c in chosen}):
                chosen.append(one)
    return chosen


def _sources() -> dict[str, list[Source]]:
    return {name: reader.find(home.user_home(), os.environ) for name, reader in agents.readers().items()}


def _found(name: str, title: str, sources: list[Source]) -> Found:
    from datetime import UTC, datetime

    days = sorted(datetime.fromtimestamp(source.mtime_ns / 1e9, UTC).date().isoformat() for source in sources)
    return Found(
        agent=name,
        title=title,
        files=len(sources),
        bytes=sum({source.path: source.size for source in sources}.values()),
        oldest=days[0],
        newest=days[-1],
        unreadable=sum(bool(source.unreadable) for source in sources),
    )


def _not_readable_yet() -> tuple[str, ...]:
    top = home.user_home()
    there = [
        name for name, places in NOT_READABLE_YET.items() if any(os.path.exists(os.path.join(top, p)) for p in places)
    ]
    return tuple(there)


def _tokens(report: LearnReport) -> tuple[int, str]:
    """Size of the largest resident block that the kept memories would make, from what its lines are made of."""
    sizes: dict[str, int] = {}
    for one in report.created:
        size = len(one.quote) + 20 if one.type in ("feedback", "user") else len(one.name) + 90
        sizes[one.project if one.scope != "user" else ""] = (
            sizes.get(one.project if one.scope != "user" else "", 0) + size
        )
    for_all = sizes.pop("", 0)
    project = max(sizes, key=lambda key: sizes[key], default="")
    return min(6000, for_all + sizes.get(project, 0)) // CHARS_PER_TOKEN, project


def _secrets(sources: list[Source], everything: bool, step: Progress) -> tuple[list[OldSecret], int]:
    files = {source.path: source for source in sources}  # a database holds many sessions and is searched once
    readable = [source for source in files.values() if not source.unreadable and not source.path.endswith(".zst")]
    chosen = sorted(readable, key=lambda source: source.mtime_ns, reverse=True)[: None if everything else SAMPLE_FILES]
    found = []
    for number, source in enumerate(chosen):
        step(source.path, number, len(chosen))
        try:
            found += list(_secrets_in(source, everything))
        except OSError:
            continue  # went away meanwhile; the readers report what they cannot open
    return found, len(chosen)


def _secrets_in(source: Source, everything: bool) -> Iterator[OldSecret]:
    seen = set()
    with open(source.path, "rb") as file:
        skip = 0 if everything else max(0, source.size - SAMPLE_BYTES)
        for number, line in enumerate(file, start=1):
            skip -= len(line)
            if skip > 0:
                continue
            # a transcript holds JSON: undo the escapes that would hide a key block or glue a word to a key
            text = line.decode("utf-8", "replace").replace("\\n", "\n").replace('\\"', '"')
            for finding in redact.findings(text):
                value = text[finding.start : finding.end]
                if (finding.kind, value) not in seen:  # the same prompt stands in a transcript several times
                    seen.add((finding.kind, value))
                    yield OldSecret(kind=finding.kind, file=source.path, line=number)
