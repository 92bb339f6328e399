"""One spelling for the many URLs of one repository.

Hot: standard library only, and no `re`, whose import alone costs a third of a prompt's hook.
"""

from __future__ import annotations

import os

from scrubjay.home import machine_id

LOCAL = "file://"

_SCHEME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789+.-")
_HEX = frozenset("0123456789abcdefABCDEF")
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
    scheme, marker, rest = url.partition("://")
    scheme = scheme.lower()
    if marker and scheme[:1].isalpha() and _SCHEME.issuperset(scheme):
        if scheme == "file":
            return _local(_decode("/" + rest.partition("/")[2]), base)
        authority, _, path = rest.partition("?")[0].partition("#")[0].partition("/")
        return _joined(scheme, authority, _decode(path))
    if (parts := _scp(url)) is not None:
        return _joined("ssh", *parts)
    return _local(url, base)


def _joined(scheme: str, authority: str, path: str) -> str:
    user, _, address = authority.rpartition("@")
    end = address.find("]") + 1 if address.startswith("[") else address.find(":")
    host, after = (address[:end], address[end:]) if end >= 0 else (address, "")
    if after and not (after[0] == ":" and (after[1:].isdigit() or after == ":")):
        return ""
    host, port = host.strip("[]").lower().rstrip("."), after[1:]
    host = host.removeprefix("www.")
    host = _HOST_ALIASES.get(host, host)
    path = _trimmed(path)
    if not host or not path:
        return ""
    if path.startswith("~/"):  # below the home folder of whoever logs in
        path = f"~{user.partition(':')[0]}/{path[2:]}"
    if host == "dev.azure.com":
        version, _, rest = path.partition("/")
        names = rest.split("/", 2)
        path = (
            "/".join([*names[:2], "_git", names[2]]) if version == "v3" and len(names) == 3 and all(names[:2]) else path
        )
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


def _scp(url: str) -> tuple[str, str] | None:
    """Authority and path of `user@host:path`; None for anything else. A host of one letter is a drive of Windows."""
    user, marker, rest = url.partition("@")
    if not marker or any(char in "/:[" or char.isspace() for char in user) or not user:
        user, rest = "", url
    end = rest.find("]") + 1 if rest.startswith("[") else rest.find(":")
    host, path = rest[:end], rest[end:]
    if end < 0 or not path.startswith(":") or path.startswith("://"):
        return None
    if host.startswith("["):
        if len(host) < 3 or "/" in host:
            return None
        if host.count(":") < 2:  # `[git@host:2222]:path`, not an IPv6 address
            host = host[1:-1]
    elif len(f"{user}@{host}" if user else host) < 2 or any(char in "/[]" or char.isspace() for char in host):
        return None
    return (f"{user}@{host}" if user else host), path[1:]


def _trimmed(path: str) -> str:
    path = path.strip()
    while "//" in path:
        path = path.replace("//", "/")
    return path.strip("/").removesuffix(".git").rstrip("/")


def _decode(text: str) -> str:
    """Percent-encoded bytes; a `%` that begins none stays."""
    first, *others = os.fsencode(text).split(b"%")
    data = bytearray(first)
    for part in others:
        digits = part[:2].decode("latin-1")
        coded = len(digits) == 2 and _HEX.issuperset(digits)
        data += bytes.fromhex(digits) + part[2:] if coded else b"%" + part
    return os.fsdecode(bytes(data))
