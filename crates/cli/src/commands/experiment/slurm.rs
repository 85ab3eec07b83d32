//! `runner slurm`: an experiment as a job array, and the job that merges its shards.

mod queue;
mod script;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};
use evogrid_analysis::Published;
use evogrid_core::catalogue::Catalogue;
use evogrid_results::files::{FilePlace, make_folder, replace};
use serde_json::json;

use crate::arguments::SlurmArgs;
use crate::commands::arguments::load_spec;
use crate::commands::output::print;
use crate::messages::shell::shell_word;
use crate::messages::template::rendered;
use crate::usage_error::{UsageError, unreadable};
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::engine::folder::predecessor;
use evogrid_runner::engine::progress::line;
use evogrid_runner::experiment::manifest_form::Experiment;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::system::numbers::counted;
use script::Cluster;

const ADVICE: &str = include_str!("slurm/advice.txt");

/// Writes the scripts of an experiment, and submits them if asked.
pub(crate) fn slurm(args: &SlurmArgs, catalogue: Catalogue) -> Result<()> {
    let spec = load_spec(&args.experiment, &catalogue)?;
    // Each task reads it: a fault in it would end them all.
    spec.published.as_deref().map(Published::open).transpose().map_err(unreadable)?;
    let results = args.out.clone().unwrap_or_else(|| PathBuf::from("results").join(&spec.name));
    let plan = Arc::new(Plan::new(spec, catalogue));
    check_shards(args.shards, plan.n_runs())?;
    let cluster = Cluster {
        name: &plan.spec().name,
        title: &plan.spec().title,
        n_runs: plan.n_runs(),
        n_shards: args.shards,
        at_once: args.at_once,
        cpus: args.cpus,
        folder: &whole(Path::new("."))?,
        runner: &whole(&std::env::current_exe().context("cannot find the path of this program")?)?,
        experiment: &whole(&args.experiment.experiment)?,
        sets: &args.experiment.sets,
        results: &folder(&results)?,
        options: &options(args)?,
        setup: &args.setup,
    };

    // So that the merge knows what is missing even if no task ever starts.
    let experiment = Experiment::new(&plan, cluster.experiment.as_ref(), &args.experiment.sets);
    predecessor::displace(&Folder::new(results.clone()), &plan, &experiment, false, line)?;
    let scripts = Scripts::write(&results, &cluster)?;
    let submitted = args.submit.then(|| scripts.submit()).transpose()?;
    Ok(print(&scripts.advice(&cluster, submitted.as_ref()))?)
}

/// The number of shards must suit the plan, and the cluster if one is reachable.
fn check_shards(n_shards: u64, n_runs: u64) -> Result<(), UsageError> {
    if n_shards > n_runs {
        let runs = counted(n_runs, "run");
        return Err(UsageError(format!(
            "`--shards {n_shards}`, but the experiment has {runs}\n  expected at most as many shards as runs"
        )));
    }
    match queue::last_index() {
        Some(last) if n_shards > last => Err(UsageError(format!(
            "`--shards {n_shards}`, but an array of this Slurm has at most {last} tasks (MaxArraySize)\n  use fewer \
             shards, and give each shard more cores with `--cpus`"
        ))),
        _ => Ok(()),
    }
}

/// An option of sbatch that is made from one of ours.
struct OwnOption {
    long: &'static str,
    short: char,
    refusal: &'static str,
}

const OWN_OPTIONS: [OwnOption; 2] = [
    OwnOption {
        long: "array",
        short: 'a',
        refusal: "`--shards` defines the array\n  use `--shards`, and `--at-once` to limit the number of simultaneous \
            tasks",
    },
    OwnOption {
        long: "cpus-per-task",
        short: 'c',
        refusal: "`--cpus` sets the cores of a task\n  use `--cpus` instead",
    },
];

/// The short options of sbatch without a value: another option may follow in the same word.
const SHORT_FLAGS: &str = "hHIkOQsuvVW";

impl OwnOption {
    /// Whether sbatch would read the part of a word before its `=` as this option: it accepts every beginning of a long option, and several
    /// short ones in one word.
    fn is_named(&self, name: &str) -> bool {
        match name.strip_prefix("--") {
            Some(long) => self.long.starts_with(long),
            None => name[1..].trim_start_matches(|short| SHORT_FLAGS.contains(short)).starts_with(self.short),
        }
    }
}

