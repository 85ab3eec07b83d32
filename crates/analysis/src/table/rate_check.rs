//! Whether published rates and ours agree.

use crate::published::{Match, Published};
use evogrid_results::format::{percent, printable};
use evogrid_results::summary::Figures;
use evogrid_statistics::{CountRange, predict_count};

/// What is published for a row of ours, and what our runs say of its rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct RateCheck<'a> {
    pub(super) published: Match<'a>,
    prediction: Option<Prediction>,
}

/// How many of the published runs were solved, and the range of such counts that our runs allow.
#[derive(Clone, Copy, Debug)]
struct Prediction {
    solved: u64,
    runs: u64,
    allowed: CountRange,
}

impl<'a> RateCheck<'a> {
    /// Checks what is published against the figures of ours. A rate can be checked if it says on how many runs it rests.
    pub(super) fn new(ours: &Figures, published: Match<'a>) -> Self {
        let Match::One(row) = published else { return Self { published, prediction: None } };
        let prediction = row.solved().zip(row.runs).map(|(solved, runs)| Prediction {
            solved,
            runs,
            allowed: predict_count(ours.solved, ours.runs, runs),
        });
        Self { published, prediction }
    }

    /// The allowed rates, in percent.
    pub(super) fn range(&self) -> Option<(f64, f64)> {
        let Prediction { runs, allowed, .. } = self.prediction?;
        let percent = |count: u64| 100.0 * count as f64 / runs as f64;
        Some((percent(allowed.low), percent(allowed.high)))
    }

    pub(super) fn is_outside(&self) -> bool {
        self.prediction.is_some_and(|Prediction { solved, allowed, .. }| !allowed.contains(solved))
    }

    /// A rate outside its range, in words; `name` is that of its row.
    fn describe(&self, name: &str) -> Option<String> {
        let (low, high) = self.range().filter(|_| self.is_outside())?;
        let Prediction { solved, runs, .. } = self.prediction?;
        let rate = percent(solved as f64 / runs as f64);
        Some(format!("{name} (published {rate} %, allowed {} to {} %)", percent(low / 100.0), percent(high / 100.0)))
    }
}

/// The sentences below a table: where the published figures are from, and which lie outside. Each check comes behind the name of
/// its row; `varied` are the names of our varied settings.
pub(super) fn notes(varied: &[String], published: &Published, checks: &[(String, RateCheck<'_>)]) -> Vec<String> {
    let mut sources: Vec<&str> = Vec::new();
    let mut has_rate = false;
    for (_, check) in checks {
        if let Match::One(row) = check.published {
            has_rate |= row.success_rate.is_some();
            if !sources.contains(&row.source.as_str()) {
                sources.push(&row.source);
            }
        }
    }
    let mut notes = Vec::new();
    if !sources.is_empty() {
        notes.push(format!("Published: {}.", sources.into_iter().map(printable).collect::<Vec<_>>().join("; ")));
    }
    let n_checked = checks.iter().filter(|(_, check)| check.prediction.is_some()).count();
    let outside: Vec<String> = checks.iter().filter_map(|(name, check)| check.describe(name)).collect();
    notes.push(match (n_checked, outside.len()) {
        (0, _) if has_rate => {
            "The published rates do not say on how many runs they rest, so our runs cannot judge them.".to_owned()
        }
        (0, _) => "No published rate belongs to these rows.".to_owned(),
        (1, 0) => "The one published rate lies inside the 95 % range that our runs allow.".to_owned(),
        (_, 0) => format!("All {n_checked} published rates lie inside the 95 % range that our runs allow."),
        (_, n) => format!(
            "* {n} of {n_checked} published rates {} outside the 95 % range that our runs allow (about 1 in 20 may by chance): {}.",
            if n == 1 { "lies" } else { "lie" },
            outside.join("; ")
        ),
    });
    if checks.iter().any(|(_, check)| check.published == Match::Several) {
        let unsaid: Vec<String> =
            published.settings_besides(varied).map(|name| format!("`{}`", printable(name))).collect();
        notes.push(format!(
            "Several published rows fit one of ours, so none of them is shown{}{}.",
            if unsaid.is_empty() { "" } else { ": our results do not name " },
            unsaid.join(", ")
        ));
    }
    notes
}
