//! Files of TSPLIB95: symmetric instances.

use evogrid_core::family::InstanceError;

use crate::text::{Fault, fault, first_word, number};
use crate::tsp::forms::document::{Document, Section};
use crate::tsp::instance::TspInstance;
use crate::tsp::numbers::{MAX_CITIES, MIN_CITIES, coordinate, weight};
use crate::tsp::weights::WeightKind;

/// Reads a symmetric instance.
///
/// # Errors
/// The first fault of the text, with its place.
pub fn parse_instance(text: &str) -> Result<TspInstance, InstanceError> {
    parse_named_instance(text).map(|(_, instance)| instance).map_err(|fault| fault.in_text(text))
}

/// Reads a symmetric instance with its name, if it has one.
pub(crate) fn parse_named_instance(text: &str) -> Result<(Option<String>, TspInstance), Fault<'_>> {
    let document = Document::parse(text)?;
    let name = document.key("NAME").map(|name| name.trim_end_matches(".tsp").to_owned());
    Ok((name.filter(|name| !name.is_empty()), read_instance(&document)?))
}

fn read_instance<'t>(document: &Document<'t>) -> Result<TspInstance, Fault<'t>> {
    match document.key("TYPE") {
        Some(kind @ "TOUR") => return Err(fault(kind, "this is a tour, not an instance", "`TSP`")),
        Some(kind) if kind.split_whitespace().next() != Some("TSP") => {
            let message = format!("instances of type `{kind}` are not supported");
            return Err(fault(first_word(kind), message, "`TSP`, the symmetric one"));
        }
        _ => {}
    }
    if let Some(section) = document.section("TOUR_SECTION") {
        return Err(fault(
            section.start,
            "this is a tour, not an instance",
            "a file with an instance, without `TOUR_SECTION`",
        ));
    }
    let missing = |key: &str, expected: String| fault(document.end, format!("`{key}` is missing"), expected);
    let size = document.key("DIMENSION").ok_or_else(|| missing("DIMENSION", "`DIMENSION : n`".to_owned()))?;
    let n_cities = size.parse().ok().filter(|n_cities| (MIN_CITIES..=MAX_CITIES).contains(n_cities));
    let n_cities = n_cities.ok_or_else(|| {
        let expected = format!("{MIN_CITIES} to {MAX_CITIES}");
        fault(first_word(size), format!("a size of {size} cities is not supported"), expected)
    })?;
    let names = || quoted(WeightKind::NAMES.iter().copied());
    let name = document.key("EDGE_WEIGHT_TYPE").ok_or_else(|| missing("EDGE_WEIGHT_TYPE", names()))?;
    let kind = WeightKind::named(name)
        .ok_or_else(|| fault(first_word(name), format!("edge weights of type `{name}` are not supported"), names()))?;
    let format = document.key("EDGE_WEIGHT_FORMAT");
    let section = |name: &str| document.section(name).ok_or_else(|| missing(name, format!("`{name}`")));
    if kind == WeightKind::Explicit {
        let format = format.ok_or_else(|| missing("EDGE_WEIGHT_FORMAT", MatrixForm::names()))?;
        let form = MatrixForm::from_name(format)?;
        return Ok(TspInstance::from_matrix(n_cities, matrix(section("EDGE_WEIGHT_SECTION")?, n_cities, form)?));
    }
    if let Some(format) = format.filter(|format| *format != "FUNCTION") {
        let message = format!("`{format}` contradicts weights that come from coordinates");
        return Err(fault(first_word(format), message, "`FUNCTION`, or omit the key"));
    }
    Ok(TspInstance::from_coordinates(kind, coordinates(section("NODE_COORD_SECTION")?, n_cities, kind)?))
}

