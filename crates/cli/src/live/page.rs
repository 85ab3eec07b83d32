//! The state as one HTML file. The file needs no other resource, all its text is escaped, and its size does not grow with the number of runs
//! or configurations.

use std::path::Path;

use anyhow::Result;
use evogrid_results::files::replace_unflushed;
use serde_json::{Value, json};

use super::state::{ConfigurationGroup, LiveState, Phase, RunTotals, groups};
use crate::messages::{counted, grouped, rendered};

/// The maximum size of a page in bytes.
pub(crate) const SIZE_LIMIT: usize = 200_000;

/// The page shows at most this many configurations or groups of configurations.
const MOST_TILES: usize = 500;

/// If there are more tiles than this, the tiles are small, and the leading configurations come before the tiles.
const MANY_TILES: usize = 24;

/// The page shows at most this many processes, and at most this many failures.
const MOST_PROCESSES: usize = 40;
const MOST_FAILURES: usize = 3;

/// The shortest time between two reloads of the page, in seconds.
const LEAST_RELOAD: u64 = 2;

/// Replaces the previous page. A reader always sees a complete page.
///
/// # Errors
/// If the page cannot be written.
pub(crate) fn write(path: &Path, state: &LiveState<'_>) -> Result<()> {
    let text = page(state);
    replace_unflushed(path, |output| -> Result<()> { Ok(output.write_all(text.as_bytes())?) })
}

/// The page.
pub(crate) fn page(state: &LiveState<'_>) -> String {
    let mut most = MOST_TILES;
    loop {
        let text = page_with(state, most);
        if text.len() < SIZE_LIMIT || most <= 1 {
            return text;
        }
        // HTML writes some characters of names as long escapes.
        most /= 2;
    }
}

fn page_with(state: &LiveState<'_>, most_tiles: usize) -> String {
    let interval = state.interval.filter(|_| state.phase != Phase::Finished).map(|seconds| seconds.max(LEAST_RELOAD));
    let (groups, processes) = (groups(state, most_tiles), state.shown_processes());
    let (n_groups, n_configurations) = (groups.len(), state.names.len());
    let each = if n_configurations == 1 { "" } else { " each" };
    let shown = &state.failures[..state.failures.len().min(MOST_FAILURES)];
    let more = |n: u64| (n > 0).then(|| grouped(n));
    let values = json!({
        "interval": interval,
        "percent": state.runs.percent(),
        "name": state.name,
        "title": state.title,
        "style": include_str!("page/page.css"),
        "script": include_str!("page/page.js"),
        "heading": state.heading(),
        "at": state.at,
        "total": shares(state.runs),
        "facts": [("Progress", Some(state.progress())), ("Time left", state.time_left()), ("Rate", state.rate())],
        "advice": state.advice(),
        "n_failed": counted(state.runs.failed, "run"),
        "failures": shown.iter().filter(|_| state.runs.failed > 0).map(|failure| json!({
            "name": state.name_of(failure.configuration),
            "instance": failure.instance,
            "message": failure.message,
            "replay": state.replay(failure),
        })).collect::<Vec<_>>(),
        "more_failures": more(state.runs.failed.saturating_sub(shown.len() as u64)),
        "n_configurations": counted(n_configurations as u64, "configuration"),
        "runs_per_configuration": counted(state.runs_per_configuration, "run") + each,
        "n_groups": (n_groups < n_configurations).then_some(n_groups),
        "is_many": n_groups > MANY_TILES,
        "algorithms": algorithms(state, &groups),
        "standing": state.leaders(),
        "processes": processes.iter().take(MOST_PROCESSES).map(|one| (one.text(), &one.started)).collect::<Vec<_>>(),
        "more_processes": more(processes.len().saturating_sub(MOST_PROCESSES) as u64),
        "notes": state.notes.iter().cloned().chain(state.method()).collect::<Vec<_>>(),
    });
    rendered!("page/page.html", values)
}

