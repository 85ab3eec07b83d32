//! A trace describes the course of a run. Traces are stored in the records of runs and in `trace.csv.gz`.

use std::fmt;
use std::io::{self, Write};

use flate2::{Compression, GzBuilder, write::GzEncoder};
use serde::{Deserialize, Serialize, Serializer};

use crate::format::write_decimal;

/// The maximum number of points in a trace. This maximum does not depend on the length of the run. A trace with the maximum number of
/// points takes about 100 KB in a journal line.
pub const POINT_LIMIT: usize = 1000;

/// The course of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// The rule that chose the points.
    pub trigger: Trigger,
    /// The recorded points in order. For a long run, the points are a selection from the whole run.
    pub points: Vec<Point>,
}

/// The rule that chooses the recorded points of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Trigger {
    /// Each new best solution of the run.
    Improvements,
    /// The end of every n-th generation (n is at least 1). With this rule, the points also describe the population.
    Every(u64),
}

/// The state of a run at one moment. In a journal, a point is `[evaluations,generation,best_fitness]` or
/// `[evaluations,generation,best_fitness,mean_fitness,diversity]`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(from = "PointNumbers")]
pub struct Point {
    /// The number of evaluations so far, in all trials.
    pub evaluations: u64,
    /// The number of completed generations, in all trials.
    pub generation: u64,
    /// The best fitness of the run so far: a finite number.
    pub best_fitness: f64,
    /// The mean fitness of the population, if it was recorded.
    pub mean_fitness: Option<f64>,
    /// The gene diversity of the population, from 0 to 1, if it was recorded. See
    /// [`Population::gene_diversity`](evogrid_core::population::Population::gene_diversity).
    pub diversity: Option<f64>,
}

/// The points of a trace. While points arrive, only the first of every `2^doublings` points is kept. When the number of kept points reaches
/// the limit, `doublings` grows by 1. So the number of points alone determines which points are kept.
#[derive(Debug, Default)]
pub struct ThinnedPoints {
    /// The points that were kept.
    pub kept: Vec<Point>,
    seen: u64,
    doublings: u32,
}

/// One place is reserved for the last improvement.
const THINNED_LIMIT: usize = POINT_LIMIT - 1;

impl ThinnedPoints {
    /// Counts one more point. Returns whether the caller must add this point to `kept`.
    pub fn is_next_kept(&mut self) -> bool {
        let number = self.seen;
        self.seen += 1;
        if number.is_multiple_of(1 << self.doublings) && self.kept.len() == THINNED_LIMIT {
            let mut is_kept = false;
            self.kept.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
            self.doublings += 1;
        }
        number.is_multiple_of(1 << self.doublings)
    }
}

/// Writes `trace.csv.gz`: a line of column names, and then the points. The file is compressed while it is written. The same points always
/// give the same bytes. The file contains neither the time at which it was written nor the name of the operating system.
///
/// ```
/// use std::io::Read;
/// use evogrid_results::trace::{Point, Trigger, Writer};
///
/// let first = Point { evaluations: 1, generation: 0, best_fitness: 43.0, mean_fitness: None, diversity: None };
/// let mut bytes = Vec::new();
/// let mut writer = Writer::new(&mut bytes, Trigger::Improvements)?;
/// writer.write(7, &[first, Point { evaluations: 30, generation: 3, best_fitness: 0.5, ..first }])?;
/// writer.finish()?;
///
/// let mut text = String::new();
/// flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
/// assert_eq!(text, "run,evaluations,generation,best_fitness\n7,1,0,43.0\n7,30,3,0.5\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    gzip: GzEncoder<W>,
    /// Whether the columns of the population are written.
    has_population: bool,
    /// The rows of a run; the buffer is kept to reuse its memory.
    rows: String,
}

impl<W: Write> Writer<W> {
    /// Writes the column names. With [`Trigger::Every`], the points also describe the population, so the function also writes the column
    /// names `mean_fitness` and `diversity`.
    ///
    /// # Errors
    /// If `output` cannot be written.
    pub fn new(output: W, trigger: Trigger) -> io::Result<Self> {
        // The number 255 stands for an unknown system (RFC 1952, section 2.3.1).
        let builder = GzBuilder::new().mtime(0).operating_system(255);
        let mut gzip = builder.write(output, Compression::default());
        let has_population = matches!(trigger, Trigger::Every(_));
        let more = if has_population { ",mean_fitness,diversity" } else { "" };
        writeln!(gzip, "run,evaluations,generation,best_fitness{more}")?;
        Ok(Self { gzip, has_population, rows: String::new() })
    }

    /// Writes the points of a run. `run` is the run's number in the plan.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn write(&mut self, run: u64, points: &[Point]) -> io::Result<()> {
        use fmt::Write as _;
        self.rows.clear();
        for point in points {
            let Point { evaluations, generation, best_fitness, mean_fitness, diversity } = *point;
            let numbers = [Some(best_fitness), mean_fitness, diversity];
            let n_numbers = if self.has_population { 3 } else { 1 };
            write!(self.rows, "{run},{evaluations},{generation}").expect("writing to a string cannot fail");
            for number in &numbers[..n_numbers] {
                self.rows.push(',');
                write_decimal(&mut self.rows, *number).expect("writing to a string cannot fail");
            }
            self.rows.push('\n');
        }
        self.gzip.write_all(self.rows.as_bytes())
    }

    /// Writes all pending data to the output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(self) -> io::Result<()> {
        self.gzip.finish()?.flush()
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { evaluations, generation, best_fitness, mean_fitness, diversity } = self;
        if mean_fitness.is_some() || diversity.is_some() {
            (evaluations, generation, best_fitness, mean_fitness, diversity).serialize(serializer)
        } else {
            (evaluations, generation, best_fitness).serialize(serializer)
        }
    }
}

