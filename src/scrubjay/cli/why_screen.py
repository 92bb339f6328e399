"""The screen of `jay why`."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console

from scrubjay.cli.output import because, minute, para, plain, tilde
from scrubjay.why import Proof

SAID_BY = {
    "user": "you",
    "machine": "a program's prompt",
    "assistant": "the agent",
    "tool": "a tool's output",
    "external": "someone else",
}


def text(proof: Proof, out: Console) -> None:
    """The memory, whose words it rests on, what it replaced, what became of its file."""
    stored, memory = proof.stored, proof.stored.memory
    out.print(f"[bold]{plain(memory.name)}[/]")
    out.print(f"[dim]{memory.id} · {memory.type} · {memory.status} · trust {stored.effective_trust}[/]")
    para(out, memory.body)
    if memory.reason:
        out.print(f"  [yellow]{memory.status} because:[/] {plain(because(memory.reason))}")
    quotes(proof, out)
    if not proof.evidence:
        by = "by hand" if stored.hand_made else f"by {memory.by}"
        out.print(f"\nNo session stands behind it: it was written {by}.")
    for old, name in proof.replaces:
        out.print(f"\nreplaces     {plain(name) or 'what was forgotten since'}  [dim]{old}[/]")
    if proof.replaced_by:
        out.print(f"\nreplaced by  [bold]jay why {proof.replaced_by}[/]")
    if proof.changes:
        out.print("\n[bold]History[/]")
    for change in proof.changes:
        out.print(f"  [dim]{minute(change.at)}  {change.sha[:8]}[/]  {plain(change.subject)}")


def quotes(proof: Proof, out: Console, said_by: Mapping[str, str] = SAID_BY) -> None:
    """Each piece of evidence: the words, who said them, when and where they stand."""
    for one in proof.evidence:
        out.print()
        para(out, f"“{one.quote.strip()}”", style="green")
        who = said_by.get(one.origin, one.origin)
        where = f"{one.agent} session {plain(one.session[:8])}" if one.session else f"{one.agent}, in no session"
        out.print(f"  said by {who} on {minute(one.at) or 'an unknown day'} in {where}")
        gone = "  (deleted by the agent since; the quote is what is left)" if one.file in proof.gone else ""
        out.print(f"  [dim]{plain(tilde(one.file))}, byte {one.offset}{gone}[/]")
