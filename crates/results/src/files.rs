//! Writes files that appear completely or not at all. Opens files safely: links, pipes and devices are refused.
//!
//! This module does not use a library, for these reasons. The library `tempfile` does not flush files and folders, and other users cannot
//! read its files. The library `atomicwrites` creates a separate folder for the temporary file. The errors of `tempfile` and `atomicwrites`
//! do not name the file.

#[cfg(test)]
pub(crate) mod tests;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileType};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

use crate::format::printable;
use crate::platform::Directory;

/// The error that says that a file or folder could not be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{}`", printable(&path.to_string_lossy()))]
#[non_exhaustive]
pub struct FileError {
    /// The action that failed, as a verb: `create`, `read`, ...
    pub action: &'static str,
    /// The file or folder that could not be used.
    pub path: PathBuf,
    /// The error that the operating system reported.
    pub source: io::Error,
}

impl FileError {
    /// Returns a function for `map_err`. This function turns an I/O error into a [`FileError`] that names the action and the file.
    pub fn from_io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self { action, path: path.to_owned(), source }
    }
}

/// Writes a file with `write` and moves the file to `place`. An existing file is replaced.
///
/// The file is written under a temporary name in the same folder. Then the file is flushed to the disk and renamed. Even after a crash, a
/// reader gets either the complete old file or the complete new file. If `write` fails or panics, the old file stays unchanged.
///
/// # Errors
/// If `write` fails, returns the error of `write`. Returns a [`FileError`] if the file cannot be written. The I/O errors of `write` also
/// name the file.
///
/// ```
/// use std::fs;
/// use evogrid_results::files::replace;
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("runs.csv");
/// fs::write(&path, "old")?;
/// let failed = replace(&path, |output| -> Result<(), Box<dyn std::error::Error>> {
///     output.write_all(b"half of the n")?;
///     Err("interrupted".into())
/// });
/// assert!(failed.is_err() && fs::read_to_string(&path)? == "old");
/// replace(&path, |output| -> Result<(), Box<dyn std::error::Error>> { Ok(output.write_all(b"new")?) })?;
/// assert_eq!(fs::read_to_string(&path)?, "new");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replace<'a, T, E: From<FileError>>(
    place: impl Into<FilePlace<'a>>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    move_to(place.into(), write, true)
}

/// Does the same as [`replace`], but does not flush the file. Even if the process dies after this function has returned, the file is
/// complete. If the machine crashes, the file may be missing.
///
/// # Errors
/// Returns the same errors as [`replace`].
pub fn replace_unflushed<'a, T, E: From<FileError>>(
    place: impl Into<FilePlace<'a>>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    move_to(place.into(), write, false)
}

fn move_to<T, E: From<FileError>>(
    place: FilePlace<'_>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
    is_flushed: bool,
) -> Result<T, E> {
    let (mut temporary, written) = write_beside(place, write, is_flushed)?;
    temporary.rename().map_err(FileError::from_io("replace", place.path))?;
    if is_flushed {
        temporary.folder.sync();
    }
    Ok(written)
}

/// Writes a file with `write` and moves the file to `place`. If `place` exists already, the function returns `None` and changes nothing. If
/// several processes call the function at the same time, exactly one process succeeds.
///
/// # Errors
/// Returns the same errors as [`replace`].
pub fn create<'a, T, E: From<FileError>>(
    place: impl Into<FilePlace<'a>>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<Option<T>, E> {
    let place = place.into();
    let (mut temporary, written) = write_beside(place, write, true)?;
    match temporary.folder.link(&temporary.name, &temporary.own_name) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
        // Some file systems have no links; there, the last of several processes succeeds.
        Err(_) if fs::symlink_metadata(place.path).is_ok() => return Ok(None),
        Err(_) => temporary.rename().map_err(FileError::from_io("create", place.path))?,
    }
    temporary.folder.sync();
    Ok(Some(written))
}

/// Creates an empty file for writing; nothing may exist at its path. If `appends` is true, all data is written to the end of the file.
///
/// # Errors
/// Returns an error if something exists at the path, or the file cannot be created.
pub(crate) fn create_new(place: FilePlace<'_>, appends: bool) -> Result<File, FileError> {
    let made = place.open_parent(true).and_then(|(folder, name)| folder.create(name, appends));
    made.map_err(FileError::from_io("create", place.path))
}

