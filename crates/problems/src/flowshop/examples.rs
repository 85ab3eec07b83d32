//! Worked examples: published figures of single instances, recomputed.

use evogrid_core::example::WorkedExample;

use super::{Criterion, FlowShop, TaillardInstance};

/// All examples, document by document.
pub(super) fn all() -> Vec<WorkedExample> {
    let times = TaillardInstance::find("ta001").expect("it is published").times();
    let first: Vec<String> = times.of_machine(0)[..5].iter().map(ToString::to_string).collect();
    let problem = FlowShop::new(times.clone(), Criterion::Makespan);
    let example = |id, ours| WorkedExample::printed(include_str!("examples/printed.txt"), id, ours);
    vec![
        example("taillard-ta001", first.join(" ")),
        example("neh-ta001", times.makespan(&problem.neh(false)).to_string()),
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
