//! Files of TSPLIB95: every form, every trap, and where each error lies.

use proptest::prelude::*;

use super::tests::instances;
use super::tsplib::parse_named_instance;
use super::{TspInstance, parse_instance};
use crate::text::Fault;

/// A file of so many cities: its header, which the caller completes, then the rest.
fn file(n_cities: usize, rest: &str) -> String {
    format!("NAME: x\nTYPE: TSP\nDIMENSION: {n_cities}\n{rest}")
}

/// A file of a matrix of four cities.
fn matrix(form: &str, weights: &str) -> String {
    file(4, &format!("EDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: {form}\nEDGE_WEIGHT_SECTION\n{weights}\nEOF\n"))
}

/// A file of three cities in the plane.
fn plane(kind: &str, cities: &str) -> String {
    file(3, &format!("EDGE_WEIGHT_TYPE: {kind}\nNODE_COORD_SECTION\n{cities}\nEOF\n"))
}

fn content(text: &str) -> String {
    parse_instance(text).unwrap_or_else(|error| panic!("{error}: {text}")).content()
}

/// The error of a text, with its place and what was expected.
fn error(text: &str) -> String {
    let Fault { piece, error } = parse_named_instance(text).expect_err("it is wrong");
    if piece.is_empty() {
        return format!("{error}; {}", error.expected.clone().unwrap_or_default());
    }
    let before = &text[..piece.as_ptr() as usize - text.as_ptr() as usize];
    let (line, start) = (before.matches('\n').count() + 1, before.rfind('\n').map_or(0, |end| end + 1));
    let column = before[start..].chars().count() + 1;
    format!("line {line}, column {column}: {error}; {}", error.expected.clone().unwrap_or_default())
}

#[test]
fn every_form_of_a_matrix_is_the_same_instance() {
    for (form, weights) in [
        ("FULL_MATRIX", "0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0"),
        ("FULL_MATRIX", "9 1 2 3 1 9 4\n5 2 4 9 6 3 5 6 9"),
        ("UPPER_ROW", "1 2 3\n4 5\n6"),
        ("LOWER_COL", "1 2 3 4 5 6"),
        ("LOWER_ROW", "1\n2 4\n3 5 6"),
        ("UPPER_COL", "1 2\n4 3 5 6"),
        ("UPPER_DIAG_ROW", "0 1 2 3 0 4 5 0 6 0"),
        ("LOWER_DIAG_COL", "0 1 2 3 0 4 5 0 6 0"),
        ("LOWER_DIAG_ROW", "0 1 0 2 4 0 3 5 6 0"),
        ("UPPER_DIAG_COL", "0\n1 0 2 4 0\n\n3 5 6 0"),
    ] {
        assert_eq!(content(&matrix(form, weights)), "EXPLICIT 4 1 2 3 4 5 6", "{form}");
    }
}

#[test]
fn the_same_coordinates_however_written_are_the_same_instance() {
    let expected = "EUC_2D 1000 560 0 -2.5 7 0";
    for text in [
        plane("EUC_2D", "1 1000 560\n2 0 -2.5\n3 7 0"),
        plane("EUC_2D", "  3 7 -0\n 1 1.0e+03 +5.6e2\n2 0.0 -2.50 "),
        plane("EUC_2D", "1 1000 560\r\n2 0 -2.5\r\n3 7 0\r"),
        // Keys with and without a space, several comments, no end, a display that counts for nothing.
        "\u{feff}NAME : x\nCOMMENT : one\nCOMMENT: two\nTYPE : TSP (M.~Hofmeister)\nDIMENSION:3\nEDGE_WEIGHT_TYPE : EUC_2D\n\
         DISPLAY_DATA_TYPE : TWOD_DISPLAY\nDISPLAY_DATA_SECTION\n1 5 5\n2 5 6\n3 8 8\nNODE_COORD_SECTION\n1\t1000 560\n2 0 -2.5\n3 7 0"
            .to_owned(),
    ] {
        assert_eq!(content(&text), expected, "{text}");
    }
    let geo =
        file(3, "EDGE_WEIGHT_TYPE: GEO\nEDGE_WEIGHT_FORMAT: FUNCTION\nNODE_COORD_SECTION\n1 1 2\n2 3 4\n3 5 6.5\n");
    assert_eq!(content(&geo), "GEO 1 2 3 4 5 6.5");
    assert_eq!(content(&plane("MAX_3D", "1 1 2 3\n2 3 4 5\n3 5 6 7")), "MAX_3D 1 2 3 3 4 5 5 6 7");
}

