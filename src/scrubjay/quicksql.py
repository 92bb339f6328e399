"""SQLite for hooks: what `import sqlite3` gives, without the modules that it loads for its date converters.

`datetime` and `collections` cost a hook more than opening the database does. The classes are the same ones, so that
`except sqlite3.Error` holds everywhere. Hot.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
else:
    try:
        import _sqlite3 as sqlite3
    except ImportError:
        import sqlite3

__all__ = ["sqlite3"]
