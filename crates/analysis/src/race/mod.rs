//! Races of configurations. This module reads the fate of each candidate from `race.csv`, and makes the table of a race.

use std::io::Read;
use std::path::Path;

use crate::table::ColumnKind::{Number, Text};
use crate::table::{Caption, Cell, Column, Format, Table, write};
use evogrid_results::files::{FileError, open_regular};
use evogrid_results::format::shortest;
use evogrid_results::sheet::{NUMBER, Parser, ReadError, Sheet, WHOLE};

pub use evogrid_statistics::{DROPPED_AT, Fate, Race, RaceEntry};

evogrid_core::choices! {
    /// The fate of a candidate. The best fate comes first, and the names are the names in `race.csv`.
    #[expect(missing_docs, reason = "`RecordedFate::words` says it")]
    pub enum RecordedFate {
        Winner = "winner",
        InTheRace = "in the race",
        Worse = "worse",
        SetAside = "set aside",
    }
}

impl RecordedFate {
    /// The fate in words, for readers.
    pub fn words(self) -> &'static str {
        if self == Self::Worse { "shown to be worse" } else { self.name() }
    }
}

/// A candidate of a race: a row of `race.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedCandidate {
    /// The number of the candidate. Number 0 is the default configuration.
    pub number: u64,
    /// The number of the parent. This candidate's values were drawn near the parent's values. `None` if this candidate has no parent.
    pub parent: Option<u64>,
    /// Its fate.
    pub fate: RecordedFate,
    /// The candidate's place among the candidates still in the race. The first place is 1.
    pub place: Option<u64>,
    /// The first and the last block of the candidate. Blocks are counted from 0.
    pub blocks: [u64; 2],
    /// The number of runs of the candidate.
    pub n_runs: u64,
    /// The number of failed runs of the candidate.
    pub n_failed: u64,
    /// The evidence that the candidate is worse than other candidates. The value 1 means no evidence.
    pub evidence: f64,
    /// The metric's mean over the runs that did not fail. `None` if all runs failed.
    pub mean: Option<f64>,
    /// The candidate's values of the settings. If a setting has no effect, its value is empty.
    pub values: Vec<String>,
}

/// A race that was read from `race.csv`.
///
/// ```
/// use evogrid_analysis::race::RecordedRace;
///
/// let csv = "candidate,parent,fate,place,first_block,last_block,runs,failed,evidence,mean,rate\n0,,winner,1,0,3,4,0,1,8.5,0.1\n";
/// let race = RecordedRace::read("race.csv", csv.as_bytes())?;
/// assert_eq!((race.settings[0].as_str(), race.candidates[0].values[0].as_str()), ("rate", "0.1"));
///
/// let error = RecordedRace::read("race.csv", csv.replace("winner", "lost").as_bytes()).unwrap_err().to_string();
/// assert_eq!(error, "race.csv:2: column `fate`: expected `winner`, `in the race`, `worse` or `set aside`, found `lost`");
/// # Ok::<(), evogrid_results::sheet::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedRace {
    /// The settings that vary.
    pub settings: Vec<String>,
    /// The candidates, in the order in which they entered the race.
    pub candidates: Vec<RecordedCandidate>,
}

const FATE: Parser<RecordedFate> = Parser::new("`winner`, `in the race`, `worse` or `set aside`", RecordedFate::named);

impl RecordedRace {
    /// Opens and reads a `race.csv`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read. Returns an error if a column is missing or a value is invalid.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Self::read(&path.to_string_lossy(), open_regular(path).map_err(FileError::from_io("read", path))?)
    }

    /// Reads a `race.csv`. Error messages use `file` as the name of the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read. Returns an error if a column is missing or a value is invalid.
    pub fn read(file: &str, input: impl Read) -> Result<Self, ReadError> {
        const COLUMNS: [&str; 10] =
            ["candidate", "parent", "fate", "place", "first_block", "last_block", "runs", "failed", "evidence", "mean"];
        let mut sheet = Sheet::open(file, input)?;
        let [number, parent, fate, place, first, last, runs, failed, evidence, mean] = sheet.columns_named(COLUMNS)?;
        let others = sheet.columns_besides(&[&COLUMNS[..], &["iteration"]].concat());
        let (of_settings, settings): (Vec<usize>, _) = others.into_iter().unzip();
        let mut candidates = Vec::new();
        while sheet.advance()? {
            let blocks = [sheet.value(first, &WHOLE)?, sheet.value(last, &WHOLE)?];
            if blocks[1] < blocks[0] {
                return Err(sheet.bad(last, "`first_block` or a later block"));
            }
            candidates.push(RecordedCandidate {
                number: sheet.value(number, &WHOLE)?,
                parent: sheet.optional(parent, &WHOLE)?,
                fate: sheet.value(fate, &FATE)?,
                place: sheet.optional(place, &WHOLE)?,
                blocks,
                n_runs: sheet.value(runs, &WHOLE)?,
                n_failed: sheet.value(failed, &WHOLE)?,
                evidence: sheet.value(evidence, &NUMBER)?,
                mean: sheet.optional(mean, &NUMBER)?,
                values: of_settings.iter().map(|&column| sheet.text(column).to_owned()).collect(),
            });
        }
        candidates.sort_by_key(|candidate| (candidate.blocks[0], candidate.number));
        Ok(Self { settings, candidates })
    }

    /// The candidates, with the winner first. Next come the candidates still in the race, by place. All other candidates follow, by
    /// ascending evidence.
    pub fn ranked(&self) -> Vec<&RecordedCandidate> {
        let mut ranked: Vec<&RecordedCandidate> = self.candidates.iter().collect();
        let key = |candidate: &RecordedCandidate| {
            let is_out = matches!(candidate.fate, RecordedFate::Worse | RecordedFate::SetAside);
            (is_out, candidate.fate != RecordedFate::Winner && !is_out, candidate.place.filter(|_| !is_out))
        };
        ranked.sort_by(|one, other| key(one).cmp(&key(other)).then(one.evidence.total_cmp(&other.evidence)));
        ranked
    }
}

