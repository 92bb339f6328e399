"""Secrets (bug-log kind `secrets`): no way into the store, no byte of one in anything that is written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scrubjay import redact
from tests.cases.machine import Machine
from tests.redact.parts import BASE62, some, word

PASSWORD = word("Zq9", "xWv7", "Tb2Lm")
KEY = word("sk", "-", "test-", some(BASE62, 40))
CLIENT = "Foo Ltd"
SAYS_ALL = (
    f"prod database password is {PASSWORD}, the key is {KEY}, <private>the client is {CLIENT}</private> ask Ann first"
)


def places_with(machine: Machine, *words: str) -> list[str]:
    """Files below the store, and `git` for its objects, that hold one of the words."""
    found = [
        str(path.relative_to(machine.store))
        for path in machine.store.rglob("*")
        if path.is_file() and any(one.encode() in path.read_bytes() for one in words)
    ]
    memory = machine.store / "memory"
    if (memory / ".git").exists():
        command = ["git", "-C", str(memory), "cat-file", "--batch-all-objects", "--batch"]
        objects = subprocess.run(command, capture_output=True, check=True).stdout
        found += ["git" for one in words if one.encode() in objects]
    return found


def typing(machine: Machine, text: str) -> dict[str, str]:
    """An editor that adds `text` at the end."""
    script = machine.home / "editor"
    script.write_text(f"#!/bin/sh\nprintf '\\n%s\\n' '{text}' >> \"$1\"\n")
    script.chmod(0o700)
    return {"EDITOR": str(script)}


WAYS = {
    "text": ["remember", SAYS_ALL],
    "name": ["remember", "--name", SAYS_ALL[:70], "the queue drains at noon"],
    "alias": ["remember", "--alias", SAYS_ALL, "the queue drains at noon"],
    "path": ["remember", "--path", f"deploy/{KEY}", "the queue drains at noon"],
    "edit-alias": ["edit", "{id}", "--alias", SAYS_ALL],
    "edit-body": ["edit", "{id}", "--body", SAYS_ALL],
    "edit-name": ["edit", "{id}", "--name", f"password: {PASSWORD}"],
    "editor": ["edit", "{id}"],
    "team": ["remember", "--team", SAYS_ALL],
    "team-editor": ["edit", "{team}"],
    "reason": ["forget", "{id}", "--reason", SAYS_ALL],
    "recall": ["recall", SAYS_ALL],
}


def harmless(machine: Machine) -> None:
    """A repository with a memory of the person's and one of the team's."""
    repo = machine.repository("acme")
    machine.remember("deploys need the vpn job first", cwd=repo)
    machine.remember("the release branch is cut on Mondays", "--team", cwd=repo)


@pytest.mark.parametrize("way", WAYS)
def test_no_command_writes_a_secret(machine: Machine, way: str) -> None:
    """Whatever option it stands in: it is left out and said so, or the whole is refused with the rule; no value is printed,
    none is in any byte of the store, of its history or of the repository."""
    harmless(machine)
    repo = machine.folder("acme")
    found = machine.jay("list", "--json", cwd=repo).json["memories"]
    ids = {"team" if "release" in row["body"] else "id": row["id"] for row in found}
    done = machine.jay(*[one.format(**ids) for one in WAYS[way]], "--json", cwd=repo, **typing(machine, SAYS_ALL))
    assert done.code in (0, 1) or done.json["rule"] == "secret", done
    assert not any(one in done.out + done.err for one in (PASSWORD, KEY))
    assert places_with(machine, PASSWORD, KEY, CLIENT) == []
    team = repo / ".scrubjay"
    assert not any(one.encode() in path.read_bytes() for path in team.rglob("*.md") for one in (PASSWORD, KEY, CLIENT))


@pytest.mark.parametrize(
    "said",
    [
        f"remember: {SAYS_ALL}",
        f"from now on always use the token {KEY} for the staging api",
        f"always run make fmt <private>for {CLIENT}</private> before you commit",
    ],
)
def test_no_session_brings_a_secret_in(machine: Machine, said: str) -> None:
    """The person says it, the assistant repeats it: memory, evidence, kept turns, ledger, index and history are clean."""
    repo = machine.repository("acme")
    machine.talk("s1", repo).say(said, reply=f"Noted: {said}")
    machine.learn()
    machine.recalled("which password has the prod database?", repo)
    assert (machine.store / "memory").exists() or (machine.store / "turns").exists()
    assert places_with(machine, PASSWORD, KEY, CLIENT) == []


def test_a_remote_with_a_token_in_it(machine: Machine) -> None:
    """What a project is recognised by is its address, not who may read it."""
    repo = machine.repository("acme", remote=f"https://user:{KEY}@git.example.com/x/acme.git")
    machine.remember("deploys need the vpn job first", cwd=repo)
    machine.talk("s1", repo).say("always run make fmt before you commit")
    machine.learn()
    assert places_with(machine, KEY) == []


def test_a_secret_in_a_file_made_by_hand_is_not_passed_on(machine: Machine) -> None:
    """The file is the person's and stays; nothing of it is recalled or stands in the block, doctor says so, and other
    changes of it (pin, archive, an alias) are not refused for what was there before."""
    repo = machine.repository("acme")
    memory = machine.remember("deploys need the vpn job first, else there is no route to the bastion", cwd=repo)
    path = Path(machine.jay("show", memory, "--json", cwd=repo).json["file"])
    path.write_text(path.read_text() + f"\nThe password is {PASSWORD}\n")
    assert machine.recalled("which vpn job do deploys need before the bastion?", repo) == ""
    assert PASSWORD not in machine.jay("context", cwd=repo).out
    assert "secret" in machine.jay("doctor").out
    assert machine.jay("edit", memory, "--alias", "bastion timeout", cwd=repo).code == 0
    assert PASSWORD in path.read_text()


def test_redacting_twice_finds_nothing_the_second_time() -> None:
    """A mask is no secret, and tells neither length nor hash of what it covers."""
    once = redact.redact(SAYS_ALL)
    assert (redact.redact(once), redact.findings(once)) == (once, [])
    assert once == redact.redact(SAYS_ALL.replace(PASSWORD, PASSWORD + "99x"))


def test_a_vendor_that_nobody_knows(machine: Machine) -> None:
    """Random characters are recognised without a known beginning."""
    token = word("zyx", "co_", "live_", some(BASE62, 36))
    repo = machine.repository("acme")
    machine.remember(f"the importer signs in with {token} on Mondays", cwd=repo)
    assert places_with(machine, token) == []
