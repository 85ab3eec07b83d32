//! `runner tune`: does a race of configurations, tests the winner, and shows which settings made the difference.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use evogrid_analysis::compare::{CompareOptions, compare, render};
use evogrid_analysis::metric::Subject;
use evogrid_analysis::race::{self, Fate, RaceNames, rounded};
use evogrid_analysis::samples::Samples;
use evogrid_analysis::table::Format;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::runs::Reader;

use crate::arguments::TuneArgs;
use crate::commands::arguments::{jobs, load_spec, results_folder};
use crate::commands::experiment::run::{interrupted, options};
use crate::messages::{UsageError, counted, going_on, grouped, line, print_as_it_is, rendered};
use evogrid_runner::engine::execute::ExecutionOptions;
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::spec::AnalysisPlan;
use evogrid_runner::system::terminal::output_width;
use evogrid_runner::tuning::carry_out::{Tuned, TuningOutcome, tune as carry_out};
use serde_json::{Value, json};

/// Tunes an algorithm.
pub(crate) fn tune(args: &TuneArgs, catalogue: Catalogue) -> Result<ExitCode> {
    let spec = load_spec(&args.experiment, &catalogue)?;
    let Some(plan) = spec.tune.clone() else {
        let file = args.experiment.experiment.display();
        let help = "add `[tune]` with the number of runs, for example `budget = 1000`; in `[algorithms.NAME.space]`,\n  write the settings that may vary";
        return Err(UsageError(format!("{file} has no table `[tune]`\n  {help}")).into());
    };
    let analysis = spec.analysis.clone();
    let folder = Folder::new(results_folder(args.out.as_deref(), &format!("{}-tune", spec.name)));
    let jobs = jobs(args.execution.jobs);
    let execution = ExecutionOptions { jobs, shard: args.shard, is_fail_fast: false, timing: None };
    let signals = Signals::listen()?;
    let options = options(&args.experiment, &args.execution, execution, &folder, &signals);
    let tell = |values: Value| line(rendered!("tune/outcome.txt", values).trim_end());
    match carry_out(&spec, &plan, &Arc::new(catalogue), &options)? {
        TuningOutcome::Done(tuned) => {
            if !args.execution.quiet {
                show(&tuned, analysis.as_ref(), folder.path())?;
            }
            let n_given_up = tuned.tuner.n_given_up;
            if n_given_up == 0 {
                return Ok(ExitCode::SUCCESS);
            }
            tell(json!({ "n_failed": n_given_up }));
            Ok(ExitCode::from(1))
        }
        TuningOutcome::Shard => {
            if !args.execution.quiet {
                tell(json!({ "folder": folder.path().to_string_lossy() }));
            }
            Ok(ExitCode::SUCCESS)
        }
        TuningOutcome::RaceOver => {
            tell(json!({ "rest": command(args, false) }));
            Ok(ExitCode::SUCCESS)
        }
        TuningOutcome::Interrupted(signal, tally) => Ok(interrupted(signal, &tally, &command(args, true))),
    }
}

/// The command that continues.
fn command(args: &TuneArgs, with_shard: bool) -> String {
    let shard = args.shard.filter(|_| with_shard).map(|shard| format!(" --shard {shard}")).unwrap_or_default();
    going_on("tune", &args.experiment.experiment, &args.experiment.sets, args.out.as_deref()) + &shard
}

/// Prints the table of the race, the test of the winner, and the settings that made the difference.
fn show(tuned: &Tuned, analysis: Option<&AnalysisPlan>, folder: &Path) -> Result<()> {
    let format = Format::Text { width: output_width() };
    let mut text = race_table(tuned, format, folder);
    let metric = tuned.tuner.rule.metric;
    if let Some(test) = &tuned.test {
        let samples = Samples::read(Reader::open(&test.join("runs.csv"))?)?;
        let default = tuned.tuner.default_name();
        let criteria = analysis.map(AnalysisPlan::criteria).unwrap_or_default();
        let options = CompareOptions { baseline: Some(&default), criteria, ..CompareOptions::default() };
        let comparison = compare(&samples, metric, options)?;
        let notes = ["This comparison uses the test instances. The race did not use the test instances.".to_owned()];
        text += &format!("\n{}", render(&comparison, format, &notes));
    }
    let steps = tuned.path.iter().map(|step| {
        json!({
            "setting": step.setting,
            "mean": step.cost.map(|cost| rounded(tuned.tuner.figure(cost))),
            "failed": step.n_failed,
            "runs": step.n_runs,
        })
    });
    let values = json!({
        "is_default": tuned.winner == 0,
        "has_test": tuned.test.is_some(),
        "steps": steps.collect::<Vec<_>>(),
        "metric": metric.declaration().name,
        "folder": folder.display().to_string(),
    });
    text += &rendered!("tune/summary.txt", values);
    Ok(print_as_it_is(&text)?)
}

fn race_table(tuned: &Tuned, format: Format, folder: &Path) -> String {
    let (tuner, course, race) = (&tuned.tuner, &tuned.tuner.course, &tuned.tuner.course.race);
    let settings: Vec<&str> = course.space.dimensions.iter().map(|dimension| dimension.path.as_str()).collect();
    let values: Vec<Vec<String>> = course
        .candidates
        .iter()
        .map(|candidate| {
            let text = |value: &Option<_>| value.as_ref().map_or_else(String::new, ToString::to_string);
            candidate.values.iter().map(text).collect()
        })
        .collect();
    let count = |is_it: fn(&Fate) -> bool| race.entries().iter().filter(|entry| is_it(&entry.fate)).count();
    let n_worse = count(|fate| matches!(fate, Fate::Dropped { .. }));
    let n_aside = count(|fate| matches!(fate, Fate::SetAside { .. }));
    let metric = tuner.rule.metric.declaration();
    let in_blocks = || course.candidates.iter().zip(race.entries()).filter(|(_, entry)| entry.has_run());
    let heading = format!(
        "The race used the metric {}, and did {} in {}. The race compared {}, which came from {}",
        metric.name,
        counted(course.n_runs, "run"),
        counted(race.n_blocks(), "block"),
        counted(in_blocks().count() as u64, "configuration"),
        counted(in_blocks().map(|(candidate, _)| candidate.iteration).max().unwrap_or(0) as u64, "iteration"),
    );
    let penalty = (metric.subject == Subject::Work).then(|| tuner.rule.penalty.to_string());
    let facts = json!({
        "n_worse": grouped(n_worse as u64),
        "evidence": race::DROPPED_AT.to_string(),
        "n_aside": grouped(n_aside as u64),
        "file": folder.join("race.csv"),
        "penalty": penalty,
    });
    let notes = rendered!("tune/race_notes.txt", facts).lines().map(str::to_owned).collect();
    let mean = format!("mean {}", metric.name);
    race::render(
        race,
        &RaceNames {
            heading,
            mean: &mean,
            figure: &|cost| tuner.figure(cost),
            settings: &settings,
            values: &values,
            notes,
        },
        format,
    )
}
