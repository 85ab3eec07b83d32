//! The state as one HTML file: no resource from elsewhere, all text escaped, and a size that does not grow with runs or configurations.

use std::path::Path;

use anyhow::Result;
use evogrid_results::files::replace_unflushed;
use evogrid_results::format::printable;

use super::groups::{ConfigurationGroup, groups};
use super::standing::{Place, WARNING};
use super::state::{LiveState, Phase, RunTotals};
use crate::messages::html::{escaped, filled};
use evogrid_runner::system::numbers::{counted, grouped};
use evogrid_runner::system::program;

/// The maximum size of a page in bytes.
pub(crate) const SIZE_LIMIT: usize = 200_000;

/// The most configurations, or groups of them, that are shown.
const MOST_TILES: usize = 500;

/// If there are more tiles than this, they are small and stand below the leading configurations.
const MANY_TILES: usize = 24;

/// The most processes, and the most failures that are shown.
const MOST_PROCESSES: usize = 40;
const MOST_FAILURES: usize = 3;

/// Longer names, messages and commands are cut to so many characters.
const NAME_LENGTH: usize = 80;
const MESSAGE_LENGTH: usize = 1000;

/// The shortest time between two reloads of the page, in seconds.
const LEAST_RELOAD: u64 = 2;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// Writes the page in place of the previous one: a reader always sees a complete page.
///
/// # Errors
/// If it cannot be written.
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
        // Names of characters that HTML writes long.
        most /= 2;
    }
}

fn page_with(state: &LiveState<'_>, most_tiles: usize) -> String {
    let interval = state.interval.filter(|_| state.phase != Phase::Finished).map(|seconds| seconds.max(LEAST_RELOAD));
    let reload = interval.map(|seconds| format!("<meta http-equiv=\"refresh\" content=\"{seconds}\">"));
    let name = text_of(state.name, NAME_LENGTH);
    let (configurations, is_many) = configurations(state, most_tiles);
    let others = standing(state) + &processes(state);
    let sections = if is_many { others + &configurations } else { configurations + &others };
    let parts = [
        ("{{reload}}", reload.unwrap_or_default()),
        ("{{title}}", format!("{} %: {name}, {}", state.runs.percent(), state.heading())),
        ("{{style}}", STYLE.to_owned()),
        ("{{script}}", SCRIPT.to_owned()),
        ("{{name}}", name.clone()),
        ("{{subtitle}}", if state.title == state.name { String::new() } else { text_of(state.title, 2 * NAME_LENGTH) }),
        ("{{state}}", phase_class(state.phase).to_owned()),
        ("{{heading}}", state.heading().to_owned()),
        ("{{at}}", state.at.clone()),
        ("{{interval}}", interval.unwrap_or(0).to_string()),
        ("{{watched}}", watched(state, interval)),
        ("{{progress}}", progress(state)),
        ("{{advice}}", advice(state)),
        ("{{failures}}", failures(state)),
        ("{{sections}}", sections),
        ("{{notes}}", notes(state)),
    ];
    filled(PAGE, &parts)
}

/// Text from elsewhere: shortened, with visible control characters, and escaped.
fn text_of(text: &str, length: usize) -> String {
    let shown = printable(text);
    let mut cut: String = shown.chars().take(length).collect();
    if cut.len() < shown.len() {
        cut.push('…');
    }
    escaped(&cut)
}

fn phase_class(phase: Phase) -> &'static str {
    match phase {
        Phase::Running | Phase::Finishing => "running",
        Phase::Finished => "finished",
        Phase::NotBegun | Phase::Stopped { n_dead: 0 } => "stopped",
        Phase::Stopped { .. } => "died",
    }
}

fn watched(state: &LiveState<'_>, interval: Option<u64>) -> String {
    match (interval, state.phase) {
        (Some(seconds), _) => format!("reloads every {seconds} s"),
        (None, Phase::Finished) => "the last state".to_owned(),
        (None, _) => "not watched".to_owned(),
    }
}