#[test]
fn the_name_of_an_instance_is_that_of_its_file() {
    let text = plane("EUC_2D", "1 1 2\n2 3 4\n3 5 6").replace("NAME: x", "NAME : ulysses16.tsp");
    assert_eq!(parse_named_instance(&text).unwrap().0.as_deref(), Some("ulysses16"));
    assert_eq!(parse_named_instance(&text.replace("NAME : ulysses16.tsp\n", "")).unwrap().0, None);
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let cities = "1 0 0\n2 0 1\n3 1 0";
    for (text, expected) in [
        (
            plane("EUC_2D", "1 0 0\n2 0 1"),
            "line 5, column 1: city 3 of 3 has no coordinates; the number of a city, followed by 2 coordinates",
        ),
        (
            plane("EUC_2D", "1 0 0\n2 0\n3 1 0"),
            "line 7, column 1: city 2 has 1 coordinates; the number of a city, followed by 2 coordinates",
        ),
        (
            plane("EUC_2D", "1 0 0\n2 0 1 7\n3 1 0"),
            "line 7, column 1: city 2 has 3 coordinates; the number of a city, followed by 2 coordinates",
        ),
        (plane("EUC_2D", "1 0 0\n2 0 1\n2 1 0"), "line 8, column 1: city 2 occurs twice; 3 different cities"),
        (plane("EUC_2D", "1 0 0\n2 0 1\n4 1 0"), "line 8, column 1: `4` is not a city number; 1 to 3"),
        (
            plane("EUC_2D", "1 0 0\n2 0 1x\n3 1 0"),
            "line 7, column 5: `1x` is not a coordinate; a number from -300000000 to 300000000",
        ),
        (
            plane("EUC_2D", "1 0 0\n2 0 1e9\n3 1 0"),
            "line 7, column 5: `1e9` is not a coordinate; a number from -300000000 to 300000000",
        ),
        (
            plane("EUC_2D", "1 0 0\n2 0 nan\n3 1 0"),
            "line 7, column 5: `nan` is not a coordinate; a number from -300000000 to 300000000",
        ),
        (matrix("UPPER_ROW", "1 2 3 4 5"), "line 6, column 1: the matrix has 5 weights; 6 weights"),
        (matrix("UPPER_ROW", "1 2 3 4 5 6 7"), "line 6, column 1: the matrix has 7 weights; 6 weights"),
        (
            matrix("UPPER_ROW", "1 2 3 4 5 6.5"),
            "line 7, column 11: `6.5` is not a weight; a whole number from -1000000000 to 1000000000",
        ),
        (
            matrix("FULL_MATRIX", "0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 7 0"),
            "line 10, column 5: the distance from city 4 to city 3 is 7, but the distance in the other direction is 6; \
             a symmetric matrix",
        ),
        (
            plane("EUC_2D", cities).replace("EOF", "EOF\nmore"),
            "line 10, column 1: text behind `EOF`; one instance per file",
        ),
        (
            plane("EUC_2D", cities).replace("DIMENSION", "DIMENSIONS"),
            "line 3, column 1: unknown key `DIMENSIONS`; the name of a key or section of TSPLIB95; did you mean `DIMENSION`?",
        ),
        (
            plane("EUC_2D", cities).replace("DIMENSION: 3", "DIMENSION: 2"),
            "line 3, column 12: instances with 2 cities are not supported; 3 to 65535",
        ),
        (
            plane("EUC_2D", cities).replace("DIMENSION: 3", "DIMENSION: 85900"),
            "line 3, column 12: instances with 85900 cities are not supported; 3 to 65535",
        ),
        (
            plane("EUC_2D", cities).replace("DIMENSION: 3", "DIMENSION 3"),
            "line 3, column 1: unknown key `DIMENSION 3`; the name of a key or section of TSPLIB95; did you mean `DIMENSION`?",
        ),
        (
            plane("EUC_2D", cities).replace("DIMENSION: 3", "DIMENSION: 3\nDIMENSION: 3"),
            "line 4, column 1: `DIMENSION` is given twice; ",
        ),
        (plane("EUC_2D", cities).replace("DIMENSION: 3\n", ""), "`DIMENSION` is missing; `DIMENSION : n`"),
        (
            plane("EUC_2D", cities).replace("NAME: x", "3"),
            "line 1, column 1: unexpected `3` before the first section; `KEY : value`",
        ),
        (
            plane("EUC_2D", cities).replace("NODE_COORD_SECTION", "FIXED_EDGES_SECTION"),
            "line 5, column 1: `FIXED_EDGES_SECTION`: fixed edges, which every tour must contain, are not supported; a \
             file of a symmetric instance, without this key or section",
        ),
        (
            plane("EUC_2D", cities).replace("TYPE: TSP", "TYPE: ATSP"),
            "line 2, column 7: instances of type `ATSP` are not supported; `TSP`, the type of symmetric instances",
        ),
        (
            plane("EUC_2D", cities).replace("TYPE: TSP", "TYPE: TOUR"),
            "line 2, column 7: instances of type `TOUR` are not supported; `TSP`, the type of symmetric instances",
        ),
        (
            plane("EUC_2D", cities).replace("EDGE_WEIGHT_TYPE: EUC_2D\n", ""),
            "`EDGE_WEIGHT_TYPE` is missing; `EUC_2D`, `CEIL_2D`, `ATT`, `GEO`, `MAN_2D`, `MAX_2D`, `EUC_3D`, `MAN_3D`, `MAX_3D`, `EXPLICIT`",
        ),
        (
            plane("EUC_2D", cities).replace("NODE_COORD", "EDGE_WEIGHT"),
            "`NODE_COORD_SECTION` is missing; `NODE_COORD_SECTION`",
        ),
        (
            plane("EUC_2D", cities).replace("NODE_COORD", "EDGE_WEIGHT_FORMAT: UPPER_ROW\nNODE_COORD"),
            "line 5, column 21: the format `UPPER_ROW` is for explicit weights, but coordinates define the weights of \
             this instance; `FUNCTION`, or omit the key",
        ),
    ] {
        assert_eq!(error(&text), expected, "{text}");
    }
    for kind in ["XRAY1", "XRAY2", "SPECIAL", "EUC_4D"] {
        assert!(error(&plane(kind, cities)).starts_with(&format!("line 4, column 19: edge weights of type `{kind}`")));
    }
    for form in ["FUNCTION", "SPARSE"] {
        assert!(error(&matrix(form, "1")).starts_with(&format!("line 5, column 21: matrices in the form `{form}`")));
    }
    assert!(error("").contains("`DIMENSION` is missing"));
}

