"""The gate: a proposal becomes an operation only when every rule here lets it. Rules, models and people pass the same gate.

Each refusal is a row of docs/refusals.md; what is neither refused nor sure waits for review.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from scrubjay.learn.alike import says, statement
from scrubjay.learn.candidate import Candidate, Verdict
from scrubjay.learn.instructions import Instructions
from scrubjay.memory import MAX_BODY_CHARS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS
from scrubjay.operations import Trust, lower_trust
from scrubjay.redact import MASK, is_clean
from scrubjay.session import Message
from scrubjay.store.tombstones import Tombstones

HIDDEN = re.compile("[\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]")
"""Characters that a person does not type and a reader does not see. The joiner U+200D is left out: emoji hold it."""
ORDERS = re.compile(
    r"(?i)ignore (?:all |any |the )?(?:previous|prior|above) (?:instructions|rules)|disregard (?:all|the|your) \w+ instructions"
    r"|<!--\s*assistants?:|you are now (?:dan|in developer mode)|忽略(?:之前|以上|上面)的(?:所有)?(?:指令|指示)"
)
"""How planted text orders an agent about."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_NUMBER = re.compile(r"\d{2,}")

TRUST_OF: dict[str, Trust] = {
    "user": "user",
    "machine": "user",
    "assistant": "assistant",
    "tool": "tool",
    "external": "external",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """What the gate must know besides the candidate."""

    headless: str
    """`learn.headless`: pending, active or skip."""
    mode: str
    """`mode`: in `review` everything waits."""
    tombstones: Tombstones
    instructions: Callable[[Candidate], Instructions]


def judge(candidate: Candidate, rules: Rules) -> Verdict:
    """Active, pending or refused, and why."""
    for check in (_evidence, _limits, _secret, _origin, _injection):
        refused = check(candidate)
        if refused is not None:
            return refused
    for later in (_headless, _forgotten, _known):
        refused = later(candidate, rules)
        if refused is not None:
            return refused
    return _waits(candidate, rules)


def judge_imported(candidate: Candidate, rules: Rules) -> Verdict:
    """For a note of an agent's own memory, which the person brings over. Nobody said it in a message that can be looked at:
    a rule of behaviour, a fact about the person, and what lay in a repository wait for the person's yes."""
    proposal = candidate.proposal
    texts = (proposal.name, proposal.description, proposal.body, *proposal.aliases)
    if any(HIDDEN.search(text) or ORDERS.search(text) for text in texts):
        return refuse("injection")
    for check in (_evidence, _limits, _secret, _injection):
        if (refused := check(candidate)) is not None:
            return refused
    keys = [quote.message for quote, _message in candidate.quoted]
    for key in keys:  # an agent's file is no later statement of the person, whatever its time
        if why := rules.tombstones.blocks(message_key=key, text=proposal.body):
            return refuse("forgotten", why)
    if (known := _known(candidate, rules)) is not None:
        return known
    in_user_store = proposal.scope == "user"
    word, text = "", ""
    if rules.mode == "review":
        word = "review"
    elif proposal.pending or proposal.type in ("feedback", "user"):
        word, text = "imported", proposal.pending
    elif in_user_store:
        word, text = "no-project", "its agent keeps it for no project"
    return Verdict(
        status="pending" if word else "active", word=word, text=text, trust="agent", in_user_store=in_user_store
    )


def refuse(word: str, text: str = "") -> Verdict:
    return Verdict(status="refused", word=word, text=text)


def _evidence(candidate: Candidate) -> Verdict | None:
    """Each quote stands in its message at its place; a number that nobody said was made up (dates may be resolved)."""
    if len(candidate.quoted) != len(candidate.proposal.quotes) or not candidate.quoted:
        return refuse("evidence", "it quotes a message that is not there")
    for quote, message in candidate.quoted:
        there = _even(message.text[quote.start : quote.start + 2 * len(quote.text) + 200])
        if not quote.text.strip() or not there.startswith(_even(quote.text)):
            return refuse("evidence")
    said = candidate.context + "".join(message.text for _quote, message in candidate.quoted)
    for number in _NUMBER.findall(_DATE.sub(" ", candidate.proposal.body)):
        if number not in said:
            return refuse("evidence", f"nobody said {number}")
    return None


def _limits(candidate: Candidate) -> Verdict | None:
    proposal = candidate.proposal
    for field, value, most in (
        ("name", proposal.name, MAX_NAME_CHARS),
        ("description", proposal.description, MAX_DESCRIPTION_CHARS),
        ("body", proposal.body, MAX_BODY_CHARS),
    ):
        if not value.strip():
            return refuse("limits", f"the {field} is empty")
        if len(value) > most:
            return refuse("limits", f"the {field} has {len(value)} characters, {most} are allowed")
    return None


def _secret(candidate: Candidate) -> Verdict | None:
    proposal = candidate.proposal
    texts = (
        proposal.name, proposal.description, proposal.body, *proposal.aliases, *proposal.paths,
        *(value for _kind, value in proposal.anchors), *(quote.text for quote in proposal.quotes),
    )  # fmt: skip
    if any(MASK in text or not is_clean(text) for text in texts):
        return refuse("secret")
    return None


def _origin(candidate: Candidate) -> Verdict | None:
    """Trust comes from who said it, never from what the proposal claims."""
    said, proposal = candidate.said, candidate.proposal
    if said.origin == "harness":
        return refuse("origin")
    if said.origin in ("tool", "external") and proposal.type in ("feedback", "user"):
        return refuse("untrusted")
    if said.origin == "assistant" and not any(_of_person(message) for _quote, message in candidate.quoted):
        return refuse("unconfirmed")
    return None


def _injection(candidate: Candidate) -> Verdict | None:
    # A note about an attack may quote its phrases; text that hides characters or comes from outside may not.
    quotes = [quote.text for quote in candidate.proposal.quotes]
    if any(HIDDEN.search(text) for text in (*quotes, candidate.proposal.body)):
        return refuse("injection")
    if not _of_person(candidate.said) and any(ORDERS.search(text) for text in quotes):
        return refuse("injection")
    return None


def _headless(candidate: Candidate, rules: Rules) -> Verdict | None:
    if rules.headless == "skip" and any(message.origin == "machine" for _quote, message in candidate.quoted):
        return refuse("headless")
    return None


def _forgotten(candidate: Candidate, rules: Rules) -> Verdict | None:
    for quote, message in candidate.quoted:
        why = rules.tombstones.blocks(message_key=quote.message, text=quote.text, said_at=message.at)
        if why:
            return refuse("forgotten", why)
    why = rules.tombstones.blocks(text=candidate.proposal.body, said_at=candidate.at)
    return refuse("forgotten", why) if why else None


def _known(candidate: Candidate, rules: Rules) -> Verdict | None:
    part = statement(candidate.proposal.body)
    for file, paragraphs in rules.instructions(candidate).items():
        if any(says(paragraph, part) for paragraph in paragraphs):
            return refuse("known", f"{file} says it")
    return None


def _waits(candidate: Candidate, rules: Rules) -> Verdict:
    proposal = candidate.proposal
    trust = _trust(candidate)
    in_user_store = proposal.scope == "user" and proposal.type in ("user", "feedback")
    word, text = "", ""
    if rules.mode == "review":
        word = "review"
    elif trust in ("tool", "external"):
        word = "untrusted"
    elif rules.headless == "pending" and any(message.origin == "machine" for _quote, message in candidate.quoted):
        word = "headless"
    elif again := rules.tombstones.again(text=proposal.body, said_at=candidate.at):
        word, text = "forgotten", again
    elif proposal.pending:
        word, text = "inferred", proposal.pending
    elif not candidate.place.root and not in_user_store:
        word = "no-project"
    return Verdict(
        status="pending" if word else "active", word=word, text=text, trust=trust, in_user_store=in_user_store
    )


def _trust(candidate: Candidate) -> Trust:
    """The weakest needed evidence, but never more than the proposal claims: an assistant's words that the person agreed
    to are `confirmed`."""
    if candidate.said.origin == "assistant":
        return "confirmed"
    return lower_trust(candidate.proposal.trust, TRUST_OF.get(candidate.said.origin, "external"))


def _of_person(message: Message) -> bool:
    return message.role == "user" and message.origin in ("user", "machine")


def _even(text: str) -> str:
    return " ".join(text.split())