/// The numbers of a point in a journal.
#[derive(Deserialize)]
#[serde(expecting = "a point that consists of three or five numbers")]
struct PointNumbers(u64, u64, f64, #[serde(default)] Option<f64>, #[serde(default)] Option<f64>);

impl From<PointNumbers> for Point {
    fn from(PointNumbers(evaluations, generation, best_fitness, mean_fitness, diversity): PointNumbers) -> Self {
        Self { evaluations, generation, best_fitness, mean_fitness, diversity }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;
    use crate::journal::LINE_LIMIT;
    use crate::record::{Record, tests::record};

    pub(crate) fn point(evaluations: u64, best_fitness: f64) -> Point {
        Point { evaluations, generation: evaluations / 100, best_fitness, mean_fitness: None, diversity: None }
    }

    fn with_population(evaluations: u64, best_fitness: f64) -> Point {
        Point { mean_fitness: Some(40.25), diversity: Some(0.1 + 0.2), ..point(evaluations, best_fitness) }
    }

    /// The compressed points of runs, each preceded by its number.
    pub(crate) fn written<P: AsRef<[Point]>>(trigger: Trigger, runs: impl IntoIterator<Item = (u64, P)>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, trigger).expect("memory");
        runs.into_iter().for_each(|(run, points)| writer.write(run, points.as_ref()).expect("memory"));
        writer.finish().expect("memory");
        bytes
    }

    fn decompressed(bytes: &[u8]) -> String {
        let mut text = String::new();
        GzDecoder::new(bytes).read_to_string(&mut text).expect("gzip");
        text
    }

    #[test]
    fn a_trace_stands_in_its_record_as_compact_arrays() {
        let mut record = record(1);
        record.trace = Some(Trace { trigger: Trigger::Improvements, points: vec![point(1, 60.0), point(250, 41.5)] });
        let line = serde_json::to_string(&record).expect("JSON");
        assert!(line.ends_with(r#","trace":{"trigger":"improvements","points":[[1,0,60.0],[250,2,41.5]]}}"#), "{line}");
        assert_eq!(serde_json::from_str::<Record>(&line).expect("its own line"), record);
        record.trace =
            Some(Trace { trigger: Trigger::Every(10), points: vec![with_population(1000, 30.0), point(1250, 0.0)] });
        let line = serde_json::to_string(&record).expect("JSON");
        assert!(
            line.ends_with(
                r#","trace":{"trigger":{"every":10},"points":[[1000,10,30.0,40.25,0.30000000000000004],[1250,12,0.0]]}}"#
            ),
            "{line}"
        );
        assert_eq!(serde_json::from_str::<Record>(&line).expect("its own line"), record);
    }

    #[test]
    fn a_point_of_another_length_is_an_error() {
        for (text, expected) in [
            ("[1,2]", "invalid length 2, expected a point that consists of three or five numbers"),
            ("[1,2,3,4,5,6]", "trailing characters"),
            ("[-1,2,3]", "invalid value: integer `-1`, expected u64"),
        ] {
            let error = serde_json::from_str::<Point>(text).expect_err("no point").to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn the_longest_trace_leaves_a_journal_line_much_room() {
        let longest = Point {
            evaluations: u64::MAX,
            generation: u64::MAX,
            best_fitness: -f64::MIN_POSITIVE * 1.1,
            mean_fitness: Some(-f64::MIN_POSITIVE * 1.1),
            diversity: Some(f64::MIN_POSITIVE * 1.1),
        };
        let trace = Trace { trigger: Trigger::Every(u64::MAX), points: vec![longest; POINT_LIMIT] };
        assert!(serde_json::to_string(&trace).expect("JSON").len() < LINE_LIMIT / 5);
    }

    #[test]
    fn columns_of_the_population_are_written_where_it_is_looked_at() {
        let improvements = written(Trigger::Improvements, [(0, [point(1, 60.0)]), (2, [point(7, 0.1)])]);
        assert_eq!(decompressed(&improvements), "run,evaluations,generation,best_fitness\n0,1,0,60.0\n2,7,0,0.1\n");
        let every = written(Trigger::Every(2), [(1, [with_population(200, 3.0), point(250, 2.0)])]);
        assert_eq!(
            decompressed(&every),
            "run,evaluations,generation,best_fitness,mean_fitness,diversity\n\
             1,200,2,3.0,40.25,0.30000000000000004\n1,250,2,2.0,,\n"
        );
    }

    #[test]
    fn the_compressed_file_tells_neither_time_nor_system() {
        let bytes = written(Trigger::Improvements, [(0, [point(1, 60.0)])]);
        assert_eq!(bytes[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
    }
}
