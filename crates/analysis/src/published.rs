//! Values from publications. Tables show these values beside our values.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::samples::{Key, Sample, Samples, Selection, same_value};
use crate::summary::SummaryRow;
use evogrid_results::files::FileError;
use evogrid_results::format::percent;
use evogrid_results::sheet::{MILLISECONDS, NUMBER, Parser, ReadError, Sheet};
use evogrid_statistics::predict_count;

/// The published values in a file in `datasets/published/`.
///
/// The columns are `source`, `bucket`, `runs`, `success_rate` (a fraction), `mean_ms_solved`, `mean_generations` and `mean_ms_unsolved`.
/// Some papers count the generations of a run only until the run finds its best fitness. The files for these papers have the column
/// `mean_generations_to_best` instead of `mean_generations`. If the published values apply to only one algorithm, the file also has a
/// column `algorithm`. Each other column is read as a setting, and its name is the dotted path of the setting. An empty field means that
/// the value was not published. If a setting is empty in a row, the row is valid for all values of this setting.
///
/// ```
/// use evogrid_analysis::Published;
///
/// let csv = "source,population,bucket,runs,success_rate,mean_ms_solved,mean_generations,mean_ms_unsolved\n\
///     A. Author (2000),100,easy,10,0.6,,23.5,\n";
/// assert!(Published::read("published.csv", csv.as_bytes()).is_ok());
///
/// let error = Published::read("published.csv", csv.replace("0.6", "60").as_bytes()).unwrap_err().to_string();
/// assert_eq!(error, "published.csv:2: column `success_rate`: expected a fraction from 0 to 1, found `60`");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    settings: Vec<String>,
    rows: Vec<PublishedRow>,
    /// Whether the published generations are counted until the best fitness. If not, they are counted until the end of a run.
    pub(crate) has_generations_to_best: bool,
}

/// A row of published values.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedRow {
    /// The publication that prints this row, and the place in the publication.
    pub source: String,
    settings: Vec<String>,
    bucket: String,
    /// The number of runs from which the values of the row were computed.
    pub runs: Option<u64>,
    /// The rate of solved runs, as a fraction.
    pub success_rate: Option<f64>,
    /// The mean time of the solved runs in milliseconds.
    pub mean_ms_solved: Option<f64>,
    /// The mean number of generations over all runs. The file says whether generations are counted until the end of a run, or only until
    /// the run finds its best fitness.
    pub mean_generations: Option<f64>,
    /// The mean time of the unsolved runs in milliseconds.
    pub mean_ms_unsolved: Option<f64>,
}

impl PublishedRow {
    /// The number of solved runs and the number of all runs. The result exists only if the paper gives the rate and the number of runs. A
    /// printed rate is rounded. Therefore this method rounds the number of solved runs to a whole number.
    pub fn counts(&self) -> Option<(u64, u64)> {
        let (rate, runs) = (self.success_rate?, self.runs?);
        Some(((rate * runs as f64).round() as u64, runs))
    }
}

/// Our runs predict a range for the paper's number of solved runs. Every number in this range would agree with our runs. The range can be
/// computed only if the paper gives the number of all its runs. The range is a 95 % prediction interval (beta-binomial, Jeffreys' prior).
#[derive(Clone, Copy, Debug)]
pub struct AllowedCounts {
    low: u64,
    high: u64,
    of: u64,
}

impl AllowedCounts {
    /// The parameter `of` says how many runs the paper reports. This function predicts how many runs of the paper are solved. The
    /// prediction uses our runs: `solved` is the number of our solved runs, and `runs` is the number of all our runs.
    pub fn new((solved, runs): (u64, u64), of: u64) -> Self {
        let (low, high) = predict_count(solved, runs, of).into_inner();
        Self { low, high, of }
    }

    /// Whether this number of solved runs lies in the allowed range.
    pub fn contains(&self, solved: u64) -> bool {
        (self.low..=self.high).contains(&solved)
    }

    /// The smallest and the largest allowed count as fractions.
    pub(crate) fn rates(&self) -> [f64; 2] {
        [self.low, self.high].map(|count| count as f64 / self.of as f64)
    }

