//! The record of a run: all its data, in one line of a journal.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::run::{RunKey, RunOutcome};
use crate::trace::Trace;

/// The maximum length of a message in a journal, in bytes. Because of this limit, a verbose program cannot fill the journal.
pub const MESSAGE_LIMIT: usize = 64 * 1024;

/// All data of a finished run. The record is written as one flat JSON object. The object contains the fields of `key` and of `outcome`, and
/// the settings. All other fields are included only if they have a value.
///
/// The number of a run in a plan changes when a grid grows. So a record does not contain the number of its run. The default is a run that
/// did nothing and failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The key of the run.
    pub key: RunKey,
    /// The resolved settings and the budget, as pairs of a dotted path and a value. Some settings were added to an algorithm, operator or
    /// family that earlier experiments had already used. The record omits such a setting if the setting has the default value.
    pub settings: RecordedSettings,
    /// The outcome of the run.
    pub outcome: RunOutcome,
    /// The best solution in one line, if the run has a solution. The solution is also stored if the run is not solved. Old records, from
    /// before the column `objective` existed, contain a solution only if the run is solved.
    pub solution: Option<String>,
    /// The reason why the run failed. The reason is cut to [`MESSAGE_LIMIT`] bytes when it is written.
    pub message: Option<String>,
    /// The largest resident memory of the processes of an external program, in MiB. The value is `None` if the memory of the program was
    /// not limited.
    pub memory_mib: Option<f64>,
    /// The trace of the run, if it was recorded. The trace is not part of the run's identity.
    pub trace: Option<Trace>,
}

impl Record {
    /// Whether the record certainly contains the best solution that the run found. Before the column `objective` existed, the record of a
    /// run contained a solution only if the run was solved.
    pub fn says_its_solution(&self) -> bool {
        self.outcome.is_solved() || self.outcome.objective.is_some()
    }
}

/// The settings of a run, as pairs of a dotted path and a value. A copy takes almost no time or memory. The settings are converted to JSON
/// only once for all copies.
///
/// ```
/// use evogrid_results::record::RecordedSettings;
///
/// let settings = [("population".to_owned(), 100.into()), ("kind".to_owned(), "sus".into())];
/// let settings: RecordedSettings = settings.into_iter().collect();
/// assert_eq!(serde_json::to_string(&settings)?, r#"{"kind":"sus","population":100}"#);
/// assert_eq!(settings.get("population"), Some(&100.into()));
/// assert_eq!(serde_json::from_str::<RecordedSettings>(r#"{"kind":"sus","population":100}"#)?, settings);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RecordedSettings(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    values: BTreeMap<String, Value>,
    text: OnceLock<Box<RawValue>>,
}

impl Deref for RecordedSettings {
    type Target = BTreeMap<String, Value>;

    fn deref(&self) -> &Self::Target {
        &self.0.values
    }
}

impl FromIterator<(String, Value)> for RecordedSettings {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(settings: I) -> Self {
        Self(Arc::new(Shared { values: settings.into_iter().collect(), text: OnceLock::new() }))
    }
}

impl PartialEq for RecordedSettings {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.values == other.0.values
    }
}

impl Serialize for RecordedSettings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = || serde_json::value::to_raw_value(&self.0.values).expect("settings are valid JSON values");
        self.0.text.get_or_init(text).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RecordedSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::<String, Value>::deserialize(deserializer).map(Self::from_iter)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use evogrid_core::budget::Stop;

    use super::*;

    /// Sets a setting of a record.
    pub(crate) fn set(record: &mut Record, path: &str, value: Value) {
        let settings = record.settings.iter().map(|(path, value)| (path.clone(), value.clone()));
        record.settings = settings.chain([(path.to_owned(), value)]).collect();
    }

    /// A solved run with the given id bits.
    pub(crate) fn record(bits: u64) -> Record {
        Record {
            key: RunKey {
                run_id: format!("r{bits:016x}").parse().expect("an id"),
                algorithm: "huke".into(),
                problem: "tour".into(),
                instance: "huke-01".into(),
                bucket: "easy".into(),
                repetition: 3,
                seed: 8_019_042_476_458_226,
            },
            settings: [("population".to_owned(), 100.into()), ("mutation.other".to_owned(), 0.1.into())]
                .into_iter()
                .collect(),
            outcome: RunOutcome {
                solved: Some(true),
                objective: Some(0.0),
                best_fitness: Some(0.0),
                evaluations: 4200,
                generations: 42,
                restarts: 0,
                evaluations_to_best: 4190,
                stop: Stop::Target,
                wall_ms: 1.25,
                cpu_ms: Some(1.125),
            },
            ..Record::default()
        }
    }

    #[test]
    fn a_record_is_one_flat_json_object() {
        let line = serde_json::to_string(&record(0xab)).expect("a record is JSON");
        insta::assert_snapshot!(line, @r#"{"run_id":"r00000000000000ab","algorithm":"huke","settings":{"mutation.other":0.1,"population":100},"problem":"tour","instance":"huke-01","bucket":"easy","repetition":3,"seed":8019042476458226,"solved":true,"objective":0.0,"best_fitness":0.0,"evaluations":4200,"generations":42,"restarts":0,"evaluations_to_best":4190,"stop":"target","wall_ms":1.25,"cpu_ms":1.125}"#);
    }

    #[test]
    fn a_record_is_read_back_as_it_was() {
        let mut record = record(1);
        record.outcome.best_fitness = Some(0.1 + 0.2);
        record.solution = Some("12\n34".into());
        record.memory_mib = Some(20.5);
        let line = serde_json::to_string(&record).expect("a record is JSON");
        assert!(!line.contains('\n'));
        assert_eq!(serde_json::from_str::<Record>(&line).expect("its own line"), record);
    }

    #[test]
    fn a_failed_run_says_why_but_not_endlessly() {
        let mut record = record(1);
        (record.outcome.stop, record.outcome.best_fitness) = (Stop::Failed, None);
        record.message = Some("é".repeat(MESSAGE_LIMIT));
        let line = serde_json::to_string(&record).expect("a record is JSON");
        let read: Record = serde_json::from_str(&line).expect("its own line");
        assert_eq!(read.message.map(|message| message.len()), Some(MESSAGE_LIMIT));
        assert_eq!((read.outcome.stop, read.outcome.best_fitness), (Stop::Failed, None));
    }

    #[test]
    fn an_unknown_reason_to_stop_is_an_error() {
        let line = serde_json::to_string(&record(1)).expect("a record is JSON").replace("target", "tired");
        let error = serde_json::from_str::<Record>(&line).expect_err("no such reason").to_string();
        assert!(error.starts_with("`tired` is not a known reason to stop"), "{error}");
    }
}