/// Creates a folder and its parent folders, unless these folders exist already.
///
/// # Errors
/// Returns an error if the folder cannot be created. Returns an error if `place` exists and is not a folder.
pub fn make_folder<'a>(place: impl Into<FilePlace<'a>>) -> Result<(), FileError> {
    let place = place.into();
    place.open_folder(true).map(drop).map_err(FileError::from_io("create", place.path))
}

/// Returns the paths of all entries of a folder, sorted by name.
///
/// # Errors
/// Returns an error if the folder cannot be read, or is not a folder.
pub fn list_folder<'a>(place: impl Into<FilePlace<'a>>) -> io::Result<Vec<PathBuf>> {
    let place = place.into();
    let mut names = place.open_folder(false)?.names()?;
    names.sort_unstable();
    Ok(names.into_iter().map(|name| place.path.join(name)).collect())
}

/// Writes a file under a temporary name in the same folder. A missing folder is created, except the folder that the user named.
fn write_beside<T, E: From<FileError>>(
    place: FilePlace<'_>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
    is_flushed: bool,
) -> Result<(TemporaryFile, T), E> {
    let path = place.path;
    let (temporary, file) = TemporaryFile::beside(place).map_err(FileError::from_io("create", path))?;
    let mut output = NamedOutput::new(file, path);
    let written = write(&mut output)?;
    let file = output.inner.into_inner().map_err(io::IntoInnerError::into_error);
    let flushed = |file: File| if is_flushed { file.sync_all() } else { Ok(()) };
    file.and_then(flushed).map_err(FileError::from_io("write", path))?;
    Ok((temporary, written))
}

/// Removes a file. It is not an error if the file was already removed.
///
/// # Errors
/// Returns an error if the file still exists after the call.
pub fn remove_if_there<'a>(place: impl Into<FilePlace<'a>>) -> Result<(), FileError> {
    let place = place.into();
    match place.open_parent(false).and_then(|(folder, name)| folder.remove_file(name)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FileError::from_io("remove", place.path)(error)),
        _ => Ok(()),
    }
}

/// Opens a regular file of a results folder for reading. If the file is not a regular file, the function refuses it.
///
/// The folder may come from an unknown source. Therefore the function does not follow links in that part of the path that lies below the
/// user's folder (see [`FilePlace`]). The function does not open pipes, sockets and devices. A read from a pipe, socket or device may
/// block, may never end, or may have side effects.
///
/// # Errors
/// Returns an error if the file does not exist or cannot be opened. Returns an error if the file is not a regular file.
///
/// ```
/// use evogrid_results::files::open_regular;
///
/// let error = open_regular("/dev/zero").expect_err("it has no end");
/// assert_eq!(error.to_string(), "it is a device, a pipe or a socket, not a file: remove it");
/// ```
pub fn open_regular<'a>(place: impl Into<FilePlace<'a>>) -> io::Result<File> {
    let place = place.into();
    let (folder, name) = place.open_parent(false)?;
    // The check comes before the file is opened, since opening a device can have effects.
    require_regular(fs::symlink_metadata(place.path)?.file_type())?;
    // The check is repeated, since the file may have been replaced since the first check.
    let file = folder.read(name)?;
    require_regular(file.metadata()?.file_type())?;
    Ok(file)
}

/// Returns true if a regular file exists at this path. Returns false if nothing exists at this path.
///
/// # Errors
/// Returns an error if something that is not a regular file exists at `path`.
pub fn is_regular(path: &Path) -> Result<bool, FileError> {
    match fs::symlink_metadata(path).and_then(|found| require_regular(found.file_type())) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(false),
        found => found.map(|()| true).map_err(FileError::from_io("read", path)),
    }
}

fn require_regular(found: FileType) -> io::Result<()> {
    let what = if found.is_file() {
        return Ok(());
    } else if found.is_symlink() {
        "it is a link; links in a results folder are not followed: replace the link with the file"
    } else if found.is_dir() {
        "it is a directory"
    } else {
        "it is a device, a pipe or a socket, not a file: remove it"
    };
    Err(io::Error::new(ErrorKind::InvalidInput, what))
}

/// Returns random bits, which make names unique and unpredictable. The bits differ between processes and between machines, but do not
/// influence results.
pub fn random_bits() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A file that is written; each error names the file.
#[derive(Debug)]
pub(crate) struct NamedOutput {
    inner: BufWriter<File>,
    path: PathBuf,
}

impl NamedOutput {
    pub(crate) fn new(file: File, path: &Path) -> Self {
        Self { inner: BufWriter::with_capacity(1 << 16, file), path: path.to_owned() }
    }

