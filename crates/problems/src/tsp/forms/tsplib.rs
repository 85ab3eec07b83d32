//! Files of TSPLIB95: symmetric instances and tours.

use crate::tsp::forms::document::{Document, Place, Section, TextError, Word, words};
use crate::tsp::instance::TspInstance;
use crate::tsp::numbers::{MAX_CITIES, MIN_CITIES, coordinate, weight};
use crate::tsp::weights::WeightKind;

/// Reads a symmetric instance.
///
/// # Errors
/// The first thing in which the text is no such instance, with its place.
pub fn parse_instance(text: &str) -> Result<TspInstance, TextError> {
    read_instance(&Document::parse(text)?)
}

/// Reads a symmetric instance with its name, if it says one.
pub(crate) fn parse_named_instance(text: &str) -> Result<(Option<String>, TspInstance), TextError> {
    let document = Document::parse(text)?;
    let name = document.key("NAME").map(|name| name.text.trim_end_matches(".tsp").to_owned());
    Ok((name.filter(|name| !name.is_empty()), read_instance(&document)?))
}

/// Reads a tour, as cities counted from 0.
///
/// # Errors
/// The first thing in which the text is not a tour of all its cities, with its place.
pub fn parse_tour(text: &str) -> Result<Vec<u16>, TextError> {
    let document = Document::parse(text)?;
    if let Some(kind) = document.key("TYPE").filter(|kind| kind.text != "TOUR") {
        return Err(kind.error(format!("`{}` is not a tour", kind.text), "`TOUR`"));
    }
    let section = section(&document, "TOUR_SECTION")?;
    let mut tour = Vec::new();
    let mut is_closed = false;
    for word in section.words() {
        if is_closed {
            return Err(word.error(format!("`{}` after the end of the tour", word.text), "nothing behind `-1`"));
        }
        match word.text.parse::<i64>() {
            Ok(-1) => is_closed = true,
            Ok(city) if (1..=MAX_CITIES as i64).contains(&city) => tour.push((word, (city - 1) as u16)),
            _ => return Err(word.error(format!("`{}` is not a city", word.text), "a city from 1 on, or `-1`")),
        }
    }
    let n_cities = dimension(&document)?.unwrap_or(tour.len());
    let mut is_visited = vec![false; n_cities];
    for &(word, city) in &tour {
        match is_visited.get_mut(usize::from(city)) {
            Some(visited) if !*visited => *visited = true,
            Some(_) => return Err(word.error(format!("city {} is given twice", word.text), "")),
            None => return Err(word.error(format!("city {} does not exist", word.text), format!("1 to {n_cities}"))),
        }
    }
    if tour.len() < n_cities {
        return Err(section.end.error(format!("the tour has {} of {n_cities} cities", tour.len()), ""));
    }
    Ok(tour.into_iter().map(|(_, city)| city).collect())
}

fn read_instance(document: &Document<'_>) -> Result<TspInstance, TextError> {
    match document.key("TYPE") {
        Some(kind) if kind.text == "TOUR" => {
            return Err(kind.error("this is a tour, not an instance", "`TSP`"));
        }
        Some(kind) if kind.text.split_whitespace().next() != Some("TSP") => {
            return Err(
                kind.error(format!("instances of type `{}` are not supported", kind.text), "`TSP`, the symmetric one")
            );
        }
        _ => {}
    }
    if let Some(section) = document.section("TOUR_SECTION") {
        return Err(section.place.error("this is a tour, not an instance", "a file without `TOUR_SECTION`"));
    }
    let n_cities =
        dimension(document)?.ok_or_else(|| document.end.error("`DIMENSION` is missing", "`DIMENSION : n`"))?;
    let names = || WeightKind::NAMES.map(|(name, _)| format!("`{name}`")).join(", ");
    let kind = document.key("EDGE_WEIGHT_TYPE");
    let kind = kind.ok_or_else(|| document.end.error("`EDGE_WEIGHT_TYPE` is missing", names()))?;
    let kind = WeightKind::from_name(kind.text)
        .ok_or_else(|| kind.error(format!("edge weights of type `{}` are not supported", kind.text), names()))?;
    let format = document.key("EDGE_WEIGHT_FORMAT");
    if kind == WeightKind::Explicit {
        let form = MatrixForm::from_word(
            format.ok_or_else(|| document.end.error("`EDGE_WEIGHT_FORMAT` is missing", MatrixForm::names()))?,
        )?;
        let section = section(document, "EDGE_WEIGHT_SECTION")?;
        return Ok(TspInstance::from_matrix(n_cities, matrix(section, n_cities, form)?));
    }
    if let Some(format) = format.filter(|format| format.text != "FUNCTION") {
        return Err(
            format.error(format!("`{}` beside weights by coordinates", format.text), "`FUNCTION`, or no such key")
        );
    }
    let section = section(document, "NODE_COORD_SECTION")?;
    Ok(TspInstance::from_coordinates(kind, coordinates(section, n_cities, kind)?))
}

