//! The files in which a system describes its machine.

use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

use serde_json::{Value, json};

/// A fact for a manifest: an unknown fact is written as unknown, not omitted.
pub(crate) fn known(fact: Option<impl Into<Value>>) -> Value {
    fact.map_or_else(|| json!("unknown"), Into::into)
}

/// The files under `/proc` and `/sys`; empty on a system without them.
#[derive(Clone, Debug)]
pub(crate) struct SystemFiles(PathBuf);

impl SystemFiles {
    /// The files of the machine that this process runs on.
    pub(super) fn of_this_machine() -> Self {
        Self(PathBuf::from("/"))
    }

    /// The text of a file, given by its path from the root.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.0.join(path)).ok()
    }

    /// The single value in a file.
    pub(super) fn value<V: FromStr>(&self, path: &str) -> Option<V> {
        self.text(path)?.trim().parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl SystemFiles {
        /// Files of an imaginary machine with these texts, in a folder that exists as long as the texts.
        pub(in crate::system::machine) fn made(folder: &tempfile::TempDir, files: &[(&str, &str)]) -> Self {
            for (path, text) in files {
                let path = folder.path().join(path);
                fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
                fs::write(path, text).expect("it is written");
            }
            Self(folder.path().to_owned())
        }
    }
}
