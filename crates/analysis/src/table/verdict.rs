//! Whether published rates and ours agree, in words.

use crate::published::{Match, Published};
use evogrid_results::format::{percent, printable};
use evogrid_results::summary::{Figures, Summary};
use evogrid_statistics::{CountRange, predict_count};

/// What our runs say of a published rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing is published, or not the rate and the number of runs.
    None,
    /// Several published rows fit, so none is shown.
    Several,
    /// Our runs allow a range of solved ones; so many of so many were.
    Judged { solved: u64, runs: u64, allowed: CountRange },
}

impl Verdict {
    /// The verdict on what was found for a row of ours.
    pub(super) fn of(ours: &Figures, found: Match<'_>) -> Self {
        match found {
            Match::None => Self::None,
            Match::Several => Self::Several,
            Match::One(row) => row.solved().zip(row.runs).map_or(Self::None, |(solved, runs)| Self::Judged {
                solved,
                runs,
                allowed: predict_count(ours.solved, ours.runs, runs),
            }),
        }
    }

    /// The allowed rates, in percent.
    pub(super) fn range(&self) -> Option<(f64, f64)> {
        let Self::Judged { runs, allowed, .. } = *self else { return None };
        let percent = |count: u64| 100.0 * count as f64 / runs as f64;
        Some((percent(allowed.low), percent(allowed.high)))
    }

    pub(super) fn is_outside(&self) -> bool {
        matches!(self, Self::Judged { solved, allowed, .. } if !allowed.contains(*solved))
    }
}

/// The sentences below a table: where the published figures are from, and which lie outside. `verdicts` come with the name
/// of their row.
pub(super) fn notes(summary: &Summary, published: &Published, verdicts: &[(String, Verdict)]) -> Vec<String> {
    let mut notes = sources(summary, published);
    let judged = verdicts.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Judged { .. })).count();
    let outside: Vec<String> = verdicts.iter().filter_map(|(name, verdict)| describe(name, verdict)).collect();
    let has_rate =
        |row| matches!(published.find(&summary.varied, row), Match::One(found) if found.success_rate.is_some());
    let is_shown = summary.rows.iter().any(has_rate);
    notes.push(match (judged, outside.len()) {
        (0, _) if is_shown => {
            "The published rates do not say on how many runs they rest, so our runs cannot judge them.".to_owned()
        }
        (0, _) => "No published rate belongs to these rows.".to_owned(),
        (1, 0) => "The one published rate lies inside the 95 % range that our runs allow.".to_owned(),
        (_, 0) => format!("All {judged} published rates lie inside the 95 % range that our runs allow."),
        (_, n) => format!(
            "* {n} of {judged} published rates {} outside the 95 % range that our runs allow (about 1 in 20 may by chance): {}.",
            if n == 1 { "lies" } else { "lie" },
            outside.join("; ")
        ),
    });
    if verdicts.iter().any(|(_, verdict)| *verdict == Verdict::Several) {
        let unsaid: Vec<String> =
            published.settings_besides(&summary.varied).map(|name| format!("`{}`", printable(name))).collect();
        notes.push(format!(
            "Several published rows fit one of ours, so none of them is shown{}{}.",
            if unsaid.is_empty() { "" } else { ": our results do not name " },
            unsaid.join(", ")
        ));
    }
    notes
}

fn sources(summary: &Summary, published: &Published) -> Vec<String> {
    let mut sources: Vec<&str> = Vec::new();
    for row in &summary.rows {
        if let Match::One(found) = published.find(&summary.varied, row)
            && !sources.contains(&found.source.as_str())
        {
            sources.push(&found.source);
        }
    }
    let sources: Vec<_> = sources.into_iter().map(printable).collect();
    if sources.is_empty() { Vec::new() } else { vec![format!("Published: {}.", sources.join("; "))] }
}

/// A rate outside its range, in words.
fn describe(name: &str, verdict: &Verdict) -> Option<String> {
    let (low, high) = verdict.range().filter(|_| verdict.is_outside())?;
    let Verdict::Judged { solved, runs, .. } = *verdict else { return None };
    let rate = percent(solved as f64 / runs as f64);
    Some(format!("{name} (published {rate} %, allowed {} to {} %)", percent(low / 100.0), percent(high / 100.0)))
}
