//! `runner rate`: rates the difficulty of instances with the measures of their family and with a reference search.

use anyhow::{Context, Result};
use evogrid_core::algorithm::Algorithm;
use evogrid_core::budget::{Budget, Stop};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::{Family, Instance, Measure, Rating};
use evogrid_core::identity::{Fingerprint, run_seed};
use evogrid_core::random::RandomStream;
use evogrid_core::settings::Settings;
use indicatif::ProgressBar;
use rayon::prelude::*;

use crate::arguments::{RateArgs, RateFormat};
use crate::commands::arguments::{family_names, family_of, jobs};
use crate::messages::{UsageError, bar, grouped, list, print, print_as_it_is};
use evogrid_runner::experiment::data_set::NamedInstance;
use evogrid_runner::experiment::document::Document;
use evogrid_runner::experiment::instance_file::read_file;
use evogrid_runner::experiment::spec::fields::Reader;

/// The seed from which the seeds of the reference search follow.
const SEED: u64 = 0;

/// Rates the instances of a file.
pub(crate) fn rate(args: &RateArgs, catalogue: &Catalogue) -> Result<()> {
    let family = family_of(&args.instances, &args.file, catalogue)?;
    let name = family.declaration().name;
    let measures = family.measures().ok_or_else(|| unrated(name, catalogue))?.measures;
    let instances = read_file(&args.file, family, &args.instances.options)?;
    let reference = Reference::new(catalogue, family);
    let steps = instances.len() as u64 * (1 + u64::from(args.runs));
    let progress = bar(steps, "{wide_bar} {percent} %, {eta_precise} left");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs(args.jobs)).build().context("cannot start threads")?;
    let rated: Vec<RatedInstance> = pool.install(|| {
        instances.into_par_iter().map(|named| RatedInstance::new(named, &reference, args.runs, &progress)).collect()
    });
    progress.finish_and_clear();
    match args.format {
        RateFormat::Csv => print_as_it_is(&csv(&rated, family, measures, args.runs)?)?,
        RateFormat::Text => print(&text(&rated, measures, args.runs))?,
    }
    Ok(())
}

/// The error for a family without measures.
fn unrated(name: &str, catalogue: &Catalogue) -> UsageError {
    let rated = list(&family_names(catalogue, |family| family.measures().is_some())).replace("` or `", "` and `");
    UsageError(format!(
        "instances of `{name}` cannot be rated: this family has no measures of difficulty\n  families that can be rated: {rated}"
    ))
}

/// The reference search: combinatorial evolution that accepts equal moves.
struct Reference {
    problem: &'static str,
    settings: Settings,
    search: Algorithm,
    budget: Budget,
}

impl Reference {
    fn new(catalogue: &Catalogue, family: &dyn Family) -> Self {
        let problem = family.declaration().name;
        let document = Document::parse("reference.toml", include_str!("rate/reference.toml").to_owned());
        let document = document.expect("the settings of the reference search are TOML");
        let raw = Reader::new(&document).settings("", &document.root, &[]);
        let settings = catalogue.resolve(&raw, &[problem]).expect("the settings of the reference search are valid");
        let search = catalogue.algorithm(&settings);
        Self { problem, budget: Budget::from_settings(settings.table("budget")), search, settings }
    }

    /// The number of evaluations until an instance is solved; `None` if it is not solved.
    fn run(&self, instance: &dyn Instance, number: u64) -> Option<u64> {
        let seed = run_seed(SEED, &Fingerprint::of_instance(self.problem, &instance.content()), number, None);
        let problem = instance.prepare(&self.settings);
        let outcome = problem.solve(&self.search, &self.budget, &mut RandomStream::from_seed(seed), &mut ());
        (outcome.stop == Stop::Target).then_some(outcome.evaluations)
    }
}

/// An instance with its rating and the results of the reference search.
struct RatedInstance {
    named: NamedInstance,
    rating: Rating,
    n_solved: usize,
    median_evaluations: Option<u64>,
}

impl RatedInstance {
    fn new(named: NamedInstance, reference: &Reference, runs: u16, progress: &ProgressBar) -> Self {
        let instance = named.instance.as_ref();
        let rating = instance.rate().expect("a family with measures of difficulty can rate its instances");
        progress.inc(1);
        let run = |number: u64| {
            // On an instance without a solution, every run uses its whole budget and shows nothing.
            let evaluations = if rating.is_infeasible { None } else { reference.run(instance, number) };
            progress.inc(1);
            evaluations
        };
        let mut evaluations: Vec<Option<u64>> = (0..u64::from(runs)).into_par_iter().map(run).collect();
        let n_solved = evaluations.iter().flatten().count();
        Self { median_evaluations: median(&mut evaluations), n_solved, rating, named }
    }
}

