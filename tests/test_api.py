"""The Python API: what a builder of agents relies on, and the example that shows it."""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import scrubjay
from scrubjay import api
from scrubjay.home import Home
from scrubjay.ledger import Ledger
from tests.learn.world import repository
from tests.secrets import VALUES

TOP = Path(__file__).parent.parent
RULE = "always run `make lint` before you commit"
PORT = "from now on the staging database listens on port 5544"
QUESTION = "which port does the staging database listen on?"


@pytest.fixture
def store(home: str) -> scrubjay.Store:
    """An agent's store in a repository."""
    return scrubjay.open(repository(Path(home) / "acme-api"), agent="toy")


def said(*texts: str, at: str = "2026-09-20T10:00:00Z") -> list[scrubjay.Message]:
    """A conversation in which a person says these, each answered."""
    return [
        one for text in texts for one in (scrubjay.Message("user", text, at=at), scrubjay.Message("assistant", "ok"))
    ]


def files(home: str) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path(home).rglob("*") if path.is_file()}


def test_a_session_teaches_the_next_one(store: scrubjay.Store) -> None:
    """Learnt with the agent's name and session as evidence; recalled; in the next session's block; forgotten; brought back."""
    report = store.learn(said(RULE, PORT), session="monday")
    assert sorted(one.quote for one in report.created) == sorted([RULE, PORT])
    (hit,) = store.recall(QUESTION).memories
    assert (hit.text, hit.scope, hit.trust) == (PORT, "project", "user")
    assert {"port", "staging", "database"} <= set(hit.matched)
    assert hit.id in store.context().ids
    proof = store.why(hit.id)
    assert [(one.agent, one.session, one.origin, one.quote) for one in proof.evidence] == [
        ("toy", "monday", "user", PORT)
    ]
    assert (proof.memory, proof.gone, len(proof.changes)) == (store.get(hit.id[:6]), frozenset(), 1)
    done = store.forget(hit.id)
    assert not store.recall(QUESTION)
    assert store.learn(said(RULE, PORT), session="monday").created == ()
    store.undo(done.undo)
    assert [one.id for one in store.recall(QUESTION).memories] == [hit.id]


def test_the_growing_list_is_learnt_from_once(store: scrubjay.Store) -> None:
    """Given after every turn, as objects or as mappings, with times or without."""
    turns = said(RULE, PORT)
    assert len(store.learn(turns[:2], session="s").created) == 1
    assert len(store.learn(turns, session="s").created) == 1
    mappings = [{"role": one.role, "text": one.text} for one in turns]
    again = store.learn(mappings, session="s")
    assert (again.created, again.messages, again.evidence_added) == ((), 0, 0)
    assert [one.by for one in store.memories()] == ["learned", "learned"]


def test_what_was_given_is_never_learnt_back(store: scrubjay.Store) -> None:
    """Also when the model repeats the whole block, and the harness files it under the person's name."""
    store.learn(said(PORT), session="monday")
    block = store.recall(QUESTION).block
    report = store.learn(said(f"{block}\n{QUESTION}", f"{store.context()}"), session="tuesday")
    assert (report.created, report.pending, report.evidence_added) == ((), (), 0)


def test_a_session_gets_nothing_twice(store: scrubjay.Store) -> None:
    """Its block stays the same bytes, recall brings a memory once, a rule that is new comes with the next prompt; after a
    compaction everything may come again."""
    store.learn(said(PORT), session="monday")
    first = store.context(session="tuesday")
    store.remember("Never touch vendor/.", scope="user", type="feedback")
    assert store.context(session="tuesday").block == first.block != store.context().block
    found = store.recall(QUESTION, session="tuesday")
    assert [one.text for one in found.rules] == ["Never touch vendor/."]
    assert not store.recall(QUESTION, session="tuesday")
    store.compacted("tuesday")
    assert store.context(session="tuesday").block == store.context().block
    assert "5544" in store.recall(QUESTION).block


def test_what_is_said_in_a_session_is_not_repeated_to_it(store: scrubjay.Store) -> None:
    """The session that said it has it in its own context."""
    store.learn(said(PORT), session="monday")
    assert not store.recall(QUESTION, session="monday")
    assert store.recall(QUESTION, session="tuesday")


def test_an_agents_wish_waits_until_the_person_says_it(store: scrubjay.Store) -> None:
    """Trust comes from who said it: pending, then active with the person's trust and one memory; or by their yes."""
    wish = store.remember(PORT, by="agent")
    assert (wish.status, store.recall(QUESTION).block) == ("pending", "")
    store.learn(said(PORT), session="s")
    (memory,) = store.memories(status=None)
    assert (memory.id, memory.status, memory.trust) == (wish.id, "active", "user")
    other = store.remember("The queue is drained by hand on Fridays.", by="agent")
    assert store.accept(other.id).accepted == (other.id,)
    assert store.get(other.id).trust == "confirmed"


