"""Words, identifiers and subjects of a clause: for names, for aliases, and for telling topics apart."""

from __future__ import annotations

import re

from scrubjay.learn.rules.language import Language

CODE = re.compile(r"`([^`\n]+)`")
URL = re.compile(r"https?://[^\s`\"'<>，。；、（）)]+")
PATH = re.compile(r"(?<![\w/@.-])(?:\.{0,2}/)?(?:[\w.@*-]+/)+[\w.*@-]*|(?<![\w/@.-])[\w-]+\.(?:py|tsx?|jsx?|go|rs|java|kt|swift|cc?|h|cpp|hpp|cs|rb|php|sql|sh|ya?ml|toml|json|md|html|s?css|vue|proto|tf|lua|dart|ipynb|csv|parquet|cfg|ini|env|lock|gradle|xml)\b")  # fmt: skip  # noqa: E501
IDENTIFIER = re.compile(
    r"@?\b(?:[A-Za-z]\w*(?:_\w+)+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|[A-Za-z][\w-]*(?:\.[A-Za-z_]\w*)+|[A-Z]{2,}\w*|--?[a-z][\w-]+)\b"
)
HASH = re.compile(r"\b[0-9a-f]{40}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_WORD = re.compile(r"[^\W\d_][\w+#]*(?:[-'][^\W\d_]\w*)*|[\u3400-\u9fff]")
_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")
_LATIN = re.compile(r"[a-z][\w+#]*(?:[-'][a-z]\w*)*")

_SAME = {
    "pg": "postgres", "postgresql": "postgres", "psql": "postgres", "db": "database", "k8s": "kubernetes", "env": "environment",
    "repo": "repository", "repos": "repository", "config": "configuration", "conf": "configuration", "prod": "production",
    "dev": "local", "development": "local", "js": "javascript", "ts": "typescript", "py": "python", "docs": "documentation",
    "doc": "documentation", "auth": "authentication", "msg": "message", "dashboards": "dashboard", "gh": "github",
    "mr": "pr", "prs": "pr", "dep": "dependency", "deps": "dependency", "admin": "administration", "param": "parameter",
    "subjects": "subject", "ids": "id", "lang": "language", "lib": "library", "libs": "library",
}  # fmt: skip
ALIASES = tuple(
    {long, *(short for short, other in _SAME.items() if other == long)} for long in dict.fromkeys(_SAME.values())
)
"""Names of one thing, short and long."""
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "edly", "ed", "ers", "er", "es", "s", "ly", "e")


def stem(word: str) -> str:
    """A rough root, good enough to see that "signs" and "signed" are one word."""
    word = _SAME.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4 - (ending in ("s", "e")):
            root = word[: -len(ending)]
            return root[:-1] if len(root) > 3 and root[-1] == root[-2] and ending in ("ing", "ed", "er") else root
    return word


def content(low: str, language: Language) -> set[str]:
    """Stems of the content words of a plain (lower-case) text: what it is about, without dates, numbers and URLs."""
    text = URL.sub(" ", low)
    found: set[str] = set()
    for word in _LATIN.findall(text):
        for part in {word, *re.split(r"[_-]", word)}:
            if len(part) > 1 and part not in language.stop_words:
                found.add(stem(part))
    for run in _HAN_RUN.findall(text):
        for word in _han_words(run, language):
            found.add(word)
    return found


def _han_words(run: str, language: Language) -> list[str]:
    """Pairs of characters, not across stop words: Chinese has no spaces, and pairs are close to its words."""
    pieces = [run]
    for stop in sorted((w for w in language.stop_words if _HAN_RUN.fullmatch(w)), key=len, reverse=True):
        pieces = [part for piece in pieces for part in piece.split(stop)]
    return [piece[i : i + 2] for piece in pieces for i in range(len(piece) - 1)]


def identifiers(text: str) -> list[str]:
    """Code spans, paths, hashes and identifiers in `text` as written, in order, each once. URLs are left out."""
    bare = URL.sub(lambda match: " " * len(match.group()), text)
    found = [(m.start(), m.group(1).strip()) for m in CODE.finditer(bare)]
    rest = CODE.sub(lambda match: " " * len(match.group()), bare)
    for pattern in (PATH, HASH, IDENTIFIER):
        found += [(match.start(), match.group()) for match in pattern.finditer(rest)]
        rest = pattern.sub(lambda match: " " * len(match.group()), rest)
    return list(dict.fromkeys(word for _, word in sorted(found)))


def keywords(text: str, language: Language, limit: int) -> list[str]:
    """The telling words of `text` as written: identifiers first, then content words in order, each once."""
    chosen = [word for word in identifiers(text) if len(word) <= 40]
    bare = URL.sub(" ", CODE.sub(" ", text))
    for word in chosen:
        bare = bare.replace(word, " ")
    if language.code == "zh":
        for run in re.findall(r"[\u3400-\u9fff]+|[A-Za-z][\w.+#-]*", bare):
            parts = [run]
            if _HAN_RUN.fullmatch(run):
                for stop in sorted((w for w in language.stop_words if _HAN_RUN.fullmatch(w)), key=len, reverse=True):
                    parts = [p for part in parts for p in part.split(stop)]
            chosen += [part for part in parts if 2 <= len(part) <= 12]
    else:
        words = [w for w in _WORD.findall(bare) if len(w) > 2 and w.lower() not in language.stop_words]
        chosen += words
    seen: set[str] = set()
    out: list[str] = []
    for word in chosen:
        key = stem(word.lower())
        if key not in seen:
            seen.add(key)
            out.append(word)
    return out[:limit]
