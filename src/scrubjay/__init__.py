"""scrubjay: one long-term memory for all of a person's coding agents.

For agents that you build: `scrubjay.open(directory)` (docs/python-api.md). Importing the package imports nothing else, for
agents' hooks load it on every prompt; the first of its names that is used loads `scrubjay.api`.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scrubjay.api import (
        AgentCount,
        AsyncStore,
        BadInput,
        Change,
        Conflict,
        Context,
        Evidence,
        Forgotten,
        Hit,
        Imported,
        ImportReport,
        LearnReport,
        Learnt,
        Memory,
        Message,
        NothingFound,
        NotTaken,
        PassedOver,
        Proof,
        Recalled,
        Refusal,
        Refused,
        Remembered,
        Reviewed,
        ScrubjayError,
        Store,
        StoreUnavailable,
        UnknownFormat,
        open,  # noqa: A004
        open_async,
    )
else:

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module 'scrubjay' has no attribute {name!r}")
        from scrubjay import api

        return getattr(api, name)

    def __dir__():
        return sorted({*globals(), *__all__})


__all__ = [
    "AgentCount",
    "AsyncStore",
    "BadInput",
    "Change",
    "Conflict",
    "Context",
    "Evidence",
    "Forgotten",
    "Hit",
    "ImportReport",
    "Imported",
    "LearnReport",
    "Learnt",
    "Memory",
    "Message",
    "NotTaken",
    "NothingFound",
    "PassedOver",
    "Proof",
    "Recalled",
    "Refusal",
    "Refused",
    "Remembered",
    "Reviewed",
    "ScrubjayError",
    "Store",
    "StoreUnavailable",
    "UnknownFormat",
    "open",
    "open_async",
]
