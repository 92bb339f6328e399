"""What a `user` record of Qwen Code says, and undoing what the client did to the text."""

from __future__ import annotations

import re

from scrubjay.agents.harness import starts_with_any, strip_injected
from scrubjay.agents.jsonl import Record, objects, string, table

_HOOK_CONTEXT = re.compile(r"<qwen:user-prompt-submit-context>.*?(?:</qwen:user-prompt-submit-context>|\Z)", re.DOTALL)
_HARNESS_BEGINNINGS = (
    "<system-reminder>",
    "<qwen:",
    "<task-notification",
    "<session_context>",
    "This is the Qwen Code. We are setting up the context",
    "This is the Gemini CLI. We are setting up the context",
)
_FILES_BEGIN, _FILES_END = "--- Content from referenced files ---", "--- End of content ---"

_DOMAIN = (
    r"(?:[A-Za-z0-9-]{1,63}\.){1,6}(?:com|org|net|edu|gov|int|io|dev|app|ai|co|me|info|local|internal|lan|test|example|de|at|ch|eu"
    r"|fr|uk|it|es|nl|pl|cz|se|no|fi|dk|jp|cn|tw|hk|kr|in|br|ru|ca|au|us)(?![A-Za-z0-9-])"
)
_ADDRESS = re.compile(rf"(?<=[A-Za-z0-9_%+=~/-]) @(?={_DOMAIN}|\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b)")
_VERSION = re.compile(r"(?<=[a-z0-9_-]) @(?=(?:v?\d+(?:\.\d+){0,3}|latest|next|sha256:)[\w.-]*(?![\w/]))")
_BRACKET = re.compile(r"(?<=[(\[{]) @")
_BEFORE = re.compile(r"(\S+)\Z")
_PLAIN_WORDS = frozenset(
    (
        *(
            "a",
            "about",
            "add",
            "and",
            "are",
            "as",
            "ask",
            "at",
            "by",
            "call",
            "cc",
            "check",
            "contact",
            "email",
            "follow",
            "for",
        ),
        *(
            "from",
            "hey",
            "hi",
            "in",
            "is",
            "like",
            "mail",
            "mention",
            "message",
            "my",
            "of",
            "on",
            "or",
            "our",
            "owner",
            "per",
        ),
        *(
            "ping",
            "see",
            "tag",
            "tell",
            "than",
            "thanks",
            "that",
            "the",
            "to",
            "update",
            "use",
            "uses",
            "via",
            "was",
            "with",
        ),
        *("your", "version", "pin", "pinned", "is", "now", "still", "run", "install"),
    )
)


def parts_of(record: Record) -> tuple[list[str], list[str]]:
    """Texts of a message's parts, and apart from them the contents of files that an `@path` pulled in."""
    texts: list[str] = []
    pulled: list[str] = []
    inside = False
    for part in objects(table(record, "message"), "parts"):
        text = string(part, "text")
        if not text or part.get("thought") is True:
            continue
        if text.strip() in (_FILES_BEGIN, _FILES_END):
            inside = text.strip() == _FILES_BEGIN
        elif inside:
            pulled.append(text)
        else:
            texts.append(text)
    return texts, pulled


def words_of(record: Record) -> tuple[str, list[str]]:
    """What the person wrote, and what was pasted or pulled in; "" when it is all the harness's."""
    texts, pulled = parts_of(record)
    payload = table(record, "systemPayload")
    if not record.get("subtype") and payload.get("hookContext") and string(payload, "displayText"):
        texts = [string(payload, "displayText")]
    kept = [text for text in texts if not starts_with_any(text, _HARNESS_BEGINNINGS)]
    text = strip_injected("\n".join(kept), _HOOK_CONTEXT)
    if _FILES_BEGIN in text:
        text, _, rest = text.partition(_FILES_BEGIN)
        pulled.append(rest.partition(_FILES_END)[0])
    return join_at_signs(text).strip(), [part.strip() for part in pulled if part.strip()]


def join_at_signs(text: str) -> str:
    """`orla.b @example.com` → `orla.b@example.com`: the client puts a blank before every `@`, taking it for a file.

    Only where the blank cannot have been the person's: in an address, in `name@version`, after an opening bracket.
    """
    if " @" not in text:
        return text
    text = _ADDRESS.sub(lambda match: _joined(text, match), text)
    text = _VERSION.sub(lambda match: _joined(text, match), text)
    return _BRACKET.sub("@", text)


def _joined(text: str, match: re.Match[str]) -> str:
    word = _BEFORE.search(text, max(0, match.start() - 200), match.start())
    plain = word is not None and word[1].lower().strip("\"'`(") in _PLAIN_WORDS
    return match.group() if plain else "@"
