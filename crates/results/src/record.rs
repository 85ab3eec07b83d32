//! The record of a run: all that a finished run leaves behind, one line of a journal.

use std::collections::BTreeMap;

use evogrid_core::budget::Stop;
use evogrid_core::identity::RunId;
use serde::{Deserialize, Deserializer, Serialize};

use crate::trace::Trace;

/// Messages are cut to this many bytes in a journal, so that a program that fails verbosely cannot spoil it.
pub const MESSAGE_LIMIT: usize = 64 * 1024;

/// All that a finished run leaves behind, one flat JSON object.
///
/// It says nothing of the run's position in a plan, which changes whenever a grid grows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The run's identity: the hash of all that determines its outcome.
    #[serde(with = "as_text")]
    pub run_id: RunId,
    /// Name of the algorithm in its experiment.
    pub algorithm: String,
    /// All resolved settings and the budget, by dotted path.
    pub settings: BTreeMap<String, serde_json::Value>,
    /// Name of the problem family.
    pub problem: String,
    /// Id of the instance.
    pub instance: String,
    /// Its bucket of difficulty.
    pub bucket: String,
    /// Which of the runs that differ in their random stream only.
    pub repetition: u64,
    /// Seed of the random stream, below 2^53.
    pub seed: u64,
    /// Whether the target was reached.
    pub solved: bool,
    /// The best fitness found; `None` if the run failed before it evaluated anything. An infinite one is written as none.
    pub best_fitness: Option<f64>,
    /// Evaluations over all trials.
    pub evaluations: u64,
    /// Generations over all trials.
    pub generations: u64,
    /// Restarts used.
    pub restarts: u64,
    /// Evaluations up to and with the one that found the best fitness.
    pub evaluations_to_best: u64,
    /// Why the run stopped.
    #[serde(with = "as_text")]
    pub stop: Stop,
    /// Wall time in milliseconds: a finite number from 0.
    #[serde(deserialize_with = "milliseconds")]
    pub wall_ms: f64,
    /// Processor time in milliseconds, where the machine tells it.
    #[serde(default, deserialize_with = "optional_milliseconds")]
    pub cpu_ms: Option<f64>,
    /// The solution in one line, where the run found one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solution: Option<String>,
    /// What went wrong, where the run failed; cut to [`MESSAGE_LIMIT`] when written.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "write_cut")]
    pub message: Option<String>,
    /// How the run went along, where that was recorded. It is no part of the run's identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

impl Record {
    /// How the run went: the part of the record that `runs.csv` shows.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome {
            solved: self.solved,
            best_fitness: self.best_fitness,
            evaluations: self.evaluations,
            generations: self.generations,
            restarts: self.restarts,
            evaluations_to_best: self.evaluations_to_best,
            stop: self.stop,
            wall_ms: self.wall_ms,
            cpu_ms: self.cpu_ms,
        }
    }
}

/// How a run went, in the columns of `runs.csv`. The fields mean what they mean in a [`Record`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the record says what each field means")]
pub struct Outcome {
    pub solved: bool,
    pub best_fitness: Option<f64>,
    pub evaluations: u64,
    pub generations: u64,
    pub restarts: u64,
    pub evaluations_to_best: u64,
    pub stop: Stop,
    pub wall_ms: f64,
    pub cpu_ms: Option<f64>,
}

impl Default for Outcome {
    /// A run that did nothing and failed.
    fn default() -> Self {
        Self {
            solved: false,
            best_fitness: None,
            evaluations: 0,
            generations: 0,
            restarts: 0,
            evaluations_to_best: 0,
            stop: Stop::Failed,
            wall_ms: 0.0,
            cpu_ms: None,
        }
    }
}

/// Ids and reasons to stop, which core writes and reads as text.
pub(crate) mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(crate) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Reads a time: not negative, so that the `runs.csv` that it comes to stand in can be read.
pub(crate) fn milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    f64::deserialize(deserializer).and_then(time)
}

/// Reads a time that may be absent.
pub(crate) fn optional_milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Option::deserialize(deserializer)?.map(time).transpose()
}

fn time<E: serde::de::Error>(milliseconds: f64) -> Result<f64, E> {
    let is_time = milliseconds >= 0.0;
    is_time
        .then_some(milliseconds)
        .ok_or_else(|| E::custom(format!("expected milliseconds from 0, found {milliseconds}")))
}

#[expect(clippy::ref_option, reason = "serde calls it so")]
fn write_cut<S: serde::Serializer>(message: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    let message = message.as_deref().unwrap_or_default();
    serializer.serialize_str(&message[..message.floor_char_boundary(MESSAGE_LIMIT)])
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A solved run with the given id bits.
    pub(crate) fn record(bits: u64) -> Record {
        Record {
            run_id: format!("r{bits:016x}").parse().expect("an id"),
            algorithm: "huke".into(),
            settings: [("population".to_owned(), 100.into()), ("mutation.other".to_owned(), 0.1.into())].into(),
            problem: "sudoku".into(),
            instance: "huke-01".into(),
            bucket: "easy".into(),
            repetition: 3,
            seed: 8_019_042_476_458_226,
            solved: true,
            best_fitness: Some(0.0),
            evaluations: 4200,
            generations: 42,
            restarts: 0,
            evaluations_to_best: 4190,
            stop: Stop::Target,
            wall_ms: 1.25,
            cpu_ms: Some(1.125),
            solution: None,
            message: None,
            trace: None,
        }
    }

    #[test]
    fn a_record_is_one_flat_json_object() {
        let line = serde_json::to_string(&record(0xab)).expect("a record is JSON");
        insta::assert_snapshot!(line, @r#"{"run_id":"r00000000000000ab","algorithm":"huke","settings":{"mutation.other":0.1,"population":100},"problem":"sudoku","instance":"huke-01","bucket":"easy","repetition":3,"seed":8019042476458226,"solved":true,"best_fitness":0.0,"evaluations":4200,"generations":42,"restarts":0,"evaluations_to_best":4190,"stop":"target","wall_ms":1.25,"cpu_ms":1.125}"#);
    }

    #[test]
    fn a_record_is_read_back_as_it_was() {
        let mut record = record(1);
        record.best_fitness = Some(0.1 + 0.2);
        record.solution = Some("12\n34".into());
        let line = serde_json::to_string(&record).expect("a record is JSON");
        assert!(!line.contains('\n'));
        assert_eq!(serde_json::from_str::<Record>(&line).expect("its own line"), record);
    }

    #[test]
    fn a_failed_run_says_why_but_not_endlessly() {
        let mut record = record(1);
        (record.stop, record.best_fitness) = (Stop::Failed, None);
        record.message = Some("é".repeat(MESSAGE_LIMIT));
        let line = serde_json::to_string(&record).expect("a record is JSON");
        let read: Record = serde_json::from_str(&line).expect("its own line");
        assert_eq!(read.message.map(|message| message.len()), Some(MESSAGE_LIMIT));
        assert_eq!((read.stop, read.best_fitness), (Stop::Failed, None));
    }

    #[test]
    fn an_unknown_reason_to_stop_is_an_error() {
        let line = serde_json::to_string(&record(1)).expect("a record is JSON").replace("target", "tired");
        let error = serde_json::from_str::<Record>(&line).expect_err("no such reason").to_string();
        assert!(error.starts_with("unknown reason to stop `tired`"), "{error}");
    }
}
