//! A new folder that appears whole or not at all.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::ConversionError;
use crate::files::{FileError, temporary_name};
use crate::format::printable;

/// An incomplete folder under a temporary name next to its final place. The folder is removed unless it is moved to its final place.
#[derive(Debug)]
pub(crate) struct NewFolder {
    path: PathBuf,
    /// The temporary path of the folder, in which the content is written.
    pub(crate) inside: PathBuf,
}

impl NewFolder {
    /// Starts a new folder. Its final place must not exist, or must be an empty folder.
    pub(crate) fn create(path: &Path) -> Result<Self, ConversionError> {
        let unnamed = || format!("`{}` cannot be the name of a new folder", printable(&path.to_string_lossy()));
        let name = path.file_name().ok_or_else(|| ConversionError::Refused(unnamed()))?;
        if !is_free(path)? {
            return Err(ConversionError::exists(path));
        }
        let inside = path.with_file_name(temporary_name(name));
        fs::create_dir_all(&inside).map_err(FileError::from_io("create", path))?;
        Ok(Self { path: path.to_owned(), inside })
    }

    /// Moves the folder to its final place.
    pub(crate) fn put_in_place(self) -> Result<(), FileError> {
        match fs::remove_dir(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(FileError::from_io("replace", &self.path)(error)),
            _ => fs::rename(&self.inside, &self.path).map_err(FileError::from_io("create", &self.path)),
        }
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        // After the folder was put in place, its temporary path does not exist. A failure here is ignored: the earlier error is the one to report.
        let _ = fs::remove_dir_all(&self.inside);
    }
}

/// Whether a folder is missing or empty.
fn is_free(path: &Path) -> Result<bool, FileError> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => {
            Ok(fs::read_dir(path).map_err(FileError::from_io("read", path))?.next().is_none())
        }
        Ok(_) => Ok(false),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(FileError::from_io("read", path)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::tests::names;

    #[test]
    fn a_folder_appears_whole() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let path = place.path().join("deep/out");
        let folder = NewFolder::create(&path).expect("it is free");
        fs::write(folder.inside.join("file"), "text").expect("it is there");
        assert!(!path.exists());
        folder.put_in_place().expect("it is free still");
        assert_eq!(names(&path), ["file"]);
        assert_eq!(names(path.parent().expect("deep")), ["out"]);
    }

    #[test]
    fn a_folder_that_is_given_up_leaves_nothing() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let folder = NewFolder::create(&place.path().join("out")).expect("it is free");
        fs::write(folder.inside.join("file"), "text").expect("it is there");
        drop(folder);
        assert_eq!(names(place.path()), [""; 0]);
    }

    #[test]
    fn only_an_empty_folder_is_taken() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let path = place.path().join("out");
        fs::create_dir(&path).expect("it is made");
        NewFolder::create(&path).expect("it is empty").put_in_place().expect("it is empty");
        fs::write(path.join("file"), "text").expect("it is there");
        let refused = |path: &Path| NewFolder::create(path).expect_err("it is refused").to_string();
        assert!(refused(&path).contains("already exists") && refused(&path.join("file")).contains("already exists"));
        for unnamed in ["/", "..", "a/.."] {
            assert!(refused(Path::new(unnamed)).contains("cannot be the name of a new folder"), "{unnamed}");
        }
    }
}
