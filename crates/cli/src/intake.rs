//! The intake of results: the rows of one or several files, selected as the user asks, as samples and their summary.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use evogrid_analysis::samples::{
    Condition, InstanceSizes, MAX_SAMPLES, RowSelection, Samples, SamplesBuilder, SelectionError,
};
use evogrid_analysis::summary::{Builder, Summary};
use evogrid_analysis::truncation::{EarlierEnd, TARGET_SETTING, Truncation, TruncationError, UNKNOWN_COLUMNS};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::Row;
use evogrid_results::files::is_regular;
use evogrid_results::runs::Reader;
use evogrid_runner::experiment::instance_list::{InstanceList, InstancesById};

use crate::arguments::ColumnOptions;
use crate::manifest_outline;
use crate::messages::foreign::{note_missing, note_recognised};
use crate::usage_error::{UsageError, unmade, unreadable, unrun};

/// What is read of the rows.
pub(crate) struct Request<'a> {
    /// The results as the command line names them, and their files of runs.
    pub(crate) results: &'a [(PathBuf, PathBuf)],
    /// The names of their columns.
    pub(crate) columns: &'a ColumnOptions,
    /// Which rows count.
    pub(crate) conditions: &'a [Condition],
    /// The keys that tell configurations apart; all if it is empty.
    pub(crate) by: &'a [String],
    /// Where runs are taken to end, if the user asks for that; each run counts once for each.
    pub(crate) ends: &'a [EarlierEnd],
    /// Whether the runs are held in memory, too.
    pub(crate) has_samples: bool,
    /// Whether a file may have rates instead of runs.
    pub(crate) takes_summary: bool,
}

/// The rows that count.
pub(crate) struct Intake {
    /// The runs; empty if only their summary was requested.
    pub(crate) samples: Samples,
    /// Their summary.
    pub(crate) summary: Summary,
    /// The number of rows of the files, selected or not; 0 of a summary.
    pub(crate) n_rows: u64,
    /// What was left out and averaged over, as sentences.
    pub(crate) notes: Vec<String>,
}

impl Request<'_> {
    /// Reads the rows in one pass. A file that has rates instead of single runs is read as a summary, if that is permitted.
    ///
    /// # Errors
    /// If a file cannot be read, or no row fits.
    pub(crate) fn read(&self, catalogue: &Catalogue) -> Result<Intake> {
        let mut truncation = self.truncation()?;
        let mut readers = Vec::new();
        for (results, file) in self.results {
            let names = self.columns.names(results)?;
            match Reader::open_named(file, &names) {
                Ok(reader) => {
                    note_recognised(file, &reader);
                    note_missing(file, &reader);
                    readers.push(if truncation.is_some() { reader.lacking(&UNKNOWN_COLUMNS) } else { reader });
                }
                Err(of_runs) if self.takes_summary && names.is_empty() && self.results.len() == 1 => {
                    let summary = Summary::open(file).map_err(|_| unreadable(of_runs))?;
                    if let Some(option) = self.first_option() {
                        let message = format!(
                            "{} has rates, not single runs, so `{option}` cannot select any\n  use the file of runs",
                            file.display()
                        );
                        return Err(UsageError(message).into());
                    }
                    return Ok(Intake { samples: Samples::default(), summary, n_rows: 0, notes: Vec::new() });
                }
                Err(of_runs) => return Err(unreadable(of_runs).into()),
            }
        }
        if readers.len() > 1 {
            self.check_same_instances()?;
        }
        let names = distinct_names(self.results);
        let targets = self.target_names();
        let varied = |reader: &Reader<_>| -> Vec<String> {
            reader.varied.iter().cloned().chain(targets.iter().map(|_| TARGET_SETTING.to_owned()).take(1)).collect()
        };
        let files: Vec<_> = names.into_iter().zip(&readers).map(|(name, reader)| (name, varied(reader))).collect();
        let sizes = || self.sizes(catalogue);
        let selected = RowSelection::new::<anyhow::Error>(&files, self.conditions, self.by, sizes);
        let mut selection = selected.map_err(told)?;
        let mut missing: Vec<&'static str> = readers.iter().flat_map(|reader| reader.missing.iter().copied()).collect();
        missing.sort_unstable();
        missing.dedup();
        let varied = selection.varied();
        let mut samples = SamplesBuilder::of_columns(varied.clone(), missing.clone(), MAX_SAMPLES);
        let mut summary = Builder::of_columns(&varied, missing);
        let (mut row, mut n_rows) = (Row::default(), 0);
        for (file, reader) in readers.into_iter().enumerate() {
            let mut reader = reader.without_numbering();
            while reader.read_over(&mut row).map_err(unreadable)? {
                n_rows += 1;
                let mut count = |row: &mut Row| -> Result<()> {
                    if selection.admit(file, row) {
                        if self.has_samples {
                            samples.add(row).map_err(unreadable)?;
                        }
                        summary.add(row);
                    }
                    Ok(())
                };
                let Some(truncation) = &mut truncation else {
                    count(&mut row)?;
                    continue;
                };
                truncation.read_course(&row).map_err(unreadable)?;
                for (number, &end) in self.ends.iter().enumerate() {
                    let mut ended = row.clone();
                    truncation.end_at(&mut ended, end).map_err(untruncated)?;
                    ended.varied.extend(targets.get(number).cloned());
                    count(&mut ended)?;
                }
            }
        }
        let mut notes = truncation.map(|truncation| truncation.notes()).unwrap_or_default();
        if !targets.is_empty() {
            notes[0] =
                format!("Targets were set after the runs, and each run counts once for each: {}.", targets.join(", "));
        }
        notes.extend(selection.finish().map_err(|error| told(error.into()))?);
        Ok(Intake { samples: samples.finish(), summary: summary.finish(), n_rows, notes })
    }

    /// The first option given that selects rows.
    fn first_option(&self) -> Option<&'static str> {
        [("--where", self.conditions.is_empty()), ("--by", self.by.is_empty()), ("--target", self.ends.is_empty())]
            .into_iter()
            .find_map(|(option, is_absent)| (!is_absent).then_some(option))
    }

    /// The names of several targets, as values of a setting; none of a single one.
    fn target_names(&self) -> Vec<String> {
        let names = self.ends.iter().filter_map(|end| Some(end.target?.name()));
        names.filter(|_| self.ends.len() > 1).collect()
    }

    /// The truncation of runs that end earlier than they did.
    fn truncation(&self) -> Result<Option<Truncation>> {
        let Some(&end) = self.ends.first() else { return Ok(None) };
        let [(results, file)] = self.results else {
            let help = "name one folder, or write runs with that target or limit";
            bail!(UsageError(format!("a target or limit that is set after the runs needs one trace\n  {help}")));
        };
        let without = || {
            let record = "`[record] trace = \"improvements\"` records it; `run --fresh` repeats runs without one";
            UsageError(format!("a target or limit that is set after the runs needs their trace.csv.gz\n  {record}"))
        };
        let trace = file_beside(file, TRACE)?.ok_or_else(without)?;
        Ok(Some(Truncation::open(file, &self.columns.names(results)?, &trace, end).map_err(untruncated)?))
    }

    /// The sizes of all instances, from the manifests.
    fn sizes(&self, catalogue: &Catalogue) -> Result<InstanceSizes> {
        let mut sizes = InstanceSizes::new();
        for (results, _) in self.results {
            let Some((_, Some(instances))) = manifest_outline::with_instances(results, InstanceList::len)? else {
                continue;
            };
            for instance in InstancesById::new(instances.into()).iter() {
                let (_, restored) = instance.restore(catalogue)?;
                let of_instance = restored.sizes().into_iter().map(|(name, size)| (name.to_owned(), size));
                sizes.insert(instance.id.to_owned(), of_instance.collect());
            }
        }
        Ok(sizes)
    }

    /// Refuses folders in which different instances have one id.
    fn check_same_instances(&self) -> Result<()> {
        let mut known: BTreeMap<String, (String, &Path)> = BTreeMap::new();
        for (results, _) in self.results {
            let Some((_, Some(instances))) =
                manifest_outline::with_instances::<InstanceList>(results, InstanceList::len)?
            else {
                continue;
            };
            for instance in instances.iter() {
                let (text, other) =
                    known.entry(instance.id.to_owned()).or_insert((instance.content.to_owned(), results));
                let (id, one, other) = (instance.id, other.display(), results.display());
                ensure!(
                    text == instance.content,
                    UsageError(format!(
                        "`{id}` is one instance in {one} and another one in {other}\n  expected results on the same \
                         instances, or instances with different names"
                    ))
                );
            }
        }
        Ok(())
    }
}

