//! `runner slurm`: writes the scripts of a job array that does an experiment, and of a job that merges the shards.

mod script;

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, anyhow, bail, ensure};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::files::{FilePlace, make_folder, replace};
use serde_json::json;

use crate::arguments::SlurmArgs;
use crate::commands::arguments::{load_plan, published, results_folder};
use crate::messages::{UsageError, counted, line, print, rendered, shell_word};
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::folder::predecessor;
use evogrid_runner::experiment::manifest_form::Experiment;

/// Writes the scripts of an experiment, and submits them on request.
pub(crate) fn slurm(args: &SlurmArgs, catalogue: Catalogue) -> Result<()> {
    let plan = load_plan(&args.experiment, catalogue)?;
    published(&plan)?;
    let results = results_folder(args.out.as_deref(), &plan.spec().name);
    check_shards(args.shards, plan.n_runs())?;
    let (file, sets) = (absolute(&args.experiment.experiment)?, &args.experiment.sets);
    let cluster = json!({
        "name": plan.spec().name,
        "title": plan.spec().title,
        "n_runs": plan.n_runs(),
        "n_shards": args.shards,
        "at_once": args.at_once,
        "cpus": args.cpus,
        "folder": absolute(Path::new("."))?,
        "runner": program_path()?,
        "experiment": file,
        "sets": sets,
        "results": folder(&results)?,
        "options": options(args)?,
        "setup": args.setup,
    });

    // The merge needs the manifest to find the missing runs, even if no task ever starts.
    let experiment = Experiment::new(&plan, file.as_ref(), sets);
    predecessor::displace(&Folder::new(results.clone()), &plan, &experiment, false, line)?;
    let scripts = results.join("slurm");
    // Slurm does not create folders for logs, and ends a job whose log it cannot open.
    make_folder(FilePlace::in_subfolder(&scripts.join("logs")))?;
    let [array, merge] = ["array.sbatch", "merge.sbatch"].map(|name| scripts.join(name));
    for (path, is_array) in [(&array, true), (&merge, false)] {
        let text = script::script(&cluster, is_array);
        replace(FilePlace::in_subfolder(path), |output| -> Result<()> { Ok(output.write_all(text.as_bytes())?) })?;
    }
    let values = json!({
        "cluster": cluster,
        "submitted": args.submit.then(|| submit(&array, &merge)).transpose()?,
        "array": array,
        "merge": merge,
        "results": results,
        "logs": scripts.join("logs"),
    });
    Ok(print(&rendered!("slurm/advice.txt", values))?)
}

/// Submits both scripts. Returns the ids of the jobs.
fn submit(array: &Path, merge: &Path) -> Result<[String; 2]> {
    let job = submit_script(array, None)
        .map_err(|error| anyhow!("{error:#}\n  both scripts were written: submit them on a machine with Slurm"))?;
    let merged = submit_script(merge, Some(&job)).map_err(|error| {
        anyhow!(
            "{error:#}\n  the array was submitted, but not its merge; submit the merge:\n    sbatch \
             --dependency=afterany:{job} {}\n  or cancel the array:\n    scancel {job}",
            shell_word(merge)
        )
    })?;
    Ok([job, merged])
}

/// Refuses a number of shards that the plan cannot have, or that the cluster, if one is reachable, does not accept.
fn check_shards(n_shards: u64, n_runs: u64) -> Result<()> {
    let runs = counted(n_runs, "run");
    ensure!(
        n_shards <= n_runs,
        UsageError(format!(
            "`--shards` is {n_shards}, but the experiment has {runs}\n  expected at most as many shards as runs"
        ))
    );
    if let Some(last) = last_index().filter(|&last| n_shards > last) {
        bail!(UsageError(format!(
            "`--shards` is {n_shards}, but a Slurm array of this cluster has at most {last} tasks (MaxArraySize)\n  \
             use fewer shards, and give each shard more cores with `--cpus`"
        )));
    }
    Ok(())
}

/// The options of sbatch that are made from our options: the long form, the short form, and the message that refuses the option.
const OWN_OPTIONS: [(&str, char, &str); 2] = [
    (
        "array",
        'a',
        "this option of sbatch is not accepted, because `--shards` defines the array\n  use `--shards`; `--at-once` limits the simultaneous tasks",
    ),
    (
        "cpus-per-task",
        'c',
        "this option of sbatch is not accepted, because `--cpus` sets the cores of a task\n  use `--cpus` instead",
    ),
];

/// The short options of sbatch without a value. Another option may follow such an option in the same word.
const SHORT_FLAGS: &str = "hHIkOQsuvVW";

