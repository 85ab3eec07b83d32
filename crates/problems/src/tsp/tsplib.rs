//! The reader of TSPLIB95 files that contain symmetric instances.

use evogrid_core::family::InstanceError;
use evogrid_core::suggestion::nearest;

use super::instance::{Columns, MAX_CITIES, MIN_CITIES, TspInstance, coordinate, matrix};
use super::weights::WeightKind;
use crate::text::{Fault, fault, first_word, number};

/// Keys that are read.
const KEYS: [&str; 5] = ["NAME", "TYPE", "DIMENSION", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT"];

/// Keys that do not affect the length of a tour.
const IGNORED_KEYS: [&str; 3] = ["COMMENT", "NODE_COORD_TYPE", "DISPLAY_DATA_TYPE"];

/// Sections that a file may contain. The display data are not read.
const SECTIONS: [&str; 3] = ["NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION", "DISPLAY_DATA_SECTION"];

/// Keys and sections of other problems, with the reasons why they are refused.
const REFUSED: [(&str, &str); 7] = [
    ("TOUR_SECTION", "a tour is not an instance"),
    ("FIXED_EDGES_SECTION", "fixed edges, which every tour must contain, are not supported"),
    ("EDGE_DATA_SECTION", "graphs with missing edges are not supported"),
    ("EDGE_DATA_FORMAT", "graphs with missing edges are not supported"),
    ("DEPOT_SECTION", "vehicle routing is not supported"),
    ("DEMAND_SECTION", "vehicle routing is not supported"),
    ("CAPACITY", "vehicle routing is not supported"),
];

/// The forms of a matrix. For each form, the columns that the file contains for a row. A form by columns mirrors a form by rows.
const FORMS: [(&str, Columns); 9] = [
    ("FULL_MATRIX", |_, n| 0..n),
    ("UPPER_ROW", |row, n| row + 1..n),
    ("LOWER_ROW", |row, _| 0..row),
    ("UPPER_DIAG_ROW", |row, n| row..n),
    ("LOWER_DIAG_ROW", |row, _| 0..row + 1),
    ("UPPER_COL", |row, _| 0..row),
    ("LOWER_COL", |row, n| row + 1..n),
    ("UPPER_DIAG_COL", |row, _| 0..row + 1),
    ("LOWER_DIAG_COL", |row, n| row..n),
];

/// Reads a symmetric instance.
///
/// # Errors
/// Returns the first fault in the text, and the place of this fault.
pub fn parse_instance(text: &str) -> Result<TspInstance, InstanceError> {
    parse_named_instance(text).map(|(_, instance)| instance).map_err(|fault| fault.in_text(text))
}

/// Reads a symmetric instance and its name, if it has a name.
pub(super) fn parse_named_instance(text: &str) -> Result<(Option<String>, TspInstance), Fault<'_>> {
    let document = Document::parse(text)?;
    if let Some(kind) = document.key("TYPE").filter(|kind| first_word(kind) != "TSP") {
        let message = format!("instances of type `{kind}` are not supported");
        return Err(fault(first_word(kind), message, "`TSP`, the type of symmetric instances"));
    }
    let size = document.required("DIMENSION", || "`DIMENSION : n`".to_owned())?;
    let n_cities = size.parse().ok().filter(|n_cities| (MIN_CITIES..=MAX_CITIES).contains(n_cities));
    let n_cities = n_cities.ok_or_else(|| {
        let expected = format!("{MIN_CITIES} to {MAX_CITIES}");
        fault(first_word(size), format!("instances with {size} cities are not supported"), expected)
    })?;
    let kinds = || quoted(WeightKind::NAMES.iter().copied());
    let name = document.required("EDGE_WEIGHT_TYPE", kinds)?;
    let refused = || fault(first_word(name), format!("edge weights of type `{name}` are not supported"), kinds());
    let kind = WeightKind::named(name).ok_or_else(refused)?;
    let instance = if kind == WeightKind::Explicit {
        let forms = || quoted(FORMS.iter().map(|&(name, _)| name));
        let name = document.required("EDGE_WEIGHT_FORMAT", forms)?;
        let refused = || fault(first_word(name), format!("matrices in the form `{name}` are not supported"), forms());
        let &(_, columns) = FORMS.iter().find(|(form, _)| *form == name).ok_or_else(refused)?;
        let (section, lines) = document.section("EDGE_WEIGHT_SECTION")?;
        let words = lines.iter().flat_map(|line| line.split_whitespace());
        TspInstance::from_matrix(n_cities, matrix(section, words, n_cities, columns)?)
    } else {
        if let Some(format) = document.key("EDGE_WEIGHT_FORMAT").filter(|format| *format != "FUNCTION") {
            let message = format!(
                "the format `{format}` is for explicit weights, but coordinates define the weights of this instance"
            );
            return Err(fault(first_word(format), message, "`FUNCTION`, or omit the key"));
        }
        let section = document.section("NODE_COORD_SECTION")?;
        TspInstance::from_coordinates(kind, coordinates(section, n_cities, kind.n_coordinates())?)
    };
    let name = document.key("NAME").map(|name| name.trim_end_matches(".tsp").to_owned());
    Ok((name.filter(|name| !name.is_empty()), instance))
}

