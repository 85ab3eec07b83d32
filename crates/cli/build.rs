//! Tells the binary what it was made of: `--version` names its features and its revision.

use std::env::var;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let features = ["charts", "solvers", "highs", "parquet"];
    let features = features.into_iter().filter(|name| var(format!("CARGO_FEATURE_{}", name.to_uppercase())).is_ok());
    let features = features.collect::<Vec<_>>().join(", ");
    let features = if features.is_empty() { "no features".to_owned() } else { format!("with {features}") };
    println!("cargo::rustc-env=EVOGRID_FEATURES={features}");
    println!("cargo::rustc-env=EVOGRID_REVISION={}", revision());
}

/// The revision of the sources, as `--version` says it.
fn revision() -> String {
    // Every commit would compile the tests again.
    if var("PROFILE").is_ok_and(|profile| profile == "debug") {
        return "debug build, revision not recorded".to_owned();
    }
    let folder = PathBuf::from(var("CARGO_MANIFEST_DIR").unwrap_or_default());
    match packaged(&folder).or_else(|| checked_out(&folder)) {
        Some((hash, has_changes)) => {
            format!("revision {}{}", hash.get(..12).unwrap_or(&hash), if has_changes { " with changes" } else { "" })
        }
        None => "revision unknown: built without git".to_owned(),
    }
}

/// What cargo noted when it packed the sources.
fn packaged(folder: &Path) -> Option<(String, bool)> {
    let note = fs::read_to_string(folder.join(".cargo_vcs_info.json")).ok()?;
    let hash = note.split_once("\"sha1\": \"")?.1.split('"').next()?;
    Some((hash.to_owned(), note.contains("\"dirty\": true")))
}

/// What git says of this workspace. Sources that were copied into another repository are none of its revisions.
fn checked_out(folder: &Path) -> Option<(String, bool)> {
    let root = folder.parent()?.parent()?;
    if !folder.ends_with("crates/cli") || !root.join(".git").exists() {
        return None;
    }
    let git = |arguments: &[&str]| output("git", &[&["-C", root.to_str()?], arguments].concat());
    let hash = git(&["rev-parse", "HEAD"])?;
    // The log of `HEAD` grows with every commit; the references themselves may be packed away. What else is watched is compiled again anyway.
    let log = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"])?;
    let crates = fs::read_dir(root.join("crates")).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let sources = crates.filter(|path| !path.ends_with("evogrid")).map(|path| path.join("src"));
    for path in sources.chain([log.into(), root.join("Cargo.lock")]).filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let changed = git(&["status", "--porcelain", "--untracked-files=no", "--", "crates", "Cargo.lock", "Cargo.toml"])?;
    Some((hash, !changed.is_empty()))
}

/// What a program prints, without the end of its line; `None` where it cannot be started or fails.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = output.status.success().then(|| String::from_utf8(output.stdout).ok())??;
    Some(text.trim().to_owned())
}
