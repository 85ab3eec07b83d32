//! Reads `race.csv`, which has the fate of each candidate of a race.

use std::io::Read;
use std::path::Path;

use evogrid_results::files::{FileError, open_regular};
use evogrid_results::sheet::{NUMBER, Parser, ReadError, Sheet, WHOLE};

/// The fate of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "`RecordedFate::words` says it")]
pub enum RecordedFate {
    Winner,
    InTheRace,
    Worse,
    SetAside,
}

impl RecordedFate {
    /// All fates, with the best fate first.
    pub const ALL: [Self; 4] = [Self::Winner, Self::InTheRace, Self::Worse, Self::SetAside];

    /// The name of the fate in `race.csv`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            other => other.words(),
        }
    }

    /// The fate in words, for readers.
    pub fn words(self) -> &'static str {
        match self {
            Self::Winner => "winner",
            Self::InTheRace => "in the race",
            Self::Worse => "shown to be worse",
            Self::SetAside => "set aside",
        }
    }
}

/// A candidate of a race: a row of `race.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedCandidate {
    /// The number of the candidate. Number 0 is the default configuration.
    pub number: u64,
    /// The number of the parent, near whose values the values of this candidate were drawn. `None` if this candidate has no parent.
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

const FATE: Parser<RecordedFate> = Parser::new("`winner`, `in the race`, `worse` or `set aside`", |text| {
    RecordedFate::ALL.into_iter().find(|fate| fate.name() == text)
});

impl RecordedRace {
    /// Opens and reads a `race.csv`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, a column is missing, or a value is invalid.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Self::read(&path.to_string_lossy(), open_regular(path).map_err(FileError::from_io("read", path))?)
    }

    /// Reads a `race.csv`. Error messages use `file` as the name of the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, a column is missing, or a value is invalid.
    pub fn read(file: &str, input: impl Read) -> Result<Self, ReadError> {
        const COLUMNS: [&str; 10] =
            ["candidate", "parent", "fate", "place", "first_block", "last_block", "runs", "failed", "evidence", "mean"];
        let mut sheet = Sheet::open(file, input)?;
        let mut columns = [0; COLUMNS.len()];
        for (at, name) in columns.iter_mut().zip(COLUMNS) {
            *at = sheet.column(name)?;
        }
        let [number, parent, fate, place, first, last, runs, failed, evidence, mean] = columns;
        let others = sheet.columns_besides(&[&COLUMNS[..], &["iteration"]].concat());
        let (of_settings, settings): (Vec<usize>, _) = others.into_iter().unzip();
        let mut candidates = Vec::new();
        while sheet.advance()? {
            let blocks = [sheet.value(first, &WHOLE)?, sheet.value(last, &WHOLE)?];
            if blocks[1] < blocks[0] {
                return Err(sheet.bad(last, "a block that is not before `first_block`"));
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
        race.csv:5: column `last_block`: expected a block that is not before `first_block`, found `4`
        race.csv:2: column `evidence`: expected a number, found `much`
        ");
    }
}
