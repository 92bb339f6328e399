"""What a hook costs, as the whole process that a client starts, beside an empty Python in the same run.

    python bench/hook.py [--sizes 100,10000,100000] [--runs 40] [--agent codex] [--json]

Synthetic memories of 20 to 60 words (Zipf over 60,000 words, fixed seed) in a temporary home, half of them in the project in
which the prompts are typed. Each prompt comes from a session of its own, so that none is silenced by an earlier one.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

from scrubjay.home import Home
from scrubjay.hooks import packing
from scrubjay.install import shim
from scrubjay.ledger import Ledger, Resident
from scrubjay.memory import Memory, render
from scrubjay.operations import new_id
from scrubjay.projects import resolve
from scrubjay.search.build import refresh
from scrubjay.store.library import Library

VOCABULARY = 60_000
TRANSCRIPT_BYTES = 50_000_000
AT = "2026-11-01T10:00:00Z"


@dataclass(frozen=True, kw_only=True)
class Cost:
    """One measured command, in milliseconds."""

    what: str
    memories: int
    cpu_p50: float
    cpu_p95: float
    wall_p50: float
    wall_p95: float
    ratio: float
    """Median processor time over that of the empty Python of the same run."""


class Words:
    """Made-up words, the first ones common."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "ol")]
        words: dict[str, None] = {}
        while len(words) < VOCABULARY:
            words["".join(self.random.choices(syllables, k=self.random.randint(2, 4)))] = None
        self.words = list(words)
        self.uncommon = self.words[5_000:]
        self.cumulated = list(itertools.accumulate(1 / (rank + 10) for rank in range(VOCABULARY)))

    def text(self, low: int, high: int) -> str:
        count = self.random.randint(low, high)
        return " ".join(self.random.choices(self.words, cum_weights=self.cumulated, k=count))

    def rare(self, count: int) -> str:
        return " ".join(self.random.choices(self.uncommon, k=count))


def build(top: Path, count: int) -> tuple[Home, Path, list[str]]:
    """A home with `count` memories, a repository, and prompts that each ask for one of them."""
    home, repository, words = Home(str(top / "home")), top / "acme-api", Words(count)
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    Path(home.state).mkdir(parents=True)
    with Ledger.open(home.ledger):
        pass
    here, there = resolve(home, str(repository)).project, "elsewhere-000000"
    prompts: list[str] = []
    for number in range(count):
        name = words.rare(4)
        memory = Memory(
            id=new_id(number.to_bytes(16, "big")),
            name=name,
            description=f"{name} {words.text(4, 8)}"[:140],
            type="project",
            body=words.text(20, 60),
            created=AT,
            updated=AT,
        )
        folder = Path(home.projects) / (here if number % 2 == 0 else there)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"project_{number}.md").write_bytes(render(memory))
        if number % 2 == 0 and len(prompts) < 500:
            prompts.append(f"{name} {words.text(6, 6)}")
    refresh(home, Library.open(home, take_in=False))
    shim.write(home)
    packing.write(home)
    return home, repository, prompts


def payload(event: str, cwd: Path, transcript: Path, prompt: str = "") -> tuple[str, bytes]:
    session = str(uuid.uuid4())
    values = {"session_id": session, "transcript_path": str(transcript), "cwd": str(cwd), "hook_event_name": event}
    values |= {"prompt": prompt, "submitted_prompt": prompt, "prompt_id": str(uuid.uuid4())} if prompt else {}
    values |= {"source": "startup"} if event == "SessionStart" else {}
    return session, json.dumps(values).encode()


