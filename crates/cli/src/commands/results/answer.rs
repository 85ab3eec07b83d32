//! `runner answer`: prints a sentence that says which configuration is the best, or prints the numbers of the results for the text of a
//! paper.

use anyhow::Result;
use evogrid_analysis::effects::{MainEffect, effects};
use evogrid_analysis::ranking::Ranking;
use evogrid_analysis::table::latex_text;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::format::{p_text, percent, shortest};

use crate::arguments::{CompareArgs, Format};
use crate::messages::{UsageError, grouped, notes, print, print_as_it_is};
use crate::opened::{Needs, OpenedResults};

/// The numbers contain figures of at most this many configurations.
const MOST_RANKS: usize = 20;

/// The LaTeX code before the numbers. It defines a command that prints the number with a given name, and that reports a name that does not
/// exist.
const PREAMBLE: &str = include_str!("answer/preamble.tex");

/// Prints the answer of a results folder or a CSV, or all its numbers.
pub(crate) fn answer(args: &CompareArgs, catalogue: &Catalogue) -> Result<()> {
    args.analysis.refuse("answer", &["--against", "--top", "--baseline"])?;
    let opened = OpenedResults::open(&args.analysis, Needs::Report, catalogue)?;
    let metric = opened.metric();
    let compared = opened.compare(&opened.samples, metric, opened.quality()).ok();
    let ranking = Ranking::new(&opened.samples, metric, compared.as_ref())?;
    let warnings = notes(opened.notes(), args.output.format);
    match args.output.format {
        Format::Text => {
            let lines = std::iter::once(ranking.answer()).chain(warnings);
            Ok(print(&(lines.collect::<Vec<_>>().join("\n") + "\n"))?)
        }
        Format::Latex => {
            // A name in TeX cannot contain other characters.
            let is_kept = |letter: char| letter.is_ascii_alphanumeric() || ".-=();:".contains(letter);
            let line = |(name, value): (String, String)| {
                let name = name.replace(|letter| !is_kept(letter), "-");
                format!("\\evogridset{{{name}}}{{{}}}\n", latex_text(&value))
            };
            let lines: String = numbers(&opened, &ranking).into_iter().map(line).collect();
            let of_warnings = warnings.iter().map(|warning| latex_text(warning)).collect::<Vec<_>>().join(" ");
            Ok(print_as_it_is(&format!("{PREAMBLE}{lines}\\evogridset{{warnings}}{{{of_warnings}}}\n"))?)
        }
        Format::Csv | Format::Markdown => {
            let message = "`runner answer` prints either plain text or LaTeX commands with numbers for a paper\n  expected `--format text` or `--format latex`";
            Err(UsageError(message.to_owned()).into())
        }
    }
}

/// Returns the numbers of some results, each with its name.
fn numbers(opened: &OpenedResults<'_>, ranking: &Ranking) -> Vec<(String, String)> {
    let samples = &opened.samples;
    let manifest = |place: &str| opened.manifest.as_ref().and_then(|manifest| manifest.pointer(place));
    let text = |place: &str| match manifest(place) {
        Some(serde_json::Value::String(text)) => Some(text.clone()),
        Some(serde_json::Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let cpu_hours = samples.runs.iter().map(|run| run.outcome.cpu_ms).sum::<Option<f64>>().map(|ms| ms / 3_600_000.0);
    let may_be_best = ranking.n_may_be_best().map(|n| grouped(n as u64));
    let mut numbers: Vec<(String, Option<String>)> = [
        ("answer", Some(ranking.answer())),
        ("runs", Some(grouped(samples.runs.len() as u64))),
        ("failed", Some(grouped(samples.runs.iter().filter(|run| run.outcome.has_failed()).count() as u64))),
        ("configurations", Some(grouped(ranking.rows.len() as u64))),
        ("instances", Some(grouped(samples.roster.instances.len() as u64))),
        ("metric", Some(ranking.metric.name())),
        ("may-be-best", may_be_best),
        ("processor-hours", cpu_hours.map(|hours| shortest(Some((hours * 1000.0).ceil() / 1000.0)))),
        ("title", text("/experiment/title")),
        ("seed", text("/experiment/seed")),
        ("repetitions", text("/experiment/repetitions")),
        ("version", text("/evogrid/version")),
        ("processor", text("/processor")),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec();
    for (rank, row) in ranking.rows.iter().enumerate().take(MOST_RANKS) {
        let rank = rank + 1;
        numbers.push((format!("{rank}"), Some(row.name.clone())));
        numbers.push((format!("{rank}.figure"), Some(row.figure.clone())));
    }
    if let Some(settings) = effects(samples, ranking.metric).ok().and_then(|effects| effects.settings) {
        settings.main.iter().for_each(|main| numbers.extend(numbers_of(main)));
        for interaction in &settings.interactions {
            let name = interaction.names.join(".with.");
            numbers.push((format!("{name}.explains"), Some(percent(interaction.share))));
            numbers.push((format!("{name}.p"), Some(p_text(interaction.p_value))));
        }
    }
    numbers.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// Returns the numbers of a setting: its share of the variance, the p-value of its test, and the mean of each of its values.
fn numbers_of(main: &MainEffect) -> Vec<(String, Option<String>)> {
    let name = &main.name;
    let mut numbers = vec![
        (format!("{name}.explains"), Some(percent(main.share))),
        (format!("{name}.explains-in-all"), Some(percent(main.total_share))),
        (format!("{name}.p"), Some(p_text(main.p_value))),
    ];
    let mean = |mean: f64| Some(format!("{mean:.2}"));
    numbers.extend(main.levels.iter().map(|level| (format!("{name}.{}", level.level), mean(level.mean))));
    numbers
}
