//! What a tail hands over, and what it keeps.

use std::io::Write;

use evogrid_core::budget::Stop;
use evogrid_core::identity::RunId;

use super::*;
use crate::journal::{Index, Writer};
use crate::record::tests::{record, set};

/// The kinds and runs that were handed over, and how often a kind was asked for.
#[derive(Default)]
struct Seen {
    runs: Vec<(usize, RunId)>,
    n_asked: usize,
}

impl TailVisitor for Seen {
    fn kind(&mut self, record: &Record) -> usize {
        self.n_asked += 1;
        record.settings["population"].as_u64().expect("a number") as usize
    }

    fn run(&mut self, kind: usize, _: usize, run: &FinishedRun) {
        self.runs.push((kind, run.run_id));
    }
}

fn of_population(bits: u64, population: u64) -> Record {
    let mut record = record(bits);
    set(&mut record, "population", population.into());
    record
}

fn id(bits: u64) -> RunId {
    RunId::from_bits(bits)
}

/// The text of a journal file of these records, by a writer.
fn written(records: &[Record]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = Writer::create(folder.path()).expect("a file");
    writer.append(records).expect("it is appended");
    fs::read(writer.path()).expect("a file")
}

fn look(tail: &mut JournalTail, seen: &mut Seen) -> TailChange {
    tail.look(seen, &|| false).expect("it can be read")
}

#[test]
fn runs_of_configurations_in_turn_are_known_by_how_their_lines_begin() {
    let folder = tempfile::tempdir().expect("a folder");
    let records: Vec<Record> = (0..90).map(|bits| of_population(bits, bits % 3)).collect();
    fs::write(folder.path().join("a.jsonl"), written(&records)).expect("a file");
    let (mut tail, mut seen) = (JournalTail::new(folder.path()), Seen::default());
    assert_eq!(look(&mut tail, &mut seen).n_runs, 90);
    assert!(seen.runs.iter().copied().eq((0..90).map(|bits| (bits as usize % 3, id(bits)))));
    assert_eq!(seen.n_asked, 3, "once for each kind");
}

#[test]
fn a_run_says_the_same_whether_its_line_is_known_or_new() {
    /// What runs say, as text.
    #[derive(Default)]
    struct Runs(Vec<String>);
    impl TailVisitor for Runs {
        fn kind(&mut self, _: &Record) -> usize {
            0
        }

        fn run(&mut self, _: usize, _: usize, run: &FinishedRun) {
            self.0.push(format!("{run:?}"));
        }
    }
    let mut failed = record(7);
    (failed.outcome.stop, failed.outcome.best_fitness) = (Stop::Failed, None);
    (failed.message, failed.key.instance) = (Some("a \"quoted\"\nline".to_owned()), "é\t\"".to_owned());
    let mut long = record(8);
    (long.outcome.objective, long.outcome.solved) = (Some(0.1 + 0.2), None);
    long.solution = Some("x".repeat(100_000));
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.jsonl"), written(&[failed, long])).expect("a file");
    let mut one_by_one = Runs::default();
    for text in written_lines(folder.path()) {
        let skimmed = Skimmer::default().skim(&mut text.clone(), true, |_| 0).expect("a record");
        one_by_one.run(skimmed.kind, 0, &skimmed.finished);
    }
    let mut followed = Runs::default();
    JournalTail::new(folder.path()).look(&mut followed, &|| false).expect("it can be read");
    assert_eq!(followed.0, one_by_one.0);
    assert!(followed.0[0].contains(r#"stop: Failed, wall_ms: 1.25,"#), "{}", followed.0[0]);
    assert!(followed.0[0].contains(r#"message: Some("a \"quoted\"\nline")"#), "{}", followed.0[0]);
    assert!(followed.0[1].contains("solved: None, objective: Some(0.30000000000000004)"), "{}", followed.0[1]);
}

fn written_lines(folder: &Path) -> Vec<Vec<u8>> {
    let text = fs::read(folder.join("a.jsonl")).expect("a file");
    text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect()
}

#[test]
fn wherever_a_file_is_cut_each_run_is_handed_over_once_it_is_there() {
    let text = written(&[of_population(1, 1), of_population(2, 2), of_population(3, 2)]);
    for cut in 0..=text.len() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.jsonl");
        let (mut tail, mut seen) = (JournalTail::new(folder.path()), Seen::default());
        fs::write(&path, &text[..cut]).expect("a file");
        let first = look(&mut tail, &mut seen);
        let is_same_as_index = Index::read(folder.path()).expect("a journal").len() as u64 == first.n_runs;
        assert!(is_same_as_index && first.n_damaged == 0, "cut at {cut}: {first:?}");
        assert_eq!(look(&mut tail, &mut seen), TailChange::default(), "nothing has changed");
        let mut file = fs::OpenOptions::new().append(true).open(&path).expect("a file");
        file.write_all(&text[cut..]).expect("it is appended");
        look(&mut tail, &mut seen);
        assert_eq!(seen.runs, [(1, id(1)), (2, id(2)), (2, id(3))], "cut at {cut}");
    }
}

#[test]
fn a_damaged_line_is_left_out_and_the_others_are_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = written(&[of_population(1, 1), of_population(2, 1), of_population(3, 1)]);
    let middle = text.len() / 2;
    text[middle] ^= 1;
    fs::write(folder.path().join("a.jsonl"), &text).expect("a file");
    let (mut tail, mut seen) = (JournalTail::new(folder.path()), Seen::default());
    let change = look(&mut tail, &mut seen);
    assert_eq!((change.n_runs, change.n_damaged), (2, 1));
    assert_eq!(seen.runs, [(1, id(1)), (1, id(3))]);
}

#[test]
fn a_journal_that_was_set_aside_or_cut_is_begun_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let text = written(&[of_population(1, 1), of_population(2, 1)]);
    fs::write(&path, &text).expect("a file");
    let (mut tail, mut seen) = (JournalTail::new(folder.path()), Seen::default());
    look(&mut tail, &mut seen);
    fs::write(&path, &text[..text.len() / 2]).expect("a file");
    assert!(look(&mut tail, &mut seen).is_reset);
    assert_eq!(look(&mut tail, &mut seen).n_runs, 1);
    fs::remove_file(&path).expect("it is there");
    assert!(look(&mut tail, &mut seen).is_reset);
    assert_eq!(look(&mut tail, &mut seen), TailChange::default());
}

#[test]
fn what_is_kept_does_not_grow_with_the_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let mut file = fs::OpenOptions::new().create(true).append(true).open(&path).expect("a file");
    let (mut tail, mut seen) = (JournalTail::new(folder.path()), Seen::default());
    let text = written(&(0..500).map(|bits| of_population(bits, bits % 5)).collect::<Vec<_>>());
    for _ in 0..20 {
        file.write_all(&text).expect("it is appended");
        look(&mut tail, &mut seen);
        assert_eq!((tail.skimmer.kinds.len(), tail.files.len(), tail.numbers.len()), (5, 1, 1));
        assert!(tail.line.capacity() < 4096);
    }
    assert_eq!(seen.runs.len(), 10_000);
}
