//! The reader of processing times. The reader accepts files in Taillard's format and in the format of OR-Library, and the line that
//! [`ProcessingTimes::to_line`] writes.

use evogrid_core::family::{InstanceError, InstancePart};

use super::times::ProcessingTimes;
use crate::text::{Fault, fault, number, wrong};

/// An instance as it was read from a file.
#[derive(Debug)]
pub(super) struct FileTimes<'t> {
    /// The number of the line on which the numbers of the instance begin, counted from 1.
    pub(super) line: usize,
    /// The name of the instance, if a title contains `instance NAME`.
    pub(super) name: Option<&'t str>,
    /// The upper bound and the lower bound of the makespan, if the first line contains them.
    pub(super) bounds: Option<[u32; 2]>,
    pub(super) times: ProcessingTimes,
}

/// Reads all instances of a text and passes on each of them. Reading ends at the first error.
///
/// The first line of an instance contains the number of jobs, the number of machines, and optionally a seed, an upper bound and a lower
/// bound. The next lines contain the times in one of two forms. In the first form, each machine has a line with one time for each job. In
/// the second form, each job has a line in which each machine number, counted from 0, is followed by the time on that machine. Lines that
/// do not begin with a digit are titles. An instance may also be a single line, which contains only numbers or has the form `3x2 3 1 4 / 1
/// 5 9`.
pub(super) fn read_all<'t>(text: &'t str, mut each: impl FnMut(Result<FileTimes<'t>, InstanceError>)) {
    let mut reader = Reader { text, lines: text.lines().enumerate().peekable(), n_read: 0 };
    loop {
        match reader.instance() {
            Ok(Some(instance)) => each(Ok(instance)),
            Ok(None) => return,
            Err(fault) => return each(Err(fault.in_text(text))),
        }
        reader.n_read += 1;
    }
}

/// Reads the only instance of a text.
///
/// # Errors
/// If the text has no instance, several instances or an invalid instance.
pub(super) fn read_one(text: &str) -> Result<ProcessingTimes, InstanceError> {
    let mut instances = Vec::new();
    read_all(text, |instance| instances.push(instance));
    match (instances.len(), instances.swap_remove(0)) {
        (1, instance) => instance.map(|instance| instance.times),
        (n, _) => Err(InstanceError::new(format!("the text contains {n} instances")).expecting("one instance")),
    }
}

/// Reads the instances of a text one after the other.
struct Reader<'t> {
    text: &'t str,
    lines: std::iter::Peekable<std::iter::Enumerate<std::str::Lines<'t>>>,
    n_read: usize,
}

impl<'t> Reader<'t> {
    /// Reads the next instance; `None` at the end of the text.
    fn instance(&mut self) -> Result<Option<FileTimes<'t>>, Fault<'t>> {
        let name = self.skip_titles();
        let Some((line, header)) = self.lines.next() else {
            return if self.n_read > 0 { Ok(None) } else { Err(self.nothing()) };
        };
        let words: Vec<&str> = header.split_whitespace().collect();
        let mut bounds = None;
        let times = if words[0].contains(['x', 'X']) {
            canonical(&words)?
        } else {
            let &[jobs, machines, ref behind @ ..] = &words[..] else {
                let message = "the number of machines is missing after the number of jobs";
                return Err(fault(header, message, "two numbers, for example `20 5`"));
            };
            let (n_jobs, n_machines) = size([jobs, machines], jobs)?;
            let n_times = n_jobs * n_machines;
            let times = if behind.len() == n_times
                && (behind.len() != 3 || self.lines.clone().all(|(_, line)| is_title(line)))
            {
                numbers(behind)?
            } else if behind.len() <= 3 {
                bounds = numbers(behind)?.get(1..3).map(|bounds| [bounds[0], bounds[1]]);
                if bounds.is_some_and(|[upper, lower]| upper < lower) {
                    let expected = "a seed, the upper bound and the lower bound";
                    return Err(fault(behind[1], "the upper bound is below the lower bound", expected));
                }
                self.rows(header, n_jobs, n_machines)?
            } else {
                let message =
                    format!("after the numbers of jobs and machines, the line has {} more numbers", behind.len());
                let expected = format!("{n_times} processing times, or a seed and two bounds");
                return Err(fault(behind[0], message, expected));
            };
            ProcessingTimes::new(n_jobs, n_machines, times).map_err(|error| wrong(header, error))?
        };
        Ok(Some(FileTimes { line: line + 1, name, bounds, times }))
    }

