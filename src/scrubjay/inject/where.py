"""Does a memory that is kept for certain paths or agents apply here? Hot: no regular expressions, no file is looked at."""

from __future__ import annotations

import os

from scrubjay.search.words import EXTENSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrubjay.scope import Place
    from scrubjay.search.query import Row


class Where:
    """The place of a prompt, as paths from the top of the work tree."""

    __slots__ = ("_bare", "_prefixes", "agent", "named", "place")

    def __init__(self, place: Place, agent: str, *, named: Sequence[str] = ()) -> None:
        self.place = place
        self.agent = agent
        self.named = self._from_top(raw for raw in named if "/" in raw)
        """Files that the prompt names with a path."""
        self._bare = [raw for raw in named if "/" not in raw]  # `client.ts` may lie in any folder
        self._prefixes = {store.path: store.prefix for store in place.stores()}

    def stores(self) -> list[str]:
        return list(self._prefixes)

    def agent_fits(self, row: Row) -> bool:
        return not row.agents or not self.agent or self.agent in row.agents

    def path_fits(self, row: Row) -> bool:
        """True without paths; else when a file that is spoken of lies there. When none is spoken of, or none that we know,
        the working directory decides: in that part of the tree, or above it."""
        if not row.paths or self.mentions(row):
            return True
        kinds_only = all("/" not in glob for glob in row.paths)  # `*.java` tells by the name alone
        if self.named or (kinds_only and self._bare):
            return False
        prefix = self._prefixes.get(row.store, "")
        return any(near(glob, prefix + self.place.rel) for glob in row.paths)

    def mentions(self, row: Row) -> bool:
        """A file that is spoken of lies in one of the memory's paths."""
        prefix = self._prefixes.get(row.store, "")
        files = [prefix + file for file in self.named]
        return any(
            any(covers(glob, file) for file in files)
            or ("/" not in glob and any(covers(glob, one) for one in self._bare))
            for glob in row.paths
        )

    def _from_top(self, paths: Iterable[str]) -> list[str]:
        """As seen from the top of the work tree. A relative one may start there or in the working directory."""
        top = (self.place.worktree or self.place.root).rstrip("/")
        found: list[str] = []
        for raw in paths:
            for base in dict.fromkeys((top, self.place.cwd)):
                path = os.path.normpath(os.path.join(base, raw))
                if top and path.startswith(top + "/") and path[len(top) + 1 :] not in found:
                    found.append(path[len(top) + 1 :])
        return found


def named_files(text: str, limit: int = 20) -> list[str]:
    """What is a path of a file or folder in a prompt for sure: it ends like a source file, or it is written as a path. Not
    `and/or`, not `e.g.`, not a version: a file that is named shuts out memories that are kept for other paths."""
    found: list[str] = []
    for raw in text.split():
        word = raw.strip("`'\"()[]{}<>,;:!?*").rstrip(".")
        if "://" in word or not 2 < len(word) <= 200:
            continue
        word = word.split(":")[0]
        ending = word.rpartition(".")[2].lower() if "." in word[1:] else ""
        as_path = word.startswith(("./", "../", "/")) or word.endswith("/") or word.count("/") > 1
        if (ending in EXTENSIONS or as_path) and word not in found:
            found.append(word)
        if len(found) >= limit:
            break
    return found


def covers(pattern: str, path: str) -> bool:
    """Does the glob (gitignore's, without negation) hold for the file or folder at `path`?"""
    pattern = pattern.strip().removeprefix("./").removeprefix("/")
    if not any(mark in pattern for mark in "*?["):
        folder = pattern.rstrip("/")
        return path == folder or path.startswith(folder + "/")
    want = [part for part in pattern.rstrip("/").split("/") if part]
    if len(want) == 1:
        want.insert(0, "**")
    have = path.split("/")
    return _parts_match(want, have)


def near(pattern: str, folder: str) -> bool:
    """Is the directory `folder` inside what the glob names, or above it? "" is the top of the work tree: above all."""
    if not folder or folder == ".":
        return True
    if covers(pattern, folder):
        return True
    fixed: list[str] = []
    for part in pattern.strip().removeprefix("./").removeprefix("/").rstrip("/").split("/"):
        if any(mark in part for mark in "*?["):
            return folder.split("/")[: len(fixed)] == fixed[: len(folder.split("/"))]
        fixed.append(part)
    return "/".join(fixed).startswith(folder + "/")


def _parts_match(want: list[str], have: list[str]) -> bool:
    """Also true when a folder on the way matches: what names a folder holds for all below it. Each step keeps the set of
    places in `want` that may come next, so the time is linear in the path's parts times the glob's."""
    places = {0}
    for part in have:
        places = _closed(want, places)
        if len(want) in places:
            return True
        moved = {at for at in places if at < len(want) and want[at] == "**"}
        moved |= {at + 1 for at in places if at < len(want) and want[at] != "**" and _part_matches(want[at], part)}
        if not moved:
            return False
        places = moved
    return len(want) in _closed(want, places)


def _closed(want: list[str], places: set[int]) -> set[int]:
    closed = set(places)
    for at in sorted(places):
        while at < len(want) and want[at] == "**":
            at += 1  # noqa: PLW2901
            closed.add(at)
    return closed


def _part_matches(glob: str, text: str) -> bool:
    """One part of a path against `*` and `?`; a bracket is taken as it stands."""
    at_glob = at_text = 0
    star, retry = -1, 0
    while at_text < len(text):
        if at_glob < len(glob) and glob[at_glob] == "*":
            star, retry = at_glob, at_text
            at_glob += 1
        elif at_glob < len(glob) and glob[at_glob] in ("?", text[at_text]):
            at_glob, at_text = at_glob + 1, at_text + 1
        elif star >= 0:
            retry += 1
            at_glob, at_text = star + 1, retry
        else:
            return False
    return set(glob[at_glob:]) <= {"*"}