def timed(argv: list[str], env: dict[str, str], stdin: Path, stdout: Path) -> tuple[float, float]:
    """Processor and wall time of one process, in milliseconds."""
    files = [(os.POSIX_SPAWN_OPEN, 0, str(stdin), os.O_RDONLY, 0)]
    files.append((os.POSIX_SPAWN_OPEN, 1, str(stdout), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    began = time.perf_counter()
    pid = os.posix_spawn(argv[0], argv, env, file_actions=files)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - began
    assert status == 0, f"{argv} ended with {status}"
    return (usage.ru_utime + usage.ru_stime) * 1000, wall * 1000


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


class Bench:
    """Runs each command alternately with the empty Python, so that both see the same machine."""

    def __init__(self, top: Path, runs: int, agent: str) -> None:
        self.top, self.runs, self.agent, self.costs = top, runs, agent, list[Cost]()

    def measure(
        self, what: str, memories: int, argv: list[str], env: dict[str, str], payloads: list[bytes]
    ) -> list[bytes]:
        """Adds a row; the outputs."""
        stdin, stdout, outputs = self.top / "stdin", self.top / "stdout", []
        empty = [sys.executable, "-I", "-S", "-c", "pass"]
        base, mine = [], []
        for data in payloads:
            stdin.write_bytes(data)
            base.append(timed(empty, env, stdin, stdout))
            mine.append(timed(argv, env, stdin, stdout))
            outputs.append(stdout.read_bytes())
        cpu, wall = [one[0] for one in mine], [one[1] for one in mine]
        ratio = statistics.median(cpu) / statistics.median(one[0] for one in base)
        if not any(cost.what == "python -I -S -c pass" and cost.memories == memories for cost in self.costs):
            self._add("python -I -S -c pass", memories, [one[0] for one in base], [one[1] for one in base], 1.0)
        self._add(what, memories, cpu, wall, ratio)
        return outputs

    def _add(self, what: str, memories: int, cpu: list[float], wall: list[float], ratio: float) -> None:
        self.costs.append(
            Cost(
                what=what,
                memories=memories,
                cpu_p50=statistics.median(cpu),
                cpu_p95=percentile(cpu, 0.95),
                wall_p50=statistics.median(wall),
                wall_p95=percentile(wall, 0.95),
                ratio=ratio,
            )
        )

    def size(self, count: int) -> None:
        """Every hook at one number of memories."""
        top = self.top / str(count)
        top.mkdir()
        began = time.perf_counter()
        home, repository, prompts = build(top, count)
        print(f"{count} memories written and indexed in {time.perf_counter() - began:.0f} s", file=sys.stderr)
        env = {"HOME": str(top), "SCRUBJAY_HOME": home.root, "PATH": os.environ["PATH"]}
        env["SCRUBJAY_HOOK_DEADLINE_MS"] = "10000"  # what it costs is asked, also on a busy machine
        transcript = self.top / "transcript.jsonl"
        lock = _pretend_worker(home)
        found = [
            payload("UserPromptSubmit", repository, transcript, prompts[n % len(prompts)]) for n in range(self.runs)
        ]
        silent = [
            payload("UserPromptSubmit", repository, transcript, "please go on and do what you said") for _ in found
        ]
        with Ledger.open(home.ledger) as ledger:
            for session, _ in found + silent:
                ledger.set_resident(self.agent, session, Resident("", [], [], AT))
        hook = [home.shim, self.agent]
        outputs = self.measure(
            "prompt, brings memories", count, [*hook, "UserPromptSubmit"], env, [data for _, data in found]
        )
        brought = sum(bool(output) for output in outputs)
        assert brought > self.runs / 2, (
            f"only {brought} of {self.runs} prompts brought something: this measures nothing"
        )
        self.measure("prompt, brings nothing", count, [*hook, "UserPromptSubmit"], env, [data for _, data in silent])
        starts = [payload("SessionStart", repository, transcript)[1] for _ in found]
        self.measure("session start", count, [*hook, "SessionStart"], env, starts)
        stops = [payload("Stop", repository, transcript)[1] for _ in found]
        self.measure("stop, transcript of 50 MB", count, [*hook, "Stop"], env, stops)
        os.close(lock)
        shutil.rmtree(top)


def _pretend_worker(home: Home) -> int:
    """A held lock: the hooks of this bench start no worker that would take the processor from the next run."""
    import fcntl

    from scrubjay.hooks.background import lock_path

    descriptor = os.open(lock_path(home), os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="100,10000,100000")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--agent", default="claude-code")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), options.runs, options.agent)
        line = json.dumps({"type": "user", "message": {"role": "user", "content": "x" * 900}}) + "\n"
        (bench.top / "transcript.jsonl").write_text(line * (TRANSCRIPT_BYTES // len(line)), encoding="utf-8")
        for size in options.sizes.split(","):
            bench.size(int(size))
    if options.json:
        print(json.dumps([vars(cost) for cost in bench.costs], indent=1))
        return
    print(
        f"{'memories':>8}  {'what':<28}{'CPU p50':>9}{'p95':>7}{'wall p50':>10}{'p95':>7}{'x pass':>8}   (milliseconds)"
    )
    for cost in bench.costs:
        figures = (
            f"{cost.cpu_p50:>9.1f}{cost.cpu_p95:>7.1f}{cost.wall_p50:>10.1f}{cost.wall_p95:>7.1f}{cost.ratio:>8.1f}"
        )
        print(f"{cost.memories:>8}  {cost.what:<28}{figures}")


if __name__ == "__main__":
    main()
