//! Reads results from one or several files, and makes samples and a summary from the rows that the user selects.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use evogrid_analysis::metric::Metric;
use evogrid_analysis::samples::{InstanceSizes, MAX_SAMPLES, RowSelection, Samples, SamplesBuilder};
use evogrid_analysis::summary::{Builder, Summary};
use evogrid_analysis::truncation::{EarlierEnd, TARGET_SETTING, Truncation, UNKNOWN_COLUMNS};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::identity::RunId;
use evogrid_results::files::is_regular;
use evogrid_results::runs::Reader;
use evogrid_results::{ReadError, Row};
use evogrid_runner::experiment::instance_list::InstancesById;

use crate::arguments::{AnalysisOptions, ColumnOptions};
use crate::manifest_outline::with_instances;
use crate::messages::{UsageError, line, rendered, unmade, unrun};
use serde_json::json;

/// The parts of the results that a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// The summary, which needs little memory for any number of runs.
    Summary,
    /// The summary and the runs in memory.
    Runs,
    /// The same data as `Runs`, averaged over the settings that `--by` does not name.
    Effects,
    /// The same data as `Runs`, for a table whose rows and columns are the values of keys.
    Cross,
    /// The same data as `Runs`, with the race and the published values that the experiment names.
    Charts,
    /// The same data as `Charts`, with all instances.
    Report,
}

impl Needs {
    /// The metrics that can be shown; all metrics if the list is empty.
    pub(crate) fn metrics(self) -> &'static [Metric] {
        use Metric::{CpuMs, Evaluations, Gap, Generations, Objective, Solved, WallMs};
        match self {
            Self::Summary => &[Solved, Gap, Objective],
            Self::Charts => &[Solved, Gap, Objective, Evaluations, Generations, WallMs, CpuMs],
            Self::Runs | Self::Effects | Self::Cross | Self::Report => &[],
        }
    }

    /// Whether charts are drawn.
    pub(crate) fn has_charts(self) -> bool {
        matches!(self, Self::Charts | Self::Report)
    }
}

/// The selected runs (none for a summary), their summary, the number of all rows of the files (0 for a file of rates), and sentences that
/// say which rows were left out and which settings were averaged over.
type Intake = (Samples, Summary, u64, Vec<String>);

