"""Projects: keys and the identities that lead to them (`memory/projects/<key>/project.toml`). Cold: may ask git and write.

A key is minted once, readable name and random suffix, and never recomputed. The hook's way to the same answer is
`scrubjay.scope.look`.
"""

from __future__ import annotations

from scrubjay.home import Home
from scrubjay.projects import resolving
from scrubjay.projects.likeness import Likeness, similar
from scrubjay.projects.registry import Project, read_all
from scrubjay.projects.relinking import Relinked, relink
from scrubjay.scope import Place

__all__ = ["Likeness", "Project", "Relinked", "read_all", "relink", "resolve", "similar"]


def resolve(home: Home, cwd: str, *, remote: str = "", branch: str = "", create: bool = True) -> Place:
    """The place of `cwd`, which may be a directory that is gone.

    `remote` and `branch` are what a session recorded. With `create` an unknown project gets a key and new identities are
    added to its `project.toml`; without, nothing is written (`Place.project` is then "" for an unknown one). One call
    costs some file reads and at most a git call or two: callers that resolve many sessions keep the answers.
    Raises `StoreUnavailable` when it must write and cannot.
    """
    return resolving.resolve(home, cwd, remote=remote, branch=branch, create=create)
