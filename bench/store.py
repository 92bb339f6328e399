"""What commands and the background worker cost by the number of memories, as whole processes.

    python bench/store.py [--sizes 100,1000,10000] [--runs 3] [--json]

Processor time (the processes that a command starts included) beside `jay --version` of the same run: the ratio tells more
than the milliseconds, which depend on the machine. Memories are those of `bench/hook.py`, each with one quote as evidence.
The first `jay list` takes 10,000 files in, begins their history and writes the caches: it is told apart.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

from hook import AT, Words, build
from scrubjay.home import Home
from scrubjay.ledger import Ledger
from scrubjay.operations import Evidence
from scrubjay.store import lines

WORKER = [sys.executable, "-m", "scrubjay.worker"]
JAY = [sys.executable, "-c", "from scrubjay.cli.main import main; main()"]
SUBJECTS = (
    "makefile",
    "linter",
    "changelog",
    "release notes",
    "fixtures",
    "migrations",
    "snapshots",
    "coverage report",
)


@dataclass(frozen=True, kw_only=True)
class Cost:
    """One command at one size."""

    what: str
    memories: int
    cpu_ms: float
    """Median over the runs."""
    ratio: float
    """To `jay --version` at the same size."""


def with_evidence(home: Home) -> None:
    """A quote for each memory, as learning would have left it."""
    rows = []
    for number, path in enumerate(sorted(Path(home.projects).glob("*/*.md"))):
        one = f"e-{number:016x}"
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"(?m)^(  id: .*)$", rf"\1\n  evidence: [{one}]", text, count=1), encoding="utf-8")
        quote = text.rsplit("\n---\n", 1)[1].strip()
        rows.append(
            Evidence(
                id=one,
                agent="codex",
                session=f"s{number // 20}",
                message=f"k{number}",
                role="user",
                origin="user",
                at=AT,
                project=path.parent.name,
                quote=quote[:900],
                file="/nowhere/session.jsonl",
                offset=number,
            )
        )
    Path(home.evidence).mkdir(parents=True, exist_ok=True)
    Path(lines.month_file(home.evidence, AT)).write_bytes(b"".join(lines.encode(asdict(row)) for row in rows))


class Person:
    """A home folder with a repository, and what is done in it."""

    def __init__(self, top: Path, count: int) -> None:
        self.top, self.count, self.words = top, count, Words(1)
        self.home, self.repository, self.prompts = build(top, count)
        with_evidence(self.home)
        self.env = {"HOME": str(top), "SCRUBJAY_HOME": self.home.root, "PATH": os.environ["PATH"]}

    def cpu(self, argv: list[str], *, codes: tuple[int, ...] = (0,)) -> float:
        """Processor time of one process and what it waited for, in milliseconds."""
        null = os.open(os.devnull, os.O_RDWR)
        process = subprocess.Popen(argv, cwd=self.repository, env=self.env, stdin=null, stdout=null)
        _, status, usage = os.wait4(process.pid, 0)
        os.close(null)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode in codes, f"{argv} ended with {process.returncode}"
        return (usage.ru_utime + usage.ru_stime) * 1000

    def sentence(self, number: int) -> str:
        subject = SUBJECTS[number % len(SUBJECTS)]
        return f"From now on always check the {subject} of the {self.words.rare(2)} before you commit."

    def says(self, text: str) -> None:
        """A session file with one prompt that a person typed, queued as the hook of a turn's end does."""
        session, slug = str(uuid.uuid4()), "-acme-api"
        path = self.top / ".claude" / "projects" / slug / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        record = {"type": "user", "uuid": str(uuid.uuid4()), "parentUuid": None, "sessionId": session, "isSidechain": False,
                  "cwd": str(self.repository), "version": "2.1.332", "userType": "external", "entrypoint": "cli",
                  "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
                  "message": {"role": "user", "content": text}}  # fmt: skip
        path.write_text(json.dumps(record) + "\n", encoding="utf-8")
        with Ledger.open(self.home.ledger) as ledger:
            ledger.enqueue("session", json.dumps({"agent": "claude-code", "path": str(path)}), at=AT)

    def learnt(self) -> int:
        return sum(
            "by: learned" in path.read_text("utf-8") for path in Path(self.home.projects).glob("*/feedback_*.md")
        )

    def pass_of_worker(self, number: int) -> float:
        """One new rule, learnt."""
        before = self.learnt()
        self.says(self.sentence(number))
        cost = self.cpu(WORKER)
        assert self.learnt() == before + 1, "the worker learnt nothing: this measures nothing"
        return cost


def measure(top: Path, count: int, runs: int) -> list[Cost]:
    """Every command at one size."""
    top.mkdir()
    person = Person(top, count)
    first = person.cpu([*JAY, "list"])
    person.cpu([*JAY, "remember", person.sentence(0)])
    person.pass_of_worker(1)
    times: dict[str, list[float]] = {}
    for run in range(runs):
        number = 2 + run * 2
        times.setdefault("jay --version", []).append(person.cpu([*JAY, "--version"]))
        times.setdefault("jay remember", []).append(person.cpu([*JAY, "remember", person.sentence(number)]))
        times.setdefault("jay list", []).append(person.cpu([*JAY, "list"]))
        times.setdefault("jay recall", []).append(person.cpu([*JAY, "recall", person.prompts[run]], codes=(0, 1)))
        times.setdefault("worker, one new rule", []).append(person.pass_of_worker(number + 1))
    base = statistics.median(times["jay --version"])
    rows = {"jay list, the first": first} | {what: statistics.median(each) for what, each in times.items()}
    return [Cost(what=what, memories=count, cpu_ms=cost, ratio=cost / base) for what, cost in rows.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="100,1000,10000")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    costs: list[Cost] = []
    with tempfile.TemporaryDirectory() as folder:
        for size in options.sizes.split(","):
            costs += measure(Path(folder) / size, int(size), options.runs)
    if options.json:
        print(json.dumps([asdict(cost) for cost in costs], indent=1))
        return
    print(f"{'memories':>8}  {'what':<24}{'CPU ms':>9}{'x --version':>13}")
    for cost in costs:
        print(f"{cost.memories:>8}  {cost.what:<24}{cost.cpu_ms:>9.0f}{cost.ratio:>13.1f}")


if __name__ == "__main__":
    main()