/// Whether `sbatch` reads `name` as this option. `name` is the part of a word before `=`. `sbatch` accepts the first letters of a long
/// option, and several short options in one word.
fn is_named(name: &str, long: &str, short: char) -> bool {
    match name.strip_prefix("--") {
        Some(beginning) => long.starts_with(beginning),
        None => name[1..].trim_start_matches(|flag| SHORT_FLAGS.contains(flag)).starts_with(short),
    }
}

/// Whether the part of a word before `=` is an option: `--constraint`, `-C`, `-Cavx2`. A name with quotes or backslashes is refused: Slurm
/// removes quotes and backslashes, and the rest could be the name of another option.
fn is_option(name: &str) -> bool {
    let is_name = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_alphabetic())
            && !text.contains(|character: char| character.is_whitespace() || "\"'\\".contains(character))
    };
    name.strip_prefix("--").or_else(|| name.strip_prefix('-')).is_some_and(is_name)
}

/// Returns the options of sbatch for both jobs.
fn options(args: &SlurmArgs) -> Result<Vec<String>> {
    let named =
        [("time", &args.time), ("mem", &args.memory), ("partition", &args.partition), ("account", &args.account)];
    let named = named.iter().filter_map(|(name, value)| Some(format!("--{name}={}", value.as_ref()?)));
    for option in &args.sbatch {
        let name = option.split('=').next().unwrap_or_default();
        ensure!(
            is_option(name),
            UsageError(format!(
                "`--sbatch={option}` must be exactly one option of sbatch, without spaces\n  for example \
                 `--sbatch=--constraint=avx2`"
            ))
        );
        if let Some((.., refusal)) = OWN_OPTIONS.iter().find(|(long, short, _)| is_named(name, long, *short)) {
            bail!(UsageError(format!("`--sbatch={option}`: {refusal}")));
        }
    }
    let options: Vec<String> = named.chain(args.sbatch.iter().cloned()).collect();
    if let Some(option) = options.iter().find(|option| option.contains(char::is_control)) {
        let option = option.escape_debug();
        bail!(UsageError(format!("`{option}`: a Slurm directive cannot contain a control character")));
    }
    Ok(options)
}

/// Returns an absolute path as text. An absolute path has the same meaning in every folder.
pub(super) fn absolute(path: &Path) -> Result<String> {
    let absolute =
        std::path::absolute(path).with_context(|| format!("cannot find the absolute path of `{}`", path.display()))?;
    Ok(absolute.into_os_string().into_string().map_err(|path| {
        UsageError(format!("`{}` is not valid UTF-8; a script cannot contain this path", path.display()))
    })?)
}

/// Returns the absolute path of this program.
pub(super) fn program_path() -> Result<String> {
    absolute(&std::env::current_exe().context("cannot find the path of this program")?)
}

/// Returns the absolute path of the results folder. Slurm opens its logs in this folder, and a backslash in a path has a special meaning
/// for Slurm.
fn folder(results: &Path) -> Result<String> {
    let folder = absolute(results)?;
    let is_refused = |character: char| character.is_control() || character == '\\';
    ensure!(
        !folder.contains(is_refused),
        UsageError(format!(
            "`{folder}`: Slurm cannot write logs into a path with a backslash or a control character\n  choose another \
             folder with `--out`"
        ))
    );
    Ok(folder)
}

/// The last index that an array may have on this cluster; `None` if Slurm is not available.
fn last_index() -> Option<u64> {
    let output = Command::new("scontrol").args(["show", "config"]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (_, size) =
        text.lines().filter_map(|line| line.split_once('=')).find(|(key, _)| key.trim() == "MaxArraySize")?;
    size.trim().parse::<u64>().ok()?.checked_sub(1)
}

/// Submits a script. If `after` is the id of a job, the new job starts when that job has ended, successfully or not. Returns the id of the
/// new job.
///
/// # Errors
/// If `sbatch` does not exist or reports an error.
fn submit_script(script: &Path, after: Option<&str>) -> Result<String> {
    let mut command = Command::new("sbatch");
    command.arg("--parsable").args(after.map(|job| format!("--dependency=afterany:{job}"))).arg(script);
    let submitted = match command.output() {
        Ok(output) => job_id(&output),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(anyhow!("`sbatch` not found")),
        Err(error) => Err(error).context("`sbatch` does not start"),
    };
    submitted.with_context(|| format!("cannot submit {}", script.display()))
}

/// The id in the answer of `sbatch`: `ID`, or `ID;CLUSTER` if there are several clusters.
fn job_id(output: &Output) -> Result<String> {
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        bail!("{}", if message.trim().is_empty() { output.status.to_string() } else { message.trim().to_owned() });
    }
    let answer = String::from_utf8_lossy(&output.stdout);
    let id = answer.trim().split(';').next().unwrap_or_default();
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        bail!("`sbatch` answered `{}`, which is not a job id; `squeue --me` shows your jobs", answer.trim());
    }
    Ok(id.to_owned())
}
