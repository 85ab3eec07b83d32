//! Forgeries of a results folder, by someone who seals every line again and has the files rebuilt: `verify` finds each, or
//! docs/RELIABILITY.md names it among those that no check within one folder can.

mod forger;
mod plan;
mod table;

use std::fs;

use forger::Forger;
use rayon::prelude::*;
use table::FORGERIES;

/// What becomes of a forgery.
#[derive(Clone, Copy)]
enum Verdict {
    /// It is found, and this is said of it.
    Found(&'static str),
    /// It is not, or has no effect; this is said, and docs/RELIABILITY.md names it.
    Beyond(&'static str),
}

/// A forgery: its name, how it is done, and what becomes of it.
type Forgery = (&'static str, fn(&Forger), Verdict);

/// Where the forgeries that are beyond proof are named.
const NAMED_IN: &str = "../../docs/RELIABILITY.md";

#[test]
fn every_forgery_is_found_or_named_as_beyond_proof() {
    let named = fs::read_to_string(NAMED_IN).expect("it is there");
    let named: String = named.split_whitespace().collect::<Vec<_>>().join(" ");
    let tables = [
        (forger::BOARDS, FORGERIES),
        (forger::BOARDS, plan::OF_BOARDS),
        (forger::SHOPS, plan::OF_SHOPS),
        (forger::TOURS, plan::OF_TOURS),
    ];
    let faults: Vec<String> =
        tables.iter().flat_map(|(experiment, forgeries)| faults(experiment, forgeries, &named)).collect();
    let all: Vec<&Forgery> = tables.iter().flat_map(|(_, forgeries)| *forgeries).collect();
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), all.len(), faults.join("\n"));
    let n_found = all.iter().filter(|(_, _, verdict)| matches!(verdict, Verdict::Found(_))).count();
    assert!(n_found >= 40, "{n_found} of {} are found", all.len());
    let counts = format!("{} forgeries: {n_found} are found, {} are not", all.len(), all.len() - n_found);
    assert!(named.contains(&counts), "docs/RELIABILITY.md is to say: {counts}");
}

/// What is not as a table of forgeries has it, of a folder of this experiment.
fn faults(experiment: &str, forgeries: &[Forgery], named: &str) -> Vec<String> {
    let honest = Forger::of(experiment);
    assert_eq!(honest.verified().0, Some(0), "{}", honest.verified().1);
    let fault = |(name, forge, verdict): &Forgery| {
        let forger = honest.copy();
        forge(&forger);
        let (status, said) = forger.verified();
        let (expected, is_status, is_named) = match verdict {
            Verdict::Found(expected) => (expected, matches!(status, Some(1)), true),
            Verdict::Beyond(expected) => (expected, status == Some(0), named.contains(*name)),
        };
        let is_right = is_status && is_named && said.contains(expected);
        (!is_right)
            .then(|| format!("{name} (exit status {status:?}, named: {is_named}), expected `{expected}`:\n{said}"))
    };
    forgeries.par_iter().filter_map(fault).collect()
}
