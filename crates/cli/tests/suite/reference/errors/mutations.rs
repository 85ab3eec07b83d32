//! Files that are wrong in ways that nobody thought of: reading them never panics, and no unknown key passes unnoticed.

use std::collections::BTreeSet;
use std::path::Path;

use evogrid_core::catalogue::Catalogue;
use evogrid_core::parameter::Declaration;
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::experiment::spec::Spec;
use toml::de::{DeTable, DeValue};

use super::invocation::BOARDS;

/// A valid experiment that has some of everything.
const EXPERIMENT: &str = include_str!("../../../errors/everything.toml");

/// Keys that an experiment may have, wherever.
const KEYS: &str = "experiment name title seed repetitions seeding published instances problem path buckets ids limit \
                    box algorithms preset kind grid zip exclude from to step factor budget record trace every";

/// SplitMix64: mutations are the same at every test.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        start..(start + self.below(12)).min(length)
    }

    /// One or two changes: a byte flipped or replaced, some left out, doubled, or moved elsewhere.
    fn mutate(&mut self, text: &str) -> Vec<u8> {
        const BYTES: &[u8] = b"\"'[]{}=.,#\n\r\t -_+0159einfx\\\x00\x1b\x7f\xff\xc3\xe2";
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=self.below(2) {
            let at = self.below(bytes.len().max(1));
            match self.below(6) {
                0 if !bytes.is_empty() => bytes[at] ^= 1 << self.below(8),
                1 if !bytes.is_empty() => bytes[at] = BYTES[self.below(BYTES.len())],
                2 => bytes.insert(at.min(bytes.len()), BYTES[self.below(BYTES.len())]),
                3 => drop(bytes.drain(self.range(bytes.len()))),
                _ => {
                    let some = bytes[self.range(bytes.len())].to_vec();
                    bytes.splice(at.min(bytes.len())..at.min(bytes.len()), some);
                }
            }
        }
        bytes
    }
}

fn load(folder: &Path, experiment: &[u8], boards: &[u8], catalogue: &Catalogue) -> Result<Spec, Diagnostics> {
    std::fs::write(folder.join("demo.toml"), experiment).expect("the experiment is written");
    std::fs::write(folder.join("boards.csv"), boards).expect("the data set is written");
    Spec::load(&folder.join("demo.toml"), &[], catalogue)
}

/// All keys of a table and of those in it, names of algorithms left out.
fn keys(table: &DeTable<'_>, is_named: bool, found: &mut BTreeSet<String>) {
    for (key, value) in table {
        let key = key.get_ref();
        if !is_named {
            found.extend(key.split('.').map(str::to_owned));
        }
        match value.get_ref() {
            DeValue::Table(inner) => keys(inner, key == "algorithms", found),
            DeValue::Array(items) => items.iter().for_each(|item| {
                if let DeValue::Table(inner) = item.get_ref() {
                    keys(inner, false, found);
                }
            }),
            _ => {}
        }
    }
}

#[test]
fn mutated_files_are_read_without_panic_and_taken_without_unknown_keys() {
    let catalogue = evogrid_cli::catalogue();
    let mut known: BTreeSet<&str> = KEYS.split_whitespace().collect();
    let operators = catalogue.operators.declarations();
    let mut declared: Vec<&Declaration> = vec![&evogrid_core::budget::DECLARATION];
    declared.extend(operators.iter().flat_map(|(_, members)| members));
    declared.extend(catalogue.algorithms.declarations());
    catalogue.families().for_each(|family| declared.push(family.declaration()));
    let parameters = declared.into_iter().flat_map(|declared| declared.parameters);
    known.extend(parameters.map(|parameter| parameter.name));

    let folder = tempfile::tempdir().expect("a temporary folder");
    load(folder.path(), EXPERIMENT.as_bytes(), BOARDS.as_bytes(), &catalogue)
        .unwrap_or_else(|diagnostics| panic!("the experiment is valid:\n{diagnostics}"));
    let mut draws = Draws(20_161_102);
    let (mut taken, mut refused) = (0, 0);
    for round in 0..3000 {
        let is_data = round % 3 == 0;
        let experiment = if is_data { EXPERIMENT.as_bytes().to_vec() } else { draws.mutate(EXPERIMENT) };
        let boards = if is_data { draws.mutate(BOARDS) } else { BOARDS.as_bytes().to_vec() };
        match load(folder.path(), &experiment, &boards, &catalogue) {
            Ok(spec) => {
                taken += 1;
                let text = String::from_utf8(experiment).expect("what was taken is UTF-8");
                let mut found = BTreeSet::new();
                let parsed = DeTable::parse(text.strip_prefix('\u{feff}').unwrap_or(&text));
                keys(parsed.expect("what was taken is TOML").get_ref(), false, &mut found);
                let unknown: Vec<&String> = found.iter().filter(|key| !known.contains(key.as_str())).collect();
                assert!(unknown.is_empty(), "{unknown:?} in\n{text}");
                let ids: BTreeSet<&str> = spec.instances.iter().map(|loaded| loaded.id).collect();
                assert!(!ids.contains("") && ids.len() == spec.instances.len());
            }
            Err(diagnostics) => {
                refused += 1;
                let text = diagnostics.to_string();
                assert!(text.starts_with("error: "), "{text}");
                assert!(text.chars().all(|character| character == '\n' || !character.is_control()), "{text:?}");
            }
        }
    }
    assert!(taken > 100 && refused > 1000, "the mutations reach both: {taken} taken, {refused} refused");
}

#[test]
fn a_key_with_any_letter_wrong_is_refused_by_its_name() {
    let catalogue = evogrid_cli::catalogue();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lines: Vec<&str> = EXPERIMENT.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let Some((key, rest)) = line.split_once(" = ") else { continue };
        for at in (0..key.len()).filter(|&at| key.as_bytes()[at].is_ascii_alphabetic()) {
            let (before, after) = (&key[..at], &key[at + 1..]);
            for wrong in [format!("{before}{after}"), format!("{before}q{after}"), format!("{before}q{}", &key[at..])] {
                let mut lines = lines.clone();
                let changed = format!("{wrong} = {rest}");
                lines[number] = &changed;
                let text = lines.join("\n");
                let Err(diagnostics) = load(folder.path(), text.as_bytes(), BOARDS.as_bytes(), &catalogue) else {
                    panic!("`{wrong}` was taken");
                };
                let shown = diagnostics.to_string();
                assert!(shown.contains(&changed), "`{wrong}` is not shown:\n{shown}");
            }
        }
    }
}