proptest! {
    #[test]
    fn a_content_is_read_as_the_instance_that_wrote_it(n_cities in 3..30usize, seed: u64) {
        for instance in instances(n_cities, seed) {
            let read = TspInstance::from_content(&instance.content()).unwrap();
            prop_assert_eq!(read.content(), instance.content());
            for (one, other) in (0..n_cities).flat_map(|one| (0..n_cities).map(move |other| (one, other))) {
                prop_assert_eq!(read.weights().between(one, other), instance.weights().between(one, other));
            }
        }
    }

    #[test]
    fn every_coordinate_survives_the_content(numbers in prop::collection::vec(-3e8..3e8_f64, 6..7), exponent in -300..0i32) {
        let small = numbers.iter().map(|number| number * libm::pow(10.0, f64::from(exponent))).collect::<Vec<_>>();
        for coordinates in [numbers, small] {
            let instance = TspInstance::from_coordinates(super::WeightKind::Euc2D, coordinates.clone());
            let words = instance.content();
            let read: Vec<f64> = words.split(' ').skip(1).map(|word| word.parse().unwrap()).collect();
            prop_assert_eq!(read, coordinates);
        }
    }

    #[test]
    fn no_text_is_a_panic(text in "(NAME|TYPE|DIMENSION|EDGE_WEIGHT_TYPE|NODE_COORD_SECTION|TOUR_SECTION|[0-9 :\n.e-]|EUC_2D|\n){0,40}") {
        let _ = (parse_instance(&text), TspInstance::from_content(&text));
    }
}