/// The coordinates of every city, in the order of the numbers of the cities.
fn coordinates<'t>((name, lines): &Section<'t>, n_cities: usize, each: usize) -> Result<Vec<f64>, Fault<'t>> {
    let form = || format!("the number of a city, followed by {each} coordinates");
    let mut coordinates = vec![f64::NAN; n_cities * each];
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let range = || format!("1 to {n_cities}");
        let city: usize = number(words[0], "city number", range, |city| (1..=n_cities).contains(city))?;
        let room = &mut coordinates[(city - 1) * each..][..each];
        if !room[0].is_nan() {
            return Err(fault(words[0], format!("city {city} occurs twice"), format!("{n_cities} different cities")));
        }
        if words.len() != 1 + each {
            return Err(fault(words[0], format!("city {city} has {} coordinates", words.len() - 1), form()));
        }
        for (coordinate, word) in room.iter_mut().zip(&words[1..]) {
            *coordinate = self::coordinate(word)?;
        }
    }
    match coordinates.chunks_exact(each).position(|city| city[0].is_nan()) {
        Some(missing) => Err(fault(name, format!("city {} of {n_cities} has no coordinates", missing + 1), form())),
        None => Ok(coordinates),
    }
}

fn quoted(names: impl Iterator<Item = &'static str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The name of a section, and its lines without blank lines.
type Section<'t> = (&'t str, Vec<&'t str>);

/// The keys of a file with their values, and its sections.
#[derive(Default)]
struct Document<'t> {
    keys: Vec<(&'t str, &'t str)>,
    sections: Vec<Section<'t>>,
}

impl<'t> Document<'t> {
    /// Divides a text into keys and sections. Only the names are checked.
    fn parse(text: &'t str) -> Result<Self, Fault<'t>> {
        let mut document = Self::default();
        let mut lines = text.trim_start_matches('\u{feff}').lines().filter(|line| !line.trim().is_empty());
        for line in lines.by_ref() {
            let (name, value) = line.split_once(':').map_or((line, None), |(name, value)| (name, Some(value.trim())));
            let (name, first) = (name.trim(), first_word(line));
            if name == "EOF" {
                break;
            } else if name.starts_with(char::is_alphabetic) {
                document.push(name, value)?;
            } else if let Some((_, lines)) = document.sections.last_mut() {
                lines.push(line);
            } else {
                return Err(fault(first, format!("unexpected `{first}` before the first section"), "`KEY : value`"));
            }
        }
        match lines.next() {
            Some(line) => Err(fault(first_word(line), "text behind `EOF`", "one instance per file")),
            None => Ok(document),
        }
    }

    /// Adds a key or a section.
    fn push(&mut self, name: &'t str, value: Option<&'t str>) -> Result<(), Fault<'t>> {
        if let Some((_, why)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            return Err(fault(
                name,
                format!("`{name}`: {why}"),
                "a file of a symmetric instance, without this key or section",
            ));
        }
        let (is_section, is_ignored) = (SECTIONS.contains(&name), IGNORED_KEYS.contains(&name));
        if !is_section && !is_ignored && !KEYS.contains(&name) {
            let names = KEYS.iter().chain(&IGNORED_KEYS).chain(&SECTIONS).copied();
            let near = nearest(name, names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Err(fault(
                name,
                format!("unknown key `{name}`"),
                format!("the name of a key or section of TSPLIB95{near}"),
            ));
        }
        if self.key(name).is_some() || self.section(name).is_ok() {
            return Err(fault(name, format!("`{name}` is given twice"), ""));
        }
        match value {
            _ if is_section => self.sections.push((name, Vec::new())),
            Some(value) if !is_ignored => self.keys.push((name, value)),
            Some(_) => {}
            None => return Err(fault(name, format!("`{name}` has no value"), format!("`{name} : value`"))),
        }
        Ok(())
    }

    fn key(&self, name: &str) -> Option<&'t str> {
        self.keys.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }

    /// The value of a key that the file must have.
    fn required(&self, name: &str, expected: impl Fn() -> String) -> Result<&'t str, Fault<'t>> {
        self.key(name).ok_or_else(|| fault("", format!("`{name}` is missing"), expected()))
    }

    fn section(&self, name: &str) -> Result<&Section<'t>, Fault<'t>> {
        let found = self.sections.iter().find(|(known, _)| *known == name);
        found.ok_or_else(|| fault("", format!("`{name}` is missing"), format!("`{name}`")))
    }
}
