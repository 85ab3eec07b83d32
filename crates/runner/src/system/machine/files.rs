//! The files in which a system describes its machine.

use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

use serde_json::{Value, json};

/// A fact as a manifest holds it: what is not known is said to be so, and not left out.
pub(crate) fn known(fact: Option<impl Into<Value>>) -> Value {
    fact.map_or_else(|| json!("unknown"), Into::into)
}

/// What stands under `/proc` and `/sys`; nothing on a system that has neither.
#[derive(Clone, Debug)]
pub(crate) struct SystemFiles(PathBuf);

impl SystemFiles {
    /// Those of the machine that this process is on.
    pub(crate) fn of_this_machine() -> Self {
        Self(PathBuf::from("/"))
    }

    /// The text of a file, by its path from the root.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.0.join(path)).ok()
    }

    /// The one value that a file holds.
    pub(super) fn value<V: FromStr>(&self, path: &str) -> Option<V> {
        self.text(path)?.trim().parse().ok()
    }
}

#[cfg(test)]
impl SystemFiles {
    /// Files of a machine that is told of in these texts, in a folder that lasts as long as they.
    pub(super) fn made(folder: &tempfile::TempDir, files: &[(&str, &str)]) -> Self {
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
            fs::write(path, text).expect("it is written");
        }
        Self(folder.path().to_owned())
    }
}
