"""Each command does its job on memories learnt from recorded sessions, as text and as JSON."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.world import World

CLIENT_TS = "patched web/src/client.ts by hand"
MIGRATIONS = "migrations on staging"


def test_learning_again_changes_nothing(mine: World) -> None:
    """The second run reads no prompt and writes no byte of a memory."""
    before = mine.jay("list", "--everywhere", "--all", "--json").json
    again = mine.jay("learn", "--json")
    assert again.code == 0
    assert {key: again.json[key] for key in ("created", "pending", "superseded", "messages", "undo")} == {
        "created": [], "pending": [], "superseded": [], "messages": 0, "undo": "",
    }  # fmt: skip
    assert mine.jay("learn").out == "Nothing new in any session.\n"
    assert mine.jay("list", "--everywhere", "--all", "--json").json == before


def test_learn_lists_what_it_did_and_a_dry_run_writes_nothing(fresh: World) -> None:
    """Text and JSON count the same; after a dry run there is no home."""
    dry = fresh.jay("learn", "--dry-run", "--json")
    assert dry.json["dry_run"] is True
    assert not os.path.exists(fresh.store)
    text = fresh.jay("learn", "qwen-code", "--since", "2026-09-15")
    assert text.code == 0
    assert re.match(r"\d+ prompts in 1 session: kept 0, \d+ wait for review, \d+ refused, 0 said again\n", text.out)
    assert "take it back: jay undo " in text.out


def test_list_groups_by_store_and_narrows(world: World) -> None:
    """User memories under "every project", then the project; `--status` narrows; JSON rows carry the fields of the file."""
    text = world.jay("list")
    assert text.out.startswith("every project\n")
    assert re.search(r"^acme-api-\w+$", text.out, re.MULTILINE)
    pending = world.jay("list", "--status", "pending", "--json").json["memories"]
    assert pending
    assert {row["status"] for row in pending} == {"pending"}
    assert world.jay("list", "--status", "archived").code == 1
    row = pending[0]
    assert set(row) == {
        "id", "name", "description", "type", "status", "reason", "scope", "project", "trust", "by", "observed", "paths",
        "aliases", "evidence", "pinned", "body", "file", "problems",
    }  # fmt: skip
    assert os.path.isfile(row["file"])


def test_outside_the_project_only_the_persons_own_memories_are_seen(world: World) -> None:
    """Another directory sees user scope; `--everywhere` sees all."""
    rows = world.jay("list", "--json", cwd=world.home).json["memories"]
    assert {row["scope"] for row in rows} == {"user"}
    everywhere = world.jay("list", "--everywhere", "--json", cwd=world.home).json["memories"]
    assert {row["scope"] for row in everywhere} == {"user", "project"}


def test_show_and_its_file(world: World) -> None:
    """`show` names everything of the file; `--md` is the file, byte for byte."""
    memory = world.id_of(CLIENT_TS)
    data = world.jay("show", memory, "--json").json
    text = world.jay("show", memory[:7]).out
    assert data["name"] in text
    assert f"proof: jay why {memory}" in text
    assert world.jay("show", memory, "--md").out == Path(data["file"]).read_text()


def test_why_gives_the_persons_words_and_their_place(world: World) -> None:
    """Quote, who, when, agent, session, file and byte; what it replaced; its history."""
    memory = world.id_of("v1 stays up until")
    proof = world.jay("why", memory, "--json").json
    (evidence,) = proof["evidence"]
    assert evidence["quote"].startswith("partner call: v1 stays up until 2026-11-02")
    assert (evidence["agent"], evidence["at"][:10], evidence["source_there"]) == ("qwen-code", "2026-09-14", True)
    with open(evidence["file"], "rb") as file:
        file.seek(evidence["offset"])
        assert b"v1 stays up until 2026-11-02" in file.readline()
    assert len(proof["replaces"]) == 1
    text = world.jay("why", memory).out
    assert "in qwen-code session b9fccb4c" in text
    assert "replaces     " in text
    assert "History\n  2026-09-28 09:00  " in text


def test_why_when_the_agent_deleted_the_session(mine: World) -> None:
    """The quote outlives the transcript, and the proof says so."""
    memory = mine.id_of("v1 stays up until")
    os.unlink(mine.jay("why", memory, "--json").json["evidence"][0]["file"])
    assert "(deleted by the agent since; the quote is what is left)" in mine.jay("why", memory).out


def test_recall_prints_what_a_prompt_would_get(world: World) -> None:
    """The fields that measuring relies on; an empty block and exit code 1 when nothing answers."""
    found = world.jay("recall", "rename a field in web/src/client.ts for me", "--json")
    assert found.code == 0
    assert set(found.json) == {"block", "memories", "left_out", "reason"}
    assert found.json["memories"][0]["id"] == world.id_of(CLIENT_TS)
    assert found.json["memories"][0]["id"] in found.json["block"]
    assert {"id", "file", "score"} <= set(found.json["memories"][0])
    nothing = world.jay("recall", "translate 'see you tomorrow' into Finnish", "--json")
    assert nothing.code == 1
    assert nothing.json == {"block": "", "memories": [], "left_out": [], "reason": nothing.json["reason"]}
    assert world.jay("recall", "hi").out.startswith("Nothing: ")


def test_recall_explains_what_came_close(world: World) -> None:
    """`--explain` names the filter that stopped a memory: a superseded one, here."""
    text = world.jay("recall", "v1 endpoints switched off contract partner", "--explain").out
    assert "stopped by status" in text
    rejected = world.jay("recall", "v1 endpoints switched off contract partner", "--explain", "--json").json["rejected"]
    assert {"id", "name", "filter", "detail", "score"} == set(rejected[0])


def test_recall_tells_the_words_of_the_prompt(world: World) -> None:
    """What matched, and what was too little, stands there as it was typed: no stems, no parts beside the whole."""
    prompt = "Renaming generated fields in web/src/client.ts"
    found = world.jay("recall", prompt, "--explain", "--json").json
    told = {word for one in found["memories"] for word in one["matched"]}
    assert "client.ts" in told
    assert told <= {"Renaming", "generated", "fields", "web", "src", "client.ts", "client", "ts"}
    assert "matched web, src, client.ts" in world.jay("recall", "web/src/client.ts").out
    close = world.jay("recall", "contract partners of generated pipelines", "--explain", "--json").json["rejected"]
    assert any("partners" in one["detail"] for one in close)


def test_recall_takes_in_what_changed_on_disk(mine: World) -> None:
    """A file edited, added or deleted by hand since the last command is seen by the next recall."""
    prompt = "which zebra crossing colour"
    assert mine.jay("recall", prompt).code == 1
    file = Path(mine.jay("show", mine.id_of(CLIENT_TS), "--json").json["file"])
    added = file.with_name("project_zebra.md")
    added.write_text(
        "---\nname: Zebra crossing colour\ndescription: when painting\ntype: project\n---\n\nIt is teal.\n"
    )
    assert "teal" in mine.jay("recall", prompt).out
    added.write_text(added.read_text().replace("teal", "mauve"))
    assert "mauve" in mine.jay("recall", prompt).out
    added.unlink()
    assert mine.jay("recall", prompt).code == 1


def test_context_is_the_same_bytes_twice(world: World) -> None:
    """The resident block: rules of the person, the rest as an index; twice the same; nothing outside every project's."""
    first, second = world.jay("context"), world.jay("context")
    assert (first.code, first.out) == (0, second.out)
    assert world.id_of(MIGRATIONS) in first.out
    assert re.search(r"^\d+ characters, about \d+ tokens$", first.err.strip())
    assert world.jay("context", "--json").json["block"] + "\n" == first.out


