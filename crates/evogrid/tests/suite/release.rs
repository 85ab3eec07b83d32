//! What a release promises: one version everywhere, and packages with all that crates.io and their users ask for.

use std::fs;
use std::path::{Path, PathBuf};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What follows a prefix on the first line that begins with it.
fn after<'t>(text: &'t str, prefix: &str) -> &'t str {
    let found = text.lines().find_map(|line| line.strip_prefix(prefix));
    found.unwrap_or_else(|| panic!("no line begins with `{prefix}`")).trim()
}

#[test]
fn one_version_and_one_date_stand_everywhere() {
    let citation = read("CITATION.cff");
    assert_eq!(after(&citation, "version:"), VERSION);
    let (changes, manifest) = (read("CHANGELOG.md"), read("Cargo.toml"));
    let (_, released) = changes.split_once("\n## Unreleased\n").expect("what is not released comes first");
    let released = after(released, "## ");
    assert_eq!(released, format!("{VERSION} ({})", after(&citation, "date-released:")));
    let inside = manifest.lines().filter(|line| line.starts_with("evogrid-") && line.contains("path = "));
    let of_this_version = format!("{{ version = \"{VERSION}\", path = ");
    let (right, wrong): (Vec<&str>, Vec<&str>) = inside.partition(|line| line.contains(&of_this_version));
    assert!(wrong.is_empty() && right.len() >= 9, "{wrong:?}");
}

#[test]
fn every_package_has_a_readme_its_licences_and_what_a_registry_shows() {
    for entry in fs::read_dir(root().join("crates")).expect("the crates") {
        let folder = entry.expect("an entry").path();
        if !folder.is_dir() {
            continue;
        }
        let manifest = read(folder.join("Cargo.toml"));
        let name = after(&manifest, "name = ").trim_matches('"');
        for key in ["version.", "license.", "repository.", "description = ", "categories = ", "readme = "] {
            after(&manifest, key);
        }
        assert_eq!(after(&manifest, "documentation = "), format!("\"https://docs.rs/{name}\""));
        let keywords: Vec<&str> = after(&manifest, "keywords = ").split('"').skip(1).step_by(2).collect();
        assert!((1..=5).contains(&keywords.len()), "{name}: {keywords:?}");
        assert!(read(folder.join("README.md")).starts_with(&format!("# {name}\n")), "{name}");
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert_eq!(read(folder.join(licence)), read(licence), "{name}");
        }
    }
}
