//! A map of an instance in characters.

use evogrid_core::family::Room;

use super::instance::TspInstance;

/// The size of the largest map. A larger map would not show more.
const MAX_COLUMNS: usize = 72;
const MAX_ROWS: usize = 24;

/// A map with the cities as dots and a caption. With a tour, the first city is a `1`, and the caption contains the length. For an instance
/// with a matrix, the map is only the caption.
pub(super) fn map(instance: &TspInstance, solution: Option<&str>, room: Room) -> Vec<String> {
    let n_cities = instance.n_cities();
    let caption = match solution.map(|tour| super::independent_check::tour_length(&instance.content(), tour)) {
        Some(Ok(length)) => format!("tour of {n_cities} cities, length {length}"),
        Some(Err(error)) => error,
        None => format!("{n_cities} cities"),
    };
    let start = solution.and_then(|tour| tour.split_whitespace().next()?.parse::<usize>().ok());
    let (columns, rows) = (room.columns.min(MAX_COLUMNS), room.rows.saturating_sub(1).min(MAX_ROWS));
    let mut lines = Vec::new();
    if let (Some(places), true) = (instance.places(), columns > 0 && rows > 0) {
        let mut map = vec![vec![' '; columns]; rows];
        let range = |axis: usize| {
            let along = || places.iter().map(|place| place[axis]);
            (along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max))
        };
        let (across, up) = (range(0), range(1));
        let cell = |value: f64, (low, high): (f64, f64), n_cells: usize| {
            let share = if high > low { (value - low) / (high - low) } else { 0.0 };
            (share * (n_cells - 1) as f64).round() as usize
        };
        for (city, &[x, y]) in (1..).zip(&places) {
            let place = &mut map[rows - 1 - cell(y, up, rows)][cell(x, across, columns)];
            *place = if Some(city) == start { '1' } else { (*place).max('.') };
        }
        lines.extend(map.into_iter().map(|row| String::from_iter(row).trim_end().to_owned()));
    }
    lines.push(caption.chars().take(room.columns).collect());
    lines.truncate(room.rows);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_keeps_to_its_room() {
        let square = TspInstance::from_content("EUC_2D 0 0 0 10 10 10 10 0").unwrap();
        let room = Room { columns: 30, rows: 4 };
        let corners = format!("{}{}{}", '.', " ".repeat(28), '.');
        let lower = format!("{}{}{}", '.', " ".repeat(28), '1');
        let tour = "tour of 4 cities, length 40";
        assert_eq!(map(&square, Some("4 1 2 3"), room), [&corners[..], "", &lower, tour]);
        assert_eq!(map(&square, None, Room { columns: 5, rows: 1 }), ["4 cit"]);
        let matrix = TspInstance::from_content("EXPLICIT 3 1 2 3").unwrap();
        assert_eq!(map(&matrix, Some("1 2"), Room::UNBOUNDED), ["city 3 is missing"]);
    }
}