    /// The error for a text without an instance.
    fn nothing(&self) -> Fault<'t> {
        let first = self.text.split_whitespace().next().map_or("end".to_owned(), |word| format!("`{word}`"));
        let expected = "the numbers of jobs and machines, then the times: for example `3x2 3 1 4 / 1 5 9`";
        let error = InstanceError::new(format!("found {first} where the first number should be")).expecting(expected);
        wrong("", error.in_part(InstancePart::Character))
    }

    /// Skips empty lines and titles, and returns the name in a title, if any.
    fn skip_titles(&mut self) -> Option<&'t str> {
        let mut name = None;
        while let Some((_, line)) = self.lines.next_if(|(_, line)| is_title(line)) {
            let mut words = line.split_whitespace();
            if words.next().is_some_and(|word| word.eq_ignore_ascii_case("instance")) {
                name = words.next();
            }
        }
        name
    }

    /// Reads the rows of times after the first line, machine by machine.
    fn rows(&mut self, header: &'t str, n_jobs: usize, n_machines: usize) -> Result<Vec<u32>, Fault<'t>> {
        self.skip_titles();
        let first = self.lines.peek().map_or("", |(_, line)| line);
        let is_paired = self.is_paired(first, n_jobs, n_machines);
        let (n_rows, width) = if is_paired { (n_jobs, 2 * n_machines) } else { (n_machines, n_jobs) };
        // The list grows with the rows, because a first line may declare more times than any memory holds.
        let mut times = Vec::new();
        for row in 0..n_rows {
            let Some((_, line)) = self.lines.next_if(|(_, line)| !is_title(line)) else {
                let expected = format!(
                    "{n_rows} rows: one row per machine, or one row per job if the rows contain machine numbers"
                );
                return Err(fault(header, format!("the instance has only {row} rows of processing times"), expected));
            };
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.len() != width {
                let what = if is_paired {
                    "for each machine, its number and the time of the job"
                } else {
                    "one processing time for each job"
                };
                let message = format!("row {} has {} numbers", row + 1, words.len());
                let rest = self.lines.clone().take_while(|(_, line)| !is_title(line)).count();
                let transposed = transposed([row + 1 + rest, words.len()], [n_jobs, n_machines]);
                return Err(fault(line, message, format!("{width}: {what}{transposed}")));
            }
            if is_paired {
                for (machine, pair) in words.chunks_exact(2).enumerate() {
                    if count(pair[0])? != machine {
                        let message = format!("found machine {} instead of machine {machine}", pair[0]);
                        return Err(fault(pair[0], message, "machine numbers in ascending order in each row"));
                    }
                    times.push(time(pair[1])?);
                }
            } else {
                times.extend(numbers(&words)?);
            }
        }
        if is_paired {
            // From one row per job to one row per machine.
            let by_machine = (0..n_machines).flat_map(|machine| (0..n_jobs).map(move |job| job * n_machines + machine));
            times = by_machine.map(|at| times[at]).collect();
        }
        Ok(times)
    }

    /// Whether a first row has a machine number before each time, as in the files of OR-Library.
    fn is_paired(&self, row: &str, n_jobs: usize, n_machines: usize) -> bool {
        let words: Vec<&str> = row.split_whitespace().collect();
        let is_numbered = words.iter().step_by(2).enumerate().all(|(machine, word)| word.parse() == Ok(machine));
        // One row per job and one row per machine may be equally long. Then the row has machine numbers only if as many rows as jobs
        // follow. No more rows are counted, because any number of instances may follow.
        let n_rows = || self.lines.clone().take(n_jobs).take_while(|(_, line)| !is_title(line)).count();
        words.len() == 2 * n_machines && is_numbered && (words.len() != n_jobs || n_rows() >= n_jobs)
    }
}

/// Reads a line that [`ProcessingTimes::to_line`] wrote.
fn canonical<'t>(words: &[&'t str]) -> Result<ProcessingTimes, Fault<'t>> {
    let (jobs, machines) = words[0].split_once(['x', 'X']).expect("an x");
    let (n_jobs, n_machines) = size([jobs, machines], words[0])?;
    let rows: Vec<&[&str]> = words[1..].split(|word| *word == "/").collect();
    if let Some(row) = rows.iter().position(|row| row.len() != n_jobs).filter(|_| words.len() > 1) {
        let message = format!("machine {} has {} processing times", row + 1, rows[row].len());
        let transposed = transposed([rows.len(), rows[row].len()], [n_jobs, n_machines]);
        let expected = format!("{n_jobs}, one per job{transposed}");
        return Err(fault(rows[row].first().unwrap_or(&words[0]), message, expected));
    }
    let times = rows.iter().map(|row| numbers(row)).collect::<Result<Vec<_>, _>>()?.concat();
    ProcessingTimes::new(n_jobs, n_machines, times).map_err(|error| wrong(words[0], error))
}

