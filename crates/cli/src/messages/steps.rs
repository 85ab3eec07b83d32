//! Steps: what a backtracking search does, one row for each step, while it runs.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use evogrid_core::observer::Step;

use evogrid_runner::engine::progress::line;

/// Writes every step to a CSV with the columns `counter,options,cell,value` (Arkieva's TRACKHIST), to standard error, or both.
pub(crate) struct StepRecorder {
    history: Option<(csv::Writer<BufWriter<File>>, PathBuf)>,
    is_told: bool,
    count: u64,
    failure: Option<csv::Error>,
}

impl StepRecorder {
    /// A recorder that writes steps to `history`, if given, and to standard error, if `is_told`.
    pub(crate) fn new(history: Option<&Path>, is_told: bool) -> Result<Self> {
        let open = |path: &Path| -> Result<_> {
            let cannot = || format!("{} cannot be written", path.display());
            let mut writer = csv::Writer::from_writer(BufWriter::new(File::create(path).with_context(cannot)?));
            writer.write_record(Step::COLUMNS).with_context(cannot)?;
            Ok((writer, path.to_owned()))
        };
        Ok(Self { history: history.map(open).transpose()?, is_told, count: 0, failure: None })
    }

    /// Whether steps are recorded.
    pub(crate) fn is_wanted(&self) -> bool {
        self.history.is_some() || self.is_told
    }

    /// Completes the history, and returns the number of steps.
    pub(crate) fn finish(self) -> Result<u64> {
        if let Some((mut writer, path)) = self.history {
            let flushed = writer.flush().map_err(csv::Error::from);
            self.failure.map_or(flushed, Err).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        Ok(self.count)
    }

    /// Records a step.
    pub(crate) fn record(&mut self, step: &Step) {
        self.count += 1;
        if self.is_told {
            line(&step.to_string());
        }
        if let (Some((writer, _)), None) = (&mut self.history, &self.failure) {
            self.failure = writer.serialize(step.row()).err();
        }
    }
}
