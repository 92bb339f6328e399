"""The habits of the house that a machine can hold. A figure in an exceptions table may only fall."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "scrubjay"
FILES = sorted(SOURCE.rglob("*.py"))

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 50
MAX_PARAMETERS = 7
MAX_COMMAND_LINES = 80

LONG_FILES: dict[str, int] = {}
"""Path below src/scrubjay → lines today, with the reason beside it."""

LONG_FUNCTIONS: dict[str, int] = {}
"""`path:function` → lines today, with the reason beside it."""

LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors", "clock", "home", "settings", "quickjson", "quicksql", "quickload"),
    ("session", "operations", "memory", "scope"),
    ("redact", "ledger"),
    ("store",),
    ("search", "inject", "agents", "projects"),
    ("hook", "hooks", "learn", "install", "config_file"),
    ("worker", "scan", "status", "doctor", "demo", "why", "setup", "mcp_server", "integrations", "importing", "api"),
    ("cli",),
)
"""Lower never imports upper. Rooms of one layer may import each other only where `NEIGHBOURS` says so."""

NEIGHBOURS: dict[str, frozenset[str]] = {
    "clock": frozenset({"errors"}),
    "settings": frozenset({"errors"}),
    "operations": frozenset({"session"}),
    "memory": frozenset({"operations"}),
    "scope": frozenset({"operations"}),
    "inject": frozenset({"search"}),
    "hooks": frozenset({"hook"}),
    "hook": frozenset({"hooks"}),
    "api": frozenset({"why", "importing"}),
    "doctor": frozenset({"status", "importing"}),
    "demo": frozenset({"scan", "why"}),
    "mcp_server": frozenset({"why"}),
    "setup": frozenset({"importing"}),
    "status": frozenset({"worker"}),
}

HOT = (
    "hook",
    "hooks",
    "inject",
    "search.query",
    "search.tokens",
    "scope",
    "ledger",
    "home",
    "clock",
    "settings",
    "errors",
    "quickjson",
    "quicksql",
    "quickload",
)


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    """Rooms of scrubjay that a file imports, type-checking blocks included."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [node.module] if node.module != "scrubjay" else [f"scrubjay.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("scrubjay.")}
    return rooms - {"__version__"}


def layer(name: str) -> int:
    for number, rooms in enumerate(LAYERS):
        if name in rooms:
            return number
    raise AssertionError(f"{name} stands in no layer: add it to LAYERS")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_downwards(path: Path) -> None:
    """A room imports only rooms of lower layers, itself, and the neighbours it is allowed."""
    here = room(path)
    if here in ("__init__", "__main__"):
        return
    for other in imported_rooms(path) - {here}:
        allowed = layer(other) < layer(here) or other in NEIGHBOURS.get(here, frozenset())
        assert allowed, f"{path.relative_to(SOURCE)} imports {other}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_files_and_functions_stay_small(path: Path) -> None:
    """A file has at most 400 lines (a command 80), a function 50 lines and seven parameters."""
    name = str(path.relative_to(SOURCE))
    text = path.read_text()
    lines = text.count("\n")
    most = MAX_COMMAND_LINES if path.name.startswith("cmd_") else MAX_FILE_LINES
    assert lines <= LONG_FILES.get(name, most)
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        length = (node.end_lineno or node.lineno) - node.lineno + 1
        assert length <= LONG_FUNCTIONS.get(f"{name}:{node.name}", MAX_FUNCTION_LINES), (
            f"{node.name} has {length} lines"
        )
        if path.name.startswith("cmd_") and node.name == "command":
            continue  # a command's parameters are its options
        arguments = node.args
        count = len(arguments.posonlyargs + arguments.args + arguments.kwonlyargs)
        count -= bool(arguments.args and arguments.args[0].arg in ("self", "cls"))
        assert count <= MAX_PARAMETERS, f"{node.name} takes {count} parameters"


def test_exceptions_only_shrink() -> None:
    """An entry of an exceptions table that is no longer needed, or larger than needed, goes."""
    for name, allowed in LONG_FILES.items():
        assert (SOURCE / name).read_text().count("\n") == allowed > MAX_FILE_LINES


def modules() -> list[str]:
    names = []
    for path in FILES:
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        names.append(".".join(part for part in parts if part != "__init__"))
    # what lies below `install.plugins` is loaded by another program only
    return [name for name in names if not name.endswith("__main__") and ".install.plugins." not in name]


def test_importing_does_nothing(tmp_path: Path) -> None:
    """Every module imports with an empty home and writes nothing into it: no folder, no file, no print."""
    code = f"import importlib\nfor name in {modules()!r}: importlib.import_module(name)"
    environment = {**os.environ, "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("SCRUBJAY_HOME", None)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_the_package_itself_imports_nothing() -> None:
    """`import scrubjay` loads the one module: a hook pays for it on every prompt."""
    code = "import sys; before = set(sys.modules); import scrubjay; print(sorted(set(sys.modules) - before))"
    command = [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r}); {code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['scrubjay']"


def test_hot_modules_load_only_the_standard_library() -> None:
    """What the hook loads comes from the standard library and from the hot rooms alone."""
    code = (
        "import sys, json; sys.path.insert(0, sys.argv[1]); import scrubjay.hook;"
        "print(json.dumps([[name, getattr(module, '__file__', None) or ''] for name, module in list(sys.modules.items())]))"
    )
    command = [sys.executable, "-I", "-S", "-c", code, str(SOURCE.parent)]
    loaded = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    ours = sorted(name for name, _ in loaded if name.startswith("scrubjay."))
    assert [
        name for name in ours if not name.removeprefix("scrubjay.").startswith(HOT) and name != "scrubjay.search"
    ] == []
    foreign = [
        name
        for name, _ in loaded
        if not name.startswith("scrubjay") and name.split(".")[0] not in sys.stdlib_module_names
    ]
    assert [name for name in foreign if name != "__main__"] == []


def test_the_repository_names_no_machine_and_no_registry() -> None:
    """No path of a developer's machine, no host of a package registry, in anything that git tracks."""
    top = SOURCE.parent.parent
    tracked = subprocess.run(["git", "-C", str(top), "ls-files", "-z"], capture_output=True, check=True).stdout.split(
        b"\0"
    )
    forbidden = [
        b"/work/" + b"main",
        b"/work/" + b"shared",
        b"registry.npm" + b"js.org",
        b"pypi." + b"org",
        b"files.python" + b"hosted",
    ]
    found = []
    for name in filter(None, tracked):
        path = top / os.fsdecode(name)
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            found += [(os.fsdecode(name), word) for word in forbidden if word in data]
    assert found == []