/// The advice to transpose a table that has one row per job; empty if the table does not have this form.
fn transposed(found: [usize; 2], [n_jobs, n_machines]: [usize; 2]) -> String {
    if found != [n_jobs, n_machines] {
        return String::new();
    }
    format!("; the file has one row per job: transpose the {n_jobs} rows to {n_machines} rows, one per machine")
}

/// The numbers of jobs and machines. If the numbers are out of range, `piece` is the faulty part of the text.
fn size<'t>([jobs, machines]: [&'t str; 2], piece: &'t str) -> Result<(usize, usize), Fault<'t>> {
    let (n_jobs, n_machines) = (count(jobs)?, count(machines)?);
    super::times::check_size(n_jobs, n_machines).map_err(|error| wrong(piece, error))?;
    Ok((n_jobs, n_machines))
}

/// The processing times that the words contain.
fn numbers<'t>(words: &[&'t str]) -> Result<Vec<u32>, Fault<'t>> {
    words.iter().map(|word| time(word)).collect()
}

fn time(word: &str) -> Result<u32, Fault<'_>> {
    number(word, "processing time", || format!("a whole number from 0 to {}", u32::MAX), |_| true)
}

fn count(word: &str) -> Result<usize, Fault<'_>> {
    number(word, "number of jobs or machines", || "a whole number".to_owned(), |_| true)
}

