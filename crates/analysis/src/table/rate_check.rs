//! Whether published rates agree with our rates.

use crate::metric::effective_counts;
use crate::published::{AllowedCounts, Match, Published};
use crate::summary::Figures;
use evogrid_results::format::{percent, printable};

/// A published rate and the range that our runs allow.
#[derive(Clone, Copy, Debug)]
pub(super) struct RateCheck<'a> {
    pub(super) published: Match<'a>,
    /// The published numbers of solved runs and of all runs, and the counts that our runs allow. `None` if the number of runs was not published.
    counts: Option<((u64, u64), AllowedCounts)>,
}

impl<'a> RateCheck<'a> {
    pub(super) fn new(ours: &Figures, published: Match<'a>) -> Self {
        let counts = if let Match::One(row) = published { row.counts() } else { None };
        let effective = effective_counts(ours.success_rate().unwrap_or_default(), ours.effective_runs);
        let allowed = |(_, runs)| AllowedCounts::new(effective, runs);
        Self { published, counts: counts.map(|counts| (counts, allowed(counts))) }
    }

    /// The allowed rates, as fractions.
    pub(super) fn allowed_rates(&self) -> Option<[f64; 2]> {
        self.counts.map(|(_, allowed)| allowed.rates())
    }

    pub(super) fn is_outside(&self) -> bool {
        self.counts.is_some_and(|((solved, _), allowed)| !allowed.contains(solved))
    }

    /// A description of a rate outside its range; `name` is the name of its row.
    fn describe(&self, name: &str) -> Option<String> {
        let ((solved, runs), allowed) = self.counts.filter(|_| self.is_outside())?;
        Some(format!("{name} (published {} %, allowed {allowed})", percent(solved as f64 / runs as f64)))
    }
}

/// The sentences below a table: the sources of the published values, and which rates lie outside their range. Each check is given with
/// the name of its row; `varied` are the names of our varied settings.
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
    let n_checked = checks.iter().filter(|(_, check)| check.counts.is_some()).count();
    let outside: Vec<String> = checks.iter().filter_map(|(name, check)| check.describe(name)).collect();
    notes.push(match (n_checked, outside.len()) {
        (0, _) if has_rate => {
            "The numbers of runs behind the published rates are unknown, so our runs cannot judge these rates.".to_owned()
        }
        (0, _) => "The published rates do not match these rows.".to_owned(),
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
            "Several published rows match one of our rows, so they are not shown{}{}.",
            if unsaid.is_empty() { "" } else { ": our results do not distinguish them by " },
            unsaid.join(", ")
        ));
    }
    notes
}
