//! The name of this program in messages. A program that a researcher builds with this crate has another name than `runner`.

use std::path::Path;
use std::sync::OnceLock;

static NAME: OnceLock<String> = OnceLock::new();

/// Returns the name of this program as the user called it. If [`called`] was never called, the name is `runner`.
///
/// ```
/// assert_eq!(evogrid_runner::system::program::name(), "runner");
/// ```
pub fn name() -> &'static str {
    NAME.get().map_or("runner", String::as_str)
}

/// Sets the name of this program. `path` is the first argument of the process. The name of the program is the file name in `path`, without
/// the extension. Only the first call of this function has an effect.
pub fn called(path: &Path) {
    if let Some(name) = path.file_stem().and_then(|name| name.to_str()) {
        NAME.get_or_init(|| name.to_owned());
    }
}
