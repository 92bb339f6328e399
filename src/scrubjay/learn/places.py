"""Where sessions ran, asked once a directory; and which of those places are not learnt from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from scrubjay import clock
from scrubjay.home import Home
from scrubjay.learn.candidate import Candidate, Verdict
from scrubjay.projects import resolve
from scrubjay.scope import TEAM_FOLDER, Place, StoreRef, inside_home
from scrubjay.session import Session

SLACK = timedelta(seconds=2)
"""An agent stamps a prompt a moment before its hook runs, and our times are whole seconds."""


class Places:
    """Looks up places; mints a project's key only when something is to be written for it."""

    def __init__(
        self, home: Home, *, exclude: Sequence[str], shut: Mapping[str, Sequence[tuple[str, str]]], dry_run: bool
    ) -> None:
        self._home = home
        self._exclude = [os.path.realpath(os.path.expanduser(path)) for path in exclude]
        self._shut = {scope: [(clock.parse(a), clock.parse(b)) for a, b in times] for scope, times in shut.items()}
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

    def unlearnt(self, session: Session, place: Place, at: str) -> bool:
        """Was it said in a pause, or in a session while the mode forbade learning? (`Ledger.shut`)"""
        moment = clock.parse(at)
        for scope, times in self._shut.items():
            kind, _, rest = scope.partition(":")
            if kind == "pause":
                meant = rest in ("", place.project) or (os.path.isabs(rest) and _below(place.cwd, rest))
            else:
                meant = kind == "mode" or rest == f"{session.agent}:{session.id}"
            if meant and any(_between(moment, start, end) for start, end in times):
                return True
        return False

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

    def key(self, place: Place) -> str:
        """The key of the place's project, "" while it has none: mints nothing."""
        ask = self._asked.get(id(place))
        return (self._created.get(ask, place) if ask else place).project

    def team_repositories(self) -> list[str]:
        """Work trees among the places that hold a team store."""
        trees = {place.worktree for place in self._found.values() if place.git and place.worktree}
        return sorted(tree for tree in trees if os.path.isdir(os.path.join(tree, TEAM_FOLDER)))


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _between(moment: datetime | None, start: datetime | None, end: datetime | None) -> bool:
    """A message without a time may have been said at any: then it was."""
    if moment is None or start is None:
        return True
    return start - SLACK <= moment and (end is None or moment < end - SLACK)
