//! Runs of which only their summary is known, as results that commands can show.

use std::path::PathBuf;

use evogrid_analysis::samples::Samples;
use evogrid_analysis::summary::Summary;
use evogrid_core::catalogue::Catalogue;
use evogrid_runner::experiment::instance_list::InstancesById;

use crate::opened::OpenedResults;
use crate::planned_analysis::PlannedAnalysis;

impl<'c> OpenedResults<'c> {
    /// Runs and their summary, without other files, and without requests of a user or an experiment.
    pub fn of_runs(file: PathBuf, samples: Samples, summary: Summary, catalogue: &'c Catalogue) -> Self {
        Self {
            path: file.clone(),
            file,
            n_rows: samples.runs.len() as u64,
            selection: Vec::new(),
            samples,
            summary,
            manifest: None,
            instances: InstancesById::default(),
            trace: None,
            race: None,
            published: None,
            metric: None,
            by: Vec::new(),
            baseline: None,
            top: None,
            pairs: Vec::new(),
            planned: PlannedAnalysis::default(),
            departures: String::new(),
            catalogue,
        }
    }
}
