//! The state as text: lines that fit a terminal, and one line for a log.

use console::{measure_text_width, truncate_str};
use evogrid_results::format::{printable, wrapped};
use serde_json::json;

use super::state::{ConfigurationGroup, LiveState, groups};
use crate::messages::{counted, grouped, rendered};

/// If there are at most this many configurations, and there is room, each configuration has a line. More configurations are drawn as a map.
const CONFIGURATIONS_LISTED: usize = 16;

/// At most this many processes are listed, and at most this many characters of a failure's message are shown.
const PROCESSES_LISTED: usize = 4;
const MESSAGE_LENGTH: usize = 160;

/// The legend of the map.
const LEGEND: &str =
    "`#` all runs finished, `!` some failed, `1`-`9` tenths of the runs finished, `>` started, `.` not started";

/// Returns the state in at most this many lines and columns. `marks_running` says whether the terminal can highlight characters.
pub(crate) fn view(state: &LiveState<'_>, columns: usize, rows: usize, marks_running: bool) -> Vec<String> {
    let processes = state.shown_processes();
    let n_unlisted = processes.len().saturating_sub(PROCESSES_LISTED) as u64;
    let failure = state.failures.first();
    let values = json!({
        "advice": state.advice(),
        "failure": failure.map(|first| json!({
            "name": state.name_of(first.configuration),
            "instance": first.instance,
            "message": first.message.chars().take(MESSAGE_LENGTH).collect::<String>(),
        })),
        "has_failures": state.runs.failed > 0,
        "processes": processes.iter().take(PROCESSES_LISTED).map(|process| process.text()).collect::<Vec<_>>(),
        "more_processes": (n_unlisted > 0).then(|| grouped(n_unlisted)),
        "standing": state.leaders(),
        "notes": state.notes,
    });
    // Each line of the text begins with its rank.
    let text = rendered!("text/view.txt", values);
    let part = |rank: usize| -> Vec<String> {
        let texts = text.lines().filter_map(|line| line.strip_prefix(&rank.to_string()));
        texts.flat_map(|text| wrapped(&printable(text), columns.max(10))).collect()
    };
    let replay = failure.map(|first| format!("  {}", printable(&state.replay(first))));
    // The parts of the view, each with its rank: parts of a higher rank lose their lines first.
    let mut parts =
        vec![(0, head(state, columns)), (1, part(1)), (2, part(2)), (2, Vec::from_iter(replay)), (4, part(4))];
    let used: usize = parts.iter().map(|(_, lines)| lines.len()).sum();
    parts.push((3, configurations(state, columns, rows.saturating_sub(used), marks_running)));
    parts.extend([(5, part(5)), (6, part(6))]);
    let mut left = rows;
    for rank in 0..=6 {
        for (_, lines) in parts.iter_mut().filter(|(other, _)| *other == rank) {
            lines.truncate(left);
            left -= lines.len();
        }
    }
    let lines = parts.into_iter().flat_map(|(_, lines)| lines);
    lines.map(|line| truncate_str(&line, columns, "").into_owned()).collect()
}

/// The state as a single line.
pub(crate) fn line(state: &LiveState<'_>) -> String {
    let parts = [vec![state.progress()], times(state)].concat();
    format!("{} {}: {}", state.at, state.heading(), parts.join("; "))
}

/// The time left and the rate of runs, if they are known.
fn times(state: &LiveState<'_>) -> Vec<String> {
    state.time_left().map(|text| format!("time left: {text}")).into_iter().chain(state.rate()).collect()
}

/// The experiment, its progress, the time left, and the speed.
fn head(state: &LiveState<'_>, columns: usize) -> Vec<String> {
    let (name, heading) = (printable(state.name), state.heading());
    let progress = state.progress();
    let mut lines = vec![format!("{name}: {heading} (as of {})", state.at)];
    let room = columns.saturating_sub(measure_text_width(&progress) + 3);
    if room >= 10 {
        let full = room.min(40);
        let done = (full as u64 * state.runs.present()).checked_div(state.runs.planned).unwrap_or(0) as usize;
        lines.push(format!("[{}{}] {progress}", "#".repeat(done.min(full)), "-".repeat(full.saturating_sub(done))));
    } else {
        lines.extend(wrapped(&progress, columns.max(10)));
    }
    lines.extend(wrapped(&times(state).join("; "), columns.max(10)));
    lines
}