def test_forget_undo_and_purge(mine: World) -> None:
    """Forgotten: out of list and recall and not learnt again; undone: back; purged, which needs --yes here: gone for good."""
    memory = mine.id_of(MIGRATIONS)
    dry = mine.jay("forget", memory, "--dry-run", "--json").json
    assert (dry["would_forget"][0]["id"], dry["dry_run"]) == (memory, True)
    gone = mine.jay("forget", memory[:8])
    assert gone.out.startswith(f"forgotten: {memory}\nbring it back: jay undo ")
    assert "still says it, out of reach: ~/.codex/sessions/" in gone.out
    assert mine.jay("show", memory).code == 1
    assert mine.jay("learn", "--json").json["created"] == []
    undone = mine.jay("undo")
    assert re.match(r"taken back: 1 memory; jay undo \w{10} undoes this\n", undone.out)
    assert mine.jay("show", memory).code == 0
    refused = mine.jay("forget", memory, "--purge", "--json")
    assert (refused.code, refused.json["at"]) == (2, "--purge")
    purged = mine.jay("forget", memory, "--purge", "--yes", "--json").json
    assert (purged["ids"], purged["purged"], purged["undo"], purged["left"]) == ([memory], True, "", [])
    assert mine.jay("show", memory).code == 1


def test_remember_writes_one_file_and_never_a_secret(mine: World) -> None:
    """Scope, path and alias as asked; the person's text; a password is refused or left out, and stands nowhere."""
    made = mine.jay(
        "remember", "the print queue drains at noon", "--path", "web", "--alias", "midday printing", "--json"
    )
    assert made.json["outcome"] == "created"
    row = mine.jay("show", made.json["id"], "--json").json
    assert (row["scope"], row["paths"], row["aliases"]) == ("project", ["web"], ["midday printing"])
    assert "the print queue drains at noon" in row["body"]
    password = "-".join(("hunter2", "ABC", "99x"))
    team = mine.jay("remember", "--team", f"staging db: user app, password: {password}", "--json")
    assert (team.code, team.json["rule"]) == (2, "secret")
    mine.jay("remember", f"staging db: user app, password: {password}")
    for folder, _, names in os.walk(mine.home):
        for name in names:
            assert password.encode() not in Path(folder, name).read_bytes()


