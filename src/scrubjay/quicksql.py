"""SQLite for hooks: what `import sqlite3` gives, without the modules that it loads and a hook never uses.

Those (`datetime` for its converters, `functools` and with it `collections` for one cache) cost a hook more than opening the
database does. The classes are the same ones, so that `except sqlite3.Error` holds everywhere. Hot.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from types import ModuleType

__all__ = ["sqlite3"]


def _without_functools() -> ModuleType:
    """`_sqlite3` asks `functools` for nothing but `lru_cache`, which is written in C and is had without it."""
    import _functools  # type: ignore[import-not-found]

    def lru_cache(size: int) -> Callable[[Callable[..., object]], object]:
        return lambda function: _functools._lru_cache_wrapper(function, size, False, None)

    lru_cache(8)(abs)  # fails here, and not in a query, where another Python wants other arguments
    stand_in = type(sys)("functools")
    stand_in.lru_cache = lru_cache  # type: ignore[attr-defined]
    sys.modules["functools"] = stand_in
    try:
        import _sqlite3
    finally:
        del sys.modules["functools"]  # whoever wants it from now on gets the real one
    return _sqlite3


def _load() -> ModuleType:
    if "sqlite3" not in sys.modules and "_sqlite3" not in sys.modules:
        try:
            if "functools" not in sys.modules:
                return _without_functools()
            import _sqlite3

            return _sqlite3
        except (ImportError, AttributeError, TypeError):  # another Python, or one that changed inside
            pass
    import sqlite3 as whole

    return whole


if not TYPE_CHECKING:
    sqlite3 = _load()
