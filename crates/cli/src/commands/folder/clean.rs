//! `runner clean`: moves runs out of the journal of a folder if they are no longer in its plan.

use std::io::{IsTerminal, stdin};
use std::path::PathBuf;
use std::process::ExitCode;
use std::slice;
use std::sync::Arc;

use anyhow::Result;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::journal::Index;

use super::merge;
use crate::messages::{UsageError, counted, line, program, rendered};
use evogrid_runner::engine::experiment_error::ExperimentError;
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::folder::predecessor::count_lost;
use evogrid_runner::engine::folder::session::{copy_part, living};
use evogrid_runner::engine::signals::Signals;
use serde_json::json;

/// Moves the runs after the user has agreed. The exit status is 2 if there is no terminal on which the user can be asked.
pub(crate) fn clean(results: PathBuf, is_confirmed: bool, catalogue: Catalogue) -> Result<ExitCode> {
    // A signal loses nothing: files are replaced as a whole, and lines are removed from the journal after they were copied.
    Signals::end_process(|| ())?;
    let plan = Arc::new(merge::common(slice::from_ref(&results))?.plan(catalogue)?);
    let (aside, folder) = (Folder::new(results.join("aside")), Folder::new(results));
    let refuse_living = || match living(&folder.journal()).first() {
        Some(other) => {
            let would = "`clean` would replace files of the journal";
            Err(ExperimentError::journal_in_use(folder.path(), would, other))
        }
        None => Ok(()),
    };
    refuse_living()?;
    let index = Index::read(&folder.journal())?;
    let mut is_planned = vec![false; index.n_known()];
    plan.runs().filter_map(|run| index.number(run.id)).for_each(|number| is_planned[number] = true);
    let n_runs = is_planned.iter().filter(|is_planned| !**is_planned).count() as u64;
    let (shown, shown_aside) = (folder.path().display(), aside.path().display().to_string());
    let tell = |what: &str| {
        let values = json!({ "what": what, "n_runs": n_runs, "folder": shown.to_string(), "aside": shown_aside });
        line(rendered!("clean/outcome.txt", values).trim_end());
    };
    if n_runs == 0 {
        tell("nothing");
        return Ok(ExitCode::SUCCESS);
    }
    let runner = program::name();
    // These rows belong to another plan, or to other versions of operators.
    if let Some((in_table @ 1.., _)) = count_lost(&folder, &plan) {
        return Err(UsageError(format!(
            "{shown}/runs.csv was written for another plan or for other versions of operators: the file lists {} that `clean` would move out of the journal\n  before you use `clean`, write runs.csv again: `{runner} run` or `{runner} merge`",
            counted(in_table, "run")
        ))
        .into());
    }
    tell("found");
    if !is_confirmed {
        if !stdin().is_terminal() {
            tell("unasked");
            return Ok(ExitCode::from(2));
        }
        tell("question");
        let mut answer = String::new();
        stdin().read_line(&mut answer)?;
        if !matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
            tell("refused");
            return Ok(ExitCode::SUCCESS);
        }
        refuse_living()?;
    }
    let is_orphan = |run| index.number(run).is_some_and(|number| !is_planned[number]);
    for part in index.parts(true, is_orphan) {
        copy_part(&part, folder.path(), &aside.journal(), 2)?;
        part.cut()?;
    }
    tell("moved");
    Ok(ExitCode::SUCCESS)
}
