"""Where a working directory keeps its memory: one resolver, used by everything (design, section 5; `docs/projects.md`).

`look` is the hook's way: it reads `.git` files and one derived file, starts no process and writes nothing. What may ask
git, mint a key or add an identity is `scrubjay.projects`; both decide with `identify`, so they agree.

Hot: standard library only, and of it little.
"""

from __future__ import annotations

import os

from scrubjay import quickjson, settings
from scrubjay.home import user_home
from scrubjay.scope import gitdir
from scrubjay.scope.remote import local_path, normalise_remote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrubjay.home import Home
    from scrubjay.operations import Scope

__all__ = ["Place", "StoreRef", "identify", "locate", "look", "normalise_remote"]

TEAM_FOLDER = os.path.join(".scrubjay", "memory")
INDEX_VERSION = 1
MAX_SUPERPROJECTS = 5


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
    """A working directory, its repository and the project that they belong to. Paths are real, without trailing slash."""

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


class Known:
    """What tells whether a repository is a certain project's."""

    __slots__ = ("commits", "remotes", "rooted")

    def __init__(self, commits: list[str], remotes: list[str], rooted: bool) -> None:
        self.commits = commits  # root commits, and others that were seen in it
        self.remotes = remotes  # normalised
        self.rooted = rooted  # the root commit is among `commits`


class Index:
    """Identities of all projects on this machine, derived from their `project.toml` (see `projects.registry`)."""

    __slots__ = ("known", "remotes", "roots", "worktrees")

    def __init__(
        self, roots: dict[str, str], worktrees: dict[str, str], remotes: dict[str, str], known: dict[str, Known]
    ) -> None:
        self.roots = roots  # path → key
        self.worktrees = worktrees  # linked work trees: path → key
        self.remotes = remotes  # normalised URL → key
        self.known = known  # key → what proves it

    def at(self, path: str, *, linked_too: bool = True) -> str:
        """Key of the project seen at `path`, or at another spelling of the same folder; ""."""
        path = storable(path)
        maps = (self.roots, self.worktrees) if linked_too else (self.roots,)
        for paths in maps:
            if path in paths:
                return paths[path]
        folded = fold(path)
        for paths in maps:
            for other, key in paths.items():
                if len(other) < 2 * len(path) + 8 and fold(other) == folded and _same_folder(other, path):
                    return key
        return ""

    def by_remote(self, remote: str) -> str:
        """Key of the project with that URL; a clone of a local checkout belongs to the checkout's project."""
        if not remote:
            return ""
        return self.remotes.get(remote) or self.roots.get(storable(local_path(remote)), "")


class Site:
    """What files say about a working directory. `root` "": no project can be there."""

    __slots__ = ("common", "cwd", "exists", "isolated", "remote", "repository", "root", "worktree")

    def __init__(self, cwd: str, *, root: str = "", worktree: str = "", exists: bool = True) -> None:
        self.cwd = cwd
        self.root = root
        self.worktree = worktree or root
        self.exists = exists
        self.repository: gitdir.Repository | None = None
        self.common = ""  # "" outside git and when `.git` is broken
        self.remote = ""  # normalised `origin`
        self.isolated = False  # a linked work tree that is a project of its own


def look(home: Home, cwd: str, *, isolate: bool | None = None) -> Place:
    """The place of `cwd` as far as files tell: never writes, starts no process. `project` is "" until `projects.resolve`
    has seen the repository once, or while files alone cannot prove that a known path still holds the same repository.

    `isolate` is the setting `projects.isolate_worktrees`; None reads it.
    """
    if isolate is None:
        isolate = settings.load(home.config).flag("projects.isolate_worktrees")
    index = load_index(home)
    site = locate(home, index, cwd, isolate=isolate)
    return place(home, index, site, identify(index, site))


def place(home: Home, index: Index, site: Site, project: str) -> Place:
    """The place of a site whose project has been decided."""
    parents: list[tuple[str, str]] = []
    inner, prefix = site.repository, ""
    while inner is not None and len(parents) < MAX_SUPERPROJECTS:
        outer = gitdir.superproject(inner, _no_repositories())
        if outer is None:
            break
        prefix = os.path.relpath(inner.worktree, outer.worktree) + "/" + prefix
        key = identify(index, _site_of(outer.worktree, outer))
        if key and key != project:
            parents.append((key, prefix))
        inner = outer
    git = bool(site.root and site.common)
    return Place(
        home, site.cwd, root=site.root, worktree=site.worktree, project=project, git=git, parents=tuple(parents)
    )


def identify(index: Index, site: Site) -> str:
    """Key of the site's project: a known path that still holds what it held, else a known URL, else ""."""
    if not site.root:
        return ""
    key = index.at(site.root, linked_too=not site.isolated)
    if key and _agrees(index.known.get(key), site):
        return key
    return index.by_remote(site.remote)


