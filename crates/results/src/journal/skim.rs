//! Skimming: reads the outcome in a line without its settings, which are most of its bytes.
//!
//! The runs of a configuration are consecutive in a journal and have the same settings, byte for byte. Therefore the part between the id
//! and the outcome is only compared with that of the last line that was read as a whole.

use evogrid_core::identity::RunId;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::checksum::{self, Seal};
use super::reason;
use crate::json::{RecordLine, read_tail};
use crate::record::Record;
use crate::run::RunOutcome;
use crate::solution::SolutionPlace;
use crate::trace::Trace;

/// What precedes the id in a line of our writer.
const BEFORE: &[u8] = b"{\"run_id\":\"";
const ID_LEN: usize = 17;
const AFTER_ID: usize = BEFORE.len() + ID_LEN + 1;

/// Reads lines of which most begin alike.
#[derive(Debug, Default)]
pub(super) struct Skimmer {
    /// From behind the id to the end of the settings, as last read.
    known: Vec<u8>,
}

/// The content of a skimmed line: a record without its settings, names and solution.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedRun {
    /// The run.
    pub run_id: RunId,
    /// How it went.
    pub outcome: RunOutcome,
    /// What went wrong, if it failed.
    pub message: Option<String>,
    /// Its trace, if one was recorded.
    pub trace: Option<Trace>,
}

/// A line that was skimmed.
#[derive(Debug, PartialEq)]
pub(super) struct SkimmedLine {
    pub(super) finished: FinishedRun,
    /// Where its solution stands, where that is not in the line.
    pub(super) solution_place: Option<SolutionPlace>,
}

impl From<RecordLine> for SkimmedLine {
    fn from(RecordLine { record, solution_place }: RecordLine) -> Self {
        let Record { key, outcome, message, trace, .. } = record;
        Self { finished: FinishedRun { run_id: key.run_id, outcome, message, trace }, solution_place }
    }
}

impl Skimmer {
    /// Reads a line, which must be a whole record, and sealed where `is_sealed`; `line` may be changed.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn skim(&mut self, line: &mut [u8], is_sealed: bool) -> Result<SkimmedLine, String> {
        require_seal(line, is_sealed)?;
        match self.skim_alike(line) {
            Some(skimmed) => Ok(skimmed),
            None => self.read(line),
        }
    }

    /// Reads a line that begins like the last one that was read as a whole; `None` if it does not, or is unusual.
    fn skim_alike(&self, line: &mut [u8]) -> Option<SkimmedLine> {
        let id = line.strip_prefix(BEFORE)?.get(..ID_LEN)?;
        let run_id = str::from_utf8(id).ok()?.parse().ok()?;
        let end = AFTER_ID + self.known.len();
        let is_alike = !self.known.is_empty() && line.get(AFTER_ID - 1..end)?.strip_prefix(b"\"")? == self.known;
        if !is_alike || line.get(end) != Some(&b',') {
            return None;
        }
        // What is left is an object of its own once its comma is a brace.
        line[end] = b'{';
        let mut found = RecordLine::default();
        let read = str::from_utf8(&line[end..]).ok().and_then(|text| read_tail(text, &mut found).ok());
        line[end] = b',';
        found.record.key.run_id = run_id;
        read.map(|()| found.into())
    }

    /// Reads a line as a whole, and keeps how it begins.
    fn read(&mut self, line: &[u8]) -> Result<SkimmedLine, String> {
        let text = str::from_utf8(line).map_err(|error| error.to_string())?;
        let found: RecordLine = serde_json::from_str(text).map_err(|error| reason(&error))?;
        self.known.clear();
        if let (Some(end), true) = (settings_end(text), line.starts_with(BEFORE)) {
            self.known.extend_from_slice(line.get(AFTER_ID..end).unwrap_or_default());
        }
        Ok(found.into())
    }
}

/// Where the settings of a line end.
pub(super) fn settings_end(text: &str) -> Option<usize> {
    let settings = serde_json::from_str::<SettingsText<'_>>(text).ok()?.settings.get();
    Some(settings.as_ptr() as usize - text.as_ptr() as usize + settings.len())
}

/// Refuses a line that is not what was sealed.
pub(super) fn require_seal(line: &[u8], is_sealed: bool) -> Result<(), String> {
    match checksum::check(line) {
        Seal::Broken => Err("checksum mismatch".to_owned()),
        Seal::Missing if is_sealed => {
            Err("it has no checksum, although its file was written with checksums".to_owned())
        }
        Seal::Intact | Seal::Missing => Ok(()),
    }
}

/// Where the settings stand.
#[derive(Deserialize)]
struct SettingsText<'a> {
    #[serde(borrow)]
    settings: &'a RawValue,
}

#[cfg(test)]
mod tests {
    use evogrid_core::budget::Stop;

    use super::*;
    use crate::record::tests::record;

    fn line(record: &Record) -> Vec<u8> {
        let mut line = serde_json::to_vec(record).expect("a record is JSON");
        checksum::seal(&mut line, 0);
        line
    }

    fn finished(record: &Record) -> SkimmedLine {
        RecordLine { record: record.clone(), solution_place: None }.into()
    }

    #[test]
    fn lines_that_begin_alike_and_lines_that_do_not_are_read_the_same() {
        let mut skimmer = Skimmer::default();
        let mut records = [record(1), record(2), record(3), record(4), record(5)];
        (records[1].outcome.evaluations, records[1].solution) = (7, Some("a \"quoted\" line\n".to_owned()));
        records[2].settings.insert("population".to_owned(), 200.into());
        (records[3].outcome.stop, records[3].message) = (Stop::Failed, Some("it failed".to_owned()));
        records[4].settings.insert("population".to_owned(), 200.into());
        for record in &records {
            let before = line(record);
            let mut skimmed = before.clone();
            assert_eq!(skimmer.skim(&mut skimmed, true), Ok(finished(record)));
            assert_eq!(skimmed, before, "the line is as it was");
        }
    }

    #[test]
    fn settings_are_skipped_only_where_they_are_the_known_ones() {
        let mut skimmer = Skimmer::default();
        assert_eq!(skimmer.skim_alike(&mut line(&record(1))), None, "nothing is known yet");
        skimmer.skim(&mut line(&record(1)), true).expect("a record");
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
        skimmer.skim(&mut line(&record(1)), true).expect("a record");
        let whole = line(&record(2));
        for bit in 0..8 * whole.len() {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(skimmer.skim(&mut flipped.clone(), true).is_err(), "bit {bit}");
            // Where the bit is one of the word `crc32`, the record is whole, and has no checksum any more.
            if let Ok(found) = skimmer.skim(&mut flipped, false) {
                assert_eq!(found, finished(&record(2)), "bit {bit}");
            }
        }
    }

    #[test]
    fn without_a_checksum_a_line_is_judged_as_a_reader_of_all_of_it_would() {
        let mut skimmer = Skimmer::default();
        skimmer.skim(&mut line(&record(1)), true).expect("a record");
        let whole = serde_json::to_vec(&record(2)).expect("a record is JSON");
        for bit in 0..8 * whole.len() {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let expected = serde_json::from_slice::<Record>(&flipped).ok();
            let found = skimmer.skim_alike(&mut flipped).or_else(|| Skimmer::default().skim(&mut flipped, false).ok());
            assert_eq!(found, expected.as_ref().map(finished), "bit {bit}");
        }
    }
}
