//! What the targets share: what must hold of every text that reaches a person, a bound for memory, and a folder to write to.

use std::alloc::System;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use cap::Cap;
use evogrid_analysis::table::Format;
use evogrid_core::catalogue::Catalogue;
use evogrid_runner::experiment::document::Document;
use evogrid_runner::experiment::instance_list::ListedInstance;
use evogrid_runner::experiment::plan::{Plan, Run};
use evogrid_runner::experiment::spec::Spec;

/// The memory that reading an input may take, in bytes. Beyond it an allocation fails, and that is a finding.
const MEMORY: usize = 256 << 20;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, MEMORY);

/// All algorithms, operators and problems.
pub static CATALOGUE: LazyLock<Arc<Catalogue>> = LazyLock::new(|| Arc::new(evogrid_cli::catalogue()));

/// What `read` returns, which may take no more memory than this, in bytes.
pub fn within_memory<T>(bytes: usize, read: impl FnOnce() -> T) -> T {
    let set_limit = |limit| ALLOCATOR.set_limit(limit).expect("less is in use");
    set_limit(ALLOCATOR.allocated() + bytes);
    let result = read();
    set_limit(MEMORY);
    result
}

/// Every form of a table; on terminals of several widths.
pub const FORMATS: [Format; 7] = [
    Format::Text { width: None },
    Format::Text { width: Some(80) },
    Format::Text { width: Some(20) },
    Format::Text { width: Some(0) },
    Format::Csv,
    Format::Markdown,
    Format::Latex,
];

/// Panics if a text could steer a terminal: by a control character that is no line's end, or by a mark that turns the
/// direction of what follows.
#[track_caller]
pub fn assert_harmless(text: &str) {
    let steers = |&character: &char| {
        character != '\n' && character.is_control()
            || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if let Some(character) = text.chars().find(steers) {
        panic!("{character:?} would reach a terminal: {text:?}");
    }
}

/// Checks what was accepted; what was refused must be refused with a harmless message.
#[track_caller]
pub fn check_or_refuse<T, E: Display>(read: Result<T, E>, check: impl FnOnce(T)) {
    match read {
        Ok(accepted) => check(accepted),
        Err(wrong) => assert_harmless(&wrong.to_string()),
    }
}

/// The parts of an input: what stands between lines of four dashes.
pub fn parts<const N: usize>(input: &[u8]) -> [&[u8]; N] {
    const MARK: &[u8] = b"\n----\n";
    let mut rest = Some(input);
    std::array::from_fn(|number| {
        let Some(all) = rest.take() else { return &[][..] };
        match all.windows(MARK.len()).position(|bytes| bytes == MARK) {
            Some(at) if number + 1 < N => {
                rest = Some(&all[at + MARK.len()..]);
                // The line's end before the mark belongs to the part.
                &all[..=at]
            }
            _ => all,
        }
    })
}

/// A folder of this process's own with these files, by path and text, and nothing beside it. `scripts/fuzz.sh` puts it into
/// memory.
pub fn scratch(target: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("evogrid-fuzz-{target}-{}", std::process::id())).join("inside");
    fs::create_dir_all(&folder).expect("a folder");
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().expect("UTF-8")).collect();
    names.sort_unstable();
    names
}

/// A checked experiment of this text, in this folder.
pub fn spec(text: &str, folder: &Path) -> Spec {
    let document = Document::parse("experiment.toml", text.to_owned());
    let spec = document.and_then(|document| Spec::from_document(document, folder, &[], &CATALOGUE));
    spec.unwrap_or_else(|wrong| panic!("the target's own experiment is wrong:\n{wrong}"))
}

/// The instance of a run as a manifest keeps it.
pub fn stored_instance<'p>(plan: &'p Plan, run: &Run) -> ListedInstance<'p> {
    plan.instance(run)
}
