"""Parameters that are plain text or flags, without the validation library that Typer loads for them.

Typer hands every value, one that was left out and that of `--help` too, to pydantic, whose import takes longer than a short
command. There is nothing to validate in text; only a value that must become something else goes Typer's way.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup


class _AsTyped:
    """In the place of Typer's own conversion, which is made where it is needed."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        kind, many = param.type_descriptor.annotation, param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        if type(value) is kind:
            return value
        if many and kind == list[str] and isinstance(value, list | tuple) and all(type(item) is str for item in value):
            return list(value)
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def _plain(params: list[Any]) -> list[Any]:
    for one in params:
        # Typer's own place for its conversion; a version of Typer without it has another way and keeps that
        if getattr(one, "_runtime_param", one) is None:
            one._runtime_param = _AsTyped()
    return params


class Command(TyperCommand):
    """A command whose text is taken as it was typed."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _plain(super().get_params(ctx))


class Group(TyperGroup):
    """The same for the options before a command."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _plain(super().get_params(ctx))
