"""Changing one key of `config.toml`: every other byte of the file, comments too, stays as it was."""

from __future__ import annotations

import os
import tomllib
from typing import Any

import tomlkit
from tomlkit.exceptions import ParseError

from scrubjay import settings
from scrubjay.errors import BadInput, StoreUnavailable


def write(path: str, key: str, value: settings.Value | None) -> None:
    """Set `key`, or take it out (None). `BadInput` for a file that does not parse: it is never written over."""
    document = _read(path)
    table: Any = document
    *tables, last = key.split(".")
    for name in tables:
        table.setdefault(name, tomlkit.table())
        table = table[name]
        if not isinstance(table, dict):
            raise BadInput(f"{name!r} is no table", at=path)
    if value is None:
        table.pop(last, None)
    else:
        table[last] = value
    _replace(path, tomlkit.dumps(document))


def _read(path: str) -> tomlkit.TOMLDocument:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        tomllib.loads(text)  # its messages say more than those of tomlkit
        return tomlkit.parse(text)
    except FileNotFoundError:
        return tomlkit.document()
    except (tomllib.TOMLDecodeError, ParseError, UnicodeDecodeError) as error:
        raise BadInput(f"not valid TOML: {error}", at=path, hint="edit it by hand; nothing was changed") from error


def _replace(path: str, text: str) -> None:
    new = path + ".new"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        descriptor = os.open(new, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
        with open(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        os.replace(new, path)
    except OSError as error:
        raise StoreUnavailable(f"the setting could not be written: {error.strerror}", at=path) from error
