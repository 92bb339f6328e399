"""Where a working directory keeps its memory: one resolver, used by everything (design, section 5; `docs/projects.md`).

`look` is the hook's way: it reads `.git` files and one derived file, starts no process and writes nothing. What may ask
git, mint a key or add an identity is `scrubjay.projects`; both decide with `identify`, so they agree.

Hot: standard library only, and of it little.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scrubjay.home import Home
    from scrubjay.operations import Scope

TEAM_FOLDER = os.path.join(".scrubjay", "memory")


class StoreRef:
    """One folder of memories. Equal when scope, path and project are."""

    __slots__ = ("path", "prefix", "project", "scope")

    def __init__(self, scope: Scope, path: str, project: str = "", prefix: str = "") -> None:
        self.scope = scope
        self.path = path  # absolute; need not exist
        self.project = project  # key; "" for the user store and for the team store of an unknown project
        self.prefix = (
            prefix  # put before a path of the work tree to have it in this store's repository ("lib/" in a submodule)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StoreRef):
            return NotImplemented
        return (self.scope, self.path, self.project) == (other.scope, other.path, other.project)

    def __hash__(self) -> int:
        return hash((self.scope, self.path, self.project))

    def __repr__(self) -> str:
        return f"StoreRef({self.scope!r}, {self.path!r}, {self.project!r})"


class Place:
    """A working directory, its repository and the project that they belong to. Paths are real paths without a trailing slash."""

    __slots__ = ("_home", "cwd", "git", "parents", "project", "rel", "root", "worktree")

    def __init__(
        self,
        home: Home,
        cwd: str,
        *,
        root: str = "",
        worktree: str = "",
        project: str = "",
        git: bool = False,
        parents: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self._home = home
        self.cwd = cwd
        self.root = (
            root  # canonical: shared by all work trees and sub-directories; "" in the home folder, which is no project
        )
        self.worktree = worktree  # top of the work tree that `cwd` is in; outside git as `root`
        self.project = project  # key, "" when it is no project or one that is not known yet
        self.git = git
        self.parents = parents  # (key, prefix) of the repositories that hold this one as a submodule, nearest first
        self.rel = "" if not worktree or cwd == worktree else os.path.relpath(cwd, worktree)

    @property
    def name(self) -> str:
        """The folder's name, for people."""
        return os.path.basename(self.root) or self.root

    def stores(self) -> list[StoreRef]:
        """What this place sees: the project's private store, its superprojects', the team's, the user's. Need not exist."""
        projects = self._home.projects
        seen: list[StoreRef] = []
        if self.project:
            seen.append(StoreRef("project", os.path.join(projects, self.project), self.project))
        seen += [StoreRef("project", os.path.join(projects, key), key, prefix) for key, prefix in self.parents]
        if self.git and self.worktree:
            seen.append(StoreRef("team", os.path.join(self.worktree, TEAM_FOLDER), self.project))
        seen.append(StoreRef("user", self._home.user_store))
        return seen


def look(home: Home, cwd: str, *, isolate: bool | None = None) -> Place:
    """The place of `cwd` as far as files tell: never writes, starts no process. `project` is "" until `projects.resolve`
    has seen the repository once, or while files alone cannot prove that a known path still holds the same repository.

    `isolate` is the setting `projects.isolate_worktrees`; None reads it.
    """
    raise NotImplementedError
