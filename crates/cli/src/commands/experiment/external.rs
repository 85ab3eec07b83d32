//! `runner external`: shows the input and the answers of external programs, or tests the programs.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::RunKey;
use evogrid_runner::engine::execute::Repetition;
use evogrid_runner::engine::program_test::{Finding, test_program};
use evogrid_runner::engine::signals::Signals;
use evogrid_runner::experiment::plan::{Plan, Projection, Run};
use evogrid_runner::external::{Exchange, command, exchange};

use crate::arguments::ExperimentArgs;
use crate::commands::arguments::load_plan;
use crate::messages::{in_one_line, print, rendered, shell_text};
use serde_json::json;

/// At most this many characters of an instance or an answer are printed.
const MOST_SHOWN: usize = 2000;

/// Prints one exchange for each program and family.
pub(crate) fn show(args: &ExperimentArgs, catalogue: Catalogue) -> Result<()> {
    let plan = load_plan(args, catalogue)?;
    let mut shown = Vec::new();
    for run in runs_of_programs(&plan)? {
        let key = plan.run_key(&run);
        let (family, instance) = plan.restore(&run)?;
        let budget = plan.budget(&run, family, instance.as_ref());
        let Exchange { words, input, answer } =
            exchange(&run.projection().settings, instance.as_ref(), &budget, run.seed)
                .map_err(|message| anyhow!("{}: {message}", key.algorithm))?;
        let words: Vec<String> = words.iter().map(|word| shell_text(word)).collect();
        let input = input.map(|input| shortened(&input.trim_end().replace('\n', "\\n")));
        shown.push(json!({
            "title": title(&key),
            "command": shortened(&words.join(" ")),
            "input": input,
            "answer": shortened(&answer),
        }));
    }
    Ok(print(&rendered!("external/exchanges.txt", json!({ "exchanges": shown })))?)
}

/// Tests each program on one instance of each family. The exit status is 1 if a program fails a test.
pub(crate) fn test(args: &ExperimentArgs, catalogue: Catalogue) -> Result<ExitCode> {
    let plan = load_plan(args, catalogue)?;
    Signals::end_process(|| {})?;
    let mut is_right = true;
    for run in runs_of_programs(&plan)? {
        let key = plan.run_key(&run);
        print(&format!("{}\n", title(&key)))?;
        let (family, instance) = plan.restore(&run)?;
        let (instance, content) = (instance.as_ref(), plan.instance(&run).content);
        let Projection { settings, search, .. } = run.projection();
        let repetition = Repetition { family, instance, content, settings, search };
        let budget = plan.budget(&run, family, instance);
        for Finding { verdict, text } in test_program(&repetition, &budget, [run.seed, run.seed ^ 1]) {
            is_right &= verdict != Some(false);
            let verdict = match verdict {
                Some(true) => "right",
                Some(false) => "WRONG",
                None => "note ",
            };
            print(&format!("  {verdict}  {}\n", text.replace('\n', "\n         ")))?;
        }
    }
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Returns the first run of each external program on each family of problems.
fn runs_of_programs(plan: &Arc<Plan>) -> Result<Vec<Run>> {
    let mut seen = BTreeSet::new();
    let is_first = |run: &Run| {
        let key = plan.run_key(run);
        command(&run.projection().settings).is_some() && seen.insert((key.algorithm, key.problem))
    };
    let runs: Vec<Run> = plan.runs().filter(is_first).collect();
    if runs.is_empty() {
        bail!("the experiment has no algorithm with `kind = \"external\"`");
    }
    Ok(runs)
}

/// The name of a run: algorithm, family, instance and repetition.
fn title(key: &RunKey) -> String {
    let [algorithm, instance] = [&key.algorithm, &key.instance].map(|name| in_one_line(name));
    format!("{algorithm} on {}, instance {instance}, repetition {}", key.problem, key.repetition)
}

/// The beginning of a text that may be long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}... ({} bytes in all)", in_one_line(&text[..end]), text.len()),
        None => in_one_line(text),
    }
}
