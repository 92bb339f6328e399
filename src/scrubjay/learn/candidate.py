"""What the reading of sessions hands to the gate: proposals with the messages that they quote, and where they were said."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.operations import MAX_QUOTE_BYTES, Evidence, Proposal, Quote, Trust, evidence_id, learnt_id
from scrubjay.redact import redact
from scrubjay.scope import Place
from scrubjay.session import Message


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """One proposal."""

    proposal: Proposal
    agent: str
    session: str
    path: str
    """The session file."""
    place: Place
    quoted: tuple[tuple[Quote, Message], ...]
    """The proposal's quotes with their messages, whose text is masked; a quote of an unknown message is missing."""
    context: str
    """Masked text that the proposal may draw on: the prompt and what the assistant said before it."""
    native_memory: tuple[str, ...] = ()

    @property
    def said(self) -> Message:
        """The message that says it."""
        return self.quoted[0][1]

    @property
    def at(self) -> str:
        return self.said.at

    @property
    def first_evidence(self) -> str:
        quote = self.proposal.quotes[0]
        return evidence_id(quote.message, quote.start)

    @property
    def memory_id(self) -> str:
        return learnt_id(self.first_evidence)

    def evidence(self, project: str) -> tuple[Evidence, ...]:
        """One record for each quote."""
        return tuple(
            Evidence(
                id=evidence_id(quote.message, quote.start),
                agent=self.agent,
                session=self.session,
                message=quote.message,
                role=message.role,
                origin=message.origin,
                at=message.at,
                project=project,
                quote=_cut(redact(quote.text)),
                file=self.path,
                offset=message.offset,
            )
            for quote, message in self.quoted
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What the gate decided about a candidate."""

    status: str
    """`active`, `pending` or `refused`."""
    word: str = ""
    """Of `rulebook.REFUSALS` or `rulebook.WAITS`; "" when active."""
    text: str = ""
    """What to say instead of the table's text."""
    trust: Trust = "user"
    in_user_store: bool = False


def _cut(quote: str) -> str:
    """At most 1 KB of UTF-8, cut between characters."""
    raw = quote.encode("utf-8", "replace")
    return raw[:MAX_QUOTE_BYTES].decode("utf-8", "ignore")
