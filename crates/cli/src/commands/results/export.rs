//! `runner export` and `runner import`: write results for other programs, and read results of other programs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, anyhow};
use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::problem::DynProblem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::Search;
use evogrid_core::settings::{Settings, Value};
use evogrid_results::export::ioh::{self, IohReport, Request};
use evogrid_results::export::{ConversionError, csv};
use evogrid_results::import;
use evogrid_results::runs::{ColumnName, Reader};

use crate::arguments::{ExportArgs, ExportFormat};
use crate::intake::{TRACE, file_beside, note_recognised, runs_of};
use crate::messages::{UsageError, counted, line, rendered};
use evogrid_runner::engine::execute::solve;
use evogrid_runner::engine::replay::{family, read_instances};
use evogrid_runner::experiment::instance_list::ListedInstance;
use serde_json::json;

/// Exports a results folder or a CSV.
pub(crate) fn export(args: &ExportArgs, catalogue: &Catalogue) -> Result<()> {
    let (runs, names) = (runs_of(&args.results)?, args.columns.names(&args.results)?);
    note_recognised(&runs, &Reader::open_named(&runs, &names)?);
    let trace = file_beside(&runs, TRACE)?;
    let trace = trace.as_deref();
    let out = args.out.clone().unwrap_or_else(|| beside(&args.results, args.format));
    let written = match args.format {
        ExportFormat::Ioh => to_ioh(&args.results, (&runs, &names), trace, &out, catalogue),
        ExportFormat::Parquet => to_parquet((&runs, &names), trace, &out),
        ExportFormat::Csv => csv::export(&runs, &names, &out).map_err(refused).map(|(n_runs, missing)| {
            note_omitted(&missing);
            counted(n_runs, "run")
        }),
    };
    line(&format!("{}: {}", written?, out.display()));
    Ok(())
}

/// The default folder of an export, for example `RESULTS/ioh`, or `FILE-ioh` for `FILE.csv`.
fn beside(results: &Path, format: ExportFormat) -> PathBuf {
    let name = format!("{format:?}").to_lowercase();
    if results.is_dir() {
        return results.join(name);
    }
    let stem = results.file_stem().unwrap_or_default().to_string_lossy();
    results.with_file_name(format!("{stem}-{name}"))
}

/// The error of an export or an import. The error is a system error if the system refused to read or write a file. Every error with another
/// cause is a usage error.
fn refused(error: ConversionError) -> anyhow::Error {
    match error {
        ConversionError::Read(error) => error.into(),
        ConversionError::File(_) | ConversionError::Io(_) => error.into(),
        error => UsageError(error.to_string()).into(),
    }
}

/// A file of runs, and the headers of its columns.
type NamedRuns<'a> = (&'a Path, &'a [ColumnName]);

fn to_ioh(
    results: &Path,
    (runs, columns): NamedRuns<'_>,
    trace: Option<&Path>,
    out: &Path,
    catalogue: &Catalogue,
) -> Result<String> {
    let dimensions = dimensions(results, catalogue);
    let known = dimensions.as_ref().map_or_else(|_| BTreeMap::new(), Clone::clone);
    let exported = ioh::export(&Request { runs, columns, trace, dimensions: &known, out }).map_err(refused)?;
    let values = json!({
        "missing": exported.missing,
        "untraced": exported.untraced,
        "has_generations": exported.has_generations,
        "assumed": exported.assumed,
        "unknown_fitness": exported.unknown_fitness.iter().map(f64::to_string).collect::<Vec<_>>(),
        "has_trace": trace.is_some(),
        "is_folder": results.is_dir(),
        "without_dimension": exported.without_dimension,
        "why": dimensions.err().map(|error| error.to_string()),
    });
    rendered!("export/ioh_notes.txt", values).lines().for_each(line);
    let IohReport { runs, settings, functions, .. } = exported;
    let [runs, settings, functions] = [(runs, "run"), (settings as u64, "setting"), (functions as u64, "instance")]
        .map(|(number, noun)| counted(number, noun));
    Ok(format!("{runs} of {settings} on {functions}"))
}

