//! `runner external show`: what programs are given, and may answer.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use evogrid_core::catalogue::Catalogue;
use evogrid_runner::experiment::diagnostic::in_one_line;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::external::{Exchange, command, exchange};

use crate::arguments::ExperimentArgs;
use crate::commands::arguments::load_spec;
use crate::commands::output::print;
use crate::messages::shell::shell_text;

/// The most characters of an instance or an answer that are printed.
const MOST_SHOWN: usize = 2000;

/// Prints one exchange for each algorithm that is a program and each family, with the first run of the plan that has both.
pub(crate) fn show(args: &ExperimentArgs, catalogue: Catalogue) -> Result<()> {
    let plan = Arc::new(Plan::new(load_spec(args, &catalogue)?, catalogue));
    let (mut seen, mut text) = (BTreeSet::new(), String::new());
    for run in plan.runs() {
        let (key, settings) = (plan.run_key(&run), &run.projection().settings);
        if command(settings).is_none() || !seen.insert((key.algorithm.clone(), key.problem.clone())) {
            continue;
        }
        let (family, instance) = plan.restore(&run)?;
        let budget = plan.budget(&run, family, instance.as_ref());
        let Exchange { words, input, answer } = exchange(settings, instance.as_ref(), &budget, run.seed)
            .map_err(|message| anyhow!("{}: {message}", key.algorithm))?;
        let words: Vec<String> = words.iter().map(|word| shell_text(word)).collect();
        let input = input.map_or_else(|| "nothing".to_owned(), |input| shortened(input.trim_end()));
        let _ = write!(
            text,
            "{} on {}, instance {}, repetition {}\n  command: {}\n  standard input: {input}\n  a valid answer: {}\n",
            in_one_line(&key.algorithm),
            key.problem,
            in_one_line(&key.instance),
            key.repetition,
            shortened(&words.join(" ")),
            shortened(&answer)
        );
    }
    if text.is_empty() {
        bail!("the experiment has no algorithm with `kind = \"external\"`");
    }
    text.push_str(
        "The programs get the environment of this command. docs/external.md has the rules of the exchange.\n",
    );
    Ok(print(&text)?)
}

/// The beginning of a text that may be long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}... ({} bytes in all)", in_one_line(&text[..end]), text.len()),
        None => in_one_line(text),
    }
}
