//! Tours through the core's searches, and the published tours of TSPLIB where its files are.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use evogrid_problems::tsp::{independent_check, parse_instance, parse_tour};

/// Lengths of the shortest tours, by the names of the instances in small letters.
fn optima() -> BTreeMap<String, i64> {
    let rows = include_str!("../../../datasets/tsp/optima.csv").lines().skip(1);
    let row = |line: &str| {
        let mut fields = line.split(',');
        let name = fields.next().expect("an id").to_lowercase();
        (name, fields.next().expect("a length").parse().expect("a number"))
    };
    rows.map(row).collect()
}

/// The files are not ours to give: `scripts/check_tsplib.py` fetches them and says where they are.
#[test]
fn published_tours_are_as_long_as_published() {
    let Some(folder) = std::env::var_os("EVOGRID_TSPLIB") else {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: EVOGRID_TSPLIB names no folder of TSPLIB files; see scripts/check_tsplib.py"
        );
        return;
    };
    let folder = Path::new(&folder);
    let (mut n_read, mut n_tours, optima) = (0, 0, optima());
    let mut refused = Vec::new();
    for (name, &optimum) in &optima {
        let Ok(text) = std::fs::read_to_string(folder.join(format!("{name}.tsp"))) else { continue };
        let instance = match parse_instance(&text) {
            Ok(instance) => instance,
            Err(error) => {
                refused.push(format!("{name}: {error}"));
                continue;
            }
        };
        n_read += 1;
        // Some files of tours hold a length and no tour.
        let tour = std::fs::read_to_string(folder.join(format!("{name}.opt.tour")));
        let Some(tour) = tour.ok().filter(|text| text.contains("TOUR_SECTION")) else { continue };
        let tour = parse_tour(&tour).unwrap_or_else(|error| panic!("{name}.opt.tour: {error}"));
        assert_eq!(instance.weights().tour_length(&tour), optimum, "{name}");
        let line: Vec<String> = tour.iter().map(|city| (city + 1).to_string()).collect();
        assert_eq!(independent_check::tour_length(&instance.content(), &line.join(" ")), Ok(optimum), "{name}");
        n_tours += 1;
    }
    let _ = writeln!(
        std::io::stderr(),
        "{n_read} instances read, {n_tours} optimal tours recomputed; refused: {refused:#?}"
    );
    assert!(n_tours >= 32 && n_read >= 109, "{n_read} instances, {n_tours} tours");
}
