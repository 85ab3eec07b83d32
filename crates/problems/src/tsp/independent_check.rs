//! The independent check: it reads a tour from a text, and computes the length of this tour. The check shares no code with the search, the
//! instances or the weights.

use evogrid_core::family::Objective;

use crate::solutions;

/// The objective of a tour.
pub(crate) static OBJECTIVES: [Objective; 1] = [Objective::minimised("tour length", |content, solution| {
    tour_length(content, solution).map(|length| length as f64)
})];

/// Computes the length of a tour. `content` is the text of the instance, and `solution` is the tour. The content has the form
/// `EUC_2D x y x y ...`, or begins with `EXPLICIT n`. After `EXPLICIT n`, the weights above the diagonal follow. The tour lists the cities
/// in order, separated by spaces. Cities are counted from 1.
///
/// # Errors
/// If the text of the tour contains a word that is not a city, returns a message about the first such word. If a city occurs twice or is
/// missing, returns a message about this city.
pub fn tour_length(content: &str, solution: &str) -> Result<i64, String> {
    let mut fields = content.split_whitespace();
    let kind = fields.next().ok_or("the instance is empty")?;
    let numbers: Vec<f64> = fields
        .map(|field| field.parse().map_err(|_| format!("the instance contains `{field}`, but a number was expected")))
        .collect::<Result<_, _>>()?;
    let dimensions = match kind {
        "EXPLICIT" => 0,
        "EUC_3D" | "MAN_3D" | "MAX_3D" => 3,
        _ => 2,
    };
    let n_cities = match dimensions {
        0 => *numbers.first().ok_or("the instance has no size")? as usize,
        _ => numbers.len() / dimensions,
    };
    if !(3..=65_535).contains(&n_cities) {
        return Err(format!("the instance has {n_cities} cities; expected 3 to 65535"));
    }
    let tour = solutions::check(solution.split_whitespace(), n_cities, "city")?;
    let mut total = 0;
    for (place, &from) in tour.iter().enumerate() {
        let to = tour[(place + 1) % n_cities];
        total += match dimensions {
            0 => {
                // The rows above the row of the smaller city have n - 1, n - 2, ... entries.
                let (row, column) = (from.min(to), from.max(to));
                let entry = 1 + row * (2 * n_cities - row - 1) / 2 + column - row - 1;
                *numbers.get(entry).ok_or("the weights of the instance are missing")? as i64
            }
            _ => edge(kind, &numbers[from * dimensions..][..dimensions], &numbers[to * dimensions..][..dimensions])?,
        };
    }
    Ok(total)
}

/// The length of an edge between two cities from their coordinates, by the rules in the document of TSPLIB95.
fn edge(kind: &str, from: &[f64], to: &[f64]) -> Result<i64, String> {
    let apart: Vec<f64> = from.iter().zip(to).map(|(one, other)| (one - other).abs()).collect();
    let nint = |number: f64| (number + 0.5).floor();
    let squares: f64 = apart.iter().map(|axis| axis * axis).sum();
    let length = match kind {
        "EUC_2D" | "EUC_3D" => nint(squares.sqrt()),
        "CEIL_2D" => squares.sqrt().ceil(),
        "MAN_2D" | "MAN_3D" => nint(apart.iter().sum()),
        "MAX_2D" | "MAX_3D" => apart.iter().map(|&axis| nint(axis)).fold(0.0, f64::max),
        "ATT" => {
            let rij = (squares / 10.0).sqrt();
            let tij = nint(rij);
            if tij < rij { tij + 1.0 } else { tij }
        }
        "GEO" => {
            let geographical = |number: &f64| {
                let (degrees, minutes) = (number.trunc(), number.fract());
                // Pi has six decimals in TSPLIB.
                3_141_592.0 / 1e6 * (degrees + 5.0 * minutes / 3.0) / 180.0
            };
            let [a, b] = [from, to].map(|city| city.iter().map(geographical).collect::<Vec<_>>());
            let q1 = libm::cos(a[1] - b[1]);
            let q2 = libm::cos(a[0] - b[0]);
            let q3 = libm::cos(a[0] + b[0]);
            let cosine = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3);
            (6378.388 * libm::acos(cosine.clamp(-1.0, 1.0)) + 1.0).floor()
        }
        _ => return Err(format!("the type of the edge weights of the instance is unknown: `{kind}`")),
    };
    Ok(length as i64)
}

#[cfg(test)]
mod tests {
    use super::super::tests::instances;
    use super::*;
    use evogrid_core::random::RandomStream;

    #[test]
    fn the_check_and_the_search_agree_on_tours_of_every_kind() {
        let mut random = RandomStream::from_seed(9);
        for n_cities in [3, 4, 17, 60] {
            for instance in instances(n_cities, 5) {
                let mut tour: Vec<u16> = (0..n_cities as u16).collect();
                for _ in 0..20 {
                    random.shuffle(&mut tour);
                    let words: Vec<String> = tour.iter().map(|city| (city + 1).to_string()).collect();
                    let length = tour_length(&instance.content(), &words.join(" "));
                    assert_eq!(length, Ok(instance.weights().tour_length(&tour)), "{:?}", instance.weights().kind());
                }
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let content = "EUC_2D 0 0 0 3 4 0";
        assert_eq!(tour_length(content, "3 1 2"), Ok(12));
        for (solution, expected) in [
            ("1 2", "city 3 is missing"),
            ("1 2 2", "city 2 occurs twice"),
            ("0 1 2", "`0` is not a city: expected 1 to 3"),
            ("1 2 3 4", "`4` is not a city: expected 1 to 3"),
            ("1 two 3", "`two` is not a city: expected 1 to 3"),
        ] {
            assert_eq!(tour_length(content, solution), Err(expected.to_owned()));
        }
        assert!(tour_length("", "1").is_err() && tour_length("EUC_2D x", "1").is_err());
        assert!(tour_length("EXPLICIT", "1").is_err() && tour_length("EXPLICIT 3 1", "1 2 3").is_err());
        assert!(tour_length("XRAY1 0 0 0 3 4 0", "1 2 3").is_err());
    }
}