    fn name(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("cannot write `{}`: {error}", printable(&self.path.to_string_lossy())))
    }
}

impl Write for NamedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write(bytes).map_err(|error| self.name(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush().map_err(|error| self.name(&error))
    }
}

/// A unique name for a file or folder that is not complete yet.
pub(crate) fn temporary_name(name: &OsStr) -> OsString {
    format!(".{}.{}-{:016x}.tmp", name.to_string_lossy(), std::process::id(), random_bits()).into()
}

/// An incomplete file under a temporary name in the folder of the final file. Unless the file is renamed, it is removed.
struct TemporaryFile {
    folder: Directory,
    name: OsString,
    own_name: OsString,
    is_in_place: bool,
}

impl TemporaryFile {
    fn beside(place: FilePlace<'_>) -> io::Result<(Self, File)> {
        let (folder, own_name) = place.open_parent(true)?;
        let name = temporary_name(own_name);
        let file = folder.create(&name, false)?;
        Ok((Self { folder, name, own_name: own_name.to_owned(), is_in_place: false }, file))
    }

    /// Gives the file its final name. A file with that name is replaced.
    fn rename(&mut self) -> io::Result<()> {
        self.folder.rename(&self.name, &self.own_name)?;
        self.is_in_place = true;
        Ok(())
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if !self.is_in_place {
            // A failure here is ignored: the earlier error is the one to report.
            let _ = self.folder.remove_file(&self.name);
        }
    }
}

/// A path whose last parts lie below a folder of the user. The number of these parts is stored with the path. Links before these parts are
/// followed, since the user may want them. Links among the last parts are not followed. These parts may come from an unknown source.
///
/// By default, only the path's last part is below the folder of the user.
#[derive(Clone, Copy, Debug)]
pub struct FilePlace<'a> {
    /// The whole path.
    pub path: &'a Path,
    parts: usize,
}

impl<'a> FilePlace<'a> {
    /// The place with this path. The last `parts` parts of the path are below the folder of the user. `parts` is at least 1.
    pub fn below(path: &'a Path, parts: usize) -> Self {
        Self { path, parts: parts.max(1) }
    }

    /// A file in a subfolder of a results folder, or the subfolder itself. An example is the journal folder.
    pub fn in_subfolder(path: &'a Path) -> Self {
        Self::below(path, 2)
    }

    /// Opens the parent folder and returns the folder and the name of the file. With `makes_folders`, missing folders are created,
    /// including the folder that the user named.
    pub(crate) fn open_parent(self, makes_folders: bool) -> io::Result<(Directory, &'a OsStr)> {
        let Some(name) = self.path.file_name() else {
            return Err(io::Error::new(ErrorKind::InvalidInput, "the path does not end with a file name"));
        };
        let is_named = |path: &&Path| matches!(path.components().next_back(), Some(Component::Normal(_)));
        let folders: Vec<&Path> = self.path.ancestors().skip(1).take(self.parts - 1).take_while(is_named).collect();
        let root = folders.last().unwrap_or(&self.path).parent().unwrap_or(Path::new(""));
        let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
        if makes_folders && !folders.is_empty() {
            fs::create_dir_all(root)?;
        }
        let mut directory = Directory::open(root)?;
        for path in folders.into_iter().rev() {
            let name = path.file_name().unwrap_or_default();
            if makes_folders {
                directory.make(name)?;
            }
            directory = directory.enter(name).map_err(|error| why_not_entered(path, error))?;
        }
        Ok((directory, name))
    }

    /// Opens the folder at this place.
    pub(crate) fn open_folder(self, is_made: bool) -> io::Result<Directory> {
        let (parent, name) = self.open_parent(is_made)?;
        if is_made {
            parent.make(name)?;
        }
        parent.enter(name).map_err(|error| why_not_entered(self.path, error))
    }
}

impl<'a, P: AsRef<Path> + ?Sized> From<&'a P> for FilePlace<'a> {
    fn from(path: &'a P) -> Self {
        Self::below(path.as_ref(), 1)
    }
}

/// The error if a folder cannot be entered; it says whether something else exists at the path.
fn why_not_entered(path: &Path, error: io::Error) -> io::Error {
    let what = match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            "is a link; links in a results folder are not followed: replace the link with the folder"
        }
        Ok(found) if !found.is_dir() => "is not a folder: remove it",
        _ => return error,
    };
    io::Error::new(ErrorKind::InvalidInput, format!("`{}` {what}", printable(&path.to_string_lossy())))
}