def test_edit_without_an_editor(mine: World) -> None:
    """An alias finds the memory from then on; the change can be undone; an editor that fails changes nothing."""
    memory = mine.id_of(MIGRATIONS)
    assert mine.jay("recall", "schema rollout pre-production").code == 1
    assert (
        mine.jay("edit", memory, "--alias", "schema rollout pre-production", "--dry-run").out
        == f"would change: {memory}\n"
    )
    assert mine.jay("edit", memory, "--alias", "schema rollout pre-production").code == 0
    assert memory in mine.jay("recall", "schema rollout pre-production").out
    failed = mine.jay("edit", memory, env={"EDITOR": "false"})
    assert (failed.code, failed.err.splitlines()[0]) == (2, "jay: the editor failed: 'false'")


def test_edit_in_an_editor(mine: World, tmp_path: Path) -> None:
    """What the editor leaves is the memory; the id stays whatever was typed there."""
    memory = mine.id_of(MIGRATIONS)
    script = tmp_path / "editor"
    script.write_text(
        '#!/bin/sh\nsed -i "s/Teuvo applies them/Teuvo alone applies them/; s/m-[a-z0-9]*/m-0000000001/" "$1"\n'
    )
    script.chmod(0o700)
    done = mine.jay("edit", memory, env={"EDITOR": str(script)})
    assert (done.code, done.out.startswith(f"edited {memory}; ")) == (0, True)
    assert "Teuvo alone applies them" in mine.jay("show", memory, "--json").json["body"]


def test_log_and_undo_take_a_beginning(mine: World) -> None:
    """Each line of the log starts with what undo takes; a dry run names it; undoing all that was learnt leaves nothing."""
    line = mine.jay("log").out.splitlines()[0]
    sha = line.split()[0]
    assert "learn: " in line
    assert mine.jay("undo", sha, "--dry-run").out.startswith("would take back: learn: ")
    assert mine.jay("undo", sha).code == 0
    assert mine.jay("list").code == 1
    assert mine.jay("undo", "ffffffff").code == 1


def test_pause_and_go_on(mine: World) -> None:
    """A pause for this project ends by itself or by --off; status shows it."""
    paused = mine.jay("pause", "2h", "--here")
    assert re.match(r"paused: acme-api-\w+ until 2026-09-28T11:00:00Z\n", paused.out)
    assert "paused: acme-api" in mine.jay("status").out
    assert len(mine.jay("pause", "--off", "--here", "--json").json["pauses"]) == 0
    assert "paused" not in mine.jay("status").out
    mine.jay("pause", "30m")
    later = mine.jay("status", "--json", env={"SCRUBJAY_NOW": "2026-09-28T09:31:00Z"}).json
    assert later["pauses"] == {}


