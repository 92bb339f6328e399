"""The main job on real input: recorded sessions of three agents, in a temporary home.

The calls are those that any other home goes through; nothing here is drawn for the demo.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

from scrubjay import agents, projects, settings
from scrubjay import home as homes
from scrubjay.demo.fill import values
from scrubjay.demo.stage import RECORDED_HOME, slug, staged
from scrubjay.errors import ScrubjayError
from scrubjay.home import Home
from scrubjay.inject.recall import Recall, Request, Seen, recall
from scrubjay.learn.pipeline import learn
from scrubjay.learn.report import LearnReport, Learnt, Refusal
from scrubjay.search import query
from scrubjay.store.library import Library
from scrubjay.why import Proof, why

PROMPTS = (
    "rename a field in web/src/client.ts for me",
    "how long does v1 stay up?",
    "translate 'see you tomorrow' into Finnish",
)
"""What somebody types in a later session, of any agent: two that memories answer, and one that none does."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """One recorded session."""

    agent: str
    title: str
    date: str
    prompts: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Recalled:
    """What one prompt brings back."""

    prompt: str
    block: str
    """The text that the agent would get; "" when nothing."""
    memories: tuple[tuple[str, str, str], ...]
    """(id, name, body) of what is in the block."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Demo:
    """Everything that the demo shows."""

    sessions: tuple[Recorded, ...]
    kept: tuple[Learnt, ...]
    waiting: tuple[Learnt, ...]
    replaced: tuple[Learnt, ...]
    refused: tuple[Refusal, ...]
    recall: tuple[Recalled, ...]
    why: Proof
    secrets: int
    """Made-up secrets in the recordings."""
    secrets_found: int
    """Files among everything that was written, the history's objects unpacked, that hold one of them: 0."""

    def as_json(self) -> dict[str, Any]:
        """JSON-able values."""
        proof = {
            "memory": asdict(self.why.stored.memory),
            "evidence": [asdict(one) for one in self.why.evidence],
            "replaces": [{"id": key, "name": name} for key, name in self.why.replaces],
        }
        return {
            "sessions": [asdict(one) for one in self.sessions],
            "kept": [asdict(one) for one in self.kept],
            "waiting": [asdict(one) for one in self.waiting],
            "replaced": [asdict(one) for one in self.replaced],
            "refused": [asdict(one) for one in self.refused],
            "recall": [asdict(one) for one in self.recall],
            "why": proof,
            "secrets": self.secrets,
            "secrets_found": self.secrets_found,
        }


def demo() -> Demo:
    """Stage, learn, recall, prove. Raises `BadInput` without git; touches nothing outside its temporary folder."""
    with staged() as project:
        home = homes.current()
        sessions = _sessions()
        report = learn(home)
        library = Library.open(home)
        return Demo(
            sessions=sessions,
            kept=report.created,
            waiting=report.pending,
            replaced=report.superseded,
            refused=report.refused,
            recall=tuple(_recalled(home, project, prompt) for prompt in PROMPTS),
            why=_proof(library, report),
            secrets=len(values()),
            secrets_found=_leaks(home),
        )


def _sessions() -> tuple[Recorded, ...]:
    found = []
    for name, reader in agents.readers().items():
        for source in reader.find(homes.user_home(), os.environ):
            said = [one for one in reader.read(source, None).session.messages if one.origin in ("user", "machine")]
            found.append(Recorded(agent=name, title=reader.title, date=said[0].at[:10], prompts=len(said)))
    return tuple(sorted(found, key=lambda one: one.date))


def _recalled(home: Home, project: str, prompt: str) -> Recalled:
    place = projects.resolve(home, project, create=False)
    index = query.open(home.search)
    try:
        result: Recall = recall(Request(prompt, place), index, settings.load(home.config), Seen())
    finally:
        if index is not None:
            index.close()
    rows = [*result.rules, *result.memories]
    return Recalled(prompt=prompt, block=result.block, memories=tuple((one.id, one.name, one.body) for one in rows))


def _proof(library: Library, report: LearnReport) -> Proof:
    """Of the memory that shows best what a proof is: one that replaced another; else the first."""
    if not report.created:
        raise ScrubjayError("the recorded sessions gave no memory", hint="please report it")
    ids = [one.id for one in report.created]
    proofs = [why(library, one) for one in ids]
    proof = next((one for one in proofs if one.replaces), proofs[0])
    # the temporary home is gone when this is read: its paths are told as a person's own would be
    top = homes.user_home()
    evidence = tuple(
        replace(one, file=one.file.replace(top, "~", 1).replace(slug(top), slug(RECORDED_HOME)))
        for one in proof.evidence
    )
    return replace(proof, evidence=evidence, gone=frozenset())


def _leaks(home: Home) -> int:
    secrets = [value.encode() for value in values()]
    count = 0
    for folder, _, names in os.walk(home.root):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            with suppress(zlib.error):
                data += zlib.decompress(data)  # an object of the history
            count += any(secret in data for secret in secrets)
    return count