    /// Whether the range contains more than half of all possible rates. If the range contains most of the possible rates, a published rate
    /// may lie in the range by chance.
    pub fn is_wide(&self) -> bool {
        let [low, high] = self.rates();
        high - low > 0.5
    }
}

/// Writes the allowed rates, for example `60 to 100 %`.
impl fmt::Display for AllowedCounts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, high] = self.rates().map(percent);
        write!(formatter, "{low} to {high} %")
    }
}

/// The published row that matches our values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Match<'a> {
    /// No row matches.
    None,
    /// One row matches.
    One(&'a PublishedRow),
    /// Several rows match. The rows differ in settings that our results do not have.
    Several,
}

/// Our runs of a configuration on a bucket, and the published row that matches our runs.
pub struct MatchedRuns<'a> {
    /// The algorithm, the values of the varied settings, and the bucket.
    pub values: Vec<&'a str>,
    /// The runs.
    pub runs: Vec<&'a Sample>,
    /// The published row that matches these runs.
    pub published: Match<'a>,
}

/// The column that replaces `mean_generations` if generations are counted up to the best fitness.
const TO_BEST: &str = "mean_generations_to_best";

const RUNS: Parser<u64> = Parser::new("a whole number from 1 to 1000000", |text| {
    text.parse().ok().filter(|runs| (1..=1_000_000).contains(runs))
});
const RATE: Parser<f64> =
    Parser::new("a fraction from 0 to 1", |text| text.parse().ok().filter(|rate| (0.0..=1.0).contains(rate)));

