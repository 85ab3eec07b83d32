//! Forgeries of a results folder, by someone who seals every line again and has the files rebuilt: `verify` finds each, or
//! docs/RELIABILITY.md names it among those that no check within one folder can.

mod forger;
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
    let honest = Forger::new();
    assert_eq!(honest.verified().0, Some(0), "{}", honest.verified().1);
    let named = fs::read_to_string(NAMED_IN).expect("it is there");
    let named: String = named.split_whitespace().collect::<Vec<_>>().join(" ");
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
    let faults: Vec<String> = FORGERIES.par_iter().filter_map(fault).collect();
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), FORGERIES.len(), faults.join("\n"));
    let n_found = FORGERIES.iter().filter(|(_, _, verdict)| matches!(verdict, Verdict::Found(_))).count();
    assert!(n_found >= 40, "{n_found} of {} are found", FORGERIES.len());
    let counts = format!("{} forgeries: {n_found} are found, {} are not", FORGERIES.len(), FORGERIES.len() - n_found);
    assert!(named.contains(&counts), "docs/RELIABILITY.md is to say: {counts}");
}
