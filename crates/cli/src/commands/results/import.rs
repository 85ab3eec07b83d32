//! `runner import`: results of other programs as files of runs.

use anyhow::Result;
use evogrid_results::import::ioh;
use evogrid_runner::engine::progress::line;
use evogrid_runner::system::numbers::counted;

use super::export::refused;
use crate::arguments::ImportArgs;

/// Imports folders of IOHprofiler.
pub(crate) fn import(args: &ImportArgs) -> Result<()> {
    let imported = ioh::import(&args.folders, &args.out).map_err(refused)?;
    if imported.maximised > 0 {
        let functions = counted(imported.maximised as u64, "function");
        line(&format!("note: {functions} maximised: larger values are better, and the column `fitness` says so"));
    }
    let [algorithms, instances] = [(imported.algorithms, "algorithm"), (imported.instances, "instance")]
        .map(|(number, noun)| counted(number as u64, noun));
    let runs = counted(imported.runs, "run");
    line(&format!("{runs} of {algorithms} on {instances}: {}", args.out.display()));
    Ok(())
}
