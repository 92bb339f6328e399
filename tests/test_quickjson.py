"""The hook's JSON says what `json` says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay import quickjson

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_both_read_what_either_writes(value: object) -> None:
    """Values of the kinds that hooks use come back equal, through either writer and either reader."""
    assert quickjson.loads(json.dumps(value)) == value
    assert quickjson.loads(json.dumps(value, ensure_ascii=False, indent=1).encode()) == value
    assert json.loads(quickjson.dumps(value)) == value


@given(st.text() | st.text(alphabet='{}[]",:\\0123456789.eE+-truefalsnu \n'))
def test_both_refuse_the_same_texts(text: str) -> None:
    """Anything else is a `ValueError` for both, and what one accepts the other reads alike."""
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            quickjson.loads(text)
    else:
        assert repr(quickjson.loads(text)) == repr(expected)


@pytest.mark.parametrize("data", [b"\xff", b"", b"  ", "\ufeff{}", "{} x", '{"a": 1,}'])
def test_bad_input_is_a_value_error(data: str | bytes) -> None:
    """Never another exception: the hook makes silence of it."""
    with pytest.raises(ValueError, match=r"."):
        quickjson.loads(data)


def test_lone_surrogates_survive() -> None:
    """Clients cut emoji in half; what they wrote is read, and written back in ASCII."""
    assert quickjson.loads('"\\ud83d x"') == "\ud83d x"
    assert json.loads(quickjson.dumps("\ud83d x")) == "\ud83d x"


def test_it_loads_no_regular_expressions() -> None:
    """Its reason to exist."""
    source = str(Path(quickjson.__file__).parents[1])
    program = "import sys; sys.path.insert(0, sys.argv[1]); from scrubjay import quickjson; quickjson.loads('[1]')"
    program += "; print(sorted({'re', 'json', 'enum'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program, source], capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