def test_config_changes_one_line_and_keeps_the_rest(mine: World) -> None:
    """Comments and other keys stay; --unset takes the key out; the environment is named as the source."""
    path = Path(mine.store, "config.toml")
    path.write_text('# mine\nmode = "auto" # note\n')
    assert mine.jay("config", "learn.headless", "active", "--dry-run").out == "would be: learn.headless = active\n"
    assert mine.jay("config", "learn.headless", "active").out.startswith(
        'learn.headless = "active"  from config.toml\n'
    )
    assert path.read_text() == '# mine\nmode = "auto" # note\n\n[learn]\nheadless = "active"\n'
    assert mine.jay("config", "learn.headless", "--unset", "--json").json["settings"][0]["source"] == "default"
    assert "# mine" in path.read_text()
    row = mine.jay("config", "mode", "--json", env={"SCRUBJAY_MODE": "off"}).json["settings"][0]
    assert (row["value"], row["source"]) == ("off", "environment")
    assert mine.jay("config", "frob").code == 1


def test_a_broken_config_is_named_everywhere_and_never_written_over(mine: World) -> None:
    """Each command says where; `jay` and `jay doctor` go on with what they can."""
    path = Path(mine.store, "config.toml")
    path.write_text("mode = [\n")
    for arguments in (["recall", "x y"], ["learn"], ["config"], ["config", "mode", "off"]):
        done = mine.jay(*arguments, "--json")
        assert (done.code, done.json["at"]) == (2, str(path))
    assert mine.jay().out.splitlines()[-1] == "Next: jay doctor"
    checks = mine.jay("doctor", "--json")
    assert checks.code == 2
    assert next(one["detail"] for one in checks.json["checks"] if one["state"] == "error").startswith("not valid TOML")
    assert path.read_text() == "mode = [\n"


def test_relink_joins_a_project_that_moved(mine: World) -> None:
    """A fork without identities of its own is shown as alike; relinking moves the memories, undo moves them back."""
    (key,) = {row["project"] for row in mine.jay("list", "--json").json["memories"]} - {""}
    clone = os.path.join(mine.home, "elsewhere")
    subprocess.run(["git", "clone", "-q", mine.repo, clone], check=True)
    subprocess.run(
        ["git", "-C", clone, "remote", "set-url", "origin", "https://git.example.com/me/fork.git"], check=True
    )
    assert f"jay relink {key}" in mine.jay("relink", cwd=clone).out
    assert f"jay relink {key}" in mine.jay(cwd=clone).out
    dry = mine.jay("relink", key, "--dry-run", "--json", cwd=clone)
    assert dry.code in (0, 1)
    moved = mine.jay("relink", key, cwd=clone)
    assert re.match(rf"moved \d+ memories from {key} to \S+; jay undo \w+\n", moved.out)
    assert mine.id_of(CLIENT_TS) in mine.jay("list", cwd=clone).out


def test_last_without_a_session(world: World) -> None:
    """Nothing was given yet: exit code 1."""
    done = world.jay("last")
    assert (done.code, done.out) == (1, "No session of this directory was given anything yet (see `jay doctor`).\n")
    assert world.jay("last", "--json").json == {"given": []}


@pytest.mark.parametrize(
    "arguments",
    [[], ["list"], ["scan"], ["recall", "foo bar"], ["context"], ["status"], ["show", "x"], ["why", "x"], ["log"], ["last"],
     ["doctor"], ["config"], ["relink"], ["review"], ["uninstall"], ["learn", "--dry-run"], ["init", "--dry-run"]],
    ids=lambda value: " ".join(value) or "jay",
)  # fmt: skip
def test_a_question_leaves_nothing_behind(fresh: World, arguments: list[str]) -> None:
    """Commands that only look create no home."""
    done = fresh.jay(*arguments)
    assert done.code in (0, 1)
    assert "fault in scrubjay" not in done.err
    assert not os.path.exists(fresh.store)
    json.loads(fresh.jay(*arguments, "--json").out)
