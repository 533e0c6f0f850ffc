"""The file writer: a file is replaced whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/")
_NO_NEIGHBOUR = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV})
"""Why a new file cannot be made beside the old one, or not take its name (a mount point, say)."""


class ChangedError(OSError):
    """The file is not any more what it was when it was read."""

    def __init__(self, path: str) -> None:
        super().__init__(errno.EBUSY, "it was changed in the meantime and is left as it is now", path)


def replace_file(path: str, data: bytes, expected: bytes | None = None) -> bool:
    """Make ``data`` the content of the file, and tell whether anything had to be written.

    The data is written beside the file, synced, and renamed over it, so that a reader sees the old or
    the new content and nothing between. Mode, extended attributes and, where permitted, the owner are
    kept; of a symbolic link the target is changed. A file that has this content already is not touched.
    Where nothing can be made beside the file, the file itself is written, and restored if that fails.
    A pipe or a device is written to.

    Args:
        path: the file.
        data: its new content.
        expected: what the file holds, as far as the caller knows.

    Raises:
        ChangedError: it holds something else than ``expected``; it is as it was.
        OSError: the file cannot be written; it is as it was.
    """
    if path.startswith(_STREAMS):
        _append(path, data)
        return True
    target = Path(os.path.realpath(path))
    try:
        old = target.stat()
    except FileNotFoundError:
        _write_beside(target, data, None)
        return True
    if not stat.S_ISREG(old.st_mode):
        _append(path, data)
        return True
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    before = _read(target)
    if before == data:
        return False
    if expected is not None and before != expected:
        raise ChangedError(path)
    try:
        _write_beside(target, data, old, expected)
    except ChangedError:
        if _read(target) == data:  # somebody else has just written the same
            return False
        raise
    except OSError as error:
        if error.errno not in _NO_NEIGHBOUR or before is None:
            raise
        _write_in_place(target, data, before)
    return True


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of ``data``, in as many pieces as the system takes; waits where it would block.

    Raises:
        OSError: it cannot be written.
    """
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(descriptor, rest) :]
        except BlockingIOError:
            import select

            select.select((), (descriptor,), ())


def _write_beside(
    target: Path, data: bytes, old: os.stat_result | None, expected: bytes | None = None
) -> None:
    beside = target.with_name(f".planconv-{os.urandom(8).hex()}.tmp")
    try:
        # A new file gets what the umask leaves; one that takes the place of another is private at first.
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if old is None else 0o600)
        try:
            write_all(descriptor, data)
            if old is not None:
                _dress_like(descriptor, target, old)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if expected is not None and _read(target) != expected:
            raise ChangedError(str(target))
        beside.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    _sync_folder(target.parent)


def _dress_like(descriptor: int, target: Path, old: os.stat_result) -> None:
    """Give the new file the owner, the attributes and the mode of the old one."""
    new = os.fstat(descriptor)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        with contextlib.suppress(OSError):
            os.fchown(descriptor, -1, old.st_gid)
            os.fchown(descriptor, old.st_uid, -1)
    with contextlib.suppress(OSError, AttributeError):
        for name in os.listxattr(target):
            os.setxattr(descriptor, name, os.getxattr(target, name))
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _write_in_place(target: Path, data: bytes, before: bytes) -> None:
    descriptor = os.open(target, os.O_WRONLY)
    try:
        try:
            _overwrite(descriptor, data)
        except BaseException:
            _overwrite(descriptor, before)
            raise
    finally:
        os.close(descriptor)


def _overwrite(descriptor: int, data: bytes) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    write_all(descriptor, data)
    os.ftruncate(descriptor, len(data))
    os.fsync(descriptor)


def _append(path: str, data: bytes) -> None:
    """Write to what is no file of its own: a pipe, a terminal, what the shell redirected to."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        write_all(descriptor, data)
    finally:
        os.close(descriptor)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except PermissionError:
        return None