/// The lengths of a bar in per cent: the finished runs, and all present runs.
fn shares(runs: RunTotals) -> Value {
    let share = |n: u64| {
        let share = (100.0 * n as f64 / runs.planned.max(1) as f64 * 10.0).round() / 10.0;
        share.to_string()
    };
    json!({ "done": share(runs.done), "present": share(runs.present()) })
}

/// The tiles of each algorithm, or all tiles together if nothing is varied.
fn algorithms(state: &LiveState<'_>, groups: &[ConfigurationGroup]) -> Vec<Value> {
    let is_varied = state.names.iter().any(|name| !name.varied.is_empty());
    let name = |group: &ConfigurationGroup| &state.names[group.first];
    let of_algorithms = groups.chunk_by(|one, next| !is_varied || name(one).algorithm == name(next).algorithm);
    let algorithm = |groups: &[ConfigurationGroup]| {
        json!({
            "name": name(&groups[0]).algorithm,
            "paths": is_varied.then(|| &name(&groups[0]).paths),
            "tiles": groups.iter().map(|group| tile(state, group, is_varied)).collect::<Vec<_>>(),
        })
    };
    of_algorithms.map(algorithm).collect()
}

fn tile(state: &LiveState<'_>, group: &ConfigurationGroup, is_varied: bool) -> Value {
    let label = |configuration: usize| {
        let name = &state.names[configuration];
        if is_varied && !name.values.is_empty() { &name.values } else { &name.algorithm }
    };
    let is_group = group.n_configurations > 1;
    let is_named_above = is_varied && !is_group && state.names[group.first].varied.is_empty();
    json!({
        "class": match group {
            group if group.runs.failed > 0 => "f",
            group if group.runs.left() == 0 => "d",
            group if group.running > 0 => "r",
            group if group.runs.present() == 0 => "w",
            _ => "p",
        },
        "first": (!is_named_above).then(|| label(group.first)),
        "last": is_group.then(|| label(group.first + group.n_configurations - 1)),
        "n_configurations": group.n_configurations,
        "runs": shares(group.runs),
        "counts": group.counts(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::experiment::ConfigurationName;
    use crate::live::test_state::parts;

    #[test]
    fn a_page_is_no_larger_for_many_configurations_and_needs_nothing_from_elsewhere() {
        for n_configurations in [2, 500, 20_000] {
            let parts = parts(n_configurations);
            let text = page(&parts.state());
            assert!(text.len() < SIZE_LIMIT, "{n_configurations} configurations: {} bytes", text.len());
            assert!(text.matches("<li class=").count() <= MOST_TILES && !text.contains("//"), "{text}");
            assert_eq!(text.contains("neighbours form"), n_configurations > MOST_TILES);
            let present = parts.state().runs.present();
            assert!(
                text.contains(&format!("{} of {} runs", grouped(present), grouped(10 * n_configurations as u64))),
                "{text}"
            );
        }
    }

    #[test]
    fn an_algorithm_of_which_nothing_is_varied_is_named_once() {
        let parts = parts(3);
        let mut state = parts.state();
        let mut names = state.names.to_vec();
        names[2] = ConfigurationName { algorithm: "plain".to_owned(), ..ConfigurationName::default() };
        state.names = &names;
        let text = page(&state);
        assert_eq!((text.matches("plain").count(), text.matches("<b>").count()), (1, 2), "{text}");
    }

    #[test]
    fn every_mark_of_the_page_is_filled_in_and_every_text_escaped() {
        let parts = parts(3);
        let mut state = parts.state();
        (state.name, state.title) = ("</title><script>a", "{{configurations}} \u{202e}\" onload=");
        let text = page(&state);
        assert!(!text.contains("</title><script>") && text.contains("&lt;/title&gt;&lt;script&gt;a"), "{text}");
        assert!(text.contains("{{configurations}} \\u{202e}&quot; onload="), "{text}");
    }
}
