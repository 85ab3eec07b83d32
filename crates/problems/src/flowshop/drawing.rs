//! Drawings: a schedule as a Gantt chart in text, with a line for each machine.

use evogrid_core::prelude::*;

use super::times::ProcessingTimes;

/// The symbols of jobs 1, 2, ... If there are more jobs than symbols, the symbols repeat.
const SYMBOLS: &[u8] = b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The maximum number of columns of a chart.
const MAX_COLUMNS: usize = 100;

/// The lines of a Gantt chart. The line of a machine shows the jobs that the machine processes, and `.` while the machine waits. The last
/// line contains the makespan.
pub(super) fn gantt(times: &ProcessingTimes, sequence: &[Allele], room: Room) -> Vec<String> {
    let mut completions = vec![0; sequence.len()];
    let machine = |times: &[u32]| {
        let mut free_from = 0;
        let spans = completions.iter_mut().zip(sequence).map(|(completion, &job)| {
            let start = free_from.max(*completion);
            free_from = start + times[usize::from(job)];
            *completion = free_from;
            (job, [start, free_from])
        });
        spans.collect()
    };
    let machines: Vec<Vec<(Allele, [u32; 2])>> = times.machines().map(machine).collect();
    let makespan = completions.last().copied().unwrap_or(0);
    // A column shows what the machine does in the middle of a span of time: at (2 c + 1) / (2 n) of the makespan.
    let (n_columns, whole) = (room.columns.min(MAX_COLUMNS), u64::from(makespan));
    let column = |time: u32| (2 * u64::from(time) * n_columns as u64 + whole) / (2 * whole.max(1));
    let mut lines = Vec::new();
    for spans in machines.iter().take(room.rows.saturating_sub(1)) {
        let mut line = vec![b'.'; n_columns];
        for (job, span) in spans {
            let [start, end] = span.map(|time| column(time).min(n_columns as u64) as usize);
            line[start..end].fill(SYMBOLS[usize::from(*job) % SYMBOLS.len()]);
        }
        lines.push(String::from_utf8(line).expect("all are ASCII"));
    }
    lines.push(format!("all done at {makespan}").chars().take(room.columns).collect());
    lines
}

/// The lines of an instance: the times on each machine.
pub(super) fn times(times: &ProcessingTimes, room: Room) -> Vec<String> {
    let line = |times: &[u32]| {
        let words: Vec<String> = times.iter().map(|time| format!("{time:>2}")).collect();
        words.join(" ").chars().take(room.columns).collect()
    };
    times.machines().take(room.rows).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_has_a_line_with_its_jobs_when_they_are_on_it() {
        let times = ProcessingTimes::new(3, 2, vec![3, 1, 4, 1, 5, 9]).unwrap();
        let chart = |columns, rows| gantt(&times, &[1, 0, 2], Room { columns, rows });
        assert_eq!(chart(17, 9), ["21113333.........", ".222221.333333333", "all done at 17"]);
        assert_eq!(chart(34, 9)[0], "2211111133333333..................");
        assert_eq!(chart(8, 2), ["1133....", "all done"]);
        assert_eq!(gantt(&ProcessingTimes::new(1, 1, vec![0]).unwrap(), &[0], Room { columns: 2, rows: 2 })[0], "..");
    }
}