/// Whether a line is a title: it does not begin with a digit, possibly after a sign. Empty lines are titles, too.
fn is_title(line: &str) -> bool {
    !line.trim_start().trim_start_matches(['-', '+']).starts_with(|first: char| first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Three jobs on two machines.
    const TIMES: [u32; 6] = [3, 1, 4, 1, 5, 9];

    fn times() -> ProcessingTimes {
        ProcessingTimes::new(3, 2, TIMES.to_vec()).unwrap()
    }

    #[test]
    fn every_way_to_write_an_instance_is_read() {
        for text in [
            "3x2 3 1 4 / 1 5 9",
            "3 2 3 1 4 1 5 9",
            "3 2\n3 1 4\n1 5 9\n",
            "  3  2 \r\n 3 1 4\r\n 1 5 9",
            "number of jobs, number of machines, initial seed, upper bound and lower bound :\n  3  2  873654221  17  15\nprocessing times :\n 3 1 4\n 1 5 9\n",
            "3 2 873654221 17 15\n3 1 4\n1 5 9",
            "3 2\n0 3 1 1\n0 1 1 5\n0 4 1 9",
            " instance three\n\n +++++++++\n By hand\n 3 2\n 0 3 1 1\n 0 1 1 5\n 0 4 1 9\n +++++++++\n",
        ] {
            assert_eq!(read_one(text), Ok(times()), "{text}");
        }
        assert_eq!(times().to_line(), "3x2 3 1 4 / 1 5 9");
    }

    #[test]
    fn a_file_of_many_instances_tells_where_each_begins_and_what_it_knows() {
        let text = "number of jobs, ... :\n3 2 7 17 15\nprocessing times :\n3 1 4\n1 5 9\nnumber of jobs, ... :\n1 1 8 6 6\nprocessing times :\n6\n\ninstance last\n1 2\n0 7 1 8\n2 1\n0 5\n";
        let mut instances = Vec::new();
        read_all(text, |instance| instances.push(instance.unwrap()));
        let told: Vec<_> = instances.iter().map(|one| (one.line, one.name, one.bounds, one.times.to_line())).collect();
        assert_eq!(
            told,
            [
                (2, None, Some([17, 15]), "3x2 3 1 4 / 1 5 9".to_owned()),
                (7, None, Some([6, 6]), "1x1 6".to_owned()),
                (12, Some("last"), None, "1x2 7 / 8".to_owned()),
                (14, None, None, "2x1 0 5".to_owned()),
            ]
        );
        assert_eq!(read_one(text).unwrap_err().to_string(), "the text contains 4 instances");
    }

    #[test]
    fn many_instances_without_titles_are_read_once() {
        // Were each to look at all behind it, these would be 2 * 10^10 lines.
        let text = "2 1\n0 5\n0 6\n".repeat(100_000);
        let mut n_read = 0;
        read_all(&text, |instance| n_read += usize::from(instance.unwrap().times.to_line() == "2x1 5 6"));
        assert_eq!(n_read, 100_000);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let long = format!("2 2\n1 1\n1 {}", u32::MAX);
        for (text, message, expected, piece) in [
            ("3 2\n3 1 4\n1 x 9", "`x` is not a processing time", "a whole number from 0 to 4294967295", "x"),
            ("3 2\n3 1 4\n1 -5 9", "`-5` is not a processing time", "a whole number from 0 to 4294967295", "-5"),
            ("3 2\n3 1 4\n-1 5 9", "`-1` is not a processing time", "a whole number from 0 to 4294967295", "-1"),
            ("3 2\n3 1 4\n1 5", "row 2 has 2 numbers", "3: one processing time for each job", "1 5"),
            // Job by job: times of the wrong jobs, were it read.
            (
                "3 2\n3 1\n1 5\n4 9",
                "row 1 has 2 numbers",
                "3: one processing time for each job; the file has one row per job: transpose the 3 rows to 2 rows, one \
                 per machine",
                "3 1",
            ),
            ("3 2\n3 1\n1 5\n", "row 1 has 2 numbers", "3: one processing time for each job", "3 1"),
            (
                "3x2 3 1 / 1 5 / 4 9",
                "machine 1 has 2 processing times",
                "3, one per job; the file has one row per job: transpose the 3 rows to 2 rows, one per machine",
                "3",
            ),
            (
                "3 2\n3 1 4",
                "the instance has only 1 rows of processing times",
                "2 rows: one row per machine, or one row per job if the rows contain machine numbers",
                "3 2",
            ),
            (
                "3 2\n0 3 1 1\n1 1 0 5\n0 4 1 9",
                "found machine 1 instead of machine 0",
                "machine numbers in ascending order in each row",
                "1",
            ),
            (
                "3\n",
                "the number of machines is missing after the number of jobs",
                "two numbers, for example `20 5`",
                "3",
            ),
            ("0 2\n", "the number of jobs, 0, is out of range", "1 to 65535", "0"),
            ("3 0\n", "the number of machines, 0, is out of range for 3 jobs", "1 to 33333333", "3"),
            (
                "3 2 3 1 4 1 5",
                "after the numbers of jobs and machines, the line has 5 more numbers",
                "6 processing times, or a seed and two bounds",
                "3",
            ),
            ("3x2 3 1 4 / 1 5", "machine 2 has 2 processing times", "3, one per job", "1"),
            ("3x2 3 1 4", "3 processing times do not fit 3 jobs on 2 machines", "6", "3x2"),
            ("3xy 3 1 4", "`y` is not a number of jobs or machines", "a whole number", "y"),
            (
                &long,
                "a processing time of 4294967295 is too large for 2 jobs on 2 machines",
                "at most 1431655765",
                "2 2",
            ),
        ] {
            let error = read_one(text).unwrap_err();
            assert_eq!((error.to_string(), error.expected.as_deref()), (message.to_owned(), Some(expected)), "{text}");
            assert_eq!(&text[error.bytes.unwrap()], piece, "{text}");
        }
        let nothing = read_one("no numbers\n").unwrap_err();
        assert_eq!(
            (nothing.part, nothing.message.as_str()),
            (InstancePart::Character, "found `no` where the first number should be")
        );
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "\\PC{0,60}|[0-9x/ \n-]{0,60}") {
            if let Ok(times) = read_one(&text) {
                prop_assert_eq!(read_one(&times.to_line()), Ok(times));
            }
        }

        #[test]
        fn what_is_written_is_read(n_jobs in 1..6_usize, n_machines in 1..6_usize, all in prop::collection::vec(0..100_u32, 25)) {
            let times = ProcessingTimes::new(n_jobs, n_machines, all[..n_jobs * n_machines].to_vec()).unwrap();
            prop_assert_eq!(read_one(&times.to_line()), Ok(times.clone()));
            let rows: Vec<String> = times.machines().map(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")).collect();
            let file = format!("times of machines :\n{n_jobs} {n_machines} 1 3 2\nprocessing times :\n{}\n", rows.join("\n"));
            prop_assert_eq!(read_one(&file), Ok(times));
        }
    }
}
