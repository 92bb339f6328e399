"""Imports for hooks: one file with the compiled code of all hot modules, instead of three look-ups and one file for each.

The interpreter finds, checks and reads some thirty modules one by one, which costs a prompt's hook more than its search.
`hooks.packing` makes the file; it counts only while it is of this interpreter and of the very source files that lie here,
else imports go their ordinary way. Hot.
"""

from __future__ import annotations

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

Packed = tuple[str, bool, int, int, bytes]
"""Source file, is it a package, its time of change in ns, its size, and the marshalled code."""

FOLDER = os.path.dirname(os.path.abspath(__file__))


def use(path: str) -> bool:
    """From now on modules that the pack at `path` holds are loaded from there. False when there is no right one."""
    modules = read(path)
    if modules is not None:
        sys.meta_path.insert(0, _Pack(modules))
    return modules is not None


def read(path: str) -> dict[str, Packed] | None:
    """Module name → what the pack at `path` holds of it; None when there is none, or it is not of today's sources here."""
    version = magic()
    try:
        with open(path, "rb", buffering=0) as file:
            data = file.read()
        if not version or data[: len(version)] != version:
            return None
        folder, modules = marshal.loads(data[len(version) :])  # noqa: S302 - ours, private, as the .pyc files are
        if folder != FOLDER:
            return None
        for origin, _, mtime_ns, size, _ in modules.values():
            found = os.stat(origin)
            if (found.st_mtime_ns, found.st_size) != (mtime_ns, size):
                return None
    except (OSError, ValueError, TypeError, EOFError):
        return None
    return modules  # type: ignore[no-any-return]


def magic() -> bytes:
    """What this interpreter writes before compiled code, which no other version can read; b"" where it doesn't tell."""
    try:
        import _frozen_importlib_external as machinery  # `importlib.util` has it too, and loads much

        return bytes(machinery.MAGIC_NUMBER)
    except (ImportError, AttributeError):
        return b""


class _Pack:
    """Finder and loader (see `importlib.abc`)."""

    def __init__(self, modules: dict[str, Packed]) -> None:
        self._modules = modules

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        packed = self._modules.get(name)
        if packed is None:
            return None
        spec: ModuleSpec = type(__spec__)(name, self, origin=packed[0], is_package=packed[1])  # type: ignore[arg-type]
        if packed[1]:
            spec.submodule_search_locations = [os.path.dirname(packed[0])]
        return spec

    def create_module(self, _spec: ModuleSpec) -> None:
        """The ordinary kind of module."""

    def exec_module(self, module: ModuleType) -> None:
        packed = self._modules[module.__name__]
        module.__file__ = packed[0]
        exec(marshal.loads(packed[4]), module.__dict__)  # noqa: S102, S302 - see `read`
