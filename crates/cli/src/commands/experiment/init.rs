//! `runner init`: writes a first experiment and its instances.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::family::Family;
use evogrid_results::files::{FilePlace, create, open_regular};

use crate::arguments::InitArgs;
use crate::commands::arguments::{family, family_names, results_folder};
use crate::messages::{UsageError, list, nearest, print, program, rendered};
use evogrid_runner::experiment::spec::{NAME_HELP, check_name};
use serde_json::json;

/// Writes the first experiment of a family into the current folder, unless a file of the experiment exists, and prints the next steps.
pub(crate) fn init(args: &InitArgs, catalogue: &Catalogue) -> Result<()> {
    let name = args.name.strip_suffix(".toml").unwrap_or(&args.name);
    check_name(name).map_err(|message| UsageError(format!("{message}\n  {NAME_HELP}")))?;
    let names = family_names(catalogue, |_| true);
    if let (None, Some(meant)) = (&args.problem, nearest(name, names.iter().copied())) {
        let runner = program::name();
        bail!(UsageError(format!(
            "`{name}` is read as the experiment's name, not as the problem\n  to choose the problem, use `{runner} \
             init --problem {meant}`"
        )));
    }
    let family = family(args.problem.as_deref(), catalogue)?;
    let example = |family: &dyn Family| if args.tune { family.first_tuning() } else { family.first_experiment() };
    let Some(first) = example(family) else {
        let others = list(&family_names(catalogue, |family| example(family).is_some()));
        let family = family.declaration().name;
        let what = if args.tune { "tuning" } else { "experiment" };
        bail!(UsageError(format!("`{family}` has no example of a {what}\n  these families have an example: {others}")));
    };

    let experiment = PathBuf::from(format!("{name}.toml"));
    let mut files = vec![(experiment.clone(), first.experiment.replace("{name}", name))];
    files.extend(first.files.iter().map(|&(path, text)| (path.split('/').collect(), text.to_owned())));
    let results = results_folder(None, &if args.tune { format!("{name}-tune") } else { name.to_owned() });
    let taken = files.iter().find(|(path, text)| is_taken(path, text)).map(|(path, _)| path);
    if let Some(taken) = taken.or(fs::symlink_metadata(&results).is_ok().then_some(&results)) {
        bail!(UsageError(format!(
            "`{}` already exists\n  nothing was written; choose another name with `{} init NAME`, or use another folder",
            taken.display(),
            program::name()
        )));
    }
    // The experiment is written last. So nothing is written if the folder of its instances is a link to another place.
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
    Ok(print(&rendered!("init/next_steps.txt", values))?)
}

/// Whether the path exists and is not a file with this text.
fn is_taken(path: &Path, text: &str) -> bool {
    let is_text = |file: File| {
        let mut there = Vec::new();
        file.take(text.len() as u64 + 1).read_to_end(&mut there).is_ok_and(|_| there == text.as_bytes())
    };
    fs::symlink_metadata(path).is_ok() && !open_regular(place(path)).is_ok_and(is_text)
}

/// The place of a file in the current folder or one of its subfolders. The folders in the path may come from another person.
fn place(path: &Path) -> FilePlace<'_> {
    FilePlace::below(path, path.components().count())
}
