//! `runner init`: a first experiment and its instances.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Family;
use evogrid_core::suggestion::{list, nearest};
use evogrid_results::files::{FilePlace, create, open_regular};
use evogrid_runner::system::program;

use crate::arguments::InitArgs;
use crate::commands::arguments::family;
use crate::commands::output::print;
use crate::messages::template::rendered;
use crate::usage_error::UsageError;
use evogrid_runner::experiment::spec::{NAME_HELP, check_name};
use serde_json::json;

const NEXT_STEPS: &str = include_str!("init/next_steps.txt");

/// Writes the first experiment of a family into the current folder, unless one of its files exists, and prints the next steps.
pub(crate) fn init(args: &InitArgs, catalogue: &Catalogue) -> Result<()> {
    let name = args.name.strip_suffix(".toml").unwrap_or(&args.name);
    check_name(name).map_err(|message| UsageError(format!("{message}\n  {NAME_HELP}")))?;
    let names: Vec<&str> = catalogue.families().map(|family| family.declaration().name).collect();
    if let (None, Some(meant)) = (&args.problem, nearest(name, names.iter().copied())) {
        let runner = program::name();
        let message = format!(
            "`{name}` would become the name of the experiment\n  to choose the problem, use `{runner} init --problem \
             {meant}`"
        );
        return Err(UsageError(message).into());
    }
    let family = family(args.problem.as_deref(), catalogue)?;
    let example = |family: &dyn Family| if args.tune { family.first_tuning() } else { family.first_experiment() };
    let Some(first) = example(family) else {
        let others = catalogue.families().filter(|family| example(*family).is_some());
        let others: Vec<&str> = others.map(|family| family.declaration().name).collect();
        let family = family.declaration().name;
        let others = list(&others);
        let what = if args.tune { "tuning" } else { "experiment" };
        bail!(UsageError(format!("`{family}` has no example of a {what}\n  these families have one: {others}")));
    };

    let experiment = PathBuf::from(format!("{name}.toml"));
    let mut files = vec![(experiment.clone(), first.experiment.replace("{name}", name))];
    files.extend(first.files.iter().map(|&(path, text)| (path.split('/').collect(), text.to_owned())));
    let results = PathBuf::from("results").join(if args.tune { format!("{name}-tune") } else { name.to_owned() });
    if let Some(taken) = files
        .iter()
        .find(|(path, text)| is_taken(path, text))
        .map(|(path, _)| path)
        .or(fs::symlink_metadata(&results).is_ok().then_some(&results))
    {
        let runner = program::name();
        let message = format!(
            "`{}` already exists\n  nothing was written; give the experiment another name, `{runner} init NAME`, or \
             use another folder",
            taken.display()
        );
        return Err(UsageError(message).into());
    }
    // The experiment last, so that nothing is written where a folder of its instances leads elsewhere.
    for (path, text) in files.iter().rev() {
        create(place(path), |output| -> Result<()> { Ok(output.write_all(text.as_bytes())?) })?;
    }

    let values = json!({
        "experiment": experiment,
        "results": results,
        "test": args.tune.then(|| results.join("test")),
        "written": files.iter().map(|(path, _)| path).collect::<Vec<_>>(),
        "problems": args.problem.is_none().then(|| [list(&names[..1]), list(&names[1..])]),
    });
    Ok(print(&rendered("next_steps.txt", NEXT_STEPS, values))?)
}

/// Whether something other than this file is at its path.
fn is_taken(path: &Path, text: &str) -> bool {
    let is_text = |file: File| {
        let mut there = Vec::new();
        file.take(text.len() as u64 + 1).read_to_end(&mut there).is_ok_and(|_| there == text.as_bytes())
    };
    fs::symlink_metadata(path).is_ok() && !open_regular(place(path)).is_ok_and(is_text)
}

/// All of it is below the present folder, which may come from elsewhere.
fn place(path: &Path) -> FilePlace<'_> {
    FilePlace::below(path, path.components().count())
}
