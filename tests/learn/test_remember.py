"""`remember`: a person's (or an agent's) explicit wish passes the same gates."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.errors import BadInput, Refused
from scrubjay.learn.remember import Wish, remember
from scrubjay.learn.rulebook import word_of
from tests.learn.world import World
from tests.redact.parts import BASE62, some, word

FACT = "deploys need the vpn job first, else there is no route to the bastion"


@pytest.fixture
def world(home: str) -> World:
    return World(home)


def wish(world: World, text: str, **fields: object) -> Wish:
    return Wish(text=text, cwd=str(world.repo), **fields)  # type: ignore[arg-type]


def test_a_persons_wish_is_written_at_once_in_their_words(world: World) -> None:
    """Active, theirs, in the project's store, with proof of who said it."""
    result = remember(world.home, wish(world, FACT, paths=(".github/workflows/",), aliases=("bastion",)))

    (stored,) = world.memories()
    memory = stored.memory
    assert (result.outcome, result.id, result.file) == ("created", memory.id, stored.path)
    assert (memory.body, memory.by, memory.trust, memory.status) == (FACT, "user", "user", "active")
    assert (memory.paths, memory.aliases, stored.store.scope) == ((".github/workflows/",), ("bastion",), "project")
    (evidence,) = world.library().evidence(memory.evidence)
    assert (evidence.agent, evidence.origin, evidence.quote) == ("jay", "user", FACT)


def test_twice_is_one_memory(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case, spacing and a final dot make no second file."""
    first = remember(world.home, wish(world, FACT))
    monkeypatch.setenv("SCRUBJAY_NOW", "2027-01-01T00:00:00Z")
    second = remember(world.home, wish(world, FACT.capitalize() + "."))

    assert (second.outcome, second.id) == ("known", first.id)
    assert len(world.memories()) == 1


def test_a_secret_is_left_out_and_said_so(world: World) -> None:
    """The memory says that there is one; the value is nowhere below the home; a text that is only a secret is refused."""
    secret = word("hun", "ter2", "Zq")
    key = word("gh", "p_", some(BASE62, 36))

    result = remember(world.home, wish(world, f"the prod database password is {secret}, ask Ann for the new one"))

    raw = b"".join(path.read_bytes() for path in Path(world.home.root).rglob("*") if path.is_file())
    assert secret.encode() not in raw
    assert "[redacted: password]" in world.bodies()[0]
    assert "password" in result.notes[0]
    with pytest.raises(Refused) as refused:
        remember(world.home, wish(world, key))
    assert refused.value.rule == "secret"
    assert key not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    ["the db password is {}", "db password: {}", "The staging password: `{}`.", "note: the password of the prod db is {}",
     "数据库密码是 {}"],
)  # fmt: skip
def test_a_note_whose_only_point_was_the_secret_is_refused(world: World, text: str) -> None:
    """Without the value it says nothing: nothing is written, and the message shows no value."""
    secret = word("hun", "ter2", "Zq")
    with pytest.raises(Refused) as refused:
        remember(world.home, wish(world, text.format(secret)))
    assert (refused.value.exit_code, refused.value.rule) == (2, "secret")
    assert secret not in f"{refused.value.what} {refused.value.hint} {refused.value.at}"
    assert world.memories() == []


@pytest.mark.parametrize(
    "text",
    ["the db password is {} and rotates on Mondays", "restart the queue with `PASSWORD={} ./run.sh`",
     "The password is {}. Ask Ann before you use the prod console."],
)  # fmt: skip
def test_a_note_that_says_more_keeps_it(world: World, text: str) -> None:
    """The secret is left out, the rest stays."""
    secret = word("hun", "ter2", "Zq")
    remember(world.home, wish(world, text.format(secret)))
    (body,) = world.bodies()
    assert secret not in body
    assert "[redacted: " in body


def test_a_secret_never_goes_to_the_team(world: World) -> None:
    """The team's store is shared by git: refused as a whole, nothing written, no value shown."""
    secret = word("hun", "ter2", "Zq")

    with pytest.raises(Refused) as refused:
        remember(world.home, wish(world, f"the staging password is {secret} and rotates on Mondays", scope="team"))

    assert (refused.value.rule, secret in refused.value.what) == ("secret", False)
    assert not (world.repo / ".scrubjay").exists()


def test_team_user_and_project_go_to_their_stores(world: World) -> None:
    """The scope decides the folder; outside a repository there is the user's store only."""
    team = remember(world.home, wish(world, "the release branch is cut on Mondays", scope="team"))
    user = remember(world.home, wish(world, "I read diffs on a phone", scope="user"))
    elsewhere = remember(world.home, Wish(text="I work in UTC+3", cwd=str(world.root)))

    assert team.file.startswith(str(world.repo / ".scrubjay" / "memory"))
    assert user.file.startswith(world.home.user_store)
    assert elsewhere.file.startswith(world.home.user_store)
    with pytest.raises(BadInput):
        remember(world.home, Wish(text="deploys need the vpn job", cwd=str(world.root), scope="project"))


def test_an_agents_wish_for_a_rule_waits_and_a_note_does_not(world: World) -> None:
    """Only a person makes a rule; an agent's note has an agent's trust."""
    rule = remember(world.home, wish(world, "never use anything but tool T", type="feedback", by="agent"))
    note = remember(world.home, wish(world, "the queue is drained by worker seven", type="project", by="agent"))

    assert (rule.outcome, note.outcome) == ("pending", "created")
    (waiting,) = world.memories("pending")
    assert word_of(waiting.memory.reason) == "agent"
    (active,) = world.memories()
    assert (active.memory.trust, active.memory.by) == ("agent", "agent")


@pytest.mark.parametrize("text", ["", "  \n", "hidden\u200b characters in a rule", "x" * 5000])
def test_what_cannot_be_written_is_an_error_that_says_why(world: World, text: str) -> None:
    """Empty, with hidden characters, too long: nothing is written."""
    with pytest.raises((BadInput, Refused)):
        remember(world.home, wish(world, text))
    assert world.memories() == []


def test_nothing_is_written_when_memory_is_off(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """`mode = off`; in `read-only` an explicit wish works."""
    monkeypatch.setenv("SCRUBJAY_MODE", "off")
    with pytest.raises(BadInput):
        remember(world.home, wish(world, FACT))
    monkeypatch.setenv("SCRUBJAY_MODE", "read-only")
    assert remember(world.home, wish(world, FACT)).outcome == "created"
