//! The table `tune`: how an algorithm is tuned over its space.

use evogrid_analysis::metric::Metric;
use evogrid_core::suggestion::{list, one_of};

use super::algorithm::AlgorithmSpec;
use super::fields::Reader;
use crate::experiment::document::Table;

const KEYS: [&str; 5] = ["algorithm", "budget", "metric", "blocks", "path"];

/// The most blocks between two decisions, and the most runs of a configuration on the path.
const MOST_AT_A_TIME: u64 = 10_000;

/// The most runs of a race.
const MOST_RUNS: u64 = 100_000_000;

/// How an algorithm is tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct TunePlan {
    /// The algorithm, by name.
    pub algorithm: String,
    /// The most runs of the race.
    pub budget: u64,
    /// The metric by which runs are judged; `None` for that of tables.
    pub metric: Option<Metric>,
    /// The blocks between two decisions: a block is one run of each configuration in the race.
    pub blocks: u64,
    /// The runs of each configuration on the path from the default to the winner; 0 leaves the path out.
    pub path: u64,
}

/// Reads the table; `None` if it is absent or wrong.
pub(super) fn read<'d>(reader: &mut Reader<'d>, root: &'d Table, algorithms: &[&AlgorithmSpec]) -> Option<TunePlan> {
    let table = reader.table(root, "tune")?;
    reader.known(table, "`tune`", &KEYS);
    let span = root.get("tune")?.key_span;
    let budget = reader.whole(table, "budget", 1, MOST_RUNS);
    if table.get("budget").is_none() {
        reader.fault(&span, "`tune.budget` is missing", "expected a number of runs: `budget = 1000`");
    }
    let blocks = reader.whole(table, "blocks", 1, MOST_AT_A_TIME).unwrap_or(1);
    let path = reader.whole(table, "path", 0, MOST_AT_A_TIME).unwrap_or(0);
    let metric = reader.text(table, "metric").map(|name| Metric::of_name(name).map_err(|help| (name, help)));
    if let Some(Err((name, help))) = &metric {
        reader.fault(&table.get("metric")?.node.span, format!("unknown metric `{name}`"), help.clone());
    }
    let metric = metric.and_then(Result::ok);
    let tunable: Vec<&str> = algorithms
        .iter()
        .filter(|algorithm| !algorithm.space.dimensions.is_empty())
        .map(|algorithm| algorithm.name.as_str())
        .collect();
    let algorithm = match (reader.text(table, "algorithm"), tunable.as_slice()) {
        (Some(name), _) if tunable.contains(&name) => name,
        (Some(name), [_, ..]) => {
            let message = format!("no algorithm `{name}` has a `space`");
            reader.fault(&table.get("algorithm")?.node.span, message, one_of(name, &tunable));
            return None;
        }
        (None, [alone]) => alone,
        (_, []) => {
            let help = "say what may vary: `[algorithms.NAME.space]` with `SETTING = { from = 10, to = 1000 }`";
            reader.fault(&span, "no algorithm has a `space`", help);
            return None;
        }
        (None, several) => {
            let message = format!("{} algorithms have a `space`", several.len());
            reader.fault(&span, message, format!("choose one with `algorithm`: {}", list(several)));
            return None;
        }
    };
    if algorithms.iter().any(|own| own.name == algorithm && !own.axes.is_empty()) {
        let message = format!("`{algorithm}` has a grid, and is tuned from one configuration on");
        reader.fault(&span, message, "put what may vary into its `space`, and give all other settings one value");
        return None;
    }
    Some(TunePlan { algorithm: algorithm.to_owned(), budget: budget?, metric, blocks, path })
}
