"""The secrets of the recorded sessions, put together at run time: no file of this package holds anything that looks like one.

They are made up and open nothing. Their shape is real, because the demo shows what becomes of such a string.
"""

from __future__ import annotations

_PARTS: dict[str, tuple[str, ...]] = {
    "url-password": ("fAke-Pw", "-9x-Not", "Real"),
    "aws-access-key": ("AK", "IA", "Q3FAKE", "FAKE7TESTX"),
    "aws-secret-key": ("fakeFAKEfake", "0123456789", "fakeFAKE/ake", "01+345"),
}


def fill(text: str) -> str:
    """`text` with each `{{secret:<kind>}}` replaced by a made-up secret of that kind."""
    for kind, parts in _PARTS.items():
        text = text.replace("{{secret:" + kind + "}}", "".join(parts))
    return text


def values() -> list[str]:
    """Every made-up secret, to prove that none of them was written anywhere."""
    return ["".join(parts) for parts in _PARTS.values()]
