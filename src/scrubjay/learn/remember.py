"""Remember what a person says on the command line (or an agent through a tool): the same gates as for learning."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace

from scrubjay import clock, settings
from scrubjay.errors import BadInput, Refused
from scrubjay.home import Home
from scrubjay.learn.candidate import Candidate, Verdict
from scrubjay.learn.gate import HIDDEN, ORDERS
from scrubjay.learn.reconcile import Met, reconcile
from scrubjay.learn.rulebook import REFUSALS
from scrubjay.learn.rules import PlaceHint, propose
from scrubjay.learn.shelf import Shelf
from scrubjay.learn.turns import Turn
from scrubjay.memory import MAX_BODY_CHARS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS
from scrubjay.operations import MemoryType, Proposal, Quote, Scope
from scrubjay.projects import resolve
from scrubjay.redact import findings, redact
from scrubjay.scope import Place, StoreRef
from scrubjay.search.build import refresh
from scrubjay.session import Message
from scrubjay.store.change import commit
from scrubjay.store.library import Library

MAX_MADE_NAME_CHARS = 60
_LEAST_LEFT = 12  # characters beside the secrets; less says nothing worth keeping
_CLAUSE = re.compile(r"[.;!?](?:\s+|$)|[\n。；！？]|,\s+|，|\s+(?:and|but)\s+")
_ONLY_NAMES_IT = re.compile(
    r"(?:\S+\s+){0,9}?\S*(?:pass(?:word|phrase|code)|token|secret|credential|\bkey|\bpin\b|login|密码|口令|密钥|令牌)\S*"
    r"(?:\s+(?:for|of|to|on|in|at)(?:\s+\S+){1,5}?)?\s*(?:\bis\b(?:\s+(?:now|still))?|\bare\b|\bwas\b|[:=]|是|为)?\s*"
    r"[\"'`(]*\[redacted: [a-z-]+\][\"'`)]*",
    re.IGNORECASE,
)
"""A clause that names a secret and gives its value: "the db password is …", "api key for staging: …"."""
_OF_A_PERSON = ("user", "feedback")


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """What shall be remembered. Empty fields are worked out from the text."""

    text: str
    cwd: str
    scope: Scope | None = None
    """None: `project` inside a project; outside every project, `user`."""
    type: MemoryType | None = None
    name: str = ""
    description: str = ""
    paths: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    by: str = "user"
    """`user` (typed by the person) or `agent` (an agent's tool call: waits for review when it would be a rule)."""
    waits: bool = False
    """An agent's wish waits whatever its type: a hint, until the person's own words are found (`learn.hints`)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Remembered:
    """What became of a wish."""

    outcome: str
    """`created`, `pending`, `known` (evidence added) or `superseded` (it replaced others)."""
    id: str
    file: str
    replaced: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What the person should know: a secret was left out, why it waits."""
    undo: str = ""
    status: str = ""
    """Of the memory as it is now: a known one may wait, or be archived."""


def remember(home: Home, wish: Wish) -> Remembered:
    """Write it down, or raise `Refused` with the rule (docs/refusals.md), `BadInput` for an empty text."""
    if settings.load(home.config).text("mode") == "off":
        raise BadInput("scrubjay is off; nothing was written", at="setting mode", hint="jay config mode auto")
    clean, notes = _clean(wish)
    _check(clean, clean, None)  # before a project gets its key: what is refused leaves nothing behind
    place = resolve(home, wish.cwd)
    store = _store(wish, place)
    library = Library.open(home, repos=[place.worktree] if place.git else [])
    candidate = _candidate(clean, place, store)
    _check(candidate.proposal, clean, library)
    verdict = _verdict(clean, candidate)
    shelf = Shelf(library)
    met = reconcile(candidate, verdict, shelf, store=store, stores=[store], live=True)
    if met.entry is None:
        raise AssertionError  # reconcile names the memory whenever it is not refused
    if wish.by == "user" and met.entry.memory.status not in ("active", "superseded"):
        shelf.change(met.entry, status="active", reason="", superseded_by="")
    if met.outcome != "evidence":
        shelf.change(met.entry, by=wish.by)
    done = commit(home, shelf.changes(), subject="remember: 1 memory", evidence=shelf.new_evidence())
    after = library.after(done.ids, done.paths) if store in library.stores() else library.again()
    refresh(home, after)
    stored = after.get(met.entry.id)
    if stored.memory.status == "pending":
        notes.append(f"waits because: {stored.memory.reason}; jay review")
    return Remembered(
        outcome=_outcome(met, stored.memory.status),
        id=stored.memory.id,
        file=stored.path,
        replaced=tuple(entry.id for entry in met.replaced),
        notes=(*notes, *library.notes, *done.notes),
        undo=done.undo,
        status=stored.memory.status,
    )


def vetted(wish: Wish, library: Library) -> tuple[Wish, list[str]]:
    """The wish without secrets, and what to tell the person; `Refused` for what nobody may write (an agent: less)."""
    clean, notes = _clean(wish)
    _check(clean, clean, library)
    return clean, notes


def _outcome(met: Met, status: str) -> str:
    if met.outcome in ("evidence", "noop"):
        return "known"
    return "pending" if status == "pending" else "superseded" if met.replaced else "created"


def _clean(wish: Wish) -> tuple[Wish, list[str]]:
    """The wish without secrets, and what to tell. A team store is shared: there a secret refuses the whole."""
    texts = (wish.text, wish.name, wish.description, *wish.aliases)
    kinds = sorted({found.kind for text in texts for found in findings(text)} - {"private"})
    hint = "write where it is kept, not what it is"
    if kinds and wish.scope == "team":
        raise Refused(f"the text holds a secret ({', '.join(kinds)}), and git shares the team store with every reader",
                      at="the text", rule="secret", hint=hint)  # fmt: skip
    text = redact(wish.text).strip()
    if not wish.text.strip():
        raise BadInput("nothing to remember: the text is empty")
    left = text
    for kind in kinds:
        left = left.replace(f"[redacted: {kind}]", "")
    if (kinds or text != wish.text.strip()) and len(left.strip()) < _LEAST_LEFT:
        raise Refused(REFUSALS["secret"], at="the text", rule="secret", hint=hint)
    if kinds and not any(_says_more(clause) for clause in _CLAUSE.split(text)):
        raise Refused(
            "without its secret the text says nothing; nothing was written", at="the text", rule="secret", hint=hint
        )
    notes = [f"a secret was left out ({', '.join(kinds)}); {hint}"] if kinds else []
    return replace(
        wish,
        text=text,
        name=redact(wish.name).strip(),
        description=redact(wish.description).strip(),
        aliases=tuple(redact(one) for one in wish.aliases),
    ), notes


def _says_more(clause: str) -> bool:
    """Does a clause say something besides naming a secret?"""
    return len(clause.strip()) >= _LEAST_LEFT and not _ONLY_NAMES_IT.fullmatch(clause.strip())


def _store(wish: Wish, place: Place) -> StoreRef:
    scope = wish.scope or ("project" if place.project else "user")
    for store in place.stores():
        if store.scope == scope and (scope != "project" or store.project == place.project):
            return store
    raise BadInput(
        f"{place.cwd} is in no project, so there is no {scope} store", hint="run it in a repository, or --user"
    )


def _candidate(wish: Wish, place: Place, store: StoreRef) -> Candidate:
    at = clock.text(clock.now())
    digest = hashlib.sha256(
        "\x1f".join((wish.text, wish.cwd, at, wish.by)).encode("utf-8", "surrogatepass")
    ).hexdigest()
    origin, role = ("user", "user") if wish.by == "user" else ("assistant", "assistant")
    message = Message(
        key=f"remember-{digest[:24]}", parent=None, role=role, origin=origin, at=at, text=wish.text  # type: ignore[arg-type]
    )  # fmt: skip
    return Candidate(
        proposal=_proposal(wish, message, place, store),
        agent="jay",
        session="",
        path="",
        place=place,
        quoted=((Quote(message=message.key, start=0, text=wish.text), message),),
        context=wish.text,
    )


def _proposal(wish: Wish, message: Message, place: Place, store: StoreRef) -> Proposal:
    """The person's words as they stand; what they left open is taken from the rules' reading of them."""
    heard = replace(message, role="user", origin="user")
    turn = Turn(user=heard, live=True)
    found = propose([turn], place=PlaceHint(cwd=wish.cwd, rel=place.rel, project=place.name)).proposals
    guess = found[0] if len(found) == 1 else None
    kind = wish.type or (guess.type if guess else "user" if store.scope == "user" else "project")
    return Proposal(
        name=short(wish.name or (guess.name if guess else _first_words(wish.text)), MAX_NAME_CHARS),
        description=wish.description or (guess.description if guess else short(wish.text, MAX_DESCRIPTION_CHARS)),
        type=kind,
        body=wish.text,
        scope=store.scope,
        quotes=(Quote(message=message.key, start=0, text=wish.text),),
        trust="user" if wish.by == "user" else "agent",
        cue="remember",
        paths=wish.paths or (guess.paths if guess else ()),
        aliases=wish.aliases or (guess.aliases if guess else ()),
        anchors=guess.anchors if guess else (),
        observed=message.at[:10],
    )


def _check(said: Proposal | Wish, wish: Wish, library: Library | None) -> None:
    """What even a person cannot have: hidden characters, more text than a memory holds; an agent also nothing forgotten
    and no orders to agents."""
    body = said.body if isinstance(said, Proposal) else said.text
    texts = (said.name, said.description, body, *said.aliases)
    hidden = any(HIDDEN.search(text) for text in texts)
    if hidden or (wish.by != "user" and any(ORDERS.search(text) for text in texts)):
        hint = "type the text anew" if hidden else "say the fact itself"
        raise Refused(REFUSALS["injection"], at="the text", rule="injection", hint=hint)
    if len(body) > MAX_BODY_CHARS or len(said.description) > MAX_DESCRIPTION_CHARS:
        raise Refused(
            f"a memory holds {MAX_BODY_CHARS} characters, its description {MAX_DESCRIPTION_CHARS}",
            at="the text", rule="limits", hint="keep the one fact and leave out the rest",
        )  # fmt: skip
    if library is not None and wish.by != "user" and library.tombstones.blocks(text=body, said_at=""):
        raise Refused(REFUSALS["forgotten"], at="the text", rule="forgotten", hint="only the person can bring it back")


def _verdict(wish: Wish, candidate: Candidate) -> Verdict:
    in_user_store = candidate.proposal.scope == "user"
    if wish.by == "user":
        return Verdict(status="active", trust="user", in_user_store=in_user_store)
    waits = wish.waits or candidate.proposal.type in _OF_A_PERSON
    return Verdict(
        status="pending" if waits else "active",
        word="agent" if waits else "",
        trust="agent",
        in_user_store=in_user_store,
    )


def _first_words(text: str) -> str:
    line = next((line.strip(" #-*>") for line in text.splitlines() if line.strip(" #-*>")), text)
    return short(line, MAX_MADE_NAME_CHARS)


def short(text: str, most: int) -> str:
    """One line of at most `most` characters, cut between words."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    return (cut[: cut.rfind(" ")] if " " in cut[most // 2 :] else cut).rstrip(" ,;:.") + "…"
