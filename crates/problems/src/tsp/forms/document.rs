//! The outer form of a TSPLIB95 file: keys with values, then sections of data, with the place of everything.

use evogrid_core::suggestion::nearest;

use crate::text::{Fault, fault, first_word};

/// Keys that do not affect the length of a tour.
const IGNORED_KEYS: [&str; 3] = ["COMMENT", "NODE_COORD_TYPE", "DISPLAY_DATA_TYPE"];

/// Keys that are read.
const KEYS: [&str; 5] = ["NAME", "TYPE", "DIMENSION", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT"];

/// Sections that are read, and the display, which is not.
const SECTIONS: [&str; 4] = ["NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION", "DISPLAY_DATA_SECTION", "TOUR_SECTION"];

/// Keys that would change the problem, and why they are refused.
const REFUSED: [(&str, &str); 6] = [
    ("FIXED_EDGES_SECTION", "edges that every tour must use are not supported"),
    ("EDGE_DATA_SECTION", "graphs that lack edges are not supported"),
    ("EDGE_DATA_FORMAT", "graphs that lack edges are not supported"),
    ("DEPOT_SECTION", "vehicle routing is not supported"),
    ("DEMAND_SECTION", "vehicle routing is not supported"),
    ("CAPACITY", "vehicle routing is not supported"),
];

/// A section with its lines; blank lines are omitted.
#[derive(Debug)]
pub(crate) struct Section<'t> {
    pub(crate) name: &'static str,
    pub(crate) lines: Vec<&'t str>,
    /// The name of the section, as it occurs in the text.
    pub(crate) start: &'t str,
    /// The end of the section: the line after its last one.
    pub(crate) end: &'t str,
}

impl<'t> Section<'t> {
    /// All its words.
    pub(crate) fn words(&self) -> impl Iterator<Item = &'t str> {
        self.lines.iter().flat_map(|line| line.split_whitespace())
    }
}

/// A file with its keys and sections.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    keys: Vec<(&'static str, &'t str)>,
    pub(crate) sections: Vec<Section<'t>>,
    /// The position after the last line.
    pub(crate) end: &'t str,
}

impl<'t> Document<'t> {
    /// Divides a text into keys and sections. Only names are checked.
    pub(crate) fn parse(text: &'t str) -> Result<Self, Fault<'t>> {
        let end = &text[text.len()..];
        let mut document = Self { keys: Vec::new(), sections: Vec::new(), end };
        let mut is_ended = false;
        let lines = text.trim_start_matches('\u{feff}').lines();
        for (line, next) in lines.clone().zip(lines.skip(1).chain([end])) {
            let Some(first) = line.split_whitespace().next() else { continue };
            if is_ended {
                return Err(fault(first, "text behind `EOF`", "the end of the file: a file contains one instance"));
            }
            if first.starts_with(|one: char| one.is_alphabetic()) {
                is_ended = document.push_keyword(line, first, next)?;
            } else if let Some(section) = document.sections.last_mut() {
                section.lines.push(line);
                section.end = first_word(next);
            } else {
                return Err(fault(first, format!("unexpected `{first}` before the first section"), "`KEY : value`"));
            }
        }
        Ok(document)
    }

    /// The value of a key.
    pub(crate) fn key(&self, name: &str) -> Option<&'t str> {
        self.keys.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }

    /// The section of that name.
    pub(crate) fn section(&self, name: &str) -> Option<&Section<'t>> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// Reads a line that begins with a word. Returns whether it is the end of the file.
    fn push_keyword(&mut self, line: &'t str, first: &'t str, next: &'t str) -> Result<bool, Fault<'t>> {
        let (name, value) = line.split_once(':').map_or((line, None), |(name, value)| (name, Some(value)));
        let name = name.trim();
        if name == "EOF" {
            return Ok(true);
        }
        if let Some((name, why)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            return Err(fault(first, format!("`{name}`: {why}"), "a symmetric instance without it"));
        }
        if let Some(&known) = SECTIONS.iter().find(|known| **known == name) {
            if self.section(known).is_some() {
                return Err(fault(first, format!("`{known}` is given twice"), ""));
            }
            self.sections.push(Section { name: known, lines: Vec::new(), start: first, end: first_word(next) });
            return Ok(false);
        }
        let known = KEYS.iter().chain(&IGNORED_KEYS).find(|known| **known == name);
        let Some(&known) = known else {
            let names = KEYS.iter().chain(&IGNORED_KEYS).chain(&SECTIONS).copied();
            let near = nearest(name, names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Err(fault(first, format!("unknown key `{name}`"), format!("a key or section of TSPLIB95{near}")));
        };
        let Some(value) = value else {
            return Err(fault(first, format!("`{known}` has no value"), format!("`{known} : value`")));
        };
        if IGNORED_KEYS.contains(&known) {
            return Ok(false);
        }
        if self.key(known).is_some() {
            return Err(fault(first, format!("`{known}` is given twice"), ""));
        }
        self.keys.push((known, value.trim()));
        Ok(false)
    }
}