/// The median. If the number of runs is even, the median is the rounded mean of the middle two runs. Unsolved runs count as longer than all
/// solved runs.
fn median(evaluations: &mut [Option<u64>]) -> Option<u64> {
    evaluations.sort_unstable_by_key(|evaluations| evaluations.unwrap_or(u64::MAX));
    let n = evaluations.len();
    let middle = |at: usize| *evaluations.get(at)?;
    Some(middle(n.checked_sub(1)? / 2)?.midpoint(middle(n / 2)?))
}

/// The data set with the ratings, as a CSV.
fn csv(rated: &[RatedInstance], family: &dyn Family, measures: &[Measure], runs: u16) -> Result<String> {
    // The options of an instance in the order of their declaration; empty if the instance does not have the option.
    let fields = |rated: &RatedInstance| -> Vec<String> {
        let mut given = rated.named.instance.options();
        family.options().iter().map(|option| given.remove(option.name).unwrap_or_default()).collect()
    };
    let options: Vec<Vec<String>> = rated.iter().map(fields).collect();
    let is_used = |at: usize| options.iter().any(|fields| !fields[at].is_empty());
    let used: Vec<usize> = (0..family.options().len()).filter(|&at| is_used(at)).collect();
    let is_labelled = rated.iter().any(|rated| !rated.named.bucket.is_empty());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut header = vec!["id", "bucket", family.text_column()];
    header.extend(used.iter().map(|&at| family.options()[at].name));
    header.extend(is_labelled.then_some("labelled"));
    header.extend(measures.iter().map(|measure| measure.name));
    header.extend(["runs", "solved", "median_evaluations"]);
    writer.write_record(header)?;
    for (RatedInstance { named, rating, n_solved, median_evaluations }, options) in rated.iter().zip(&options) {
        let mut row = vec![named.id.clone(), rating.bucket.clone(), named.instance.text()];
        row.extend(used.iter().map(|&at| options[at].clone()));
        row.extend(is_labelled.then(|| named.bucket.clone()));
        row.extend(rating.values.iter().cloned());
        row.extend([runs.to_string(), n_solved.to_string()]);
        row.push(median_evaluations.map_or_else(String::new, |median| median.to_string()));
        writer.write_record(row)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// A table for the terminal: texts are aligned to the left, numbers to the right.
fn text(rated: &[RatedInstance], measures: &[Measure], runs: u16) -> String {
    let shown: Vec<usize> = (0..measures.len()).filter(|&at| measures[at].is_in_table).collect();
    let is_number = |column: usize| column >= 2 && shown.get(column - 2).is_none_or(|&at| measures[at].is_number);
    let measured = shown.iter().map(|&at| measures[at].name);
    let header = ["id", "bucket"].into_iter().chain(measured).chain(["solved", "evaluations"]);
    let row = |RatedInstance { named, rating, n_solved, median_evaluations }: &RatedInstance| {
        let mut row = vec![named.id.clone(), rating.bucket.clone()];
        row.extend(shown.iter().map(|&at| match rating.values[at].parse() {
            Ok(number) => grouped(number),
            Err(_) => rating.values[at].clone(),
        }));
        row.push(format!("{n_solved}/{runs}"));
        row.push(match median_evaluations {
            Some(median) => grouped(*median),
            None if runs == 0 => "-".to_owned(),
            None => "unsolved".to_owned(),
        });
        row
    };
    let mut rows = vec![header.map(str::to_owned).collect()];
    rows.extend(rated.iter().map(row));
    let width = |column: usize| rows.iter().map(|row: &Vec<String>| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..rows[0].len()).filter_map(width).collect();
    let remarks = std::iter::once(None).chain(rated.iter().map(|rated| rated.rating.remark));
    let line = |(row, remark): (&Vec<String>, Option<&str>)| {
        let padded = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if is_number(column) { format!("{cell:>width$}") } else { format!("{cell:width$}") }
        });
        let padded: Vec<String> = padded.chain(remark.map(str::to_owned)).collect();
        padded.join("  ") + "\n"
    };
    rows.iter().zip(remarks).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_counts_unsolved_runs_as_longer_than_any() {
        let median = |mut runs: Vec<Option<u64>>| median(&mut runs);
        assert_eq!(median(vec![Some(5), None, Some(1)]), Some(5));
        assert_eq!(median(vec![None, None, Some(1)]), None);
        assert_eq!(median(vec![Some(4), None, Some(1), Some(7)]), Some(5));
        assert_eq!(median(vec![Some(4), None]), None);
        assert_eq!(median(Vec::new()), None);
    }
}
