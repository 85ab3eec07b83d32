"""Files of a results folder, which may come from anywhere: no link in it is followed, no pipe opened, and reading is bounded."""

import errno
import json
import os
import stat
from pathlib import Path
from typing import BinaryIO

# What a system lacks is no flag.
_FLAGS = {name: getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_DIRECTORY", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK")}

_HAS_HANDLES = os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd


def open_regular(folder: Path, *parts: str) -> BinaryIO:
    """Open a file below a folder for reading; the folder itself may be a link, since the user named it.

    Raises `OSError` if there is no file, a folder on the way is a link, or something else has its name.
    """
    if not _HAS_HANDLES:
        paths = [folder.joinpath(*parts[:number]) for number in range(1, len(parts) + 1)]
        for path in paths:
            _require(path.lstat().st_mode, is_last=path == paths[-1])
        return paths[-1].open("rb")
    *folders, name = parts
    at = os.open(folder, os.O_RDONLY | _FLAGS["O_DIRECTORY"] | _FLAGS["O_CLOEXEC"])
    try:
        for part in folders:
            _require(os.stat(part, dir_fd=at, follow_symlinks=False).st_mode, is_last=False)
            inner = os.open(part, os.O_RDONLY | _FLAGS["O_DIRECTORY"] | _FLAGS["O_NOFOLLOW"] | _FLAGS["O_CLOEXEC"], dir_fd=at)
            os.close(at)
            at = inner
        # Before it is opened, since that alone can make a device do something.
        _require(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode)
        flags = _FLAGS["O_NOFOLLOW"] | _FLAGS["O_NONBLOCK"] | _FLAGS["O_NOCTTY"] | _FLAGS["O_CLOEXEC"]
        file = os.fdopen(os.open(name, os.O_RDONLY | flags, dir_fd=at), "rb")
    finally:
        os.close(at)
    try:
        # Whoever puts another thing in its place meanwhile gains nothing.
        _require(os.fstat(file.fileno()).st_mode)
    except OSError:
        file.close()
        raise
    return file


def regular(path: Path) -> os.stat_result | None:
    """What the system says of a file; nothing where nothing has its name. Raises `OSError` if something else has."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    _require(found.st_mode)
    return found


def read_json(limit: int, folder: Path, *parts: str) -> object:
    """What a file of at most `limit` bytes says. Raises `OSError` or `ValueError` if it cannot be read, or is no JSON."""
    with open_regular(folder, *parts) as file:
        text = file.read(limit + 1)
    if len(text) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit >> 20} MiB")
    try:
        said: object = json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
    return said


def _require(mode: int, *, is_last: bool = True) -> None:
    """Refuse all but a file, or but a folder on the way to it."""
    if stat.S_ISREG(mode) if is_last else stat.S_ISDIR(mode):
        return
    if stat.S_ISLNK(mode):
        what = "it is a link, and links in a results folder are not followed: put the file itself there"
    elif stat.S_ISDIR(mode):
        what = "it is a directory"
    else:
        what = "it is a device, a pipe or a socket, not a file: remove it" if is_last else "what it should be in is not a folder"
    raise OSError(errno.EINVAL, what)
