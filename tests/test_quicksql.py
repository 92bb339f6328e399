"""The hook's SQLite is everybody's SQLite."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

from scrubjay.quicksql import sqlite3 as quick

SOURCE = str(Path(__file__).parents[1] / "src")


def run(program: str) -> str:
    """What a fresh, bare interpreter prints."""
    code = "import sys; sys.path.append(sys.argv[1]); " + program
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, SOURCE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


def test_errors_and_connections_are_the_same_classes() -> None:
    """`except sqlite3.Error` catches what either raises."""
    assert quick.Error is sqlite3.Error
    assert quick.Connection is sqlite3.Connection


def test_it_loads_none_of_the_modules_that_a_hook_does_not_use() -> None:
    """Its reason to exist; statements are cached as ever, and full-text search is there."""
    program = (
        "from scrubjay.quicksql import sqlite3; db = sqlite3.connect(':memory:', cached_statements=3)\n"
        "db.execute('CREATE VIRTUAL TABLE t USING fts5(x)')\n"
        "for n in range(20): db.execute(f'INSERT INTO t VALUES ({n})'); db.execute('INSERT INTO t VALUES (?)', (n,))\n"
        "print(db.execute('SELECT count(*) FROM t').fetchone()[0],"
        " sorted({'functools', 'collections', 'datetime', 're'} & set(sys.modules)))"
    )
    assert run(program) == "40 []"


def test_functools_is_the_real_one_afterwards() -> None:
    """The stand-in is gone when the import is over."""
    program = (
        "from scrubjay.quicksql import sqlite3; import functools, sqlite3 as whole\n"
        "print(functools.__file__ is not None, functools.lru_cache(lambda: 1)(), whole.Error is sqlite3.Error)"
    )
    assert run(program) == "True 1 True"


def test_where_sqlite3_is_loaded_already_that_one_is_used() -> None:
    """Cold code has it long before."""
    assert run("import sqlite3; from scrubjay.quicksql import sqlite3 as quick; print(quick is sqlite3)") == "True"