/// The name of the trace of a file of runs.
pub(crate) const TRACE: &str = "trace.csv.gz";

/// The file with a name beside a file of runs; `None` of another file, beside which a trace or a race would be of other runs.
pub(crate) fn file_beside(file: &Path, name: &str) -> Result<Option<PathBuf>> {
    let beside = file.with_file_name(name);
    let has_it = file.ends_with("runs.csv") && is_regular(&beside)?;
    Ok(has_it.then_some(beside))
}

/// The error if runs cannot be truncated as the user asks.
fn untruncated(error: TruncationError) -> UsageError {
    UsageError(format!("{:#}", anyhow::Error::from(error)))
}

/// An error of selecting as one that the user can mend.
fn told(error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<SelectionError>() {
        Ok(error) => UsageError(format!("{error}\n  {}", error.help())).into(),
        Err(other) => other,
    }
}

/// The names of results: of each the last part of its path that tells it from the others, otherwise the path.
fn distinct_names(results: &[(PathBuf, PathBuf)]) -> Vec<String> {
    let short = |path: &Path| {
        path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
    };
    let name = |(at, (path, _)): (usize, &(PathBuf, PathBuf))| {
        let is_own = results
            .iter()
            .enumerate()
            .all(|(other, (path_of_other, _))| other == at || short(path_of_other) != short(path));
        if is_own { short(path) } else { path.display().to_string() }
    };
    results.iter().enumerate().map(name).collect()
}

/// The first of these files that a results folder has, or the CSV itself; `none` is the error if the folder has none of them.
pub(crate) fn file_of(results: &Path, names: &[&str], none: &str) -> Result<PathBuf, UsageError> {
    if !results.exists() {
        return Err(UsageError(format!(
            "`{}` does not exist\n  expected a results folder or a CSV file",
            results.display()
        )));
    }
    if results.extension().is_some_and(|extension| extension == "toml") {
        return Err(unrun(results));
    }
    if !results.is_dir() {
        return Ok(results.to_owned());
    }
    for file in names.iter().map(|name| results.join(name)) {
        if is_regular(&file).map_err(|error| unreadable(error.into()))? {
            return Ok(file);
        }
    }
    Err(unmade(results, none))
}

/// The file of runs in a results folder, or the CSV file itself.
pub(crate) fn runs_of(results: &Path) -> Result<PathBuf, UsageError> {
    file_of(results, &["runs.csv"], "no runs.csv")
}