/// Reads the rows in one pass. `results` are the paths on the command line, each with its file of runs. For a summary, a file may have
/// rates instead of single runs.
///
/// # Errors
/// If a file cannot be read, or if no row is selected.
pub(crate) fn intake(
    results: &[(PathBuf, PathBuf)],
    options: &AnalysisOptions,
    needs: Needs,
    catalogue: &Catalogue,
) -> Result<Intake> {
    let (columns, ends) = (&options.columns, options.targets.ends());
    let averages = matches!(needs, Needs::Summary | Needs::Effects | Needs::Report);
    let by = if averages { options.by.as_slice() } else { &[] };
    let mut truncation = truncation(results, columns, &ends)?;
    let mut readers = Vec::new();
    for (path, file) in results {
        let names = columns.names(path)?;
        match Reader::open_named(file, &names) {
            Ok(reader) => {
                note_recognised(file, &reader);
                note_missing(file, &reader);
                readers.push(if truncation.is_some() { reader.lacking(&UNKNOWN_COLUMNS) } else { reader });
            }
            Err(of_runs) if needs == Needs::Summary && names.is_empty() && results.len() == 1 => {
                let given = [
                    ("--where", !options.conditions.is_empty()),
                    ("--by", !by.is_empty()),
                    ("--target", !ends.is_empty()),
                ];
                return of_rates(file, of_runs, given.into_iter().find(|(_, is_given)| *is_given));
            }
            Err(of_runs) => return Err(of_runs.into()),
        }
    }
    if readers.len() > 1 {
        check_same_instances(results)?;
    }
    // Several targets are the values of a setting.
    let targets = ends.iter().filter_map(|end| Some(end.target?.name())).filter(|_| ends.len() > 1);
    let targets: Vec<String> = targets.collect();
    let varied = |reader: &Reader<_>| -> Vec<String> {
        reader.varied.iter().cloned().chain(targets.iter().map(|_| TARGET_SETTING.to_owned()).take(1)).collect()
    };
    let names = distinct_names(results);
    let files: Vec<_> = names.into_iter().zip(&readers).map(|(name, reader)| (name, varied(reader))).collect();
    let mut selection =
        RowSelection::new::<anyhow::Error>(&files, &options.conditions, by, || sizes(results, catalogue))?;
    let mut missing: Vec<&'static str> = readers.iter().flat_map(|reader| reader.missing.iter().copied()).collect();
    missing.sort_unstable();
    missing.dedup();
    let varied = selection.varied();
    let mut samples = SamplesBuilder::of_columns(varied.clone(), missing.clone(), MAX_SAMPLES);
    let mut summary = Builder::of_columns(&varied, missing);
    let (mut row, mut n_rows) = (Row::default(), 0);
    for (file, reader) in readers.into_iter().enumerate() {
        let mut reader = reader.without_numbering();
        while reader.read_over(&mut row)? {
            n_rows += 1;
            let mut count = |row: &mut Row| -> Result<()> {
                if selection.admit(file, row) {
                    if needs != Needs::Summary {
                        samples.add(row)?;
                    }
                    summary.add(row);
                }
                Ok(())
            };
            let Some(truncation) = &mut truncation else {
                count(&mut row)?;
                continue;
            };
            truncation.read_course(&row)?;
            for (number, &end) in ends.iter().enumerate() {
                let mut ended = row.clone();
                truncation.end_at(&mut ended, end)?;
                ended.varied.extend(targets.get(number).cloned());
                count(&mut ended)?;
            }
        }
    }
    let mut notes = truncation.map(|truncation| truncation.notes()).unwrap_or_default();
    if !targets.is_empty() {
        notes[0] = format!(
            "The targets {} were set after the runs. Each run counts once for each target.",
            targets.join(", ")
        );
    }
    notes.extend(selection.finish()?);
    Ok((samples.finish(), summary.finish(), n_rows, notes))
}

/// Reads a file of rates. Refuses an option that selects runs, since such a file contains no single runs.
fn of_rates(file: &Path, of_runs: ReadError, given: Option<(&str, bool)>) -> Result<Intake> {
    let summary = Summary::open(file).map_err(|_| of_runs)?;
    if let Some((option, _)) = given {
        let file = file.display();
        bail!(UsageError(format!(
            "{file} has rates, so `{option}` cannot select single runs\n  use the file that has one row per run"
        )));
    }
    Ok((Samples::default(), summary, 0, Vec::new()))
}

/// The truncation of the runs, if the user requested an earlier end; or else `None`.
fn truncation(
    results: &[(PathBuf, PathBuf)],
    columns: &ColumnOptions,
    ends: &[EarlierEnd],
) -> Result<Option<Truncation>> {
    let Some(&end) = ends.first() else { return Ok(None) };
    let [(path, file)] = results else {
        let help = "give exactly one results folder, or set the target or limit in the experiment and run the experiment again";
        bail!(UsageError(format!(
            "to apply a target or a limit to finished runs, the program needs the trace of exactly one results folder\n  {help}"
        )));
    };
    let without = || {
        let record = "`[record] trace = \"improvements\"` records the trace; `run --fresh` repeats all runs";
        UsageError(format!(
            "to apply a target or a limit to finished runs, the program needs a trace.csv.gz\n  {record}"
        ))
    };
    let trace = file_beside(file, TRACE)?.ok_or_else(without)?;
    Ok(Some(Truncation::open(file, &columns.names(path)?, &trace, end)?))
}

/// The sizes of all instances, from the manifests.
fn sizes(results: &[(PathBuf, PathBuf)], catalogue: &Catalogue) -> Result<InstanceSizes> {
    let mut sizes = InstanceSizes::new();
    for (path, _) in results {
        let Some((_, Some(instances))) = with_instances(path)? else { continue };
        for instance in InstancesById::new(instances.into()).iter() {
            let (_, restored) = instance.restore(catalogue)?;
            let of_instance = restored.sizes().into_iter().map(|(name, size)| (name.to_owned(), size));
            sizes.insert(instance.id.to_owned(), of_instance.collect());
        }
    }
    Ok(sizes)
}

