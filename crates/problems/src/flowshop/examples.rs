//! Worked examples: published figures of single instances, recomputed.

use evogrid_core::example::WorkedExample;

use super::evaluate::Criterion;
use super::problem::FlowShop;
use super::taillard::TaillardInstance;

/// All examples, document by document.
pub(super) fn all() -> Vec<WorkedExample> {
    let times = TaillardInstance::find("ta001").expect("it is published").times();
    let first: Vec<String> = times.of_machine(0)[..5].iter().map(ToString::to_string).collect();
    let problem = FlowShop::new(times.clone(), Criterion::Makespan);
    vec![
        WorkedExample::new(
            "taillard",
            "taillard-ta001",
            "EJOR 64, 1993, the first flow shop with 20 jobs and 5 machines",
            "Its seed is 873654221; on machine 1 its first jobs take 54, 83, 15, 71 and 77.",
            "54 83 15 71 77",
            first.join(" "),
        ),
        WorkedExample {
            note: Some(
                "The paper is older than the instance: the figure is that of later studies, with ties broken by the first position.",
            ),
            ..WorkedExample::new(
                "nawaz-enscore-ham",
                "neh-ta001",
                "Omega 11(1), 1983, the construction applied to Taillard's first instance",
                "The makespan of the sequence that NEH constructs is 1286.",
                "1286",
                times.makespan(&problem.neh(false)).to_string(),
            )
        },
    ]
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_examples_agree() {
        let examples = super::all();
        assert!(examples.len() >= 2 && examples.iter().all(|example| example.agrees), "{examples:#?}");
    }
}
