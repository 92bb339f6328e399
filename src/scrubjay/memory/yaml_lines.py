"""The little of YAML that a memory file needs: entries that keep their lines, and scalars written so that any parser reads
them back.

Front matter is cut into entries by indentation first and understood entry by entry, so that one bad line never costs the
others, and what is not ours stays byte for byte.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from scrubjay import clock

_NO_KEY = frozenset("#-?:,[]{}&*!|>%@` \t")
"""Characters that mean something else to YAML at the start of a line."""

_PLAIN = re.compile(r"\.?[A-Za-z\u00c0-\uffdc/](?:[\w./@+~^()\- ;*=%$<>&!?|'’,-]|:(?=[\w./-]))*")
_PLAIN_IN_LIST = re.compile(r"\.?[A-Za-z\u00c0-\uffdc/](?:[\w./@+~()\-]|[ ](?=[\w(]))*")
_TIME_OR_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?")
_AMBIGUOUS = frozenset(
    ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", ".nan", ".inf", "~"]
)
_FLOW_TEXT = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\[\]{},"'#:\s](?:[^\[\]{},"'#:]|:(?=\S))*)""")
# Characters that YAML lets stand in no quoted text, or takes for a line break.
_ESCAPED = re.compile("[\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A key with the lines it stands in; `key` "" for comments and for lines that are no entry."""

    key: str
    value: str
    """The rest of the key's line, stripped."""
    lines: tuple[str, ...]
    """Key line and continuation, as they stood."""

    @property
    def raw(self) -> str:
        return "\n".join(self.lines)


def entries(lines: list[str]) -> list[Entry]:
    """Cut at every line that stands at the margin. Blank lines, and comments inside a block, belong to the entry around."""
    found: list[tuple[str, str, list[str]]] = []
    for line in lines:
        indented = line[:1] in (" ", "\t") or line.startswith("- ") or line == "-"
        if not line.strip():
            if found:
                found[-1][2].append(line)
        elif indented and found and not found[-1][0] and len(found) > 1 and found[-2][0]:
            comment = found.pop()
            found[-1][2].extend([*comment[2], line])
        elif (indented and found and found[-1][0]) or (line[0] == "#" and found and found[-1][2][0][0] == "#"):
            found[-1][2].append(line)
        else:
            key, value = _split(line)
            found.append((key, value, [line]))
    return [Entry(key=key, value=value, lines=tuple(kept)) for key, value, kept in found]


def _split(line: str) -> tuple[str, str]:
    """Key and value of a line at the margin, ("", "") when it is no entry."""
    if line[0] in "\"'":
        end = line.find(line[0], 1)
        key, rest = line[1:end], line[end + 1 :].lstrip(" \t") if end > 0 else ""
    else:
        end = line.find(":")
        key, rest = line[:end].rstrip(" \t"), line[end:] if end > 0 else ""
    if not key or not rest.startswith(":") or rest[1:2] not in ("", " ", "\t") or line[0] in _NO_KEY:
        return "", ""
    return key, rest[1:].strip()


def dedent(lines: tuple[str, ...]) -> list[str]:
    """Child lines moved to the margin. Tabs, which YAML forbids as indentation, count as two spaces."""
    spaced = []
    for line in lines:
        body = line.lstrip(" \t")
        spaced.append(line[: len(line) - len(body)].replace("\t", "  ") + body if body else "")
    margin = next((len(line) - len(line.lstrip(" ")) for line in spaced if line), 0)
    return [line[min(margin, len(line) - len(line.lstrip(" "))) :] for line in spaced]


def as_comment(entry: Entry) -> str:
    """Lines that cannot stand as YAML again, kept for the reader."""
    lines = (_ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", line) for line in entry.lines)
    return "\n".join(line if line.startswith("#") else f"# {line}".rstrip() for line in lines)


def is_valid(text: str) -> bool:
    """True when a YAML parser reads `text` as a mapping without double keys (or as nothing at all)."""
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return False
    if node is None:
        return True
    if not isinstance(node, yaml.MappingNode):
        return False
    if any(key.value == "<<" and not isinstance(value, yaml.MappingNode) for key, value in node.value):
        return False  # a merge key of nothing: loaders fail on it
    keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
    return len(keys) == len(set(keys)) == len(node.value)


def line_text(entry: Entry) -> str:
    """One line of text, as `name` and `description` hold it. Plain text is taken as it stands, `: ` and ` #` included."""
    value = entry.value
    more = [line.strip() for line in entry.lines[1:] if line.strip()]
    if value[:1] in ("|", ">") and len(value) <= 3:
        return " ".join(more)
    whole = " ".join([value, *more]) if value else " ".join(more)
    if whole[:1] in ('"', "'"):
        return _quoted(whole)
    return whole


def word(entry: Entry) -> tuple[str, str]:
    """A short value and the comment behind it: `m-1 # note` → (`m-1`, `# note`)."""
    value = line_text(entry)
    raw = " ".join([entry.value, *(line.strip() for line in entry.lines[1:])]).strip()
    if raw[:1] in ('"', "'"):
        comment = re.search(r"""["']\s+(#.*)$""", raw)
        return value, comment[1] if comment else ""
    if raw.startswith("#"):
        return "", raw
    text, mark, comment_text = value.partition(" #")
    return text.strip(), f"#{comment_text}" if mark else ""


def words(entry: Entry) -> tuple[list[str], str] | None:
    """A list of texts (`[a, b]`, block list, or one word) and the comment behind it; None when it is something else."""
    value = entry.value
    items: list[str] = []
    if value.startswith("["):
        place = 1
        while True:
            while value[place : place + 1] in (" ", ",", "\t"):
                place += 1
            if value[place : place + 1] == "]":
                rest = value[place + 1 :].strip()
                if rest and not rest.startswith("#"):
                    return None
                return items, rest
            match = _FLOW_TEXT.match(value, place)
            if not match:
                return _loaded_words(entry)
            items.append(_quoted(match[0]) if match[0][0] in "\"'" else match[0].strip())
            place = match.end()
    lines = [line.strip() for line in entry.lines[1:] if line.strip()]
    if not value or value.startswith("#"):
        if all(line.startswith("- ") for line in lines):
            texts = (line[2:].strip() for line in lines)
            return [_quoted(text) if text[:1] in ('"', "'") else text for text in texts], value
        return _loaded_words(entry)
    if value[0] in "{&*!|>":
        return None
    text, comment = word(entry)
    return ([text] if text else []), comment


def loaded(raw: str) -> object:
    """What a YAML parser makes of it, every scalar as text; None when it cannot."""
    import yaml

    try:
        return yaml.load(raw, Loader=yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader)  # noqa: S506 - makes only text, lists and dicts
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        return None


def _loaded_words(entry: Entry) -> tuple[list[str], str] | None:
    tree = loaded("\n".join(dedent(entry.lines)))
    value = tree.get(entry.key) if isinstance(tree, dict) else None
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return [str(item) for item in value], ""
    return None


def _quoted(text: str) -> str:
    """The text of a quoted scalar; a broken one loses only its outer quotes."""
    if text[0] == "'":
        end = re.match(r"'((?:[^']|'')*)'", text)
        return end[1].replace("''", "'") if end else text[1:]
    match = re.match(r'"((?:[^"\\]|\\.)*)"', text)
    if not match:
        return text[1:]
    try:
        return str(json.loads(match[0], strict=False))
    except ValueError:
        tree = loaded(match[0])
        return tree if isinstance(tree, str) else match[1]


def scalar(text: str, *, in_list: bool = False) -> str:
    """`text` as a YAML scalar on one line: plain where every parser agrees on it, else double-quoted."""
    pattern = _PLAIN_IN_LIST if in_list else _PLAIN
    plain = pattern.fullmatch(text) and text.lower() not in _AMBIGUOUS and text[-1] not in " :"
    if plain and not _ESCAPED.search(text):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def moment(text: str) -> str:
    """A time or date of ours as a plain YAML timestamp; whatever else a file had there as text."""
    return text if _TIME_OR_DATE.fullmatch(text) and clock.parse(text) else scalar(text)


def flow_list(items: tuple[str, ...]) -> str:
    """`[a, "b, c"]`."""
    return "[" + ", ".join(scalar(item, in_list=True) for item in items) + "]"
