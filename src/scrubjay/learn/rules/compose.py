"""A note from a group of clauses: body, name, description, scope, paths, anchors, aliases."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scrubjay.learn.rules import words
from scrubjay.learn.rules.belonging import Group
from scrubjay.learn.rules.dates import resolve, said_on
from scrubjay.learn.rules.language import Language, NoteKind
from scrubjay.learn.rules.naming import describe, name_of
from scrubjay.learn.rules.text import Clause, plain
from scrubjay.learn.turns import Turn
from scrubjay.operations import MemoryType, Proposal, Quote, Scope

MAX_ALIASES = 6

_TYPES: dict[NoteKind, MemoryType] = {
    "preference": "user", "confirmation": "feedback", "reference": "reference", "correction": "feedback",
}  # fmt: skip
_YOU = re.compile(r"\b(?:you|your|yours|u|ur)\b|你")


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """What surrounds a group: for referents."""

    turn: Turn
    clauses: Sequence[Clause]
    """Of the message, gated ones included."""
    order: Mapping[int, int]
    """Place of each clause in `clauses`, by its start."""
    gates: dict[int, str]
    """Gate of each clause that has one, by its start."""
    earlier: str
    """What the person typed before this message, newest last."""
    rel: str = ""
    """The session's directory below the project's root: what "in this folder" means."""


def compose(group: Group, context: Context) -> Proposal | None:
    """The note, or None when nothing can be said without guessing."""
    main = group.main
    rule = main.best
    if rule is None:
        return None
    language = main.clause.language
    runs = _runs(group, context)
    said = " ".join(text for _, text in runs)
    pending = "" if group.strength > 1 else (main.why_pending or "a complaint that leaves open what is wanted instead")
    body, referent_missing = _referents(_join(runs, language), group, context)
    if referent_missing:
        pending = pending or "what the pronoun stands for was not said in this message"
    body = _dated(body, context.turn, language)
    statement, why = _why(body, language)
    kind = rule.kind
    note_type = _type(kind, group)
    name = name_of(group, body, kind)
    quotes = tuple(
        Quote(message=context.turn.user.key, start=start, text=text) for start, text in _quotes(group, context)
    )
    return Proposal(
        name=name, description=describe(kind, body, name, language), type=note_type,
        body=statement + (f"\n\n**Why:** {why}" if why else ""), scope=_scope(note_type, rule.cue, said, language),
        quotes=quotes, trust="user", cue=rule.cue, pending=pending, why=why, paths=_paths(said, language, context.rel),
        aliases=_aliases(said, name, language), anchors=anchors(said), observed=context.turn.user.at[:10],
    )  # fmt: skip


# --- the body -------------------------------------------------------------------------------------------------------------
def _runs(group: Group, context: Context) -> list[tuple[int, str]]:
    """The clauses as stretches of the raw text: clauses that follow each other directly keep what stands between them."""
    raw = context.turn.user.text
    runs: list[list[int]] = []
    order = context.order
    last = -2
    for verdict in group.verdicts:
        number = order[verdict.clause.start]
        if runs and number == last + 1 and len(raw[runs[-1][1] : verdict.clause.start].strip()) <= _GAP:
            runs[-1][1] = verdict.clause.end
        else:
            runs.append([verdict.clause.start, verdict.clause.end])
        last = number
    return [(start, " ".join(raw[start:end].split())) for start, end in runs]


_GAP = 14
"""Room for a stop and a filler word ("; and "): more than that was left out on purpose."""


def _quotes(group: Group, context: Context) -> list[tuple[int, str]]:
    """The stretch that says it first."""
    raw, main = context.turn.user.text, group.main.clause.start
    spans = [(start, len(text)) for start, text in _runs(group, context)]
    ends = sorted(verdict.clause.end for verdict in group.verdicts)
    quotes = []
    for index, (start, _) in enumerate(spans):
        limit = spans[index + 1][0] if index + 1 < len(spans) else len(raw)
        quotes.append((start, raw[start : max(end for end in ends if end <= limit)]))
    return sorted(quotes, key=lambda quote: not quote[0] <= main < quote[0] + len(quote[1]))


def _join(runs: list[tuple[int, str]], language: Language) -> str:
    stop = "。" if language.code == "zh" else "."
    parts = [text if text[-1] in ".!?。！？…" else text + stop for _, text in runs[:-1]]
    glue = "" if language.code == "zh" else " "
    return glue.join([*parts, runs[-1][1]]).rstrip(" ,;:，；：")


def _referents(body: str, group: Group, context: Context) -> tuple[str, bool]:
    """`body` with what its first pronoun stands for put before it; True when that was found nowhere."""
    first = group.verdicts[0].clause
    language = first.language
    if group.lead is not None:
        lead = re.split(r"[:：]\s*", group.lead.clause.text)[-1].rstrip(".。!")
        if len(lead) > _LEAD_CHARS:
            lead = (words.keywords(lead, language, 1) or [lead])[0]
        return f"{lead}: {body}" if language.code != "zh" else f"{lead}：{body}", False
    found = language.dangling.match(first.low)
    if not found:
        return body, False
    position = context.order.get(first.start, 0)
    for clause in reversed(context.clauses[max(0, position - _NEAR) : position]):
        if context.gates.get(clause.start, "") in ("", "question", "temporary", "noise", "one-off", "report"):
            topic = words.keywords(clause.text, language, 1)
            if topic:
                return f"{topic[0]}: {body}", False
    parties = list(language.parties.finditer(plain(context.earlier)))
    if found.group().startswith(("they", "them", "their", "he", "she", "他", "她")) and parties:
        end = found.end()
        return f"{body[:end]} ({parties[-1].group('party')}){body[end:]}", False
    return body, True


_NEAR = 4
"""Clauses back in which a pronoun's referent is looked for."""
_LEAD_CHARS = 45


