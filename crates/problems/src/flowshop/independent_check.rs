//! The independent check: it reads a solution from a text, and computes the objective of this solution. The objective is the makespan or
//! the total flow time. The check shares no code with the search or the reader.

use evogrid_core::family::Objective;

use crate::solutions;

/// The objectives, in the order of [`Criterion`](super::Criterion). The content of an instance begins with the name of its objective.
pub(crate) static OBJECTIVES: [Objective; 2] = [declared("makespan"), declared("flow-time")];

const fn declared(name: &'static str) -> Objective {
    Objective::minimised(name, |content, solution| objective(content, solution).map(|value| value as f64))
}

/// Computes the makespan or the total flow time of a sequence. The jobs are numbered from 1 (`2 1 3`). The first word of `content` is the
/// name of the objective, as in `makespan 3x2 3 1 4 / 1 5 9`.
///
/// # Errors
/// Returns a message if a word is not a job. Returns a message if a job occurs twice or is missing.
pub fn objective(content: &str, solution: &str) -> Result<u64, String> {
    let mut words = content.split(' ').filter(|word| *word != "/");
    let (name, size) = (words.next().unwrap_or_default(), words.next().ok_or("the instance has no size")?);
    let (jobs, machines) = size.split_once('x').ok_or("the instance has no size")?;
    let number =
        |text: &str| text.parse::<u64>().map_err(|_| format!("the instance has `{text}` where a number is expected"));
    let (jobs, machines) = (number(jobs)?, number(machines)?);
    let times: Vec<u64> = words.map(number).collect::<Result<_, _>>()?;
    if jobs == 0 || machines == 0 || jobs.checked_mul(machines) != Some(times.len() as u64) {
        let n_times = times.len();
        return Err(format!("the instance has {n_times} processing times for {jobs} jobs on {machines} machines"));
    }
    let order = solutions::check(solution.split_whitespace(), jobs as usize, "job")?;
    // The time at which each machine becomes free, updated job by job.
    let mut free = vec![0; machines as usize];
    let mut flow_time = 0;
    for job in order {
        let mut now = 0;
        for (machine, free) in free.iter_mut().enumerate() {
            now = now.max(*free) + times[machine * jobs as usize + job];
            *free = now;
        }
        flow_time += now;
    }
    match name {
        "makespan" => Ok(free[machines as usize - 1]),
        "flow-time" => Ok(flow_time),
        _ => Err(format!("unknown objective `{name}` of a flow shop")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_worked_by_hand_has_its_objectives() {
        // Job 2 is on the machines from 0 to 1 and 1 to 6, job 1 from 1 to 4 and 6 to 7, job 3 from 4 to 8 and 8 to 17.
        assert_eq!(objective("makespan 3x2 3 1 4 / 1 5 9", "2 1 3"), Ok(17));
        assert_eq!(objective("flow-time 3x2 3 1 4 / 1 5 9", "2 1 3"), Ok(6 + 7 + 17));
        assert_eq!(objective("makespan 1x1 4294967295", "1"), Ok(4_294_967_295));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |solution: &str| objective("makespan 3x2 3 1 4 / 1 5 9", solution).unwrap_err();
        assert_eq!(wrong("1 2"), "job 3 is missing");
        assert_eq!(wrong("3 2"), "job 1 is missing");
        assert_eq!(wrong("1 2 3 2"), "job 2 occurs twice");
        assert_eq!(wrong("1 2 4"), "`4` is not a job: expected 1 to 3");
        assert_eq!(wrong("1, 2, 3"), "`1,` is not a job: expected 1 to 3");
        assert_eq!(objective("lateness 1x1 1", "1").unwrap_err(), "unknown objective `lateness` of a flow shop");
        for content in ["", "makespan", "makespan 3", "makespan 2x2 1 2 3", "makespan 1x1 x", "makespan 0x0"] {
            assert!(objective(content, "1").is_err(), "{content}");
        }
    }
}
