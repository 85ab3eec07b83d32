//! Skimming: reads the outcome in a line, and skips the settings. The settings are the longest part of the line.
//!
//! All runs of a configuration have the same settings, byte for byte. In a journal, most runs of a configuration follow each other. So the
//! text between the id and the end of the settings is read only once. In further lines, this text is only compared with the known texts.

use std::collections::HashMap;

use evogrid_core::identity::RunId;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::checksum;
use super::reason;
use crate::json::{RecordLine, read_tail};
use crate::record::Record;
use crate::run::RunOutcome;
use crate::solution::SolutionPlace;
use crate::trace::Trace;

/// The text before the id in a line of our writer, and the text after the settings.
const BEFORE_ID: &[u8] = b"{\"run_id\":\"";
const AFTER_SETTINGS: &[u8] = b"},\"problem\":";

/// The number of bytes of an id.
const ID_LEN: usize = 17;

/// The start of the part that distinguishes kinds of runs.
const HEAD_START: usize = BEFORE_ID.len() + ID_LEN;

/// The maximum number of known beginnings of lines. If there are more, all beginnings are forgotten and collected again.
const HEADS_LIMIT: usize = 4096;

/// Reads lines, many of which have the same beginning between the id and the end of the settings.
#[derive(Debug, Default)]
pub(super) struct Skimmer {
    /// The known beginnings of lines, with the kind of their runs.
    pub(super) kinds: HashMap<Box<[u8]>, usize>,
    /// The beginning of the previous line, with the kind of its run.
    last: Option<(Box<[u8]>, usize)>,
}

/// The part of a record that can be read quickly. This part contains the id of the instance, but neither the settings, the solution nor the
/// name of the algorithm.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FinishedRun {
    /// The run.
    pub run_id: RunId,
    /// Id of the instance.
    pub instance: String,
    /// The repetition of the run, counted from 0.
    pub repetition: u64,
    /// The outcome of the run.
    pub outcome: RunOutcome,
    /// The reason of the failure, if the run failed.
    pub message: Option<String>,
    /// The trace of the run, if it was recorded.
    pub trace: Option<Trace>,
}

/// A line that was skimmed.
#[derive(Debug, PartialEq)]
pub(super) struct SkimmedLine {
    pub(super) finished: FinishedRun,
    /// The kind of the run, which the caller determined for the first line with this beginning.
    pub(super) kind: usize,
    /// The position of the solution, if the solution is not in the line.
    pub(super) solution_place: Option<SolutionPlace>,
}

impl SkimmedLine {
    fn new(RecordLine { record, solution_place }: RecordLine, kind: usize) -> Self {
        let Record { key, outcome, message, trace, .. } = record;
        let (run_id, instance, repetition) = (key.run_id, key.instance, key.repetition);
        Self { finished: FinishedRun { run_id, instance, repetition, outcome, message, trace }, kind, solution_place }
    }
}

impl Skimmer {
    /// Reads a line, which must be a complete record. If `is_sealed` is true, the line must have a checksum. The buffer `line` may be
    /// changed. `kind` determines the kind of a run from the algorithm and the settings of its record. It is called for the first line with
    /// each beginning.
    ///
    /// # Errors
    /// Returns the reason why the line is not valid.
    pub(super) fn skim(
        &mut self,
        line: &mut [u8],
        is_sealed: bool,
        kind: impl FnOnce(&Record) -> usize,
    ) -> Result<SkimmedLine, String> {
        require_seal(line, is_sealed)?;
        match self.skim_alike(line) {
            Some(skimmed) => Ok(skimmed),
            None => self.read(line, kind),
        }
    }

    /// Reads a line with a known beginning; `None` if its beginning is new, or the line contains anything unusual.
    fn skim_alike(&mut self, line: &mut [u8]) -> Option<SkimmedLine> {
        let (end, kind) = self.known(line)?;
        let run_id = str::from_utf8(&line[BEFORE_ID.len()..HEAD_START]).ok()?.parse().ok()?;
        // The rest of the line is an object of JSON if its comma is replaced by a brace.
        line[end] = b'{';
        let mut found = RecordLine::default();
        let read = str::from_utf8(&line[end..]).ok().and_then(|text| read_tail(text, &mut found).ok());
        line[end] = b',';
        found.record.key.run_id = run_id;
        read.map(|()| SkimmedLine::new(found, kind))
    }

    /// The end of the settings in a line, and the kind of its run, if the beginning of the line is known.
    fn known(&mut self, line: &[u8]) -> Option<(usize, usize)> {
        let behind = line.strip_prefix(BEFORE_ID)?.get(ID_LEN..)?;
        if let Some((last, kind)) = &self.last
            && behind.strip_prefix(&**last).is_some_and(|rest| rest.starts_with(&AFTER_SETTINGS[1..]))
        {
            return Some((HEAD_START + last.len(), *kind));
        }
        let end = head_end(line)?;
        let (head, &kind) = self.kinds.get_key_value(&line[HEAD_START..end])?;
        self.last = Some((head.clone(), kind));
        Some((end, kind))
    }

    /// Reads a complete line, and remembers its beginning.
    fn read(&mut self, line: &[u8], kind: impl FnOnce(&Record) -> usize) -> Result<SkimmedLine, String> {
        let text = str::from_utf8(line).map_err(|error| error.to_string())?;
        let found: RecordLine = serde_json::from_str(text).map_err(|error| reason(&error))?;
        let kind = kind(&found.record);
        if let Some(end) = head_end(line).filter(|&end| settings_end(text) == Some(end)) {
            if self.kinds.len() >= HEADS_LIMIT {
                self.kinds.clear();
            }
            let head = &line[HEAD_START..end];
            self.kinds.insert(head.into(), kind);
            self.last = Some((head.into(), kind));
        }
        Ok(SkimmedLine::new(found, kind))
    }
}

