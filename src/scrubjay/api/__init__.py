"""The Python API: one memory for the agents that you build (`docs/python-api.md`).

`scrubjay.open(directory)` gives a `Store`, `scrubjay.open_async(directory)` an `AsyncStore` with the same methods to await.
A store holds no file open and keeps nothing between two calls: any number of threads, processes and editors may be at it.
"""

from scrubjay.api.asynchronous import AsyncStore, open_async
from scrubjay.api.messages import Message
from scrubjay.api.results import Change, Context, Hit, Memory, PassedOver, Proof, Recalled
from scrubjay.api.store import Store, open  # noqa: A004 - `scrubjay.open`, as `gzip.open`
from scrubjay.errors import BadInput, Conflict, NothingFound, Refused, ScrubjayError, StoreUnavailable, UnknownFormat
from scrubjay.importing.report import Imported, ImportReport, NotTaken
from scrubjay.learn.remember import Remembered
from scrubjay.learn.report import AgentCount, LearnReport, Learnt, Refusal
from scrubjay.learn.review import Reviewed
from scrubjay.operations import Evidence
from scrubjay.store.forget import Forgotten

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