impl Published {
    /// Opens and reads a file of published values.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read. Returns an error if a column is missing or a value is invalid.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let file = File::open(path).map_err(FileError::from_io("read", path))?;
        Self::read(&path.to_string_lossy(), file)
    }

    /// Reads a file of published values. Error messages use `file` as the name of the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read. Returns an error if a column is missing or a value is invalid.
    pub fn read(file: &str, input: impl Read) -> Result<Self, ReadError> {
        let mut sheet = Sheet::open(file, input)?;
        let has_generations_to_best = sheet.find(TO_BEST).is_some();
        let generations = if has_generations_to_best { TO_BEST } else { "mean_generations" };
        let known = ["source", "bucket", "runs", "success_rate", "mean_ms_solved", generations, "mean_ms_unsolved"];
        let [source, bucket, runs, rate, ms_solved, generations, ms_unsolved] = sheet.columns_named(known)?;
        let (columns, settings): (Vec<usize>, _) = sheet.columns_besides(&known).into_iter().unzip();
        let mut rows = Vec::new();
        while sheet.advance()? {
            rows.push(PublishedRow {
                source: sheet.text(source).to_owned(),
                settings: columns.iter().map(|&column| sheet.text(column).to_owned()).collect(),
                bucket: sheet.text(bucket).to_owned(),
                runs: sheet.optional(runs, &RUNS)?,
                success_rate: sheet.optional(rate, &RATE)?,
                mean_ms_solved: sheet.optional(ms_solved, &MILLISECONDS)?,
                mean_generations: sheet.optional(generations, &NUMBER)?,
                mean_ms_unsolved: sheet.optional(ms_unsolved, &MILLISECONDS)?,
            });
        }
        Ok(Self { settings, rows, has_generations_to_best })
    }

    /// Finds the published row that matches our runs. The row and our runs must belong to the same bucket. If the row and our runs contain
    /// the same setting, the two values of this setting must be equal. Numbers are compared as numbers, so `100` equals `100.0`. `varied`
    /// contains the names of our varied settings. `values` contains our algorithm, the values of these settings, and the bucket.
    pub fn find(&self, varied: &[String], values: &[&str]) -> Match<'_> {
        let Some((bucket, values)) = values.split_last() else { return Match::None };
        let names = std::iter::once("algorithm").chain(varied.iter().map(String::as_str));
        let ours: Vec<(&str, &str)> = names.zip(values.iter().copied()).collect();
        // A setting that we do not have cannot tell two published rows apart.
        let agrees = |(name, theirs): (&String, &String)| {
            let ours = ours.iter().find(|(own, _)| own == name);
            theirs.trim().is_empty() || ours.is_none_or(|(_, ours)| same_value(theirs.trim(), ours.trim()))
        };
        let is_found =
            |row: &&PublishedRow| row.bucket == *bucket && self.settings.iter().zip(&row.settings).all(agrees);
        let mut found = self.rows.iter().filter(is_found);
        match (found.next(), found.next()) {
            (None, _) => Match::None,
            (Some(one), None) => Match::One(one),
            (Some(_), Some(_)) => Match::Several,
        }
    }

    /// The published row that matches a row of a summary.
    pub(crate) fn find_row(&self, varied: &[String], row: &SummaryRow) -> Match<'_> {
        let values = std::iter::once(&row.algorithm).chain(&row.varied).chain([&row.bucket]);
        self.find(varied, &values.map(String::as_str).collect::<Vec<_>>())
    }

    /// The selected runs, grouped by configuration and bucket. Each group also contains the published row that matches the group.
    pub fn matched<'a>(&'a self, samples: &'a Samples, selection: &Selection) -> Vec<MatchedRuns<'a>> {
        let keys: Vec<Key> = samples.roster.configuration_keys().chain([Key::Bucket]).collect();
        let matched = |(values, runs): (Vec<&'a str>, _)| {
            let published = self.find(&samples.roster.varied, &values);
            MatchedRuns { values, runs, published }
        };
        samples.grouped(&keys, selection).into_iter().map(matched).collect()
    }

    /// The published settings that do not vary in our results.
    pub(crate) fn settings_besides<'a>(&'a self, varied: &'a [String]) -> impl Iterator<Item = &'a str> {
        let is_unvaried = |name: &&String| *name != "algorithm" && !varied.contains(name);
        self.settings.iter().filter(is_unvaried).map(String::as_str)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::test_runs::{run, summary};

    /// The figures of Huke's slides.
    pub(crate) fn huke() -> Published {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/published/huke.csv");
        Published::open(&path).expect("Huke's figures")
    }

    #[test]
    fn hukes_table_is_read_as_printed() {
        let huke = huke();
        assert_eq!(huke.settings, ["population"]);
        let solved: Vec<Option<(u64, u64)>> = huke.rows.iter().map(PublishedRow::counts).collect();
        assert_eq!(solved, [10, 6, 0, 0, 10, 9, 5, 0, 10, 10, 6, 2].map(|solved| Some((solved, 10))));
        assert_eq!((huke.rows[2].mean_ms_solved, huke.rows[2].mean_ms_unsolved), (None, Some(9412.0)));
    }

    #[test]
    fn rows_match_by_bucket_and_by_number() {
        let ours = summary([run(500, "easy", true, 1.0, 1)]);
        let (row, huke) = (&ours.rows[0], huke());
        let Match::One(found) = huke.find_row(&ours.varied, row) else { panic!("one row of figures") };
        assert_eq!(found.mean_ms_solved, Some(4662.0));
        let as_float = SummaryRow { varied: vec!["500.0".into()], ..row.clone() };
        assert_eq!(huke.find_row(&ours.varied, &as_float), Match::One(found));
        let other = SummaryRow { varied: vec!["50".into()], ..row.clone() };
        assert_eq!(huke.find_row(&ours.varied, &other), Match::None);
        assert_eq!(
            huke.find_row(&ours.varied, &ours.rows[1]),
            Match::None,
            "a published row for all buckets together is not supported"
        );
    }

    #[test]
    fn figures_that_our_results_cannot_tell_apart_match_nothing() {
        let ours = summary([run(500, "easy", true, 1.0, 1)]);
        let unvaried = SummaryRow { varied: Vec::new(), ..ours.rows[0].clone() };
        assert_eq!(huke().find_row(&[], &unvaried), Match::Several);
        assert_eq!(huke().settings_besides(&[]).collect::<Vec<_>>(), ["population"]);
    }
}