/// The configurations: one line for each configuration if there is room, or else a map, with one character for one or several configurations.
fn configurations(state: &LiveState<'_>, columns: usize, rows: usize, marks_running: bool) -> Vec<String> {
    let n_configurations = state.names.len();
    if n_configurations <= CONFIGURATIONS_LISTED && n_configurations <= rows {
        return groups(state, n_configurations).iter().map(|group| listed(state, group, columns)).collect();
    }
    let map_rows = rows.saturating_sub(3).clamp(1, 8);
    let found = groups(state, columns * map_rows);
    let most = found.iter().map(|group| group.n_configurations).max().unwrap_or(1);
    let each = if most > 1 {
        format!("each character stands for up to {} configurations", grouped(most as u64))
    } else {
        "one character each".to_owned()
    };
    let reversed = if marks_running { "; a character is highlighted while its runs are active" } else { "" };
    let legend = format!("{}, {each}: {LEGEND}{reversed}", counted(n_configurations as u64, "configuration"));
    let mut lines = wrapped(&legend, columns.max(10));
    let marks: Vec<String> = found.iter().map(|group| mark(group, marks_running)).collect();
    lines.extend(marks.chunks(columns.max(1)).map(<[String]>::concat));
    lines
}

fn listed(state: &LiveState<'_>, group: &ConfigurationGroup, columns: usize) -> String {
    let counts = group.counts();
    let name = printable(&state.name_of(group.first)).into_owned();
    let room = columns.saturating_sub(counts.len() + 10).max(8);
    let (name, filled) = (truncate_str(&name, room, "..."), (group.runs.percent() / 20) as usize);
    format!("{}{} {name}: {counts}", "#".repeat(filled), "-".repeat(5 - filled))
}

fn mark(group: &ConfigurationGroup, marks_running: bool) -> String {
    let character = match group.runs.percent() {
        _ if group.runs.failed > 0 => '!',
        100 => '#',
        0 if group.runs.present() == 0 && group.running == 0 => '.',
        0..10 => '>',
        percent => char::from(b'0' + (percent / 10) as u8),
    };
    if marks_running && group.running > 0 { format!("\x1b[7m{character}\x1b[0m") } else { character.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::test_state::parts;
    use evogrid_runner::engine::forecast::Forecast;

    #[test]
    fn every_view_fits_its_terminal() {
        for n_configurations in [2, 16, 17, 420, 5000] {
            let parts = parts(n_configurations);
            let state = parts.state();
            for columns in [10, 20, 60, 80, 120] {
                for rows in [1, 5, 10, 24, 60, usize::MAX] {
                    let lines = view(&state, columns, rows, true);
                    let widest = lines.iter().map(|line| measure_text_width(line)).max();
                    assert!(lines.len() <= rows && widest <= Some(columns), "{columns} by {rows}: {lines:#?}");
                }
            }
        }
    }

    #[test]
    fn without_an_upper_end_only_the_lower_one_is_said() {
        let parts = parts(2);
        let mut state = parts.state();
        state.forecast = state.forecast.map(|forecast| Forecast { high: None, ..forecast });
        insta::assert_snapshot!(times(&state).join("; "), @"time left: likely at least 8 min; 30.0 runs/min over the last 60 s");
        insta::assert_snapshot!(state.method().expect("it runs"), @"For each remaining run, the forecast uses the mean time of its configuration on its instance. The remaining time is the sum of these mean times, divided by the number of simultaneous runs, 2.0. In 95 of 100 cases, the experiment takes longer than this minimum. Some configurations do not have a finished run yet (10 runs are left). For these configurations, the time cannot be estimated.");
    }

    #[test]
    fn a_view_says_what_counts_first() {
        let parts = parts(30);
        insta::assert_snapshot!(view(&parts.state(), 80, 14, false).join("\n"), @"
        test: running (as of 2016-11-01T08:00:00Z)
        [##########-------------------------] 94 of 300 runs (31 %), 1 failed, 2 running
        time left: 10 min, likely 8 min to 12 min; 30.0 runs/min over the last 60 s
        first failure: algorithm with a long name 0, population = 1 on an instance: it
        failed it failed it failed it failed it failed it failed it failed it failed it
        failed it failed it failed it failed it failed it failed it failed it failed 
          runner replay results/test r0000000000000007 --run-programs
        30 configurations, one character each: `#` all runs finished, `!` some failed,
        `1`-`9` tenths of the runs finished, `>` started, `.` not started
        #!########....................
        complete configurations, solved (the 95 % interval holds only for these
        instances; the table shows a wider interval):
          algorithm with a long name 0, population = 0: 50 % (23 to 77)
          algorithm with a long name 0, population = 2: 50 % (23 to 77)
        ");
        insta::assert_snapshot!(line(&parts.state()), @"2016-11-01T08:00:00Z running: 94 of 300 runs (31 %), 1 failed, 2 running; time left: 10 min, likely 8 min to 12 min; 30.0 runs/min over the last 60 s");
    }
}
