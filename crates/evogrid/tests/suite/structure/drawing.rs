//! The drawing of crates and folders in ARCHITECTURE.md.
//!
//! A line is a place: its name, an arrow with the places that it imports from, and after two spaces what it is. A folder ends with a slash
//! and stands below its crate or folder, four spaces further in. An arrow points from crate to crate, or to folders beside the folder.

use std::collections::BTreeSet;

/// A place in the drawing.
#[derive(Debug)]
pub(crate) struct Place {
    /// Its path: `runner/engine/folder`.
    pub(crate) path: String,
    /// The paths of the places that its arrow points to.
    pub(crate) imported: BTreeSet<String>,
}

impl Place {
    /// The path of the place that it lies in; `None` of a crate.
    pub(crate) fn parent(&self) -> Option<&str> {
        self.path.rsplit_once('/').map(|(parent, _)| parent)
    }
}

/// The places of the drawing, in its order.
///
/// # Panics
/// If there is no drawing, or a line is not a place.
pub(crate) fn places(map: &str) -> Vec<Place> {
    let (_, section) = map.split_once("\n## The crates\n").expect("a section on the crates");
    let (_, drawing) = section.split_once("```text\n").expect("a drawing");
    let (drawing, _) = drawing.split_once("```").expect("the end of the drawing");
    let mut parents: Vec<&str> = Vec::new();
    let mut places = Vec::new();
    for line in drawing.lines() {
        let text = line.trim_start_matches(' ');
        let depth = (line.len() - text.len()) / 4;
        assert!(depth <= parents.len(), "`{line}` lies in no folder");
        parents.truncate(depth);
        let (place, _) = text.split_once("  ").unwrap_or((text, ""));
        let (name, imported) = place.split_once(" -> ").unwrap_or((place, ""));
        assert_eq!(name.ends_with('/'), depth > 0, "`{line}`: a folder ends with a slash, a crate does not");
        let inside = |name: &str| Vec::from_iter(parents.iter().chain([&name]).copied()).join("/");
        let imported = imported.split(", ").filter(|name| !name.is_empty()).map(inside).collect();
        let name = name.trim_end_matches('/');
        places.push(Place { path: inside(name), imported });
        parents.push(name);
    }
    places
}
