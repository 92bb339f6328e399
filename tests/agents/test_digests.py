"""The table that tells a session's copies, beside a dict."""

from __future__ import annotations

import hashlib
import sys
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.agents.digests import SIZE, Digests

DIGEST = st.binary(min_size=SIZE, max_size=SIZE) | st.integers(0, 9).map(lambda value: bytes([value]) * SIZE)


@given(st.lists(st.tuples(DIGEST, DIGEST), max_size=60), st.lists(DIGEST, max_size=9))
def test_it_is_a_dict(pairs: list[tuple[bytes, bytes]], asked: list[bytes]) -> None:
    """Also for digests that begin alike, and ones that are put twice."""
    table, plain = Digests(), dict(pairs)
    for key, value in pairs:
        table.put(key, value)
    assert dict(table.items()) == plain
    assert len(table) == len(plain)
    for key in (*plain, *asked):
        assert table.get(key) == plain.get(key)


def test_it_grows_and_stays_small() -> None:
    """So many rows that the table is made anew several times: every one is found, at 48 bytes each while it grows."""
    keys = [hashlib.blake2b(str(number).encode(), digest_size=SIZE).digest() for number in range(20_000)]
    tracemalloc.start()
    table = Digests()
    for key in keys:
        table.put(key, key[::-1])
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert all(table.get(key) == key[::-1] for key in keys)
    assert held < 48 * len(keys) + sys.getsizeof(table) + 10_000
