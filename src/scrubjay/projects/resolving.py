"""From a directory (and what a session recorded of it) to its project, minting and recording what is new."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from scrubjay import clock, settings
from scrubjay.errors import Conflict, StoreUnavailable
from scrubjay.home import Home, machine_id
from scrubjay.projects import git, registry, relinking
from scrubjay.projects.registry import Project
from scrubjay.scope import Index, Place, Site, gitdir, identify, index_path, locate, normalise_remote, place, storable
from scrubjay.scope.remote import LOCAL, local_path

MAX_PATHS = 200  # per machine and project: throw-away work trees must not grow a file for ever


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """What is known of one directory before its project is."""

    site: Site
    recorded: str
    """Normalised URL that the session recorded, when it differs from what the directory has now."""
    branch: str
    root_commit: str = ""
    cuts: tuple[str, ...] = ()
    """Commits that prove sameness later: those at which a shallow clone was cut off, or HEAD when git cannot be asked."""
    spelt_out: str = ""
    """Normalised `origin` after `insteadOf`, when its host is a short form."""

    @property
    def remotes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one for one in (self.spelt_out, self.site.remote) if one))


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    key: str
    here: bool
    """The directory itself is the project's; False: only the session's record leads to it."""
    meets: str = ""
    """Another key that the same repository leads to."""


def resolve(home: Home, cwd: str, *, remote: str, branch: str, create: bool) -> Place:
    isolate = settings.load(home.config).flag("projects.isolate_worktrees")
    index = registry.current(home)
    facts = _facts(index, locate(home, index, cwd, isolate=isolate), remote, branch)
    site = facts.site
    if not site.root:
        return place(home, index, site, "")
    decision = _decide(registry.read_all(home) if facts.root_commit else {}, index, facts)
    if create and not (decision.key and _recorded(home, index, facts, decision)):
        with registry.lock(home):
            # Another process may have minted the same project meanwhile.
            projects = registry.read_all(home)
            index = registry.index_of(home, projects)
            decision = _decide(projects, index, facts)
            decision = _record(home, projects, facts, decision)
            index = registry.refresh(home)
    if create and decision.meets:
        decision = _join(home, decision)
        index = registry.current(home)
    return place(home, index, site, decision.key)


def _facts(index: Index, site: Site, remote: str, branch: str) -> Facts:
    recorded = normalise_remote(remote)
    if not site.common or site.repository is None:
        return Facts(site=site, recorded=recorded, branch=branch)
    known = index.known.get(identify(index, site))
    cuts = tuple(gitdir.shallow(site.common)[: registry.MAX_PROOFS])
    asks = not cuts and not (known and known.rooted) and not gitdir.unborn(site.repository)
    root_commit = git.root_commit(site.worktree) if asks else ""
    if (
        asks and not root_commit and not (known and known.commits)
    ):  # no git to ask, or it refuses: what HEAD is now proves sameness later, too
        cuts = tuple(filter(None, [gitdir.head(site.repository)]))
    spelt_out = ""
    if site.remote and "." not in site.remote.partition("/")[0] and site.remote not in index.remotes:
        spelt_out = normalise_remote(git.expanded_url(site.worktree, gitdir.origin(site.common)), base=site.worktree)
    return Facts(
        site=site,
        recorded="" if recorded in (site.remote, spelt_out) else recorded,
        branch=branch,
        root_commit=root_commit,
        cuts=cuts,
        spelt_out=spelt_out,
    )


def _decide(projects: dict[str, Project], index: Index, facts: Facts) -> Decision:
    """The order of the design, section 5; what the session recorded speaks where the directory doesn't, or contradicts."""
    site = facts.site
    here = identify(index, site) or index.by_remote(facts.spelt_out if not site.isolated else "")
    if not here and facts.root_commit and not site.remote and not site.isolated:
        here = _same_history(projects, facts.root_commit)
    by_url = next((key for one in facts.remotes if (key := index.by_remote(one))), "")
    meets = by_url if here and by_url != here and _may_be_one(index, site, here, by_url) else ""
    if facts.recorded:
        recorded = index.by_remote(facts.recorded)
        if recorded and recorded != here:
            # The directory was empty of identities and is gone or no repository: both lead to one project.
            empty = here and not site.common and not _remotes(index, here) and not _commits(index, here)
            unclaimed = not here and not site.common
            return Decision(key=recorded, here=bool(empty or unclaimed), meets=here if empty else "")
        if not recorded and (site.remote or (here and _remotes(index, here))):
            return Decision(key="", here=False)
    return Decision(key=here, here=True, meets=meets)


def _same_history(projects: dict[str, Project], commit: str) -> str:
    for project in projects.values():
        elsewhere = [one for one in project.remotes if not one.startswith(LOCAL)]
        if commit in project.commits and not elsewhere and not project.isolated:
            return project.key
    return ""


def _may_be_one(index: Index, site: Site, here: str, other: str) -> bool:
    """Two keys that meet on a URL are one project unless their histories are known and have nothing in common."""
    mine, theirs = _commits(index, here), _commits(index, other)
    if not mine or not theirs or set(mine) & set(theirs):
        return True
    return any(gitdir.has_commit(site.common, commit) for commit in theirs)


