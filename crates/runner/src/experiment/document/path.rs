//! Faults of paths that do not lead to a readable file.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use evogrid_core::suggestion::nearest;

use crate::system::platform::{is_loop_of_links, special_file};

/// The fault of a path that should lead to a file, with advice. Returns `None` if the path leads to a file, or to a pipe, which can be read
/// only once.
pub(crate) fn unusable(path: &Path) -> Option<(String, String)> {
    let name = path.display();
    let (what, help) = match fs::metadata(path) {
        Ok(found) if found.is_file() => return None,
        Ok(found) if found.is_dir() => ("is a directory".to_owned(), "expected the path of a file".to_owned()),
        Ok(found) => (format!("is {}", special_file(found.file_type())?), "expected a file".to_owned()),
        Err(error) => match (error.kind(), fs::read_link(path)) {
            (ErrorKind::NotFound, Ok(target)) => (
                format!("is a link to `{}`, which does not exist", target.display()),
                "create that file, or name another one".to_owned(),
            ),
            (ErrorKind::NotFound, Err(_)) => ("does not exist".to_owned(), nearby(path)),
            (ErrorKind::NotADirectory, _) => {
                let file = path.ancestors().skip(1).find(|folder| folder.exists()).unwrap_or(path);
                ("does not exist".to_owned(), format!("`{}` is not a folder", file.display()))
            }
            (_, Ok(_)) if is_loop_of_links(&error) => {
                ("is a link that leads back to itself".to_owned(), "expected a file, or a link to a file".to_owned())
            }
            _ => (format!("cannot be read: {error}"), "check its permissions, then try again".to_owned()),
        },
    };
    Some((format!("`{name}` {what}"), help))
}

/// The advice for a missing file: a file in the same folder with a similar name.
pub(crate) fn nearby(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let found = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Ok(entries) = std::fs::read_dir(folder) else {
        return format!("the folder `{}` does not exist either", folder.display());
    };
    let mut names: Vec<String> =
        entries.take(10_000).flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    let with_extension = || {
        names.iter().map(String::as_str).find(|name| Path::new(name).file_stem().is_some_and(|stem| stem == &*found))
    };
    match nearest(&found, names.iter().map(String::as_str)).or_else(with_extension) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "check the path".to_owned(),
    }
}