/// Refuses folders in which different instances have the same id.
fn check_same_instances(results: &[(PathBuf, PathBuf)]) -> Result<()> {
    let mut known: BTreeMap<String, (String, &Path)> = BTreeMap::new();
    for (path, _) in results {
        let Some((_, Some(instances))) = with_instances(path)? else { continue };
        for instance in instances.iter() {
            let (text, other) = known.entry(instance.id.to_owned()).or_insert((instance.content.to_owned(), path));
            let (id, one, other) = (instance.id, other.display(), path.display());
            ensure!(
                text == instance.content,
                UsageError(format!(
                    "`{id}` is the name of different instances in {one} and {other}\n  use results on the same \
                     instances, or rename one instance"
                ))
            );
        }
    }
    Ok(())
}

/// Reports how a file from another program is read.
pub(crate) fn note_recognised(path: &Path, reader: &Reader<File>) {
    if let Some(recognised) = &reader.recognised {
        line(&format!("note: {}: {recognised}", path.display()));
    }
}

/// Reports the figures that are missing because the file lacks columns.
fn note_missing(path: &Path, reader: &Reader<File>) {
    let suggested = reader.missing.iter().filter_map(|&column| Some((column, reader.suggested(column)?)));
    let suggested: BTreeMap<_, _> = suggested.collect();
    let values = json!({ "file": path.display().to_string(), "missing": reader.missing, "suggested": suggested });
    rendered!("intake/missing_columns.txt", values).lines().for_each(line);
}

/// The name of the trace of a file of runs.
pub(crate) const TRACE: &str = "trace.csv.gz";

/// The file with this name beside a file `runs.csv`. Beside a file with another name, a trace or a race would belong to other runs.
pub(crate) fn file_beside(file: &Path, name: &str) -> Result<Option<PathBuf>> {
    let beside = file.with_file_name(name);
    let has_it = file.ends_with("runs.csv") && is_regular(&beside)?;
    Ok(has_it.then_some(beside))
}

/// The names of results: the last part of each path, or the whole path if several paths have the same last part.
fn distinct_names(results: &[(PathBuf, PathBuf)]) -> Vec<String> {
    let short = |path: &Path| {
        path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
    };
    let name = |(path, _): &(PathBuf, PathBuf)| {
        let n_same = results.iter().filter(|(other, _)| short(other) == short(path)).count();
        if n_same == 1 { short(path) } else { path.display().to_string() }
    };
    results.iter().map(name).collect()
}

/// The first of these files that a results folder has, or the CSV itself. The error for a folder without these files contains the text
/// `none`.
pub(crate) fn file_of(results: &Path, names: &[&str], none: &str) -> Result<PathBuf> {
    ensure!(
        results.exists(),
        UsageError(format!("`{}` does not exist\n  expected a results folder or a CSV file", results.display()))
    );
    ensure!(results.extension().is_none_or(|extension| extension != "toml"), unrun(results));
    if !results.is_dir() {
        return Ok(results.to_owned());
    }
    for file in names.iter().map(|name| results.join(name)) {
        if is_regular(&file).map_err(ReadError::from)? {
            return Ok(file);
        }
    }
    Err(unmade(results, none).into())
}

/// The file of runs in a results folder, or the CSV file itself.
pub(crate) fn runs_of(results: &Path) -> Result<PathBuf> {
    file_of(results, &["runs.csv"], "no runs.csv")
}

/// Returns the identity of each run that has one of these numbers in a file of runs. The key is the number of the run.
pub(crate) fn run_ids(file: &Path, mut wanted: BTreeSet<u64>) -> Result<BTreeMap<u64, RunId>> {
    let mut ids = BTreeMap::new();
    for row in Reader::open(file)? {
        let row = row?;
        if wanted.remove(&row.run) {
            ids.insert(row.run, row.key.run_id);
        }
        if wanted.is_empty() {
            break;
        }
    }
    Ok(ids)
}
