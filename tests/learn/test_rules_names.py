# ruff: noqa: E501 - one note a line
"""What a person reads in a list of notes: a name in their own words, and when to open it."""

from __future__ import annotations

import re

import pytest

from tests.learn import rule_messages, rule_sentences, rule_sentences_trades
from tests.learn.test_rules_sentences import said

NAMES: tuple[tuple[str, str, str], ...] = (
    ("never force-push to develop, the build farm keys its caches on commit ids", "Never force-push to develop", "before work on build farm keys and caches"),
    ("from now on put a changelog fragment into changes/ with every user-visible change", "Put a changelog fragment into changes", "before work on changelog fragment and user-visible"),
    ("always regenerate the lockfile in the container, the host node is too new", "Always regenerate the lockfile", "before work on lockfile and container"),
    ("no, stop adding try/except around everything. let errors surface, the crash reporter needs them", "Stop adding try/except around everything", "before touching adding try/except and errors surface"),
    ("please don't ever touch the .pbxproj by hand, xcodegen owns it", "Don't ever touch the .pbxproj by hand", "who to ask about pbxproj and hand"),
    ("don't bump the minSdk without asking me, half our fleet is on Android 8", "Don't bump the minSdk without asking me", "before work on minSdk and asking"),
    ("stop reformatting files you don't change. only touch the lines you need", "Stop reformatting files you don't change", "before touching reformatting files and lines"),
    ("hotfix branches must never be squashed, audit wants the original commits", "Hotfix branches must never be squashed", "before work on hotfix branches and audit"),
    ("tests only run with `tox -e py311`, plain pytest picks up the wrong interpreter", "Tests only run with tox -e py311", "before running tests and tox e py311"),
    ("the integration suite runs with `make itest SHARD=1`, more shards and the emulator runs out of memory", "Integration suite", "before running integration suite and itest SHARD"),
    ("type checking is `pnpm -r typecheck`, not tsc directly", "Type checking", "before running type checking and pnpm r typecheck"),
    ("commit messages are in imperative mood with the module in brackets first, like [audio] fix pop on loop", "Commit messages", "when writing commit messages and imperative mood"),
    ("angles are radians everywhere in the engine, degrees only in the editor UI", "Angles are radians everywhere in the engine", "about angles and radians everywhere"),
    ("we use tabs in the C code, spaces in Python", "Tabs in the C code", "when writing tabs and C code"),
    ("feature flags are named team.area.flag and live in flags.yaml", "Feature flags", "when writing feature flags and team.area.flag"),
    ("timestamps in the API are RFC 3339 in UTC, never epoch numbers", "Timestamps in the API", "when writing timestamps and API"),
    ("we don't mock the database in tests, they run against a real sqlite file", "Don't mock the database in tests", "when writing database and tests"),
    ("we're going with protobuf for the replay format because json got too big on the switch build", "Protobuf for the replay format", "before changing protobuf and replay format"),
    ("numpy is pinned below 2 on purpose, the CUDA wheel was built against 1.26", "Numpy is pinned below 2 on purpose", "before changing numpy and purpose"),
    ("no new dependencies in core/, it has to build on the air-gapped machines", "No new dependencies in core", "before changing dependencies and core"),
    ("the staging cluster kills pods over 512Mi, so keep the batch size at 64", "Staging cluster kills pods over 512Mi", "about staging cluster and pods"),
    ("careful with i2c address 0x48: it's shared by the thermometer and the ADC, only one may be powered", "Careful with i2c address 0x48", "about i2c address and thermometer"),
    ("mqtt broker listens on 1884 in the lab because 1883 is taken by the old gateway", "Mqtt broker listens on 1884 in the lab", "about mqtt broker and lab"),
    ("the string freeze for 4.2 is next Friday, translators need the weekend", "String freeze for 4.2", "when planning around string freeze and Friday"),
    ("Jun owns the audio mixer, nobody else merges there", "Jun owns the audio mixer", "who to ask about Jun and audio mixer"),
    ("crash dashboards are at https://sentry.example.org/games/ares, check there before asking QA", "Crash dashboards", "where to look for dashboards and asking QA"),
    ("incident notes are kept in confluence under SRE/Postmortems", "Incident notes", "where to look for incident notes and confluence"),
    ("we tried protobuf-lite on the watch last year, it doubled the binary and we rolled it back", "Protobuf-lite on the watch last year", "before proposing protobuf-lite and watch"),
    ("please don't suggest electron again, we ripped it out because of the memory", "Electron", "before proposing electron and memory"),
    ("I prefer plain prose without headings, in all my projects", "Plain prose without headings", "when answering this person: prose and headings"),
    ("I'm on nushell, so commands you give me must work there, no bash-isms", "Nushell", "when giving this person commands or places"),
    ("I hate emojis in commit messages, never use them", "I hate emojis in commit messages", "before committing for this person"),
    ("ok good. one more thing you should know: the map tiles are only licensed for our own domains, so never hotlink them in the README", "Map tiles are only licensed", "about map tiles and domains"),
    ("i'm on a windows box with wsl2, paths you give me must be linux ones", "Windows box with wsl2", "when answering this person: windows box and wsl2"),
    ("kotlin code follows the style in .editorconfig, ktlint is the judge and not the IDE", "Kotlin code", "about kotlin code and style"),
    ("Room migrations can't be tested on CI, the emulator there has no kvm. Run them on a device", "Room migrations can't be tested on CI", "about Room migrations and emulator"),
    ("Jonas has the last word on anything in the routing core", "Jonas has the last word on anything", "who to ask about Jonas and routing core"),
    ("our CSV exports use ; and decimal comma because the customers are all in Austria", "CSV exports", "before changing CSV exports and decimal comma"),
    ("the demo accounts are reset every night at 2", "Demo accounts are reset every night at 2", "about demo accounts and night"),
    ("I am red blind, so please no red/green in the heat maps you plot for me", "Red blind", "when drawing or plotting for this person"),
    ("I'm red-green colour blind, so no red and green in charts please", "Red-green colour blind", "when drawing or plotting for this person"),
    ("client.ts is generated: hand edits to client.ts are lost with the next build", "client.ts is generated", "about client.ts and hand edits"),
    ("every subject of a commit starts with the ticket, LED-<number>", "Subject of a commit", "when writing subject and commit"),
    ("migrations on staging are not yours to run", "Migrations on staging are not yours", "before touching migrations and staging"),
    ("the old repo moved to https://git.example.org/core/engine, use that as upstream", "Old repo", "where to look for repo and upstream"),
    ("secrets come from vault via `make env`, nobody edits .env by hand", "Secrets come from vault via make env", "about secrets and vault"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "name", "description"), NAMES)
def test_a_name_is_a_phrase_of_the_persons_own_and_the_description_says_when(
    text: str, name: str, description: str
) -> None:
    """The first note of each message, word for word."""
    note = said(text).proposals[0]
    assert (note.name, note.description) == (name, description)


ENGLISH = [
    *(text for text, _ in (*rule_sentences.ENGLISH_ACTIVE, *rule_sentences_trades.ACTIVE, *rule_sentences_trades.KEPT)),
    *(text for text, _, _ in rule_messages.ENGLISH),
]


@pytest.mark.parametrize("text", ENGLISH)
def test_a_name_stands_in_what_was_said_in_one_piece(text: str) -> None:
    """Short, no list of words, begins with a letter or digit; the description is short too and is not the name."""
    for note in said(text).proposals:
        assert 3 <= len(note.name) <= 45
        assert len(note.description) <= 70
        assert note.name[0].isalnum()
        assert "," not in note.name
        plain = " ".join(re.sub("`", "", text).split()).lower()
        assert note.name.lower() in plain
        assert note.description.lower() != note.name.lower()
