//! The table `tune`: settings for tuning an algorithm over its space.

use evogrid_analysis::metric::Metric;
use evogrid_core::suggestion::{list, one_of};

use super::algorithm::AlgorithmSpec;
use super::fields::Reader;
use crate::experiment::document::Table;

/// The maximum number of blocks between two decisions, and of runs of a configuration on the path.
const MOST_AT_A_TIME: u64 = 10_000;

/// The maximum number of runs of a race.
const MOST_RUNS: u64 = 100_000_000;

/// The settings of a tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct TunePlan {
    /// The algorithm, by name.
    pub algorithm: String,
    /// The maximum number of runs of the race.
    pub budget: u64,
    /// The metric of the race. If the value is `None`, the race uses the metric that tables use by default.
    pub metric: Option<Metric>,
    /// The number of blocks between two decisions of the race. At each decision, the race decides which configurations are dropped. In a
    /// block, each configuration in the race has one run.
    pub blocks: u64,
    /// The number of runs of each configuration on the path from the default to the winner. If the number of runs is 0, the tuning computes
    /// no path.
    pub path: u64,
}

/// Reads the table; `None` if the table is absent or wrong.
pub(super) fn read<'d>(reader: &mut Reader<'d>, root: &'d Table, algorithms: &[&AlgorithmSpec]) -> Option<TunePlan> {
    let table = reader.table(root, "tune")?;
    reader.known(table, "`tune`", &["algorithm", "budget", "metric", "blocks", "path"]);
    let span = root.get("tune")?.key_span;
    let budget = reader.whole(table, "budget", 1, MOST_RUNS);
    if table.get("budget").is_none() {
        reader.fault(&span, "`tune.budget` is missing", "expected a number of runs, for example `budget = 1000`");
    }
    let blocks = reader.whole(table, "blocks", 1, MOST_AT_A_TIME).unwrap_or(1);
    let path = reader.whole(table, "path", 0, MOST_AT_A_TIME).unwrap_or(0);
    let metric = reader.text(table, "metric").and_then(|name| match Metric::of_name(name) {
        Ok(metric) => Some(metric),
        Err(help) => reader.refuse(&table.node("metric")?.span, format!("unknown metric `{name}`"), help),
    });
    let with_space = algorithms.iter().filter(|algorithm| !algorithm.space.is_empty());
    let tunable: Vec<&str> = with_space.map(|algorithm| algorithm.name.as_str()).collect();
    let algorithm = match (reader.text(table, "algorithm"), tunable.as_slice()) {
        (Some(name), _) if tunable.contains(&name) => name,
        (Some(name), [_, ..]) => {
            let message = format!("no algorithm with the name `{name}` has a `space`");
            return reader.refuse(&table.node("algorithm")?.span, message, one_of(name, &tunable));
        }
        (None, [alone]) => alone,
        (_, []) => {
            let help =
                "write the settings that may vary: `[algorithms.NAME.space]` with `SETTING = { from = 10, to = 1000 }`";
            return reader.refuse(&span, "no algorithm has a `space`", help);
        }
        (None, several) => {
            let message = format!("{} algorithms have a `space`", several.len());
            let help = format!("choose one algorithm with the key `algorithm`: {}", list(several));
            return reader.refuse(&span, message, help);
        }
    };
    if algorithms.iter().any(|own| own.name == algorithm && !own.axes.is_empty()) {
        let message = format!("`{algorithm}` has a `grid`, but a tuning needs one default configuration");
        let help = "in the algorithm's `space`, write the settings that may vary; give every other setting one value";
        return reader.refuse(&span, message, help);
    }
    Some(TunePlan { algorithm: algorithm.to_owned(), budget: budget?, metric, blocks, path })
}