def _remotes(index: Index, key: str) -> list[str]:
    return index.known[key].remotes if key in index.known else []


def _commits(index: Index, key: str) -> list[str]:
    return index.known[key].commits if key in index.known else []


def _recorded(home: Home, index: Index, facts: Facts, decision: Decision) -> bool:
    """Everything that these facts tell is in the project already, and the hook's index says so too."""
    known = index.known.get(decision.key)
    if known is None or decision.meets or not os.path.exists(os.path.join(home.projects, decision.key, registry.FILE)):
        return False
    if not os.path.exists(index_path(home)):
        return False
    wanted = _learnt(Project(key=decision.key), facts, decision)
    fresh = registry.is_fresh(home)
    paths = {**index.worktrees, **index.roots}
    return (
        fresh
        and (known.rooted or not wanted.commits)
        and all(index.by_remote(one) == decision.key for one in wanted.remotes)
        and set(wanted.commits + wanted.shallow) <= set(known.commits)
        and all(paths.get(path) == decision.key for path in wanted.here() + wanted.here(worktrees=True))
    )


def _record(home: Home, projects: dict[str, Project], facts: Facts, decision: Decision) -> Decision:
    """Mint a key if there is none, add what is new, take the paths from whoever had them."""
    key = decision.key or registry.mint(home, _readable(facts, decision))
    old = projects.get(key) or Project(
        key=key, name=_readable(facts, decision), created=clock.text(clock.now()), isolated=facts.site.isolated
    )
    new = _learnt(old, facts, decision)
    elsewhere = {one for other in projects.values() if other.key != key for one in other.remotes}
    new = replace(new, remotes=tuple(one for one in new.remotes if one in old.remotes or one not in elsewhere))
    if (new != old or key not in projects or not old.created) and not old.broken:
        registry.save(home, new if new.created else replace(new, created=clock.text(clock.now())))
    taken = set(new.here() + new.here(worktrees=True)) - set(old.here() + old.here(worktrees=True))
    for other in projects.values():
        if other.key != key and not other.broken and other.key != decision.meets:
            left = other
            for path in taken & set(other.here() + other.here(worktrees=True)):
                left = registry.forget_path(left, path)
            if left != other:
                registry.save(home, left)
    return replace(decision, key=key)


def _learnt(project: Project, facts: Facts, decision: Decision) -> Project:
    """The project with what these facts add."""
    site, machine = facts.site, machine_id()
    remotes = list(project.remotes)
    roots, worktrees = list(project.here()), list(project.here(worktrees=True))
    commits, cuts = list(project.commits), list(project.shallow)
    if decision.here:
        _seen(roots, storable(site.root))
        own = {storable(local_path(one)) for one in facts.remotes} & set(roots)  # cloned from one of its own checkouts
        remotes += [one for one in facts.remotes if one not in remotes and storable(local_path(one)) not in own]
        if site.worktree != site.root:
            _seen(worktrees, storable(site.worktree))
        if facts.root_commit and facts.root_commit not in commits:
            commits.append(facts.root_commit)
        cuts += [one for one in facts.cuts if one not in cuts][: registry.MAX_PROOFS - len(cuts)]
    if facts.recorded and (not decision.here or not remotes) and facts.recorded not in remotes:
        remotes.append(facts.recorded)
    return replace(
        project,
        remotes=tuple(remotes),
        commits=tuple(commits),
        shallow=tuple(cuts),
        roots={**project.roots, machine: tuple(roots[-MAX_PATHS:])} if roots else project.roots,
        worktrees={**project.worktrees, machine: tuple(worktrees[-MAX_PATHS:])} if worktrees else project.worktrees,
    )


def _seen(paths: list[str], path: str) -> None:
    if path not in paths:
        paths.append(path)


def _readable(facts: Facts, decision: Decision) -> str:
    """The repository's name as its URL has it, else its folder's."""
    site = facts.site
    url = facts.recorded if not decision.here else next(iter(facts.remotes), facts.recorded)
    name = os.path.basename(url) or os.path.basename(site.root)
    if site.isolated:
        name = os.path.basename(site.worktree) + (f" {facts.branch}" if facts.branch else "")
    return storable(name).removesuffix(".git").lstrip(".") or "project"


def _join(home: Home, decision: Decision) -> Decision:
    """Two keys met on one identity: the younger goes into the older, as `jay relink` would."""
    projects = registry.read_all(home)
    pair = [key for key in projects if key in (decision.key, decision.meets)]  # oldest first
    if len(pair) < 2 or any(projects[key].broken or projects[key].isolated for key in pair):
        return replace(decision, meets="")
    try:
        relinking.join(home, pair[1], pair[0])
    except (
        Conflict,
        StoreUnavailable,
    ):  # somebody edits a memory, or holds the store: the next one to resolve joins them
        return replace(decision, meets="")
    return replace(decision, key=pair[0], meets="")
