//! The name of this program in messages. A researcher's own program has another name than `runner`.

use std::path::Path;
use std::sync::OnceLock;

static NAME: OnceLock<String> = OnceLock::new();

/// The name by which the user called this program; `runner` unless [`called`] set another name.
///
/// ```
/// assert_eq!(evogrid_runner::system::program::name(), "runner");
/// ```
pub fn name() -> &'static str {
    NAME.get().map_or("runner", String::as_str)
}

/// Sets the name by which this program was called: the first argument of the process, without folders and extension. Later calls have no
/// effect.
pub fn called(path: &Path) {
    if let Some(name) = path.file_stem().and_then(|name| name.to_str()) {
        NAME.get_or_init(|| name.to_owned());
    }
}