/// The coordinates of every city, in the order of their numbers.
fn coordinates<'t>(section: &Section<'t>, n_cities: usize, kind: WeightKind) -> Result<Vec<f64>, Fault<'t>> {
    let each = kind.n_coordinates();
    let form = || format!("the number of a city, followed by {each} coordinates");
    let mut coordinates = vec![f64::NAN; n_cities * each];
    let mut n_read = 0;
    for line in &section.lines {
        let mut fields = line.split_whitespace();
        let city = fields.next().expect("blank lines are left out");
        let range = || format!("1 to {n_cities}");
        let index: usize = number(city, "number of a city", range, |index| (1..=n_cities).contains(index))?;
        let room = &mut coordinates[(index - 1) * each..][..each];
        if !room[0].is_nan() {
            return Err(fault(city, format!("city {index} occurs twice"), format!("{n_cities} different cities")));
        }
        for coordinate in room {
            let end = &line[line.trim_end().len()..][..0];
            let word =
                fields.next().ok_or_else(|| fault(end, format!("a coordinate of city {index} is missing"), form()))?;
            *coordinate = self::coordinate(word)?;
        }
        if let Some(word) = fields.next() {
            return Err(fault(word, format!("unexpected `{word}` after the coordinates of city {index}"), form()));
        }
        n_read += 1;
    }
    if n_read < n_cities {
        let missing = coordinates.chunks_exact(each).position(|city| city[0].is_nan()).expect("one is missing") + 1;
        let message = format!("{n_read} of {n_cities} cities have coordinates; those of city {missing} are missing");
        return Err(fault(section.end, message, form()));
    }
    Ok(coordinates)
}

/// Which entries of a symmetric matrix a file holds, row by row; a form by columns is the mirrored one by rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MatrixForm {
    Full,
    Upper,
    Lower,
    UpperDiagonal,
    LowerDiagonal,
}

impl MatrixForm {
    const NAMES: [(&str, Self); 9] = [
        ("FULL_MATRIX", Self::Full),
        ("UPPER_ROW", Self::Upper),
        ("LOWER_ROW", Self::Lower),
        ("UPPER_DIAG_ROW", Self::UpperDiagonal),
        ("LOWER_DIAG_ROW", Self::LowerDiagonal),
        ("UPPER_COL", Self::Lower),
        ("LOWER_COL", Self::Upper),
        ("UPPER_DIAG_COL", Self::LowerDiagonal),
        ("LOWER_DIAG_COL", Self::UpperDiagonal),
    ];

    fn names() -> String {
        quoted(Self::NAMES.iter().map(|&(name, _)| name))
    }

    fn from_name(name: &str) -> Result<Self, Fault<'_>> {
        let form = Self::NAMES.iter().find(|(known, _)| *known == name);
        let message = || format!("a matrix in the form `{name}` is not supported");
        form.map(|(_, form)| *form).ok_or_else(|| fault(first_word(name), message(), Self::names()))
    }

    /// The columns that a file contains for a row.
    fn columns(self, row: usize, n_cities: usize) -> std::ops::Range<usize> {
        match self {
            Self::Full => 0..n_cities,
            Self::Upper => row + 1..n_cities,
            Self::Lower => 0..row,
            Self::UpperDiagonal => row..n_cities,
            Self::LowerDiagonal => 0..row + 1,
        }
    }
}

fn quoted(names: impl Iterator<Item = &'static str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The whole matrix. Its diagonal is ignored, and is 0.
fn matrix<'t>(section: &Section<'t>, n_cities: usize, form: MatrixForm) -> Result<Vec<i32>, Fault<'t>> {
    let n_expected: usize = (0..n_cities).map(|row| form.columns(row, n_cities).len()).sum();
    // Counted before room is made: a short file may promise many cities.
    let n_words = section.words().count();
    if n_words < n_expected {
        let message = format!("the matrix has only {n_words} of {n_expected} weights");
        return Err(fault(section.end, message, "further weights"));
    }
    let mut entries = section.words();
    let mut matrix = vec![0; n_cities * n_cities];
    for row in 0..n_cities {
        for column in form.columns(row, n_cities) {
            let word = entries.next().expect("they were counted");
            let weight = weight(word)?;
            let mirrored = matrix[column * n_cities + row];
            if form == MatrixForm::Full && column < row && weight != mirrored {
                let (one, other) = (row + 1, column + 1);
                let message = format!(
                    "the distance from city {one} to {other} is {weight}, but {mirrored} in the other direction"
                );
                return Err(fault(word, message, "a symmetric matrix"));
            }
            if row != column {
                matrix[row * n_cities + column] = weight;
                matrix[column * n_cities + row] = weight;
            }
        }
    }
    match entries.next() {
        Some(word) => Err(fault(word, format!("unexpected `{word}` after the last of {n_expected} weights"), "")),
        None => Ok(matrix),
    }
}