/// Reports the columns that the exported table lacks because the runs lack them.
fn note_omitted(missing: &[&str]) {
    if !missing.is_empty() {
        let missing = missing.join("`, `");
        line(&format!("note: the exported file lacks these columns, because the runs do not have them: `{missing}`"));
    }
}

#[cfg(feature = "parquet")]
fn to_parquet((runs, names): NamedRuns<'_>, trace: Option<&Path>, out: &Path) -> Result<String> {
    use evogrid_results::export::parquet;
    let exported = parquet::export(runs, names, trace, out).map_err(refused)?;
    note_omitted(&exported.missing);
    let points = if trace.is_some() { counted(exported.points, "point") } else { "no trace".to_owned() };
    Ok(format!("{} and {points}", counted(exported.runs, "run")))
}

#[cfg(not(feature = "parquet"))]
fn to_parquet(_: NamedRuns<'_>, _: Option<&Path>, _: &Path) -> Result<String> {
    let message = "this runner was built without Parquet\n  build a runner with Parquet: cargo build --release --features parquet";
    Err(UsageError(message.to_owned()).into())
}

/// The number of free positions of every instance in the manifest of a results folder.
fn dimensions(results: &Path, catalogue: &Catalogue) -> Result<BTreeMap<String, usize>> {
    if !results.is_dir() {
        return Err(anyhow!("the dimensions of the instances are known only for runs from a results folder"));
    }
    read_instances(results)?.iter().map(|stored| Ok((stored.id.to_owned(), dimension(stored, catalogue)?))).collect()
}

fn dimension(stored: ListedInstance<'_>, catalogue: &Catalogue) -> Result<usize> {
    let instance = family(stored.problem, catalogue)?.restore(stored.content)?;
    // The problem has its default settings. The settings of the algorithm do not matter here.
    let settings = catalogue.algorithms.declarations().find_map(|algorithm| {
        let mut raw = Settings::of("kind", Value::Text(algorithm.name.to_owned()));
        raw.set_at("budget.evaluations", Value::Integer(1));
        catalogue.resolve(&raw, &[stored.problem]).ok()
    });
    let settings = settings.with_context(|| format!("the problem `{}` requires settings", stored.problem))?;
    let free = Arc::new(AtomicUsize::new(0));
    let search = Algorithm::Custom(Box::new(FreePositions(Arc::clone(&free))));
    match solve(instance.as_ref(), &settings, &search, &Budget::default(), 0, &mut ()) {
        Ok(_) => Ok(free.load(Ordering::Relaxed)),
        Err(failure) => Err(anyhow!(failure.message)),
    }
}

/// A search that only counts the free positions of its problem.
struct FreePositions(Arc<AtomicUsize>);

impl Search for FreePositions {
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, _: &mut RandomStream) -> Outcome {
        self.0.store(evaluator.problem().layout().all_free().len(), Ordering::Relaxed);
        evaluator.run_trials(|_| Stop::Exhausted)
    }
}

/// Imports folders that IOHprofiler wrote.
pub(crate) fn import(folders: &[PathBuf], out: &Path) -> Result<()> {
    let imported = import::ioh::import(folders, out).map_err(refused)?;
    if imported.maximised > 0 {
        let functions = counted(imported.maximised as u64, "function");
        line(&format!(
            "note: larger values of {functions} are better; in the column `fitness`, the name of such a function ends in `(maximised)`"
        ));
    }
    let [algorithms, instances] = [(imported.algorithms, "algorithm"), (imported.instances, "instance")]
        .map(|(number, noun)| counted(number as u64, noun));
    let runs = counted(imported.runs, "run");
    line(&format!("{runs} of {algorithms} on {instances}: {}", out.display()));
    Ok(())
}