def _dated(body: str, turn: Turn, language: Language) -> str:
    said = said_on(turn.user.at)
    if said is None:
        return body
    for one in reversed(resolve(body, said=said, words=language.dates)):
        if not any(day.isoformat() in body for day in one.days):
            body = f"{body[: one.end]} ({one.label}){body[one.end :]}"
    return body


def _why(body: str, language: Language) -> tuple[str, str]:
    """The statement and its reason, where the last part of the body is one."""
    found = list(language.why.finditer(body))
    if len(found) != 1:
        return body, ""
    statement, why = body[: found[0].start()].rstrip(" ,;，；"), body[found[0].end() :].strip()
    # A full stop within the reason would take other sentences along.
    if len(statement) < 8 or len(why) < 4 or re.search(r"[.!?]\s|[。！？]\S", why):
        return body, ""
    return statement, why


# --- head, scope and the rest ---------------------------------------------------------------------------------------------
def _type(kind: NoteKind, group: Group) -> MemoryType:
    if kind in _TYPES:
        if kind == "correction" and not _directive(group):
            return "project"
        return _TYPES[kind]
    if kind == "rule" and _directive(group):
        return "feedback"
    return "project"


def _directive(group: Group) -> bool:
    main = group.main
    language = main.clause.language
    if main.imperative or language.prohibition.match(main.clause.low):
        return True
    kind = main.best.kind if main.best else ""
    return kind in ("correction", "rule") and any(_YOU.search(verdict.clause.low) for verdict in group.verdicts)


_ABOUT_THE_PERSON = frozenset(["preference/person", "preference/skills", "preference/works"])
"""Who somebody is does not change with the project."""


def _scope(note_type: MemoryType, cue: str, said: str, language: Language) -> Scope:
    low = plain(said)
    if note_type == "user" and cue in _ABOUT_THE_PERSON:
        return "user"
    if note_type in ("user", "feedback") and (language.user_scope.search(low) or language.trait.search(low)):
        return "user"
    return "team" if language.team_scope.search(low) else "project"


def _paths(said: str, language: Language, rel: str) -> tuple[str, ...]:
    low = said.lower()
    found: list[str] = [rel + "/"] if rel and language.this_folder.search(low) else []
    for match in language.place.finditer(low):
        group = "path" if match.group("path") else "path2"
        start, end = match.span(group)
        path = said[start:end]
        if "." not in path.rstrip("/").rsplit("/", 1)[-1] or path.endswith("/"):
            found.append(path)
    found += [
        language.file_types[match.group("type")]
        for match in language.file_words.finditer(low)
        if match.group("type") in language.file_types
    ]
    return tuple(dict.fromkeys(found))[:4]


def anchors(said: str) -> tuple[tuple[str, str], ...]:
    """What can be checked later: URLs, commands, files, commits, symbols."""
    found: list[tuple[str, str]] = [("url", match.group().rstrip(".,;:!?")) for match in words.URL.finditer(said)]
    for word in words.identifiers(said):
        if re.fullmatch(r"[0-9a-f]{40}", word):
            found.append(("commit", word))
        elif " " in word:
            found.append(("command", word))
        elif words.PATH.fullmatch(word):
            found.append(("file", word))
        elif re.fullmatch(r"[A-Za-z]\w*(?:[_.]\w+)+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+", word):
            found.append(("symbol", word))
    return tuple(dict.fromkeys(found))[:8]


def _aliases(said: str, name: str, language: Language) -> tuple[str, ...]:
    low = name.lower()
    found = [word for word in words.identifiers(said) if len(word) <= 40 and word.lower() not in low]
    symptoms = [match.group() for match in language.symptom.finditer(plain(said)) if match.group() not in low]
    return tuple(dict.fromkeys([*found[: MAX_ALIASES - 2], *symptoms[:3]]))[:MAX_ALIASES]
