//! A file to which only one process appends. The process knows how many bytes are valid, and checks that the file was not moved or removed.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use super::JournalError;
use crate::files::{FileError, FilePlace, create_new};
use crate::platform::is_same_file;

/// A file to which one process appends, and which never shrinks.
#[derive(Debug)]
pub(super) struct AppendedFile {
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// The number of valid bytes of the file.
    pub(super) length: u64,
    is_synced: bool,
    /// Whether the file's entry in its folder may still be missing on the disk.
    is_new: bool,
}

impl AppendedFile {
    /// Creates the file; nothing may exist at its path.
    pub(super) fn create(path: PathBuf) -> Result<Self, FileError> {
        // The file is opened for appending. So if another process truncates the file, no gap of zeros appears when writing continues.
        let file = create_new(FilePlace::in_subfolder(&path), true)?;
        Ok(Self { path, file, length: 0, is_synced: true, is_new: true })
    }

    /// Appends all bytes. After an error, `whole` decides how many of the written bytes are kept, and the other bytes are removed.
    pub(super) fn append(&mut self, bytes: &[u8], whole: impl FnOnce(&[u8]) -> usize) -> Result<(), FileError> {
        let (written, result) = write_some(&mut self.file, bytes);
        let counting = if result.is_ok() { written } else { whole(&bytes[..written]) };
        self.length += counting as u64;
        self.is_synced &= counting == 0;
        result.map_err(|source| {
            // The incomplete bytes are removed, so that the next bytes replace them. If removing fails, the next bytes follow the
            // incomplete ones, and a reader reports one damaged line. In both cases, the error of the write is returned.
            if self.file.set_len(self.length).is_err() {
                self.length = self.file.metadata().map_or(self.length, |metadata| metadata.len());
            }
            FileError::from_io("write", &self.path)(source)
        })
    }

    /// Flushes the file and its name to the disk, if it has grown since the last flush.
    pub(super) fn sync(&mut self) -> Result<(), FileError> {
        if !self.is_synced {
            self.file.sync_data().map_err(FileError::from_io("flush", &self.path))?;
            if std::mem::take(&mut self.is_new)
                && let Ok((folder, _)) = FilePlace::in_subfolder(&self.path).open_parent(false)
            {
                folder.sync();
            }
            self.is_synced = true;
        }
        Ok(())
    }

    /// Checks that the path still leads to the same file with all its data. A clean-up job, another process or a lost mount may have
    /// removed the file. In that case further data would be lost.
    pub(super) fn check_place(&self) -> Result<(), JournalError> {
        let lost = |what: String| JournalError::Lost { path: self.path.clone(), what };
        let there = match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(lost("was removed or renamed".to_owned())),
            there => there.map_err(FileError::from_io("look at", &self.path))?,
        };
        let written = self.file.metadata().map_err(FileError::from_io("look at", &self.path))?;
        if !is_same_file(&there, &written) {
            return Err(lost("was replaced by another file".to_owned()));
        }
        if written.len() < self.length {
            return Err(lost(format!("was truncated to {} of {} bytes", written.len(), self.length)));
        }
        Ok(())
    }
}

/// Writes as many bytes as possible, and returns their number.
fn write_some(file: &mut File, bytes: &[u8]) -> (usize, io::Result<()>) {
    let mut written = 0;
    while written < bytes.len() {
        match file.write(&bytes[written..]) {
            Ok(0) => return (written, Err(ErrorKind::WriteZero.into())),
            Ok(more) => written += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return (written, Err(error)),
        }
    }
    (written, Ok(()))
}
