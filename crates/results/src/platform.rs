//! Differences between systems in handling files.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file so that no link is followed in the last part of its path, and nothing blocks or becomes the terminal of this process.
#[cfg(unix)]
pub(crate) fn open_without_effect(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(flags.bits().cast_signed()).open(path)
}

/// Opens a file. A link that takes the place of a file that was looked at just before is followed.
#[cfg(not(unix))]
pub(crate) fn open_without_effect(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    options.open(path)
}

/// Writes all bytes at a place of a file.
#[cfg(unix)]
pub(crate) fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Writes bytes at a place of a file, as many as the system takes at once: of a few bytes all.
#[cfg(windows)]
pub(crate) fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, at).map(drop)
}

/// Whether two files are the same one.
#[cfg(unix)]
pub(crate) fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Always: an open file can be neither removed nor renamed there.
#[cfg(not(unix))]
pub(crate) fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}