def test_machine_made_prompts_wait(store: scrubjay.Store) -> None:
    """`headless`: no person typed it."""
    report = store.learn(said(RULE), session="s", headless=True)
    assert (report.created, [one.reason.partition(":")[0] for one in report.pending]) == ((), ["headless"])


def test_projects_do_not_see_each_other(store: scrubjay.Store, home: str) -> None:
    """Neither by recall nor by id."""
    store.learn(said(PORT), session="s")
    (memory,) = store.memories()
    other = scrubjay.open(repository(Path(home) / "other"), agent="toy")
    assert (other.memories(), other.recall(QUESTION).block, other.context().block) == ((), "", "")
    with pytest.raises(scrubjay.NothingFound):
        other.forget(memory.id)


@pytest.mark.parametrize(
    ("messages", "at", "what"),
    [
        ([{"role": "user", "content": "x"}], "messages[0]", "no field 'content'"),
        ([{"role": "user", "text": "x"}, {"role": "boss", "text": "x"}], "messages[1]", "`role` must be one of"),
        ([{"role": "user", "text": "x", "at": "yesterday"}], "messages[0]", "`at` must be a time"),
        ([scrubjay.Message("user", "x", cwd="not/absolute")], "messages[0]", "`cwd` must be an absolute path"),
        (
            [scrubjay.Message("user", "x"), scrubjay.Message("user", "y", parent="gone")],
            "messages[1]",
            "does not stand",
        ),
        (["hello"], "messages[0]", "not str"),
        ("hello", "messages", "must be a list"),
    ],
)
def test_a_wrong_message_is_named_by_its_place(
    store: scrubjay.Store, messages: Any, at: str, what: str, home: str
) -> None:
    """And nothing was learnt, not from the good ones before it either."""
    with pytest.raises(scrubjay.BadInput, match=re.escape(what)) as caught:
        store.learn(messages, session="s")
    assert caught.value.at == at
    assert store.memories(status=None) == ()
    assert not os.path.exists(os.path.join(home, ".scrubjay", "memory"))


def test_a_secret_is_written_nowhere_and_refused(store: scrubjay.Store, home: str) -> None:
    """By every way in."""
    secret = VALUES["github-token:1"]
    store.learn(said(f"always use the token {secret} for CI"), session="s")
    with pytest.raises(scrubjay.Refused) as caught:
        store.remember(f"token {secret}")
    assert (caught.value.rule, secret in str(caught.value)) == ("secret", False)
    assert [name for name, data in files(home).items() if secret.encode() in data] == []


def test_a_stream_is_taken_as_jay_ingest_takes_it(store: scrubjay.Store, tmp_path: Path) -> None:
    """From a file or a binary stream; a wrong line is named with its file."""
    head = {"type": "session", "schema": "scrubjay.session/1", "agent": "other", "session": "s", "cwd": store.directory}
    lines = [head, {"type": "message", "role": "user", "at": "2026-09-20T10:00:00Z", "text": RULE}]
    data = "".join(json.dumps(one) + "\n" for one in lines)
    path = tmp_path / "s.jsonl"
    path.write_text(data + "{}\n")
    with pytest.raises(scrubjay.BadInput) as caught:
        store.ingest(path)
    assert caught.value.at == f"{path}:3"
    with pytest.raises(scrubjay.BadInput):
        store.ingest(tmp_path / "missing")
    assert len(store.ingest(io.BytesIO(data.encode())).created) == 1
    assert store.why(store.memories()[0].id).evidence[0].agent == "other"


def test_what_other_agents_keep_is_brought_over(store: scrubjay.Store, home: str) -> None:
    """As `jay import` does it."""
    path = Path(home, ".hermes", "memories", "MEMORY.md")
    path.parent.mkdir(parents=True)
    path.write_text("The NAS answers on port 5001.")
    assert store.import_from(dry_run=True).notes == {"hermes": 1}
    (one,) = store.import_from("hermes").pending
    assert (store.get(one.id).by, store.get(one.id).text) == ("imported:hermes", "The NAS answers on port 5001.")
    with pytest.raises(scrubjay.BadInput):
        store.import_from("nobody")


