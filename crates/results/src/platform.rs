//! Differences between systems in handling files.

use std::ffi::{OsStr, OsString};
#[cfg(not(unix))]
use std::fs;
use std::fs::{File, Metadata};
use std::io;
#[cfg(unix)]
use std::os::{fd::OwnedFd, unix::ffi::OsStrExt};
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;

#[cfg(unix)]
use rustix::fs::{self, AtFlags, Dir, Mode, OFlags};
#[cfg(unix)]
use rustix::io::{Errno, retry_on_intr};

/// An open folder: all operations happen in this folder, even if its path changes. Links among its entries are not followed.
#[cfg(unix)]
#[derive(Debug)]
pub(crate) struct Directory(OwnedFd);

#[cfg(unix)]
impl Directory {
    /// The flags of a handle for a folder. Some systems have handles that need no permission to list the folder.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const HANDLE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const HANDLE: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

    /// Opens a folder that the user named; links on the way are followed.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(retry_on_intr(|| fs::open(path, Self::HANDLE, Mode::empty()))?))
    }

    /// Opens a subfolder.
    pub(crate) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        Ok(Self(self.open_at(name, Self::HANDLE)?))
    }

    /// Opens a file of the folder for reading. The call never blocks, and the file never becomes the terminal of this process.
    pub(crate) fn read(&self, name: &OsStr) -> io::Result<File> {
        Ok(self.open_at(name, OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC)?.into())
    }

    /// Creates a file in the folder; its name must be free. If `appends` is true, all data is written to the end of the file.
    pub(crate) fn create(&self, name: &OsStr, appends: bool) -> io::Result<File> {
        let appends = if appends { OFlags::APPEND } else { OFlags::empty() };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        Ok(self.open_at(name, flags | appends)?.into())
    }

    fn open_at(&self, name: &OsStr, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        retry_on_intr(|| fs::openat(&self.0, name, flags | OFlags::NOFOLLOW, Mode::from_raw_mode(0o666)))
    }

    /// Creates a subfolder, unless something with this name exists.
    pub(crate) fn make(&self, name: &OsStr) -> io::Result<()> {
        match fs::mkdirat(&self.0, name, Mode::from_raw_mode(0o777)) {
            Err(Errno::EXIST) => Ok(()),
            made => Ok(made?),
        }
    }

    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(fs::renameat(&self.0, from, &self.0, to)?)
    }

    /// Gives a file in the folder a second name, which must be free.
    pub(crate) fn link(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(fs::linkat(&self.0, from, &self.0, to, AtFlags::empty())?)
    }

    pub(crate) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        Ok(fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// The names in the folder.
    pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in Dir::new(self.listable()?)? {
            let name = OsStr::from_bytes(entry?.file_name().to_bytes()).to_owned();
            names.extend((name != "." && name != "..").then_some(name));
        }
        Ok(names)
    }

    /// Makes sure that the entries of the folder survive a power failure, if the system supports that.
    pub(crate) fn sync(&self) {
        // Not every system and file system supports this. The contents of the files do not depend on it.
        let _ = self.listable().and_then(fs::fsync);
    }

    fn listable(&self) -> rustix::io::Result<OwnedFd> {
        fs::openat(&self.0, ".", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
    }
}

/// A folder that is identified by its path. On this system, a link that replaces the folder after a check would be followed.
#[cfg(not(unix))]
#[derive(Debug)]
pub(crate) struct Directory(PathBuf);

#[cfg(not(unix))]
impl Directory {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() { Ok(Self(path.to_owned())) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    pub(crate) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        let path = self.0.join(name);
        if fs::symlink_metadata(&path)?.is_dir() { Ok(Self(path)) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    pub(crate) fn read(&self, name: &OsStr) -> io::Result<File> {
        File::open(self.0.join(name))
    }

    pub(crate) fn create(&self, name: &OsStr, appends: bool) -> io::Result<File> {
        File::options().write(true).append(appends).create_new(true).open(self.0.join(name))
    }

    pub(crate) fn make(&self, name: &OsStr) -> io::Result<()> {
        match fs::create_dir(self.0.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            made => made,
        }
    }

    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    pub(crate) fn link(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        fs::hard_link(self.0.join(from), self.0.join(to))
    }

    pub(crate) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
        fs::read_dir(&self.0)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    pub(crate) fn sync(&self) {}
}

/// Writes all bytes at an offset of a file.
#[cfg(unix)]
pub(crate) fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Writes bytes at an offset of a file. The system may write only some of the bytes in one call, but a few bytes are always written
/// completely.
#[cfg(windows)]
pub(crate) fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, at).map(drop)
}

/// Whether two open files are the same file.
#[cfg(unix)]
pub(crate) fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Always true: on this system an open file can be neither removed nor renamed.
#[cfg(not(unix))]
pub(crate) fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}