/// The end of the settings in a line, if our writer wrote the line.
fn head_end(line: &[u8]) -> Option<usize> {
    let behind = line.strip_prefix(BEFORE_ID)?.get(ID_LEN..)?;
    // Quotation marks inside a text are escaped. So these bytes can only be a member of the object.
    let at = behind.windows(AFTER_SETTINGS.len()).position(|part| part == AFTER_SETTINGS)?;
    Some(HEAD_START + at + 1)
}

/// The end of the settings in a line, found by reading the whole line.
fn settings_end(text: &str) -> Option<usize> {
    let settings = serde_json::from_str::<SettingsText<'_>>(text).ok()?.settings.get();
    Some(settings.as_ptr() as usize - text.as_ptr() as usize + settings.len())
}

/// Refuses a line whose checksum is missing or wrong.
pub(super) fn require_seal(line: &[u8], is_sealed: bool) -> Result<(), String> {
    match checksum::check(line) {
        Some(false) => Err("checksum mismatch".to_owned()),
        None if is_sealed => Err("the line has no checksum, although the file was written with checksums".to_owned()),
        _ => Ok(()),
    }
}

/// The text of the settings in a line.
#[derive(Deserialize)]
struct SettingsText<'a> {
    #[serde(borrow)]
    settings: &'a RawValue,
}

#[cfg(test)]
mod tests {
    use evogrid_core::budget::Stop;

    use super::*;
    use crate::record::tests::{record, set};

    fn line(record: &Record) -> Vec<u8> {
        let mut line = serde_json::to_vec(record).expect("a record is JSON");
        checksum::seal(&mut line, 0);
        line
    }

    fn finished(record: &Record) -> SkimmedLine {
        SkimmedLine::new(RecordLine { record: record.clone(), solution_place: None }, 0)
    }

    #[test]
    fn lines_that_begin_alike_and_lines_that_do_not_are_read_the_same() {
        let mut skimmer = Skimmer::default();
        let mut records = [record(1), record(2), record(3), record(4), record(5)];
        (records[1].outcome.evaluations, records[1].solution) = (7, Some("a \"quoted\" line\n".to_owned()));
        set(&mut records[2], "population", 200.into());
        (records[3].outcome.stop, records[3].message) = (Stop::Failed, Some("it failed".to_owned()));
        set(&mut records[4], "population", 200.into());
        for record in &records {
            let before = line(record);
            let mut skimmed = before.clone();
            assert_eq!(skimmer.skim(&mut skimmed, true, |_| 0), Ok(finished(record)));
            assert_eq!(skimmed, before, "the line is as it was");
        }
    }

    #[test]
    fn settings_are_skipped_only_where_they_are_the_known_ones() {
        let mut skimmer = Skimmer::default();
        assert_eq!(skimmer.skim_alike(&mut line(&record(1))), None, "nothing is known yet");
        skimmer.skim(&mut line(&record(1)), true, |_| 0).expect("a record");
        assert_eq!(skimmer.skim_alike(&mut line(&record(2))), Some(finished(&record(2))));
        for (from, to) in [
            ("\"population\":100", "\"population\":101"),
            ("\"settings\":{", "\"settings\":["),
            ("\"algorithm\":\"huke\"", "\"algorithm\":\"ekuh\""),
            ("\"stop\":\"target\"", "\"stop\":\"tired\""),
            ("\"seed\":", "\"settings\":{},\"seed\":"),
            ("\"seed\":", "\"sead\":"),
        ] {
            let text = String::from_utf8(line(&record(2))).expect("text");
            assert!(text.contains(from), "{from}");
            assert_eq!(skimmer.skim_alike(text.replace(from, to).as_bytes().to_vec().as_mut_slice()), None, "{to}");
        }
    }

    #[test]
    fn a_line_with_a_flipped_bit_is_damaged_or_says_the_same() {
        let mut skimmer = Skimmer::default();
        skimmer.skim(&mut line(&record(1)), true, |_| 0).expect("a record");
        let whole = line(&record(2));
        for bit in 0..8 * whole.len() {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(skimmer.skim(&mut flipped.clone(), true, |_| 0).is_err(), "bit {bit}");
            // Where the bit is one of the word `crc32`, the record is whole, and has no checksum any more.
            if let Ok(found) = skimmer.skim(&mut flipped, false, |_| 0) {
                assert_eq!(found, finished(&record(2)), "bit {bit}");
            }
        }
    }

    #[test]
    fn without_a_checksum_a_line_is_judged_as_a_reader_of_all_of_it_would() {
        let mut skimmer = Skimmer::default();
        skimmer.skim(&mut line(&record(1)), true, |_| 0).expect("a record");
        let whole = serde_json::to_vec(&record(2)).expect("a record is JSON");
        for bit in 0..8 * whole.len() {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let expected = serde_json::from_slice::<Record>(&flipped).ok();
            let found =
                skimmer.skim_alike(&mut flipped).or_else(|| Skimmer::default().skim(&mut flipped, false, |_| 0).ok());
            assert_eq!(found, expected.as_ref().map(finished), "bit {bit}");
        }
    }
}
