//! The origin of results: the git revision of a folder, read from git's own files, and the build of the running program, which
//! distinguishes compilations of the same version.
//!
//! `git` is not started. A repository may come from an unknown source, and its configuration can name programs that git executes on almost
//! any command. Therefore, it is unknown whether files have changed since the revision. The manifest contains everything that determines
//! the results.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use evogrid_results::files::open_regular;

/// The maximum number of bytes of `HEAD`, of a reference, and of a file that names a folder.
const FILE_LIMIT: u64 = 4096;

/// The maximum number of bytes that are searched for a packed reference.
const PACKED_LIMIT: u64 = 64 << 20;

/// The maximum length of a chain of references.
const MAX_REFERENCES: usize = 5;

/// The revision of the repository that contains a folder; `None` if there is no repository, or its revision is unknown.
pub(crate) fn revision(folder: &Path) -> Option<String> {
    let folder = fs::canonicalize(folder).ok()?;
    let git = folder.ancestors().find_map(git_folder)?;
    // A worktree has its own `HEAD`. Its other references are in the main repository.
    let common = read(&git.join("commondir")).map_or_else(|| git.clone(), |common| git.join(common));
    let mut reference = "HEAD".to_owned();
    for _ in 0..MAX_REFERENCES {
        let places = [&git, &common].map(|folder| folder.join(&reference));
        let text = places.iter().find_map(|place| read(place)).or_else(|| packed(&common, &reference))?;
        match text.strip_prefix("ref:").map(str::trim) {
            // A reference may not be a path to another place.
            Some(next) if next.starts_with("refs/") && !next.split('/').any(|part| matches!(part, "" | "." | "..")) => {
                next.clone_into(&mut reference);
            }
            Some(_) => return None,
            // SHA-1 or SHA-256, in hexadecimal digits.
            None => {
                let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
                return is_hash.then_some(text);
            }
        }
    }
    None
}

/// The folder in which git keeps the data of this folder, if it is in a repository.
fn git_folder(folder: &Path) -> Option<PathBuf> {
    let place = folder.join(".git");
    if fs::symlink_metadata(&place).ok()?.is_dir() {
        // A folder without `HEAD` is not a git folder, although it has the name of one.
        return fs::symlink_metadata(place.join("HEAD")).is_ok().then_some(place);
    }
    Some(folder.join(read(&place)?.strip_prefix("gitdir:")?.trim()))
}

/// The text of a small file, in one line.
fn read(path: &Path) -> Option<String> {
    let mut text = String::new();
    open_regular(path).ok()?.take(FILE_LIMIT).read_to_string(&mut text).ok()?;
    let text = text.trim();
    (!text.contains('\n')).then(|| text.to_owned())
}

/// The hash of a reference in the file of packed references.
fn packed(common: &Path, reference: &str) -> Option<String> {
    let file = open_regular(&common.join("packed-refs")).ok()?.take(PACKED_LIMIT);
    let mut lines = BufReader::new(file).lines().map_while(Result::ok);
    lines.find_map(|line| line.strip_suffix(reference)?.strip_suffix(' ').map(str::to_owned))
}

/// The number of bytes at the start of an executable in which the linker's note is searched.
const HEAD_SIZE: u64 = 1 << 16;

/// The bytes before the 20 bytes of a build id in an ELF file: the sizes of the name and the id, the type of the note, and its name.
const NOTE: &[u8] = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0";

/// The id of the running executable in hexadecimal digits: the build id of the linker, or the BLAKE3 hash of the file if there is no build
/// id. `None` if the executable cannot be read.
pub(crate) fn build_id() -> Option<&'static str> {
    static ID: OnceLock<Option<String>> = OnceLock::new();
    ID.get_or_init(|| identify(&mut File::open(std::env::current_exe().ok()?).ok()?).ok()).as_deref()
}

fn identify(program: &mut impl Read) -> io::Result<String> {
    let mut head = Vec::new();
    program.take(HEAD_SIZE).read_to_end(&mut head)?;
    // Reading a whole program with its debugging information would take tenths of a second.
    let note = head.windows(NOTE.len()).position(|bytes| bytes == NOTE);
    if let Some(id) = note.and_then(|at| head.get(at + NOTE.len()..at + NOTE.len() + 20)) {
        return Ok(id.iter().map(|byte| format!("{byte:02x}")).collect());
    }
    program.read_to_end(&mut head)?;
    Ok(blake3::hash(&head).to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "0123456789abcdef0123456789abcdef01234567";

    /// A folder with these files.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        folder
    }

    #[test]
    fn the_revision_is_found_wherever_git_keeps_it() {
        let packed = format!("# pack-refs with: peeled\n{} refs/heads/other\n{HASH} refs/heads/main\n", "f".repeat(40));
        let line = format!("{HASH}\n");
        for files in [
            &[(".git/HEAD", line.as_str()), ("in/it/file", "")][..],
            &[(".git/HEAD", "ref: refs/heads/main\n"), (".git/refs/heads/main", &line), ("in/it/file", "")],
            &[(".git/HEAD", "ref: refs/heads/main\n"), (".git/packed-refs", &packed), ("in/it/file", "")],
            &[
                ("in/.git", "gitdir: ../main/.git/worktrees/in\n"),
                ("main/.git/worktrees/in/HEAD", "ref: refs/heads/main\n"),
                ("main/.git/worktrees/in/commondir", "../..\n"),
                ("main/.git/refs/heads/main", &line),
                ("in/it/file", ""),
            ],
        ] {
            assert_eq!(revision(&folder(files).path().join("in/it")).as_deref(), Some(HASH), "{files:?}");
        }
    }

    #[test]
    fn anything_else_is_no_revision() {
        let line = format!("{HASH}\n");
        let secret = "a text that nobody is to see in a manifest".replace(' ', "_");
        for files in [
            &[("file", "")][..],
            &[(".git/HEAD", "")],
            &[(".git/HEAD", "ref: refs/heads/none\n")],
            &[(".git/HEAD", secret.as_str())],
            &[(".git/HEAD", "ref: refs/../../outside\n"), ("outside", &line)],
            &[(".git/HEAD", "ref: outside\n"), (".git/outside", &line)],
            &[(".git/HEAD", "ref: refs/a\n"), (".git/refs/a", "ref: refs/b\n"), (".git/refs/b", "ref: refs/a\n")],
            &[(".git", "gitdir: /no/such/folder\n")],
        ] {
            assert_eq!(revision(folder(files).path()), None, "{files:?}");
        }
    }

    #[test]
    fn a_program_has_the_id_of_its_linker_or_that_of_all_its_bytes() {
        let linked = [b"\x7fELF..".as_slice(), NOTE, &[0xab; 20], b"code"].concat();
        assert_eq!(identify(&mut linked.as_slice()).expect("it is read"), "ab".repeat(20));
        let [one, other] = [b'a', b'b'].map(|last| {
            let mut bytes = vec![0; 100_000];
            bytes.push(last);
            identify(&mut bytes.as_slice()).expect("it is read")
        });
        assert_ne!(one, other);
        assert!(build_id().is_some_and(|id| id.len() >= 40));
    }
}
