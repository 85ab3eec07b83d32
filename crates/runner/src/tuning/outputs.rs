//! The files of a tuning beside the tables of its race: `race.csv`, `winner.toml` and `path.csv`.

use std::path::Path;

use anyhow::Result;
use evogrid_analysis::race::{Fate, RecordedFate};
use evogrid_results::files::{remove_if_there, replace};

use super::path::PathStep;
use super::race_runs::Tuner;
use crate::experiment::settings_json::settings_to_json;

const RACE: &str = "race.csv";
const WINNER: &str = "winner.toml";
const PATH: &str = "path.csv";

/// Removes the files of an earlier race, since they may name another winner. A longer race writes these files again at its end.
///
/// # Errors
/// If a file cannot be removed.
pub(super) fn remove(folder: &Path) -> Result<()> {
    Ok([RACE, WINNER, PATH].iter().try_for_each(|name| remove_if_there(&folder.join(name)))?)
}

/// Writes a row for each candidate: its iteration, its parent, its blocks, and why it left the race.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write_race(folder: &Path, tuner: &Tuner) -> Result<()> {
    let (course, race) = (&tuner.course, &tuner.course.race);
    let standing = race.standing();
    let paths = course.space.dimensions.iter().map(|dimension| dimension.path.as_str());
    let names = [
        "candidate",
        "iteration",
        "parent",
        "fate",
        "place",
        "first_block",
        "last_block",
        "runs",
        "failed",
        "evidence",
        "mean",
    ];
    replace(&folder.join(RACE), |output| -> Result<()> {
        let mut writer = csv::Writer::from_writer(output);
        writer.write_record(names.into_iter().chain(paths))?;
        // The last candidates may have no run, if the budget was used up when they entered.
        let entries = course.candidates.iter().zip(race.entries()).take_while(|(_, entry)| entry.has_run());
        for (number, (candidate, entry)) in entries.enumerate() {
            let fate = match entry.fate {
                Fate::Dropped { .. } => RecordedFate::Worse,
                Fate::SetAside { .. } => RecordedFate::SetAside,
                Fate::Alive if standing.first() == Some(&number) => RecordedFate::Winner,
                Fate::Alive => RecordedFate::InTheRace,
            };
            let place = standing.iter().position(|&other| other == number);
            let number_or_nothing =
                |number: Option<usize>| number.map_or_else(String::new, |number| number.to_string());
            let last = entry.first_block + entry.costs.len() as u64 - 1;
            let row = [
                number.to_string(),
                candidate.iteration.to_string(),
                number_or_nothing(candidate.parent),
                fate.name().to_owned(),
                number_or_nothing(place.map(|place| place + 1)),
                entry.first_block.to_string(),
                last.to_string(),
                entry.costs.len().to_string(),
                entry.n_failed().to_string(),
                format!("{:.4}", entry.evidence()),
                entry.mean_cost().map_or_else(String::new, |mean| tuner.figure(mean).to_string()),
            ];
            let values =
                candidate.values.iter().map(|value| value.as_ref().map_or_else(String::new, ToString::to_string));
            writer.write_record(row.into_iter().chain(values))?;
        }
        Ok(writer.flush()?)
    })
}

/// Writes a candidate as the table of an algorithm, complete and ready to be used in an experiment file.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write_winner(folder: &Path, tuner: &Tuner, candidate: usize) -> Result<()> {
    let algorithm = tuner.algorithm_of(candidate);
    let table = serde_json::json!({ "algorithms": { algorithm.name.as_str(): settings_to_json(&algorithm.base) } });
    let text = toml::to_string(&table)?;
    replace(&folder.join(WINNER), |output| -> Result<()> { Ok(output.write_all(text.as_bytes())?) })
}

/// Writes a row for each step of the path.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write_path(folder: &Path, tuner: &Tuner, steps: &[PathStep]) -> Result<()> {
    replace(&folder.join(PATH), |output| -> Result<()> {
        let mut writer = csv::Writer::from_writer(output);
        writer.write_record(["step", "setting", "mean", "failed", "runs"])?;
        for (number, step) in steps.iter().enumerate() {
            let figures = [
                step.cost.map_or_else(String::new, |cost| tuner.figure(cost).to_string()),
                step.n_failed.to_string(),
                step.n_runs.to_string(),
            ];
            writer.write_record([number.to_string(), step.setting.clone()].into_iter().chain(figures))?;
        }
        Ok(writer.flush()?)
    })
}
