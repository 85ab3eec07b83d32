//! The outer form of a TSPLIB95 file: keys with values, then sections of data, with the place of everything.

use evogrid_core::family::InstanceError;
use evogrid_core::suggestion::nearest;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct TextError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
    /// What was expected.
    pub expected: Option<String>,
}

impl TextError {
    /// The same as an error of a family's text.
    pub(crate) fn in_text(self, text: &str) -> InstanceError {
        let line = text.lines().nth(self.line - 1).unwrap_or_default();
        let start = line.char_indices().nth(self.column - 1).map_or(line.len(), |(start, _)| start);
        let word = line[start..].split_whitespace().next().unwrap_or_default();
        let error = InstanceError::new(self.message).at(text, word);
        InstanceError { expected: self.expected, bytes: error.bytes.filter(|bytes| !bytes.is_empty()), ..error }
    }
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Place {
    /// The error of that place.
    pub(crate) fn error(self, message: impl Into<String>, expected: impl Into<String>) -> TextError {
        let expected = Some(expected.into()).filter(|expected| !expected.is_empty());
        TextError { line: self.line, column: self.column, message: message.into(), expected }
    }
}

/// A word of a text with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    pub(crate) place: Place,
}

impl Word<'_> {
    pub(crate) fn error(self, message: impl Into<String>, expected: impl Into<String>) -> TextError {
        self.place.error(message, expected)
    }
}

/// The words of a line that are separated by white space.
pub(crate) fn words(line: usize, text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut rest = text;
    let mut column = 1;
    std::iter::from_fn(move || {
        let start = rest.find(|one: char| !one.is_whitespace())?;
        column += rest[..start].chars().count();
        let end = rest[start..].find(char::is_whitespace).map_or(rest.len(), |length| start + length);
        let word = Word { text: &rest[start..end], place: Place { line, column } };
        column += rest[start..end].chars().count();
        rest = &rest[end..];
        Some(word)
    })
}

/// Keys that mean nothing to the length of a tour.
const IGNORED_KEYS: [&str; 3] = ["COMMENT", "NODE_COORD_TYPE", "DISPLAY_DATA_TYPE"];

/// Keys that are read.
const KEYS: [&str; 5] = ["NAME", "TYPE", "DIMENSION", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT"];

/// Sections that are read, and the display, which is not.
const SECTIONS: [&str; 4] = ["NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION", "DISPLAY_DATA_SECTION", "TOUR_SECTION"];

/// What would change the problem, and why it is refused.
const REFUSED: [(&str, &str); 6] = [
    ("FIXED_EDGES_SECTION", "edges that every tour must use are not supported"),
    ("EDGE_DATA_SECTION", "graphs that lack edges are not supported"),
    ("EDGE_DATA_FORMAT", "graphs that lack edges are not supported"),
    ("DEPOT_SECTION", "vehicle routing is not supported"),
    ("DEMAND_SECTION", "vehicle routing is not supported"),
    ("CAPACITY", "vehicle routing is not supported"),
];

/// A section: its lines with their numbers, blank ones left out.
#[derive(Debug)]
pub(crate) struct Section<'t> {
    pub(crate) name: &'static str,
    pub(crate) place: Place,
    pub(crate) lines: Vec<(usize, &'t str)>,
    /// Where it ends: the line behind its last one.
    pub(crate) end: Place,
}

impl<'t> Section<'t> {
    /// All its words.
    pub(crate) fn words(&self) -> impl Iterator<Item = Word<'t>> {
        self.lines.iter().flat_map(|&(number, line)| words(number, line))
    }
}

/// A file: its keys that are read, and its sections.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    keys: Vec<(&'static str, Word<'t>)>,
    pub(crate) sections: Vec<Section<'t>>,
    /// Behind the last line.
    pub(crate) end: Place,
}

impl<'t> Document<'t> {
    /// Takes a text apart. Only names are checked.
    pub(crate) fn parse(text: &'t str) -> Result<Self, TextError> {
        let n_lines = text.lines().count();
        let end = Place { line: n_lines + 1, column: 1 };
        let mut document = Self { keys: Vec::new(), sections: Vec::new(), end };
        let mut is_ended = false;
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let Some(first) = words(number, line).next() else { continue };
            if is_ended {
                return Err(first.error("text behind `EOF`", "nothing: a file holds one instance"));
            }
            if first.text.starts_with(|one: char| one.is_alphabetic()) {
                is_ended = document.push_keyword(line, first)?;
            } else if let Some(section) = document.sections.last_mut() {
                section.lines.push((number, line));
                section.end = Place { line: number + 1, column: 1 };
            } else {
                return Err(first.error(format!("`{}` before any section", first.text), "`KEY : value`"));
            }
        }
        Ok(document)
    }

    /// The value of a key.
    pub(crate) fn key(&self, name: &str) -> Option<Word<'t>> {
        self.keys.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The section of that name.
    pub(crate) fn section(&self, name: &str) -> Option<&Section<'t>> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// Takes in a line that begins with a word. Whether it is the end of the file.
    fn push_keyword(&mut self, line: &'t str, first: Word<'t>) -> Result<bool, TextError> {
        let (name, value) = line.split_once(':').map_or((line, None), |(name, value)| (name, Some(value)));
        let name = name.trim();
        let place = first.place;
        if name == "EOF" {
            return Ok(true);
        }
        if let Some((name, why)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            return Err(place.error(format!("`{name}`: {why}"), "a symmetric instance without it"));
        }
        if let Some(&known) = SECTIONS.iter().find(|known| **known == name) {
            if self.section(known).is_some() {
                return Err(place.error(format!("`{known}` stands twice"), ""));
            }
            let end = Place { line: place.line + 1, column: 1 };
            self.sections.push(Section { name: known, place, lines: Vec::new(), end });
            return Ok(false);
        }
        let known = KEYS.iter().chain(&IGNORED_KEYS).find(|known| **known == name);
        let Some(&known) = known else {
            let names = KEYS.iter().chain(&IGNORED_KEYS).chain(&SECTIONS).copied();
            let near = nearest(name, names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Err(place.error(format!("unknown key `{name}`"), format!("a key or section of TSPLIB95{near}")));
        };
        let Some(value) = value else {
            return Err(place.error(format!("`{known}` has no value"), format!("`{known} : value`")));
        };
        if IGNORED_KEYS.contains(&known) {
            return Ok(false);
        }
        let column = line.chars().count() - value.trim_start().chars().count() + 1;
        let value = Word { text: value.trim(), place: Place { line: place.line, column } };
        if self.key(known).is_some() {
            return Err(place.error(format!("`{known}` stands twice"), ""));
        }
        self.keys.push((known, value));
        Ok(false)
    }
}
