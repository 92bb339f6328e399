"""JSON for hooks, without the `json` package: that one loads `re`, which alone costs a third of a prompt's hook.

The interpreter's own accelerator does the work; where it is missing (another Python than CPython) `json` takes over. Same
values, same `ValueError` on bad input. Hot.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

try:
    import _json as _quick
except ImportError:
    _quick = None  # type: ignore[assignment]

_SPACE = " \t\n\r"


class _Options:
    """What the scanner asks for: the defaults of `json.loads`."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = {"-Infinity": float("-inf"), "Infinity": float("inf"), "NaN": float("nan")}.__getitem__
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner's own


_scan: Any = _quick.make_scanner(_Options) if _quick is not None else None  # type: ignore[arg-type]


def loads(data: str | bytes) -> Any:
    """The value of a JSON text (bytes: UTF-8). Raises `ValueError`, and `RecursionError` for absurd nesting."""
    text = data.decode("utf-8", "surrogatepass") if isinstance(data, bytes) else data
    text = text.strip(_SPACE)
    if _scan is None:
        import json

        return json.loads(text)
    try:
        value, end = _scan(text, 0)
    except StopIteration as error:
        raise ValueError(f"not JSON at character {error.value}") from None
    except SystemError:  # the accelerator looks for its error class in `json.decoder`, which nobody has loaded
        raise ValueError("not JSON") from None
    if end != len(text):
        raise ValueError(f"not JSON at character {end}")
    return value


def without_comments(text: str) -> str:
    """`text` without `//` and `/* */` outside of strings, which some clients allow in their settings."""
    parts: list[str] = []
    at = 0
    while True:
        quote, line, block = (text.find(mark, at) for mark in ('"', "//", "/*"))
        if line < 0 and block < 0:
            return "".join([*parts, text[at:]])
        start = min(where for where in (line, block) if where >= 0)
        if 0 <= quote < start:
            end = quote + 1
            while end < len(text) and text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            parts.append(text[at : end + 1])
            at = end + 1
            continue
        parts.append(text[at:start])
        end = text.find("\n", start) if start == line else text.find("*/", start + 2)
        at = len(text) if end < 0 else end if start == line else end + 2


def dumps(value: object) -> str:
    """JSON in ASCII for None, bool, int, str and lists, tuples and dicts of them (keys are texts)."""
    if isinstance(value, str):
        return _quick.encode_basestring_ascii(value) if _scan is not None else _slow(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(dumps, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{dumps(str(key))}: {dumps(one)}" for key, one in value.items()) + "}"
    return _slow(value)


def _slow(value: object) -> str:
    import json

    return json.dumps(value)
