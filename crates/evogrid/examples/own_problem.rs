//! A family of one's own in a runner of one's own: jobs on one machine, in the order of the least weighted tardiness.
//!
//! `cargo run --release --example own_problem -- solve "3 2 5 4 1 4 2 5 7" --problem tardiness --algorithm hill-climbing` prints the best
//! order of three jobs, and how the search ended; `list problems` in its place the families, `tardiness` among them.

use evogrid::prelude::*;

/// The processing time, weight and due date of each job: an order of the jobs is one gene. Sums of such numbers stay below 2^64.
#[derive(Clone)]
struct Jobs(Layout, Vec<[u16; 3]>);

impl Problem for Jobs {
    fn layout(&self) -> &Layout {
        &self.0
    }

    fn fitness(&self, order: &[Allele]) -> Fitness {
        let mut now = 0;
        let late = order.iter().map(|&job| self.1[usize::from(job)].map(u64::from)).map(|[time, weight, due]| {
            now += time;
            weight * now.saturating_sub(due)
        });
        Fitness::new(late.sum::<u64>() as f64)
    }
}

impl Instance for Jobs {
    fn content(&self) -> String {
        self.1.as_flattened().iter().map(u16::to_string).collect::<Vec<_>>().join(" ")
    }

    fn size(&self) -> String {
        format!("{} jobs", self.0.gene_len())
    }

    fn prepare(&self, _: &Settings) -> Box<dyn Solve> {
        Box::new(self.clone())
    }
}

struct Tardiness;

impl Family for Tardiness {
    fn declaration(&self) -> &'static Declaration {
        const { &Declaration::new("tardiness", "jobs on one machine, by weighted tardiness", "Lawler, 1977") }
    }

    fn text_column(&self) -> &'static str {
        "jobs"
    }

    fn read(&self, text: &str, _: &Options) -> Result<Box<dyn Instance>, InstanceError> {
        let number = |word: &str| word.parse().map_err(|_| InstanceError::new("no number below 65536").at(text, word));
        let numbers: Vec<u16> = text.split_whitespace().map(number).collect::<Result<_, _>>()?;
        let (jobs, []) = numbers.as_chunks() else { return Err(InstanceError::new("not three numbers for each job")) };
        Ok(Box::new(Jobs(Layout::new(jobs.len(), &vec![None; jobs.len()])?, jobs.to_vec())))
    }

    fn objectives(&self) -> &'static [Objective] {
        const { &[Objective::minimised("weighted tardiness", tardiness)] }
    }
}

/// The objective of a solution such as `[2, 0, 1]`, by code that shares nothing with the search.
fn tardiness(content: &str, solution: &str) -> Result<f64, String> {
    let given: Vec<f64> = content.split(' ').flat_map(str::parse).collect();
    let order: Result<Vec<usize>, _> = solution.trim_matches(['[', ']']).split(", ").map(str::parse).collect();
    let is_full = |jobs: &Vec<usize>| 3 * jobs.len() == given.len() && (0..jobs.len()).all(|job| jobs.contains(&job));
    let order = order.ok().filter(is_full).ok_or("it is not every job once")?;
    let end = |at: usize| order[..=at].iter().map(|job| given[3 * job]).sum::<f64>();
    let late = |(at, job): (usize, &usize)| given[3 * job + 1] * (end(at) - given[3 * job + 2]).max(0.0);
    Ok(order.iter().enumerate().map(late).sum())
}

fn main() -> std::process::ExitCode {
    let mut catalogue = evogrid::catalogue();
    catalogue.add_family(Box::new(Tardiness));
    evogrid::main(catalogue)
}