fn progress(state: &LiveState<'_>) -> String {
    let runs = state.runs;
    let facts = [("Progress", Some(state.progress())), ("Time left", state.time_left()), ("Rate", state.rate())];
    let facts: String = facts
        .into_iter()
        .filter_map(|(name, text)| Some(format!("<div><dt>{name}</dt><dd>{}</dd></div>", escaped(&text?))))
        .collect();
    let bar = bar(runs);
    let label = escaped(&state.progress());
    format!("<div class=\"total\" role=\"img\" aria-label=\"{label}\">{bar}</div>\n<dl>{facts}</dl>")
}

/// A bar with its failed part hatched; the caller writes the numbers beside it.
fn bar(runs: RunTotals) -> String {
    let share = |n: u64| (100.0 * n as f64 / runs.planned.max(1) as f64 * 10.0).round() / 10.0;
    let [done, present] = [share(runs.done), share(runs.present())];
    format!("<i style=\"--d:{done}%;--p:{present}%\"></i>")
}

fn advice(state: &LiveState<'_>) -> String {
    let lines = state.advice();
    if lines.is_empty() {
        return String::new();
    }
    let line = |line: &String| {
        let called = format!(": {} ", program::name());
        let text = match line.split_once(&called) {
            Some((what, command)) => format!(
                "{}: <code>{}</code>",
                text_of(what, MESSAGE_LENGTH),
                text_of(&format!("{} {command}", program::name()), MESSAGE_LENGTH)
            ),
            None => text_of(line, MESSAGE_LENGTH),
        };
        format!("<p>{text}</p>")
    };
    format!("<section class=\"advice\" role=\"status\">{}</section>", lines.iter().map(line).collect::<String>())
}

fn failures(state: &LiveState<'_>) -> String {
    if state.runs.failed == 0 {
        return String::new();
    }
    let failure = |failure: &super::tally::Failure| {
        format!(
            "<li><p><strong>{}</strong> on {}</p><pre>{}</pre><p>repeat: <code>{}</code></p></li>",
            text_of(&state.name_of(failure.configuration), NAME_LENGTH),
            text_of(&failure.instance, NAME_LENGTH),
            text_of(&failure.message, MESSAGE_LENGTH),
            text_of(&state.replay(failure), MESSAGE_LENGTH),
        )
    };
    let shown: String = state.failures.iter().take(MOST_FAILURES).map(failure).collect();
    let n_others = state.runs.failed.saturating_sub(state.failures.len().min(MOST_FAILURES) as u64);
    let others = if n_others > 0 {
        format!("<p class=\"soft\">and {} more; see the journal</p>", grouped(n_others))
    } else {
        String::new()
    };
    format!(
        "<section class=\"failures\"><h2>{} failed</h2><ol>{shown}</ol>{others}</section>",
        counted(state.runs.failed, "run")
    )
}

/// The section of the configurations, and whether they are many.
fn configurations(state: &LiveState<'_>, most_tiles: usize) -> (String, bool) {
    let groups = groups(state, most_tiles);
    let n_configurations = state.names.len() as u64;
    let is_many = groups.len() > MANY_TILES;
    let mut text = format!(
        "\n<section><h2>{}</h2>\n<p class=\"soft\">{}",
        counted(n_configurations, "configuration"),
        counted(state.runs_per_configuration, "run")
    );
    text += if n_configurations == 1 { "" } else { " each" };
    if (groups.len() as u64) < n_configurations {
        text += &format!("; too many to show each one: neighbours form {} groups", groups.len());
    }
    text += "</p>";
    let is_varied = state.names.iter().any(|name| !name.varied.is_empty());
    let mut algorithm = None;
    for group in &groups {
        let name = &state.names[group.first].algorithm;
        if algorithm.is_none() || is_varied && algorithm != Some(name) {
            text += if algorithm.is_some() { "</ul>" } else { "" };
            if is_varied {
                let paths = text_of(&state.names[group.first].paths, NAME_LENGTH);
                text += &format!("\n<h3>{} <span class=\"soft\">{paths}</span></h3>", text_of(name, NAME_LENGTH));
            }
            text += if is_many { "\n<ul class=\"configurations many\">" } else { "\n<ul class=\"configurations\">" };
            algorithm = Some(name);
        }
        text += &tile(state, group, is_varied);
    }
    (text + "</ul></section>", is_many)
}