def _agrees(known: Known | None, site: Site) -> bool:
    """Nothing at the known path speaks for another repository: one URL or one commit is the same, or it was empty."""
    if known is None or site.repository is None or not site.common or site.remote in known.remotes:
        return True
    if not known.commits:
        return not (known.remotes and site.remote) or gitdir.unborn(site.repository)
    return any(gitdir.has_commit(site.common, commit) for commit in known.commits)


def locate(home: Home, index: Index, cwd: str, *, isolate: bool = False) -> Site:
    """What is at `cwd` (real path). A directory that is gone is looked up by its path, then by those
    above it that are gone too: a plain folder that still exists says nothing of what once lay in it."""
    if not cwd or "\0" in cwd:
        return Site(cwd)
    cwd = os.path.realpath(_posix(cwd))
    never = tuple(_upwards(os.path.realpath(user_home())))
    exists = os.path.isdir(cwd)
    repository = gitdir.find(cwd, _no_repositories())
    for folder in _upwards(cwd):
        if folder in never or os.path.isdir(folder):  # from here on what is there decides
            break
        key = index.at(folder)
        if key:
            return _gone(index, cwd, folder, key)
    if inside_home(home, cwd):
        return Site(cwd, exists=exists)
    if repository is None:
        nowhere = cwd in never or (not exists and _is_home_folder(cwd))
        return Site(cwd, root="" if nowhere else cwd, exists=exists)
    site = _site_of(cwd, repository)
    site.exists = exists
    if isolate and repository.linked and repository.root != repository.worktree:
        site.root, site.remote, site.isolated = repository.worktree, "", True
    return site


def _site_of(cwd: str, repository: gitdir.Repository) -> Site:
    site = Site(cwd, root=repository.root, worktree=repository.worktree)
    site.repository = repository
    site.common = repository.common
    site.remote = normalise_remote(gitdir.origin(repository.common), base=repository.worktree) if site.common else ""
    return site


def _gone(index: Index, cwd: str, folder: str, key: str) -> Site:
    """A directory that is gone, below the known path `folder`; for a removed work tree the root is the main checkout's."""
    root = folder
    if folder not in index.roots:
        root = next((path for path, owner in index.roots.items() if owner == key), folder)
    return Site(cwd, root=root, worktree=folder, exists=False)


def load_index(home: Home) -> Index:
    """The derived `projects.json`; missing, broken or another version: nothing is known (the next resolve writes it)."""
    try:
        with open(index_path(home), "rb") as file:
            data = quickjson.loads(file.read())
        if data["version"] != INDEX_VERSION:
            return Index({}, {}, {}, {})
        known = {key: Known(row["commits"], row["remotes"], row["rooted"]) for key, row in data["known"].items()}
        return Index(data["roots"], data["worktrees"], data["remotes"], known)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Index({}, {}, {}, {})


def index_path(home: Home) -> str:
    return os.path.join(home.state, "projects.json")


def storable(path: str) -> str:
    """A path as JSON and TOML can hold it: names that are no UTF-8 are escaped."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def fold(path: str) -> str:
    """The same for all spellings that a forgiving file system takes for one name."""
    if not path.isascii():
        import unicodedata

        path = unicodedata.normalize("NFC", path)
    return path.casefold()


def _same_folder(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        # Gone: two Unicode forms are one name to people, two cases may be two.
        return not os.path.exists(other) and fold(one) == fold(other) and one.casefold() != other.casefold()


def _no_repositories() -> tuple[str, ...]:
    """Folders whose `.git` does not make everything below them one project: dotfiles kept in git, a system kept in git."""
    return os.path.realpath(user_home()), "/"


def inside_home(home: Home, path: str) -> bool:
    """The path lies in scrubjay's own home, which is about every project and is none."""
    root = os.path.realpath(home.root)
    return path == root or path.startswith(root + "/")


def _is_home_folder(path: str) -> bool:
    """Somebody's home folder on another machine, to judge by its name."""
    parent = os.path.dirname(path)
    return path in ("/", "/root") or parent in ("/home", "/Users")


def _upwards(path: str) -> Iterator[str]:
    while True:
        yield path
        parent = os.path.dirname(path)
        if parent == path:
            return
        path = parent


def _posix(cwd: str) -> str:
    """`C:\\\\git\\\\x`, as a client on the Windows side of WSL records it, is `/mnt/c/git/x`."""
    if len(cwd) > 2 and cwd[0].isascii() and cwd[0].isalpha() and cwd[1] == ":" and cwd[2] in "\\/":
        return f"/mnt/{cwd[0].lower()}/" + cwd[3:].replace("\\", "/")
    if cwd.startswith("file:///"):
        return cwd[len("file://") :]
    return cwd