/// Whether a word up to its `=` is an option: `--constraint`, `-C`, `-Cavx2`. Slurm removes quotes and backslashes from a name, which could
/// then equal another name.
fn is_option(name: &str) -> bool {
    let is_name = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_alphabetic())
            && !text.contains(|character: char| character.is_whitespace() || "\"'\\".contains(character))
    };
    name.strip_prefix("--").or_else(|| name.strip_prefix('-')).is_some_and(is_name)
}

/// The options of sbatch that both jobs have, one in each line.
fn options(args: &SlurmArgs) -> Result<Vec<String>, UsageError> {
    let named =
        [("time", &args.time), ("mem", &args.memory), ("partition", &args.partition), ("account", &args.account)];
    let named = named.iter().filter_map(|(name, value)| Some(format!("--{name}={}", value.as_ref()?)));
    let mut options: Vec<String> = named.collect();
    for option in &args.sbatch {
        let name = option.split('=').next().unwrap_or_default();
        if !is_option(name) {
            return Err(UsageError(format!(
                "`--sbatch={option}` is not a single option of sbatch without spaces\n  expected for example \
                 `--sbatch=--constraint=avx2`"
            )));
        }
        if let Some(own) = OWN_OPTIONS.iter().find(|own| own.is_named(name)) {
            return Err(UsageError(format!("`--sbatch={option}`: {}", own.refusal)));
        }
        options.push(option.clone());
    }
    match options.iter().find(|option| option.contains(char::is_control)) {
        Some(option) => {
            let option = option.escape_debug();
            Err(UsageError(format!("`{option}`: a Slurm directive cannot contain a control character")))
        }
        None => Ok(options),
    }
}

/// An absolute path as text, which means the same in every folder.
pub(super) fn whole(path: &Path) -> Result<String> {
    let whole = std::path::absolute(path).with_context(|| format!("`{}` has no absolute path", path.display()))?;
    let text = whole.into_os_string().into_string();
    Ok(text.map_err(|path| {
        UsageError(format!("`{}` is not valid UTF-8, so it cannot be written into a script", path.display()))
    })?)
}

/// The same for the results folder. Slurm opens its logs there, and a backslash has a meaning for Slurm.
fn folder(results: &Path) -> Result<String> {
    let folder = whole(results)?;
    let is_refused = |character: char| character.is_control() || character == '\\';
    ensure!(
        !folder.contains(is_refused),
        UsageError(format!(
            "`{folder}`: Slurm cannot write logs if the path has a backslash or a control character\n  choose \
             another folder with `--out`"
        ))
    );
    Ok(folder)
}

/// The two scripts in the results folder.
struct Scripts {
    results: PathBuf,
    array: PathBuf,
    merge: PathBuf,
}

impl Scripts {
    fn write(results: &Path, cluster: &Cluster<'_>) -> Result<Self> {
        let folder = results.join("slurm");
        // Slurm makes no folder for a log, and ends a job whose log it cannot open.
        make_folder(FilePlace::in_subfolder(&folder.join("logs")))?;
        let scripts = Self {
            results: results.to_owned(),
            array: folder.join("array.sbatch"),
            merge: folder.join("merge.sbatch"),
        };
        for (path, text) in [(&scripts.array, script::array(cluster)), (&scripts.merge, script::merge(cluster))] {
            replace(FilePlace::in_subfolder(path), |output| -> Result<()> { Ok(output.write_all(text.as_bytes())?) })?;
        }
        Ok(scripts)
    }

    /// The numbers of the two jobs.
    fn submit(&self) -> Result<[String; 2]> {
        let array = queue::submit(&self.array, None).map_err(|error| {
            anyhow!("{error:#}\n  both scripts were written: submit them on a machine that has access to Slurm")
        })?;
        let merge = queue::submit(&self.merge, Some(&array)).map_err(|error| {
            let merge = shell_word(&self.merge);
            anyhow!(
                "{error:#}\n  the array was submitted, but its merge was not; submit the merge:\n    sbatch \
                 --dependency=afterany:{array} {merge}\n  or cancel the array:\n    scancel {array}"
            )
        })?;
        Ok([array, merge])
    }

    /// What was written, and the commands to submit it, to watch it and to go on.
    fn advice(&self, cluster: &Cluster<'_>, submitted: Option<&[String; 2]>) -> String {
        let values = json!({
            "cluster": cluster,
            "submitted": submitted,
            "array": self.array,
            "merge": self.merge,
            "results": self.results,
            "logs": self.results.join("slurm/logs"),
        });
        rendered("advice.txt", ADVICE, values)
    }
}