fn tile(state: &LiveState<'_>, group: &ConfigurationGroup, is_varied: bool) -> String {
    let label = |configuration: usize| {
        let name = &state.names[configuration];
        text_of(if is_varied && !name.values.is_empty() { &name.values } else { &name.algorithm }, NAME_LENGTH)
    };
    let mut name = label(group.first);
    if is_varied && group.n_configurations == 1 && state.names[group.first].varied.is_empty() {
        // The heading names it: an algorithm of which nothing is varied.
        name.clear();
    }
    if group.n_configurations > 1 {
        name = format!(
            "{name} to {}: {} configurations",
            label(group.first + group.n_configurations - 1),
            group.n_configurations
        );
    }
    let class = match group {
        group if group.runs.failed > 0 => "f",
        group if group.runs.left() == 0 => "d",
        group if group.running > 0 => "r",
        group if group.runs.present() == 0 => "w",
        _ => "p",
    };
    let bar = bar(group.runs);
    let title = if name.is_empty() { name } else { format!("<b>{name}</b>") };
    format!("\n<li class={class}>{title}{bar}<span>{}</span></li>", group.counts())
}

fn standing(state: &LiveState<'_>) -> String {
    let standing = &state.standing;
    if state.names.len() < 2 || standing.places.is_empty() && standing.note.is_none() {
        return String::new();
    }
    let place = |place: &Place| {
        let (name, figure) = (text_of(&state.name_of(place.configuration), NAME_LENGTH), escaped(&place.figure));
        format!("<tr><th scope=\"row\">{name}</th><td>{figure}</td></tr>")
    };
    let rows: String = standing.places.iter().map(place).collect();
    let table = format!(
        "<div class=\"scroll\"><table><caption>Configurations whose runs are complete</caption><thead><tr><th \
         scope=\"col\">configuration</th><th scope=\"col\">{}</th></tr></thead><tbody>{rows}</tbody></table></div>",
        standing.measure
    );
    let table = if rows.is_empty() { String::new() } else { table };
    let paragraph = |text: String| format!("<p class=\"soft\">{}</p>", text_of(&text, MESSAGE_LENGTH));
    let notes: String = state.best().into_iter().chain(standing.note.clone()).map(paragraph).collect();
    let is_finished = state.phase == Phase::Finished;
    let heading = if is_finished { "What leads" } else { "Leading so far" };
    let warning =
        if is_finished || rows.is_empty() { String::new() } else { format!("<p class=\"warning\">{WARNING}</p>") };
    format!("\n<section><h2>{heading}</h2>{warning}{table}{notes}</section>")
}

fn processes(state: &LiveState<'_>) -> String {
    let shown = state.shown_processes();
    let mut text = String::new();
    for process in shown.iter().take(MOST_PROCESSES) {
        text += &format!(
            "<li>{}; since {}</li>",
            text_of(&process.text(), 3 * NAME_LENGTH),
            text_of(&process.started, NAME_LENGTH)
        );
    }
    let n_unlisted = shown.len().saturating_sub(MOST_PROCESSES);
    if n_unlisted > 0 {
        text += &format!("<li>and {} more like these</li>", grouped(n_unlisted as u64));
    }
    let text = if text.is_empty() { "<li>none</li>".to_owned() } else { text };
    format!("\n<section><h2>Processes</h2>\n<ul>{text}</ul></section>")
}

fn notes(state: &LiveState<'_>) -> String {
    let mut notes: Vec<String> = state.notes.clone();
    notes.extend(state.method());
    notes.iter().map(|note| format!("<p class=\"soft\">{}</p>", text_of(note, MESSAGE_LENGTH))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::configurations::ConfigurationName;
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
        let (text, _) = configurations(&state, MOST_TILES);
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
