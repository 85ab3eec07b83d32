//! The scripts for Slurm, as text.

use serde::Serialize;
use serde_json::json;

use crate::messages::template::rendered;
use evogrid_runner::experiment::diagnostic::printable;

const SCRIPT: &str = include_str!("script.sh");

/// The facts from which both scripts are made.
#[derive(Serialize)]
pub(super) struct Cluster<'a> {
    /// The name of the experiment: letters, digits, `-` and `_`.
    pub(super) name: &'a str,
    /// The title of the experiment: any text.
    pub(super) title: &'a str,
    /// The number of runs in the plan.
    pub(super) n_runs: u64,
    /// The number of tasks in the array.
    pub(super) n_shards: u64,
    /// The number of simultaneous tasks.
    pub(super) at_once: Option<u64>,
    /// The number of cores of a task.
    pub(super) cpus: u16,
    /// The folder in which the runner starts: an external program may be named relative to it.
    pub(super) folder: &'a str,
    /// The full path of the runner.
    pub(super) runner: &'a str,
    /// The full path of the experiment.
    pub(super) experiment: &'a str,
    /// The settings laid over the experiment, `PATH=VALUE`.
    pub(super) sets: &'a [String],
    /// The full path of the results folder.
    pub(super) results: &'a str,
    /// The options of sbatch for both jobs.
    pub(super) options: &'a [String],
    /// The lines of shell code before the runner, for both jobs.
    pub(super) setup: &'a [String],
}

/// The job array: a task for each shard.
pub(super) fn array(cluster: &Cluster<'_>) -> String {
    script(cluster, true)
}

/// The job that joins the shards after the array.
pub(super) fn merge(cluster: &Cluster<'_>) -> String {
    script(cluster, false)
}

/// The script of one of the two jobs. The options of the command line come last, since the last directive counts for Slurm.
fn script(cluster: &Cluster<'_>, is_array: bool) -> String {
    // Slurm would read `%` as the beginning of a field.
    let folder = cluster.results.replace('%', "%%");
    let log = if is_array { "%A_%a.log" } else { "merge-%j.log" };
    let values = json!({
        "is_array": is_array,
        "cluster": cluster,
        "title": printable(cluster.title).replace('\n', " "),
        "output": directive(&format!("--output={folder}/slurm/logs/{log}")),
        "options": cluster.options.iter().map(|option| directive(option)).collect::<Vec<_>>(),
    });
    rendered("script.sh", SCRIPT, values)
}

/// A directive with one option, which may contain anything but a line break. Slurm reads quotes differently from a shell: a backslash
/// escapes between quotes of either kind, and it escapes a space only outside of them.
fn directive(option: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "/._-+=:,@%".contains(character);
    if option.chars().all(is_plain) {
        return format!("#SBATCH {option}");
    }
    let (name, value) = option.split_once('=').map_or(("", option), |(name, value)| (&option[..=name.len()], value));
    format!("#SBATCH {name}\"{}\"", value.replace('\\', r"\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn popsize() -> Cluster<'static> {
        Cluster {
            name: "popsize",
            title: "Success by population",
            n_runs: 1200,
            n_shards: 24,
            at_once: None,
            cpus: 4,
            folder: "/home/ada",
            runner: "/opt/runner",
            experiment: "/home/ada/popsize.toml",
            sets: &[],
            results: "/home/ada/results/popsize",
            options: &[],
            setup: &[],
        }
    }

    #[test]
    fn a_plain_array_has_nothing_that_was_not_asked_for() {
        insta::assert_snapshot!(array(&popsize()));
    }

    #[test]
    fn what_is_asked_for_comes_after_our_own_and_before_the_runner() {
        let (sets, options, setup) = (
            ["population=[50, 100]".to_owned()],
            ["--time=4:00:00".to_owned(), "--signal=B:TERM@300".to_owned()],
            ["module purge".to_owned(), "module load gcc/13".to_owned()],
        );
        let cluster = Cluster { sets: &sets, options: &options, setup: &setup, at_once: Some(8), ..popsize() };
        let signal = "#SBATCH --signal=B:TERM@120\n";
        let (plain, script) = (array(&popsize()), array(&cluster));
        let (plain_head, _) = plain.split_once(signal).expect("the runner is told to stop");
        let (head, tail) = script.split_once(signal).expect("the runner is told to stop");
        assert_eq!(head, plain_head.replace("--array=1-24", "--array=1-24%8"));
        insta::assert_snapshot!(tail);
    }

    #[test]
    fn the_merge_has_the_options_of_the_array_but_those_of_its_shards() {
        let options = ["--account=hpc-9".to_owned()];
        let cluster = Cluster { options: &options, cpus: 16, at_once: Some(8), ..popsize() };
        insta::assert_snapshot!(merge(&cluster));
    }

    #[test]
    fn a_title_cannot_leave_its_comment() {
        let cluster = Cluster { title: "one\nrm -rf ~\r\n#SBATCH --wrap=x\u{1b}[2J", ..popsize() };
        let second = array(&cluster).lines().nth(1).map(str::to_owned);
        assert_eq!(second.as_deref(), Some("# popsize: one rm -rf ~\u{fffd} #SBATCH --wrap=x\u{fffd}[2J"));
    }

    #[test]
    fn an_option_is_one_word_to_slurm() {
        let cases = [
            ("--qos=long", "--qos=long"),
            ("--exclusive", "--exclusive"),
            ("--comment=two words", "--comment=\"two words\""),
            ("--comment=\"a\" # \\ it's", "--comment=\"\\\"a\\\" # \\\\ it's\""),
        ];
        for (option, written) in cases {
            assert_eq!(directive(option), format!("#SBATCH {written}"));
        }
    }

    #[test]
    fn a_log_lies_where_it_should_whatever_the_folder_is_called() {
        let cluster = Cluster { results: "/tmp/50% \"done\"", ..popsize() };
        let wanted = r#"#SBATCH --output="/tmp/50%% \"done\"/slurm/logs/%A_%a.log""#;
        assert!(array(&cluster).lines().any(|line| line == wanted), "{}", array(&cluster));
    }
}
