"""One spelling for the many URLs of one repository. Hot: standard library only."""

from __future__ import annotations

import os
import re

from scrubjay.home import machine_id

LOCAL = "file://"

_URL = re.compile(r"^([a-z][a-z0-9+.-]*)://(.*)$", re.IGNORECASE | re.DOTALL)
_SCP = re.compile(r"^(?:([^@/\s:[]+)@)?(\[[^]/]+\]|[^/\s:\[\]]{2,}):(?!//)(.*)$", re.DOTALL)
_HOST = re.compile(r"^(?:(.*)@)?(\[[^]]*\]|[^:]*)(?::(\d*))?$", re.DOTALL)

_DEFAULT_PORTS = {"http": "80", "https": "443", "git": "9418", "ftp": "21", "ftps": "990"}

_HOST_ALIASES = {
    # "Using SSH over the HTTPS port" in each host's documentation
    "ssh.github.com": "github.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "altssh.gitlab.com": "gitlab.com",
    "ssh.dev.azure.com": "dev.azure.com",
}
_CASELESS_HOSTS = ("github.com", "gitlab.com", "bitbucket.org", "dev.azure.com", "codeberg.org")


def normalise_remote(url: str, *, base: str = "") -> str:
    """`host/path` for a URL in any spelling, `file://<machine>/path` for a local one, "" for what names no repository.

    User names, passwords, queries and ssh ports never matter (the same server's ssh port is a detail of the way there;
    two web servers on one host are two), `.git` and slashes neither; the host's case never, the path's only where the
    host distinguishes it. `base` is the work tree that a relative local path starts from.
    """
    url = url.strip().strip("\"'")
    if not url or "\0" in url:
        return ""
    helper, marker, rest = url.partition("::")
    if marker and helper.isalnum():
        return "" if helper == "ext" else normalise_remote(rest, base=base)  # `ext::` is a command line
    match = _URL.match(url)
    if match:
        scheme, rest = match.group(1).lower(), match.group(2)
        if scheme == "file":
            return _local(_decode("/" + rest.partition("/")[2]), base)
        authority, _, path = re.split(r"[?#]", rest, maxsplit=1)[0].partition("/")
        return _joined(scheme, authority, _decode(path))
    match = _SCP.match(url)
    if match:
        user, host, path = match.groups()
        if host.startswith("[") and host.count(":") < 2:  # `[git@host:2222]:path`, not an IPv6 address
            host = host[1:-1]
        return _joined("ssh", f"{user}@{host}" if user else host, path)
    return _local(url, base)


def _joined(scheme: str, authority: str, path: str) -> str:
    match = _HOST.match(authority)
    if match is None:
        return ""
    user, host, port = match.group(1) or "", match.group(2).strip("[]").lower().rstrip("."), match.group(3) or ""
    host = host.removeprefix("www.")
    host = _HOST_ALIASES.get(host, host)
    path = _trimmed(path)
    if not host or not path:
        return ""
    if path.startswith("~/"):  # below the home folder of whoever logs in
        path = f"~{user.partition(':')[0]}/{path[2:]}"
    if host == "dev.azure.com":
        path = re.sub(r"^v3/([^/]+)/([^/]+)/", r"\1/\2/_git/", path)
    if host in _CASELESS_HOSTS:
        path = path.lower()
    web = "ssh" not in scheme and port and port != _DEFAULT_PORTS.get(scheme)
    return f"{host}:{port}/{path}" if web else f"{host}/{path}"


def _local(path: str, base: str) -> str:
    path = os.path.expanduser(path)
    if not os.path.isabs(path):
        if not base:
            return ""
        path = os.path.join(base, path)
    path = os.path.realpath(path)
    path = path.removesuffix("/.git").removesuffix(".git")
    return f"{LOCAL}{machine_id()}{path}" if path.strip("/") else ""


def local_path(remote: str) -> str:
    """The folder that a normalised remote names on this machine; "" for any other."""
    start = f"{LOCAL}{machine_id()}/"
    return remote[len(start) - 1 :] if remote.startswith(start) else ""


def _trimmed(path: str) -> str:
    path = re.sub(r"/{2,}", "/", path.strip()).strip("/")
    return path.removesuffix(".git").rstrip("/")


def _decode(text: str) -> str:
    if "%" not in text:
        return text
    data = re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes.fromhex(m.group(1).decode()), os.fsencode(text))
    return os.fsdecode(data)
