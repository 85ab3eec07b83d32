"""Opens files of a results folder from any source: follows no link in the folder, opens no pipe, and limits the size."""

import errno
import json
import os
import stat
from pathlib import Path
from typing import BinaryIO

# Flags that a system does not have are 0.
_FLAGS = {name: getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_DIRECTORY", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK")}

_HAS_HANDLES = os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd


def open_regular(folder: Path, *parts: str) -> BinaryIO:
    """Open a file below a folder for reading. The folder itself may be a link, because the user named it.

    Raises `OSError` if the file does not exist, if a folder on the way is a link, or if the name belongs to something other than a file.
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
        # This check comes before the opening, because opening a device can have an effect.
        _require(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode)
        flags = _FLAGS["O_NOFOLLOW"] | _FLAGS["O_NONBLOCK"] | _FLAGS["O_NOCTTY"] | _FLAGS["O_CLOEXEC"]
        file = os.fdopen(os.open(name, os.O_RDONLY | flags, dir_fd=at), "rb")
    finally:
        os.close(at)
    try:
        # So replacing the file between the two checks has no effect.
        _require(os.fstat(file.fileno()).st_mode)
    except OSError:
        file.close()
        raise
    return file


def regular(path: Path) -> os.stat_result | None:
    """The status of a file, or None if the name does not exist. Raises `OSError` if the name belongs to something other than a file."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    _require(found.st_mode)
    return found


def read_json(limit: int, folder: Path, *parts: str) -> object:
    """The content of a JSON file of at most `limit` bytes. Raises `OSError` or `ValueError` if the file cannot be read or is not JSON."""
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
    """Refuse everything except a file, or a folder on the way to the file."""
    if stat.S_ISREG(mode) if is_last else stat.S_ISDIR(mode):
        return
    if stat.S_ISLNK(mode):
        what = "it is a link; links in a results folder are not followed: put the file itself there"
    elif stat.S_ISDIR(mode):
        what = "it is a directory"
    else:
        what = "it is a device, a pipe or a socket, not a file: remove it" if is_last else "what it should be in is not a folder"
    raise OSError(errno.EINVAL, what)
