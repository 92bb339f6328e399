"""Editing JSON as text, on anything that is JSON."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.home import Home
from scrubjay.install import base, claude_code, jsontext, uninstall

TEXTS = st.text(st.characters(codec="utf-8"), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)
EVENTS = st.sampled_from([*claude_code.HOOKS.timeouts, "PreToolUse", "Other"])
GROUPS = st.lists(VALUES | st.fixed_dictionaries({"hooks": st.lists(VALUES, max_size=2)}), max_size=2)
SETTINGS = st.dictionaries(TEXTS.filter(lambda key: key != "hooks"), VALUES, max_size=3).flatmap(
    lambda other: st.permutations(list(other.items())).flatmap(
        lambda items: st.dictionaries(EVENTS, GROUPS, max_size=4).map(
            lambda hooks: dict([*items[:1], ("hooks", hooks), *items[1:]])
        )
    )
)
LAYOUT = st.sampled_from([None, 0, 1, 2, 4, "\t"])


def layout(value: object, indent: int | str | None, spread: bool, crlf: bool) -> str:
    text = json.dumps(value, indent=indent, ensure_ascii=spread)
    return text.replace("\n", "\r\n") if crlf else text


@given(value=VALUES, indent=LAYOUT, spread=st.booleans(), crlf=st.booleans())
def test_scan_finds_every_value_where_it_stands(
    value: object, indent: int | str | None, spread: bool, crlf: bool
) -> None:
    """The text of each node is the JSON of its value."""
    text = layout(value, indent, spread, crlf)

    def compare(node: jsontext.Node, expected: object) -> None:
        assert json.loads(text[node.start : node.end]) == expected
        if isinstance(expected, dict):
            assert list(node.keys) == list(expected)
            for item, inner in zip(node.items, expected.values(), strict=True):
                compare(item, inner)
        elif isinstance(expected, list):
            for item, inner in zip(node.items, expected, strict=True):
                compare(item, inner)

    compare(jsontext.scan(text), value)


@given(value=st.lists(VALUES, max_size=5) | st.dictionaries(TEXTS, VALUES, max_size=5), indent=LAYOUT, data=st.data())
def test_taking_members_out_leaves_the_others(
    value: list[object] | dict[str, object], indent: int, data: st.DataObject
) -> None:
    """Any set of members: what is left parses to the rest, in order; the inverse edit gives the text back."""
    text = layout(value, indent, False, False)
    gone = data.draw(st.sets(st.integers(0, len(value) - 1)) if value else st.just(set()))
    splices = jsontext.without(jsontext.scan(text), sorted(gone))
    after = jsontext.apply(text, splices)
    if isinstance(value, dict):
        assert json.loads(after) == {key: one for n, (key, one) in enumerate(value.items()) if n not in gone}
    else:
        assert json.loads(after) == [one for n, one in enumerate(value) if n not in gone]
    assert jsontext.apply(after, jsontext.inverse(text, splices)) == text


@settings(max_examples=60, deadline=None)
@given(value=SETTINGS, indent=LAYOUT, spread=st.booleans(), crlf=st.booleans())
def test_in_and_out_on_any_settings(
    value: dict[str, object], indent: int | str | None, spread: bool, crlf: bool
) -> None:
    """Whatever stands there: in keeps all of it, out gives the same bytes, out without the record the same meaning."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / ".claude" / "settings.json"
        file.parent.mkdir()
        before = layout(value, indent, spread, crlf).encode()
        file.write_bytes(before)
        home = Home(os.path.join(folder, "jay"))
        environ = {"CLAUDE_CONFIG_DIR": str(file.parent)}
        os.environ.update(environ)
        try:
            base.install(home, claude_code.INSTALLER.plan(home, folder, environ))
            assert claude_code.INSTALLER.plan(home, folder, environ) == []
            uninstall(home, [claude_code.INSTALLER.name])
            assert file.read_bytes() == before
            base.install(home, claude_code.INSTALLER.plan(home, folder, environ))
            file.write_bytes(file.read_bytes() + b"\n")
            uninstall(home, [claude_code.INSTALLER.name])
            assert json.loads(file.read_bytes()) == value
        finally:
            del os.environ["CLAUDE_CONFIG_DIR"]
