"""Where sessions ran, asked once a directory; and which of those places are not learnt from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from scrubjay.home import Home
from scrubjay.learn.candidate import Candidate, Verdict
from scrubjay.projects import resolve
from scrubjay.scope import TEAM_FOLDER, Place, StoreRef, inside_home
from scrubjay.session import Session


class Places:
    """Looks up places; mints a project's key only when something is to be written for it."""

    def __init__(self, home: Home, *, exclude: Sequence[str], pauses: Mapping[str, str], dry_run: bool) -> None:
        self._home = home
        self._exclude = [os.path.realpath(os.path.expanduser(path)) for path in exclude]
        self._pauses = pauses
        self._dry_run = dry_run
        self._found: dict[tuple[str, str, str], Place] = {}
        self._asked: dict[int, tuple[str, str, str]] = {}
        self._created: dict[tuple[str, str, str], Place] = {}

    def of(self, session: Session) -> Place:
        """The place of a session; an unknown project has no key yet."""
        ask = (session.cwd, session.remote, session.git_branch)
        if ask not in self._found:
            place = resolve(self._home, session.cwd, remote=session.remote, branch=session.git_branch, create=False)
            self._found[ask] = place
            self._asked[id(place)] = ask
        return self._found[ask]

    def excluded(self, cwd: str) -> bool:
        """Below a path of `learn.exclude`, or in scrubjay's own home, where our inner runs are."""
        real = os.path.realpath(cwd) if cwd else ""
        return bool(real) and (
            inside_home(self._home, real)
            or any(real == path or real.startswith(path + os.sep) for path in self._exclude)
        )

    def paused(self, place: Place) -> bool:
        return any(
            scope == "" or scope == place.project or (os.path.isabs(scope) and _below(place.cwd, scope))
            for scope in self._pauses
        )

    def store(self, candidate: Candidate, verdict: Verdict) -> StoreRef:
        """Where the memory goes. Team memories are a decision of people: what is learnt goes to the private store."""
        place = self.known(candidate.place)
        if verdict.in_user_store or not (place.project or place.root):
            return StoreRef("user", self._home.user_store)
        key = place.project or place.name  # without a key only in a dry run
        return StoreRef("project", os.path.join(self._home.projects, key), key)

    def stores(self, candidate: Candidate) -> list[StoreRef]:
        """All that the candidate's place sees."""
        place = self.known(candidate.place)
        seen = place.stores()
        if not place.project and place.root:
            seen.append(StoreRef("project", os.path.join(self._home.projects, place.name), place.name))
        return seen

    def known(self, place: Place) -> Place:
        """The place with its project's key, minted now if need be."""
        ask = self._asked.get(id(place))
        if place.project or not place.root or self._dry_run or ask is None:
            return place
        if ask not in self._created:
            cwd, remote, branch = ask
            self._created[ask] = resolve(self._home, cwd, remote=remote, branch=branch, create=True)
        return self._created[ask]

    def team_repositories(self) -> list[str]:
        """Work trees among the places that hold a team store."""
        trees = {place.worktree for place in self._found.values() if place.git and place.worktree}
        return sorted(tree for tree in trees if os.path.isdir(os.path.join(tree, TEAM_FOLDER)))


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
