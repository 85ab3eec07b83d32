//! QAPLIB's published permutations, recomputed where its files are: `EVOGRID_QAPLIB` names their folder. `scripts/peers/qaplib.sh` fetches
//! them and runs this.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use evogrid_core::layout::Allele;
use evogrid_core::problem::Problem;
use evogrid_problems::qap::{Qap, independent_check, read_dat, taillard};

/// Files whose permutation gives each row of B its row of A, not the other way round.
const INVERTED: [&str; 8] = ["esc128", "kra30a", "kra30b", "ste36c", "tai60a", "tai80a", "tho150", "tho30"];

/// A file that states more than its permutation costs.
const OVERSTATED: [(&str, i64); 1] = [("kra32", 88_900)];

/// A solution as QAPLIB keeps it.
#[derive(Debug, PartialEq)]
struct Solution {
    stated_cost: i64,
    /// For each row of A, the row of B that is assigned to it, from 0, or in some files the other way round.
    permutation: Vec<Allele>,
}

/// Reads `n`, the cost, and a permutation of 1 to `n`, between white space or commas. Where there is a 0 in it, it is one of 0 to `n - 1`,
/// as in QAPLIB's `tai40a.sln`.
fn solution(text: &str) -> Solution {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let numbers: Vec<i64> = words.map(|word| word.parse().expect("a whole number")).collect();
    let [n, stated_cost, permutation @ ..] = &numbers[..] else { panic!("no size and no cost") };
    let least = i64::from(!permutation.contains(&0));
    let permutation: Vec<Allele> = permutation.iter().map(|number| (number - least) as Allele).collect();
    let mut sorted = permutation.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, Vec::from_iter(0..*n as Allele));
    Solution { stated_cost: *stated_cost, permutation }
}

#[test]
fn solutions_may_have_commas() {
    let expected = Solution { stated_cost: 578, permutation: vec![2, 0, 1] };
    for text in ["  3 578\n 3,1,2\n", "3  578\n3 1\n2", "3 578\n2 0 1"] {
        assert_eq!(solution(text), expected);
    }
}

/// What the instances' permutations must cost.
fn best_known() -> BTreeMap<String, i64> {
    let text = include_str!("../../../../datasets/qap/best_known.csv");
    let row = |line: &str| {
        let mut fields = line.split(',');
        let (instance, value) = (fields.next()?.to_owned(), fields.next()?.parse().ok()?);
        Some((instance, value))
    };
    text.lines().skip(1).map(|line| row(line).expect("an instance and a number")).collect()
}

#[test]
fn the_permutations_of_qaplib_cost_what_is_known() {
    let Some(folder) = std::env::var_os("EVOGRID_QAPLIB") else {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: EVOGRID_QAPLIB names no folder with QAPLIB's files; scripts/peers/qaplib.sh fetches them"
        );
        return;
    };
    let text = |instance: &str, extension: &str| {
        std::fs::read_to_string(Path::new(&folder).join(instance).with_extension(extension))
    };
    let (mut n_instances, mut n_permutations) = (0, 0);
    for (instance, known) in best_known() {
        let dat = text(&instance, "dat").unwrap_or_else(|error| panic!("{instance}.dat: {error}"));
        let matrices = read_dat(&dat).unwrap_or_else(|error| panic!("{instance}.dat: {error}"));
        n_instances += 1;
        if let Some(made) = taillard::published().find(|made| made.id == instance) {
            assert_eq!(taillard::matrices(made.id).as_ref(), Ok(&matrices), "{instance} is made from its seeds");
            assert_eq!(made.number::<i64>("best_known_cost"), known, "{instance}");
        }
        let Ok(sln) = text(&instance, "sln") else { continue };
        let solution = solution(&sln);
        n_permutations += 1;
        let stated = OVERSTATED.iter().find(|(other, _)| *other == instance).map_or(known, |&(_, stated)| stated);
        assert_eq!(solution.stated_cost, stated, "{instance}");
        let (content, problem) = (matrices.content(), Qap::new(matrices));
        let cost = |genome: &[Allele]| {
            let checked = independent_check::cost(&content, &problem.describe(genome));
            let checked = checked.unwrap_or_else(|error| panic!("{instance}: {error}"));
            assert_eq!(problem.fitness(genome).value(), checked as f64, "{instance}");
            checked
        };
        let mut inverse = vec![0; solution.permutation.len()];
        for (row, &target) in (0..).zip(&solution.permutation) {
            inverse[usize::from(target)] = row;
        }
        if INVERTED.contains(&instance.as_str()) {
            assert_ne!(cost(&solution.permutation), known, "{instance}");
            assert_eq!(cost(&inverse), known, "{instance}");
        } else {
            assert_eq!(cost(&solution.permutation), known, "{instance}");
        }
    }
    let _ = writeln!(std::io::stderr(), "{n_permutations} permutations of {n_instances} instances recomputed");
    assert_eq!((n_instances, n_permutations), (136, 128));
}

#[test]
fn best_known_values_of_made_instances_are_those_of_the_data_set() {
    let known = best_known();
    for made in taillard::published() {
        assert_eq!(known[made.id], made.number::<i64>("best_known_cost"), "{}", made.id);
    }
}
