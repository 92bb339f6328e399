"""Every operation on files that a transaction consists of, each a step that may be the last one before a crash."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterator

from scrubjay.errors import StoreUnavailable

failpoint: Callable[[str], None] | None = None
"""Called before each operation with its name. Fault tests end the process in it."""

MAX_READ_BYTES = 1 << 20
"""More than this of one memory file is never read (`memory.MAX_FILE_BYTES` is parsed); its hash is that of the whole."""

_UNAVAILABLE = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be larger than this process may write",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "no permission to write",
    errno.EPERM: "no permission to write",
    errno.EIO: "the disk reports an error",
    errno.ENOTDIR: "a file stands where a folder should be",
    errno.ELOOP: "a symbolic link stands where a file or folder of ours should be",
}


def step(what: str) -> None:
    """Say what comes next."""
    if failpoint is not None:
        failpoint(what)


@contextlib.contextmanager
def writing(at: str) -> Iterator[None]:
    """An `OSError` inside becomes `StoreUnavailable` in words."""
    try:
        yield
    except OSError as error:
        why = _UNAVAILABLE.get(error.errno or 0, error.strerror or "cannot be written")
        raise StoreUnavailable(
            f"{why}; nothing was changed", at=str(error.filename or at), hint="`jay doctor` says what it needs"
        ) from error


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read(path: str) -> bytes | None:
    """All bytes of a regular file; None when it is missing. A symbolic link is not followed (`OSError`, ELOOP)."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.ELOOP, "not a regular file", path)
        return file.read()


def sha_of(path: str) -> str:
    """Hash of a file's bytes, "" when it is missing."""
    data = read(path)
    return "" if data is None else sha(data)


def make_folder(path: str) -> None:
    """With its parents, 0700 each; those that are there stay as they are."""
    if os.path.isdir(path):
        return
    make_folder(os.path.dirname(path))
    step(f"mkdir {path}")
    with contextlib.suppress(FileExistsError):
        os.mkdir(path, 0o700)


def write_new(path: str, data: bytes) -> None:
    """A file that is not there yet, 0600, on the disk when this returns."""
    step(f"create {path}")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with _closing(descriptor, path):
        _write_all(descriptor, data)
        step(f"fsync {path}")
        os.fsync(descriptor)


def append(path: str, size: int, data: bytes) -> None:
    """`data` at offset `size`, which is where the file ends or where an interrupted append began."""
    step(f"append {path}")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with _closing(descriptor, path):
        os.ftruncate(descriptor, size)
        os.lseek(descriptor, size, os.SEEK_SET)
        half = len(data) // 2  # two writes: a crash between them leaves a torn line, which recovery must cut off
        _write_all(descriptor, data[:half])
        step(f"append the rest {path}")
        _write_all(descriptor, data[half:])
        step(f"fsync {path}")
        os.fsync(descriptor)


def truncate(path: str, size: int) -> None:
    """Back to `size` bytes; a file that has no more stays."""
    step(f"truncate {path}")
    with contextlib.suppress(FileNotFoundError):
        if os.path.getsize(path) > size:
            os.truncate(path, size)


def rename(source: str, target: str) -> None:
    step(f"rename {source} {target}")
    os.replace(source, target)


def remove(path: str) -> None:
    """Missing already: fine."""
    step(f"remove {path}")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def sync_folder(path: str) -> None:
    """Names that were made or removed in a folder are on the disk when this returns."""
    step(f"fsync {path}")
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (
            errno.EINVAL,
            errno.ENOTSUP,
        ):  # some network file systems cannot; the rename stands anyway
            raise
    finally:
        os.close(descriptor)


def replace(path: str, data: bytes) -> None:
    """Write a whole file at once, outside a transaction: derived files and settings. 0600, folders 0700."""
    with writing(path):
        make_folder(os.path.dirname(path))
        temporary = temporary_name(path, str(os.getpid()))
        remove(temporary)
        try:
            write_new(temporary, data)
            rename(temporary, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        sync_folder(os.path.dirname(path))


def temporary_name(path: str, mark: str) -> str:
    """Beside the file (a rename must not cross file systems), hidden, short whatever the file's name is."""
    folder, name = os.path.split(path)
    return os.path.join(
        folder, f".{hashlib.sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}.{mark}.tmp"
    )


@contextlib.contextmanager
def _closing(descriptor: int, path: str) -> Iterator[None]:
    """An error of a descriptor does not know its file; it is given the name."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or path
        raise
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