/// The further texts and values that the table of a race needs.
pub struct RaceNames<'a> {
    /// A sentence above the table.
    pub heading: String,
    /// The name of the column with the mean of the metric.
    pub mean: &'a str,
    /// Converts a cost to a value of the metric.
    pub figure: &'a dyn Fn(f64) -> f64,
    /// The settings that vary.
    pub settings: &'a [&'a str],
    /// For each configuration, the value of each setting. If a setting has no effect, its value is empty.
    pub values: &'a [Vec<String>],
    /// Sentences below the table.
    pub notes: Vec<String>,
}

/// The maximum number of configurations in the table.
const MOST_SHOWN: usize = 10;

/// A figure with four significant digits. A large figure keeps all digits before the decimal point.
pub fn rounded(figure: f64) -> String {
    shortest(if figure.abs() < 1e4 { format!("{figure:.3e}").parse().ok() } else { Some(figure.round()) })
}

/// Renders the table of a race. The table shows the best configurations of the race. The table also shows the default configuration: the
/// first configuration of the race.
pub fn render(race: &Race, names: &RaceNames<'_>, format: Format) -> String {
    let figures = [("runs", Number), ("failed", Number), (names.mean, Number), ("evidence", Number), ("", Text)];
    let settings = names.settings.iter().map(|setting| (*setting, Text));
    let columns = Column::named([("no.", Text)].into_iter().chain(settings).chain(figures));
    let mut numbers = race.standing();
    numbers.retain(|&number| race.entries()[number].has_run());
    numbers.truncate(MOST_SHOWN);
    if !numbers.contains(&0) {
        numbers.push(0);
    }
    let row = |(place, &number): (usize, &usize)| {
        let entry = &race.entries()[number];
        let fate = match entry.fate {
            Fate::Alive if place == 0 => "winner".to_owned(),
            Fate::Alive => "in the race".to_owned(),
            Fate::Dropped { block } => format!("worse, block {block}"),
            Fate::SetAside { block } => format!("set aside, block {block}"),
        };
        let fate = if number == 0 { format!("{fate}; default") } else { fate };
        let values = names.values[number].iter().map(|value| Cell::plain(value));
        let figures = [
            Cell::Plain(entry.costs.len().to_string()),
            Cell::Plain(entry.n_failed().to_string()),
            Cell::Plain(entry.mean_cost().map(|cost| rounded((names.figure)(cost))).unwrap_or_default()),
            Cell::Plain(if entry.evidence() < 0.1 { "<0.1".to_owned() } else { format!("{:.1}", entry.evidence()) }),
            Cell::Plain(fate),
        ];
        [Cell::Plain(number.to_string())].into_iter().chain(values).chain(figures).collect()
    };
    let rows = numbers.iter().enumerate().map(row).collect();
    let caption = Caption { text: "The configurations in the race", label: "race" };
    let table = Table::of_rows(caption, columns, rows, names.notes.clone());
    write(&Table { heading: Some(names.heading.clone()), ..table }, format.wrapped())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: &str = "candidate,iteration,parent,fate,place,first_block,last_block,runs,failed,evidence,mean,rate\n\
        0,0,,worse,,0,4,5,1,25.5,9,0.5\n\
        1,0,,set aside,,0,9,10,0,3,8,0.2\n\
        3,1,1,in the race,2,5,11,7,0,1.2,7.5,0.3\n\
        2,1,0,winner,1,5,11,7,0,1,7,\n";

    fn refusal(csv: &str) -> String {
        RecordedRace::read("race.csv", csv.as_bytes()).expect_err("an error").to_string()
    }

    #[test]
    fn candidates_stand_in_the_order_in_which_they_entered_or_the_best_first() {
        let race = RecordedRace::read("race.csv", CSV.as_bytes()).expect("a race");
        assert_eq!(race.settings, ["rate"]);
        assert_eq!(race.candidates.iter().map(|candidate| candidate.number).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(race.ranked().iter().map(|candidate| candidate.number).collect::<Vec<_>>(), [2, 3, 1, 0]);
        let winner = race.ranked()[0];
        assert_eq!((winner.parent, winner.blocks, winner.values[0].as_str()), (Some(0), [5, 11], ""));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let refused = [
            refusal(&CSV.replace("fate", "end")),
            refusal(&CSV.replace("set aside", "aside")),
            refusal(&CSV.replace(",5,11,7,0,1,7,", ",5,4,7,0,1,7,")),
            refusal(&CSV.replace("25.5", "much")),
        ];
        insta::assert_snapshot!(refused.join("\n"), @"
        race.csv: no column `fate`; the columns are `candidate`, `iteration`, `parent`, `end`, `place`, `first_block`, `last_block`, `runs`, `failed`, `evidence`, `mean`, `rate`
        race.csv:3: column `fate`: expected `winner`, `in the race`, `worse` or `set aside`, found `aside`
        race.csv:5: column `last_block`: expected `first_block` or a later block, found `4`
        race.csv:2: column `evidence`: expected a number, found `much`
        ");
    }
}
