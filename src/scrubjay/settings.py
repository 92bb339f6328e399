"""Every setting: one row gives key, default, bounds or choices, and what it does. The environment name, `jay config` and
the docs page are made from the rows.

A value comes from the environment (`SCRUBJAY_LEARN_HEADLESS` for `learn.headless`), else from `config.toml` in the
scrubjay home, else the row's default. Hot: `tomllib` is imported only when a config file exists.
"""

from __future__ import annotations

import os

from scrubjay.errors import BadInput

Value = bool | int | str | list[str]


class Setting:
    """One row. The type of a setting is the type of its default."""

    __slots__ = ("choices", "default", "high", "key", "low", "separator", "text")

    def __init__(
        self,
        key: str,
        default: Value,
        text: str,
        *,
        choices: tuple[str, ...] = (),
        low: int = 0,
        high: int = 0,
        separator: str = ",",
    ) -> None:
        self.key, self.default, self.text = key, default, text
        self.choices, self.low, self.high = choices, low, high
        self.separator = separator  # between the texts of a list in the environment and on the command line

    @property
    def variable(self) -> str:
        """The name of the environment variable."""
        return "SCRUBJAY_" + self.key.upper().replace(".", "_")


ROWS: tuple[Setting, ...] = (
    Setting("mode", "auto", "auto: learn and recall; review: everything learnt waits for review; read-only: recall only, "
            "explicit remember works; off: nothing is read, written or injected",
            choices=("auto", "review", "read-only", "off")),
    Setting("notices", "news", "the one line to the person at session start: news, only problems, or off",
            choices=("news", "problems", "off")),
    Setting("agents", [], "agents whose sessions are learnt from; empty: every agent found"),
    Setting("learn.headless", "pending", "what becomes of prompts that a program wrote (headless and SDK runs)",
            choices=("pending", "active", "skip")),
    Setting("learn.days", 90, "how far back `jay init` learns from existing sessions, in days", low=0, high=36500),
    Setting("learn.max_new_active", 5, "new active memories from one live session; the rest waits for review",
            low=0, high=1000),
    Setting("learn.exclude", [], "paths whose sessions are neither learnt from nor given memories"),
    Setting("learn.keep_turns_mb", 50, "size limit of the redacted user turns kept for later learners, in MB; 0: none",
            low=0, high=100000),
    Setting("projects.isolate_worktrees", False, "each linked git worktree is a project of its own"),
    Setting("recall.enabled", True, "bring memories back on each prompt"),
    Setting("recall.max_memories", 5, "memories that one prompt may bring back", low=0, high=20),
    Setting("recall.max_chars", 2000, "characters that one prompt may bring back", low=0, high=9000),
    Setting("recall.session_max_chars", 10000, "characters that the prompts of one session may bring back together",
            low=0, high=1000000),
    Setting("resident.enabled", True, "start each session with the resident block"),
    Setting("resident.max_chars", 6000, "characters of the resident block over all stores", low=0, high=9000),
    Setting("redact.patterns", [], "regular expressions of secrets that scrubjay does not know by itself, each within one "
            "line of text; in the environment and on the command line one a line", separator="\n"),
    Setting("review.archive_days", 30, "pending memories left unanswered for this many days are archived",
            low=1, high=36500),
    Setting("hook.deadline_ms", 400, "overall deadline of a hook; past it nothing is injected", low=10, high=10000),
)  # fmt: skip

BY_KEY = {row.key: row for row in ROWS}


class Settings:
    """Values for every row. `get` of an unknown key is a programming error (`KeyError`)."""

    __slots__ = ("_values", "sources")

    def __init__(self, values: dict[str, Value], sources: dict[str, str]) -> None:
        self._values = values
        self.sources = sources  # key → "environment", "config.toml" or "default"

    def get(self, key: str) -> Value:
        return self._values[key]

    def flag(self, key: str) -> bool:
        value = self._values[key]
        assert isinstance(value, bool)
        return value

    def number(self, key: str) -> int:
        value = self._values[key]
        assert isinstance(value, int)
        return value

    def text(self, key: str) -> str:
        value = self._values[key]
        assert isinstance(value, str)
        return value

    def words(self, key: str) -> list[str]:
        value = self._values[key]
        assert isinstance(value, list)
        return value


def load(config: str) -> Settings:
    """Settings from the environment and the config file at `config`. Raises `BadInput` naming the key and the place."""
    given = _flatten(_read(config))
    for key in given:
        if key not in BY_KEY:
            raise BadInput(f"unknown setting {key!r}", at=config, hint="`jay config` lists every setting")
    values: dict[str, Value] = {}
    sources: dict[str, str] = {}
    for row in ROWS:
        raw = os.environ.get(row.variable)
        if raw is not None:
            values[row.key] = parse(row, raw, at=f"environment variable {row.variable}")
            sources[row.key] = "environment"
        elif row.key in given:
            values[row.key] = check(row, given[row.key], at=config)
            sources[row.key] = "config.toml"
        else:
            values[row.key] = row.default
            sources[row.key] = "default"
    return Settings(values, sources)


def parse(row: Setting, raw: str, *, at: str) -> Value:
    """A value from text, as typed after `jay config KEY` or held by an environment variable."""
    if isinstance(row.default, bool):
        known = {
            "true": True,
            "1": True,
            "on": True,
            "yes": True,
            "false": False,
            "0": False,
            "off": False,
            "no": False,
        }
        if raw.strip().lower() not in known:
            raise BadInput(f"{row.key} takes true or false, not {raw!r}", at=at)
        return known[raw.strip().lower()]
    if isinstance(row.default, int):
        if not raw.strip().lstrip("-").isdigit():
            raise BadInput(f"{row.key} takes a whole number, not {raw!r}", at=at)
        return check(row, int(raw), at=at)
    if isinstance(row.default, list):
        return [part.strip() for part in raw.split(row.separator) if part.strip()]
    return check(row, raw, at=at)


def check(row: Setting, value: object, *, at: str) -> Value:
    """`value` when it fits the row, else `BadInput`."""
    if isinstance(row.default, list):
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            return [str(part) for part in value]
        raise BadInput(f"{row.key} takes a list of texts", at=at)
    if type(value) is not type(row.default):
        raise BadInput(f"{row.key} takes {type(row.default).__name__}, not {value!r}", at=at)
    assert isinstance(value, bool | int | str)
    if row.choices and value not in row.choices:
        raise BadInput(f"{row.key} is one of {', '.join(row.choices)}, not {value!r}", at=at)
    if isinstance(value, int) and not isinstance(value, bool) and not row.low <= value <= row.high:
        raise BadInput(f"{row.key} is between {row.low} and {row.high}, not {value}", at=at)
    return value


def _read(config: str) -> dict[str, object]:
    if not os.path.exists(config):
        return {}
    import tomllib

    try:
        with open(config, "rb") as file:
            return tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"not valid TOML: {error}", at=config) from error


def _flatten(table: dict[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat.update(_flatten(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat
