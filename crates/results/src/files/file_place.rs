//! The place of a file or folder: below a folder that somebody named, by parts of which none may be a link.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path};

use crate::format::printable;
use crate::platform::Directory;

/// A path, and how many of its last parts are below the folder that somebody named. Links before them are followed, since whoever named
/// the folder may have meant them; the last parts may come from anywhere, and no link among them is followed.
///
/// A path by itself has one such part: what is in the folder that it names.
#[derive(Clone, Copy, Debug)]
pub struct FilePlace<'a> {
    path: &'a Path,
    parts: usize,
}

impl<'a> FilePlace<'a> {
    /// The place whose last `parts` parts (at least one) are below a folder that somebody named.
    #[must_use]
    pub fn below(path: &'a Path, parts: usize) -> Self {
        Self { path, parts: parts.max(1) }
    }

    /// A file in a folder of a results folder, such as a journal's, or such a folder itself with all its files.
    #[must_use]
    pub fn in_subfolder(path: &'a Path) -> Self {
        Self::below(path, 2)
    }

    /// The whole path.
    #[must_use]
    pub fn path(self) -> &'a Path {
        self.path
    }

    /// The folder that holds it, held open, and its name there. With `makes_folders`, those between it and the folder that was named are made
    /// if they are missing, and so is that one.
    pub(crate) fn open_parent(self, makes_folders: bool) -> io::Result<(Directory, &'a OsStr)> {
        let Some(name) = self.path.file_name() else {
            return Err(io::Error::new(ErrorKind::InvalidInput, "its path ends in no name"));
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

    /// The folder at this place, held open.
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

/// Why a folder cannot be entered, in words where it is something else.
fn why_not_entered(path: &Path, error: io::Error) -> io::Error {
    let what = match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            "is a link, and links in a results folder are not followed: put the folder itself there"
        }
        Ok(found) if !found.is_dir() => "is not a folder: remove it",
        _ => return error,
    };
    io::Error::new(ErrorKind::InvalidInput, format!("`{}` {what}", printable(&path.to_string_lossy())))
}