def test_the_person_decides(store: scrubjay.Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause, an excluded folder and the mode hold for built agents too."""
    store.learn(said(PORT), session="s")
    monkeypatch.setenv("SCRUBJAY_LEARN_EXCLUDE", store.directory)
    assert (store.recall(QUESTION).reason, store.context().block) == ("paused", "")
    assert store.learn(said(RULE), session="s2").skipped == {"excluded": 1}
    monkeypatch.delenv("SCRUBJAY_LEARN_EXCLUDE")
    with Ledger.open(Home(store.home).ledger) as ledger:
        ledger.pause("", "9999-01-01T00:00:00Z", at="2026-09-20T10:00:00Z")
    assert store.recall(QUESTION).reason == "paused"
    monkeypatch.setenv("SCRUBJAY_MODE", "off")
    with pytest.raises(scrubjay.BadInput, match="scrubjay is off"):
        store.remember("x y z")


def test_looking_makes_nothing(home: str, tmp_path: Path) -> None:
    """A store that was never written to is empty, and a look leaves no folder behind."""
    store = scrubjay.open(tmp_path / "work", agent="toy", home=os.path.join(home, "elsewhere"))
    assert (store.memories(), store.context().block, bool(store.recall("anything at all"))) == ((), "", False)
    assert store.learn(said(RULE), session="s", dry_run=True).created != ()
    assert not os.path.exists(store.home)
    with pytest.raises(scrubjay.NothingFound):
        store.get("m-0000000000")


@pytest.mark.parametrize("name", ["", "My Agent", "x" * 41])
def test_an_agents_name_is_checked(name: str) -> None:
    """At once, not when something is learnt."""
    with pytest.raises(scrubjay.BadInput):
        scrubjay.open(agent=name)
    with pytest.raises(scrubjay.BadInput):
        scrubjay.open(home="relative")


def test_many_tasks_at_once_lose_nothing(store: scrubjay.Store) -> None:
    """The awaited twin gives way while it waits; twelve writers of one store all get their word in."""
    twin = scrubjay.open_async(store.directory, agent="toy")
    words = [
        "apples",
        "pears",
        "plums",
        "cherries",
        "figs",
        "quinces",
        "grapes",
        "melons",
        "dates",
        "limes",
        "olives",
        "nuts",
    ]

    async def everything() -> list[str]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        ticking = asyncio.create_task(tick())
        done = await asyncio.gather(
            *(twin.remember(f"The {one} are kept in the cellar of house {n}.") for n, one in enumerate(words))
        )
        assert len(await twin.memories()) == len(words)
        assert (await twin.recall("where are the quinces kept?")).memories
        ticking.cancel()
        assert ticks > len(words)
        return [one.id for one in done]

    assert len(set(asyncio.run(everything()))) == len(words)


def test_the_awaited_twin_is_the_same() -> None:
    """Every method, with the same parameters and results."""
    ours = {
        name: one for name, one in vars(scrubjay.Store).items() if inspect.isfunction(one) and not name.startswith("_")
    }
    twins = {
        name: one
        for name, one in vars(scrubjay.AsyncStore).items()
        if inspect.isfunction(one) and not name.startswith("_")
    }
    assert {name: inspect.signature(one) for name, one in ours.items()} == {
        name: inspect.signature(one) for name, one in twins.items()
    }
    assert all(inspect.iscoroutinefunction(one) for one in twins.values())


def test_results_are_frozen_and_documented() -> None:
    """Every public class and method says what it is; no result can be changed."""
    for name in scrubjay.__all__:
        one = getattr(scrubjay, name)
        assert inspect.getdoc(one), name
        if dataclasses.is_dataclass(one):
            assert vars(one)["__dataclass_params__"].frozen, name
    for name, method in vars(scrubjay.Store).items():
        assert name.startswith("_") or inspect.getdoc(method), name


def test_the_lazy_names_are_those_of_the_api() -> None:
    """`scrubjay.__all__` is `scrubjay.api.__all__`; another name is an AttributeError."""
    assert scrubjay.__all__ == api.__all__
    assert {"open", "api", "__version__"} <= set(dir(scrubjay))
    with pytest.raises(AttributeError):
        _ = scrubjay.nothing_of_the_kind  # type: ignore[attr-defined]


def test_the_example_runs_as_the_docs_show_it(home: str) -> None:
    """About thirty lines, the same text in docs/python-api.md; the second session knows what the first was told."""
    path = TOP / "examples" / "toy_agent.py"
    text = path.read_text(encoding="utf-8")
    assert text in (TOP / "docs" / "python-api.md").read_text(encoding="utf-8")
    assert len([line for line in text.splitlines() if line.strip()]) <= 31
    done = subprocess.run([sys.executable, str(path)], cwd=home, capture_output=True, text=True, check=True)
    assert "from now on the staging database listens on port 5544" in done.stdout.split("m-")[1]
    assert re.search(r"^m-\w{10} always run `make lint` before you commit \| monday$", done.stdout, re.MULTILINE)
    assert done.stderr == ""
