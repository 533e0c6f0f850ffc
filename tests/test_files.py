import errno
import os
import stat
import threading

import pytest

from planconv import files
from planconv.files import replace_file


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "plan.md"
    path.write_bytes(b"old\n")
    return path


def names(folder):
    return [path.name for path in folder.iterdir()]


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_the_file_is_replaced_and_nothing_stands_beside_it(path):
    before = path.stat().st_ino
    assert replace_file(str(path), b"new\n")
    assert path.read_bytes() == b"new\n"
    assert path.stat().st_ino != before
    assert names(path.parent) == ["plan.md"]


def test_a_reader_of_the_old_file_keeps_the_old_file(path):
    with path.open("rb") as reader:
        replace_file(str(path), b"new\n")
        assert reader.read() == b"old\n"


def test_a_file_with_this_content_is_not_touched(path):
    os.utime(path, ns=(1, 1))
    before = path.stat()
    assert not replace_file(str(path), b"old\n")
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns) == (before.st_ino, 1, before.st_ctime_ns)


@pytest.mark.parametrize("bits", [0o600, 0o644, 0o640, 0o755])
def test_the_mode_is_kept(path, bits):
    path.chmod(bits)
    replace_file(str(path), b"new\n")
    assert mode(path) == bits


@pytest.mark.parametrize(("mask", "bits"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_gets_what_the_umask_leaves(tmp_path, mask, bits):
    before = os.umask(mask)
    try:
        assert replace_file(str(tmp_path / "new.md"), b"new\n")
    finally:
        os.umask(before)
    assert mode(tmp_path / "new.md") == bits


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_is_kept(path):
    os.chown(path, 12, 34)
    path.chmod(0o4750)
    replace_file(str(path), b"new\n")
    assert (path.stat().st_uid, path.stat().st_gid, mode(path)) == (12, 34, 0o4750)


def test_a_link_stays_a_link(path):
    folder = path.parent / "links"
    folder.mkdir()
    (folder / "first").symlink_to("../second")
    (path.parent / "second").symlink_to("plan.md")
    replace_file(str(folder / "first"), b"new\n")
    assert (folder / "first").is_symlink()
    assert (path.parent / "second").is_symlink()
    assert path.read_bytes() == b"new\n"


def test_behind_a_dangling_link_a_file_is_made(tmp_path):
    (tmp_path / "link").symlink_to("made.md")
    replace_file(str(tmp_path / "link"), b"new\n")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "made.md").read_bytes() == b"new\n"


@pytest.mark.parametrize("call", ["fsync", "fchmod", "write"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_everything_as_it_was(path, monkeypatch, call, error):
    def fail(*args):
        raise error

    monkeypatch.setattr(files.os, call, fail)
    with pytest.raises(type(error)):
        replace_file(str(path), b"new\n")
    monkeypatch.undo()
    assert path.read_bytes() == b"old\n"
    assert names(path.parent) == ["plan.md"]


def refuse_neighbours(monkeypatch):
    real = os.open

    def open(path, flags, *rest):
        if flags & os.O_CREAT:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, flags, *rest)

    monkeypatch.setattr(files.os, "open", open)


def test_where_nothing_can_be_made_beside_it_the_file_itself_is_written(path, monkeypatch):
    refuse_neighbours(monkeypatch)
    before = path.stat().st_ino
    path.write_bytes(b"a much longer old text\n")
    assert replace_file(str(path), b"new\n")
    assert (path.read_bytes(), path.stat().st_ino) == (b"new\n", before)


def test_a_failure_to_write_in_place_restores_the_file(path, monkeypatch):
    refuse_neighbours(monkeypatch)
    real, calls = os.fsync, []

    def fail_once(descriptor):
        calls.append(descriptor)
        if len(calls) == 1:
            raise OSError(errno.EIO, "Input/output error")
        real(descriptor)

    monkeypatch.setattr(files.os, "fsync", fail_once)
    with pytest.raises(OSError, match="Input/output"):
        replace_file(str(path), b"a much longer new text\n")
    assert path.read_bytes() == b"old\n"


def test_a_new_file_in_a_closed_folder_is_an_error(tmp_path, monkeypatch):
    refuse_neighbours(monkeypatch)
    with pytest.raises(PermissionError):
        replace_file(str(tmp_path / "new.md"), b"new\n")
    assert names(tmp_path) == []


def test_a_read_only_file_is_not_replaced(path, monkeypatch):
    path.chmod(0o444)
    monkeypatch.setattr(files.os, "access", lambda path, how: False)  # root may do everything
    with pytest.raises(PermissionError):
        replace_file(str(path), b"new\n")
    assert path.read_bytes() == b"old\n"


@pytest.mark.parametrize("name", ["", "none/plan.md", "plan.md/below"])
def test_a_place_that_is_none_is_an_error(path, name):
    with pytest.raises(OSError, match="directory"):
        replace_file(str(path.parent / name), b"new\n")


def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    assert replace_file(str(pipe), b"new\n" * 50_000)
    reader.join()
    assert got == [b"new\n" * 50_000]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_the_shell_redirected_to_is_written_to_and_not_replaced(path):
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        assert replace_file(f"/dev/fd/{descriptor}", b"new\n")
    finally:
        os.close(descriptor)
    assert path.read_bytes() == b"old\nnew\n"


def test_names_of_any_length_and_bytes(tmp_path):
    for name in ("n" * 255, "\udcff.md", " a\nb.md"):
        replace_file(str(tmp_path / name), b"new\n")
        assert (tmp_path / name).read_bytes() == b"new\n"


def test_writers_at_once_leave_one_whole_text(path):
    texts = [bytes([65 + number]) * 100_000 for number in range(6)]
    threads = [threading.Thread(target=replace_file, args=(str(path), text)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in texts
    assert names(path.parent) == ["plan.md"]


def test_a_file_that_is_not_what_it_was_is_left_as_it_is(path):
    assert replace_file(str(path), b"new\n", expected=b"old\n")
    with pytest.raises(files.ChangedError, match="changed in the meantime"):
        replace_file(str(path), b"newest\n", expected=b"old\n")
    assert path.read_bytes() == b"new\n"
    assert not replace_file(str(path), b"new\n", expected=b"old\n")
    assert names(path.parent) == ["plan.md"]


@pytest.mark.parametrize("other", [b"other\n", b"new\n"])
def test_a_file_that_changes_while_it_is_written_is_left_as_it_is(path, monkeypatch, other):
    real = os.fsync

    def change(descriptor):
        real(descriptor)
        path.write_bytes(other)

    monkeypatch.setattr(files.os, "fsync", change)
    if other == b"new\n":
        assert not replace_file(str(path), b"new\n", expected=b"old\n")
    else:
        with pytest.raises(files.ChangedError):
            replace_file(str(path), b"new\n", expected=b"old\n")
    assert path.read_bytes() == other
    assert names(path.parent) == ["plan.md"]
