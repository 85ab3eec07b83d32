//! The scripts for Slurm as text.

use serde_json::{Value, json};

use crate::messages::{printable, rendered};

/// The script of one of the two jobs: the array, which has a task for each shard, or the merge of the shards. The user's options of sbatch
/// come last, since Slurm uses the last directive of each option.
pub(super) fn script(cluster: &Value, is_array: bool) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    // Slurm would read `%` as the beginning of a field.
    let folder = text(&cluster["results"]).replace('%', "%%");
    let log = if is_array { "%A_%a.log" } else { "merge-%j.log" };
    let options = cluster["options"].as_array().into_iter().flatten();
    let values = json!({
        "is_array": is_array,
        "cluster": cluster,
        "title": printable(&text(&cluster["title"])).replace('\n', " "),
        "output": directive(&format!("--output={folder}/slurm/logs/{log}")),
        "options": options.map(|option| directive(&text(option))).collect::<Vec<_>>(),
    });
    rendered!("script.sh", values)
}

/// Returns a directive with one option, which may contain any character except a line break. Slurm reads quotes differently from a shell: a
/// backslash escapes a character between single or double quotes, and a space only outside of quotes.
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

    fn popsize() -> Value {
        json!({
            "name": "popsize",
            "title": "Success by population",
            "n_runs": 1200,
            "n_shards": 24,
            "at_once": null,
            "cpus": 4,
            "folder": "/home/ada",
            "runner": "/opt/runner",
            "experiment": "/home/ada/popsize.toml",
            "sets": [],
            "results": "/home/ada/results/popsize",
            "options": [],
            "setup": [],
        })
    }

    fn with(changes: &Value) -> Value {
        let mut cluster = popsize();
        changes.as_object().into_iter().flatten().for_each(|(key, value)| cluster[key] = value.clone());
        cluster
    }

    #[test]
    fn a_plain_array_has_nothing_that_was_not_asked_for() {
        insta::assert_snapshot!(script(&popsize(), true));
    }

    #[test]
    fn what_is_asked_for_comes_after_our_own_and_before_the_runner() {
        let cluster = with(&json!({
            "sets": ["population=[50, 100]"],
            "options": ["--time=4:00:00", "--signal=B:TERM@300"],
            "setup": ["module purge", "module load gcc/13"],
            "at_once": 8,
        }));
        let signal = "#SBATCH --signal=B:TERM@120\n";
        let (plain, script) = (script(&popsize(), true), script(&cluster, true));
        let (plain_head, _) = plain.split_once(signal).expect("the runner is told to stop");
        let (head, tail) = script.split_once(signal).expect("the runner is told to stop");
        assert_eq!(head, plain_head.replace("--array=1-24", "--array=1-24%8"));
        insta::assert_snapshot!(tail);
    }

    #[test]
    fn the_merge_has_the_options_of_the_array_but_those_of_its_shards() {
        let cluster = with(&json!({ "options": ["--account=hpc-9"], "cpus": 16, "at_once": 8 }));
        insta::assert_snapshot!(script(&cluster, false));
    }

    #[test]
    fn a_title_cannot_leave_its_comment() {
        let cluster = with(&json!({ "title": "one\nrm -rf ~\r\n#SBATCH --wrap=x\u{1b}[2J" }));
        let second = script(&cluster, true).lines().nth(1).map(str::to_owned);
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
        let cluster = with(&json!({ "results": "/tmp/50% \"done\"" }));
        let wanted = r#"#SBATCH --output="/tmp/50%% \"done\"/slurm/logs/%A_%a.log""#;
        let text = script(&cluster, true);
        assert!(text.lines().any(|line| line == wanted), "{text}");
    }
}
