"""Evidence: redacted quotes with their pointers, in `evidence/<yyyy-mm>.jsonl`. Append-only but for purge."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, fields

from scrubjay.home import Home
from scrubjay.operations import MAX_QUOTE_BYTES, Evidence
from scrubjay.store import lines

_FIELDS = tuple(field.name for field in fields(Evidence))


def load(home: Home, only: Collection[str] | None = None) -> dict[str, Evidence]:
    """Every record by id; the first of an id counts. `only`: those with these ids, found without reading the others."""
    found: dict[str, Evidence] = {}
    for path in lines.paths(home.evidence):
        for record in lines.records(path) if only is None else lines.holding(path, only, "id"):
            evidence = _evidence(record)
            if evidence is not None:
                found.setdefault(evidence.id, evidence)
    return found


def additions(home: Home, new: Iterable[Evidence]) -> dict[str, tuple[int, bytes]]:
    """What to append, by path. A quote over its limit is cut at a character."""
    return lines.additions(home.evidence, ((one.id, one.at, lines.encode(asdict(_cut(one)))) for one in new), "id")


def _cut(evidence: Evidence) -> Evidence:
    raw = evidence.quote.encode("utf-8", "replace")
    if len(raw) <= MAX_QUOTE_BYTES:
        return evidence
    values = asdict(evidence) | {"quote": raw[: MAX_QUOTE_BYTES - 3].decode("utf-8", "ignore") + "…"}
    return Evidence(**values)


def _evidence(record: dict[str, object]) -> Evidence | None:
    """Lenient: a missing field is empty; a record without an id is none."""
    if not isinstance(record.get("id"), str):
        return None
    values: dict[str, object] = {name: str(record.get(name, "")) for name in _FIELDS}
    offset = record.get("offset", 0)
    values["offset"] = offset if isinstance(offset, int) else 0
    return Evidence(**values)  # type: ignore[arg-type]