fn section<'d, 't>(document: &'d Document<'t>, name: &str) -> Result<&'d Section<'t>, TextError> {
    document.section(name).ok_or_else(|| document.end.error(format!("`{name}` is missing"), format!("`{name}`")))
}

fn dimension(document: &Document<'_>) -> Result<Option<usize>, TextError> {
    let Some(word) = document.key("DIMENSION") else { return Ok(None) };
    match word.text.parse() {
        Ok(n_cities @ MIN_CITIES..=MAX_CITIES) => Ok(Some(n_cities)),
        _ => {
            Err(word.error(format!("{} cities are not supported", word.text), format!("{MIN_CITIES} to {MAX_CITIES}")))
        }
    }
}

/// The coordinates of every city, in the order of their numbers.
fn coordinates(section: &Section<'_>, n_cities: usize, kind: WeightKind) -> Result<Vec<f64>, TextError> {
    let each = kind.n_coordinates();
    let form = || format!("the number of a city and {each} coordinates");
    let mut coordinates = vec![f64::NAN; n_cities * each];
    let mut n_read = 0;
    for &(number, line) in &section.lines {
        let mut fields = words(number, line);
        let city = fields.next().expect("blank lines are left out");
        let index = city.text.parse().ok().filter(|index| (1..=n_cities).contains(index));
        let Some(index) = index else {
            return Err(city.error(format!("`{}` is not the number of a city", city.text), format!("1 to {n_cities}")));
        };
        let room = &mut coordinates[(index - 1) * each..][..each];
        if !room[0].is_nan() {
            return Err(city.error(format!("city {index} is given twice"), format!("{n_cities} different cities")));
        }
        for coordinate in room {
            let end = Place { line: number, column: line.trim_end().chars().count() + 1 };
            let word = fields.next().ok_or_else(|| end.error(format!("city {index} lacks a coordinate"), form()))?;
            *coordinate = self::coordinate(word)?;
        }
        if let Some(word) = fields.next() {
            return Err(word.error(format!("`{}` after the coordinates of city {index}", word.text), form()));
        }
        n_read += 1;
    }
    if n_read < n_cities {
        let missing = coordinates.chunks_exact(each).position(|city| city[0].is_nan()).expect("one is missing") + 1;
        let message = format!("{n_read} of {n_cities} cities have coordinates; city {missing} has none");
        return Err(section.end.error(message, form()));
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
        Self::NAMES.map(|(name, _)| format!("`{name}`")).join(", ")
    }

    fn from_word(word: Word<'_>) -> Result<Self, TextError> {
        let form = Self::NAMES.iter().find(|(name, _)| *name == word.text);
        let message = || format!("a matrix in the form `{}` is not supported", word.text);
        form.map(|(_, form)| *form).ok_or_else(|| word.error(message(), Self::names()))
    }

    /// The columns of a row that a file holds.
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

/// The whole matrix. Its diagonal counts for nothing, and is 0.
fn matrix(section: &Section<'_>, n_cities: usize, form: MatrixForm) -> Result<Vec<i32>, TextError> {
    let n_expected: usize = (0..n_cities).map(|row| form.columns(row, n_cities).len()).sum();
    // Counted before room is made: a short file may promise many cities.
    let n_words = section.words().count();
    if n_words < n_expected {
        return Err(section.end.error(format!("the matrix has {n_words} of {n_expected} weights"), "further weights"));
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
                    "the distance from city {one} to {other} is {weight}, and {mirrored} the other \
                                       way"
                );
                return Err(word.error(message, "a symmetric matrix"));
            }
            if row != column {
                matrix[row * n_cities + column] = weight;
                matrix[column * n_cities + row] = weight;
            }
        }
    }
    match entries.next() {
        Some(word) => Err(word.error(format!("`{}` after the last of {n_expected} weights", word.text), "")),
        None => Ok(matrix),
    }
}
