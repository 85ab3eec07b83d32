//! The place of a file or folder below a folder that the user named. The parts of the path below that folder may not be links.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path};

use crate::format::printable;
use crate::platform::Directory;

/// A path whose last parts lie below a folder of the user. The number of these parts is stored with the path. Links before these parts are
/// followed, since the user may want them. The last parts may come from an unknown source. So links among them are not followed.
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

    /// A subfolder of a results folder (such as the journal folder), or a file in it.
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
