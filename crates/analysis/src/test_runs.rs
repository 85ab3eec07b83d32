//! Runs for the tests of this crate: all are read from lines of a CSV, as a user's are.

use crate::summary::Summary;
use evogrid_results::runs::Reader;

use crate::Published;
use crate::race::RecordedRace;
use crate::samples::Samples;

/// The columns of [`run`].
const COLUMNS: &str =
    "algorithm,population,instance,bucket,solved,best_fitness,evaluations,generations,stop,wall_ms,cpu_ms\n";

/// A run of `huke` at a population, as a line of a CSV.
pub(crate) fn run(population: u64, bucket: &str, solved: bool, ms: f64, generations: u64) -> String {
    let (bucket, fitness, stop) =
        (quoted(bucket), if solved { 0 } else { 3 }, if solved { "target" } else { "stagnation" });
    format!("huke,{population},huke-01,{bucket},{solved},{fitness},100,{generations},{stop},{ms},1.125\n")
}

/// The summary of runs of [`run`].
pub(crate) fn summary(runs: impl IntoIterator<Item = String>) -> Summary {
    let csv = std::iter::once(COLUMNS.to_owned()).chain(runs).collect::<String>();
    Summary::from_runs(Reader::new("runs.csv", csv.as_bytes()).expect("columns")).expect("rows")
}

/// The runs of a CSV.
pub(crate) fn samples(csv: &str) -> Samples {
    Samples::read(Reader::new("runs.csv", csv.as_bytes()).expect("columns")).expect("rows")
}

/// Published figures; each row has a source, the values of the settings, and the six columns from `bucket` on.
pub(crate) fn published(settings: &str, rows: &[&str]) -> Published {
    let columns = "bucket,runs,success_rate,mean_ms_solved,mean_generations,mean_ms_unsolved";
    let csv = format!("source,{settings}{columns}\n{}\n", rows.join("\n"));
    Published::read("published.csv", csv.as_bytes()).expect("figures")
}

/// A race; each row has the columns from `candidate` on.
pub(crate) fn recorded_race(setting: &str, rows: &[&str]) -> RecordedRace {
    let columns = "candidate,parent,fate,place,first_block,last_block,runs,failed,evidence,mean";
    let csv = format!("{columns},{setting}\n{}\n", rows.join("\n"));
    RecordedRace::read("race.csv", csv.as_bytes()).expect("a race")
}

/// A text as a field of a CSV.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
