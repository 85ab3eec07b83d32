//! A folder with programs and an experiment that runs them.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use evogrid_results::record::Record;

use crate::test_folder::TestFolder;

/// A solution of the board.
pub(crate) const SOLUTION: &str = "1234341221434321";

/// The reply with that solution, as a program for the shell prints it.
pub(crate) const SOLVED: &str = "echo '{\"solution\": \"1234341221434321\"}'";

/// The head of every experiment here: boards of side 4, and room for algorithms.
const HEAD: &str = "[experiment]\nname = \"test\"\nseed = 1\nrepetitions = 1\n\n[[instances]]\nproblem = \"sudoku\"\n\
                    path = \"boards.csv\"\n\n[budget]\nevaluations = 100\n";

impl TestFolder {
    /// A folder with one board and these algorithms.
    pub(crate) fn with_algorithms(algorithms: &str) -> Self {
        let folder = Self::empty();
        folder.write("boards.csv", "id,puzzle\none,1...............\n");
        folder.write("test.toml", format!("{HEAD}\n{algorithms}"));
        folder
    }

    /// A folder on which each of these shell scripts is an algorithm of its own, in this mode.
    pub(crate) fn with_scripts(mode: &str, scripts: &[(&str, &str)]) -> Self {
        let algorithms: String = scripts.iter().map(|(name, _)| algorithm(mode, name, "")).collect();
        let folder = Self::with_algorithms(&algorithms);
        scripts.iter().for_each(|(name, text)| folder.program(mode, name, text));
        folder
    }

    /// Writes a program for the shell that does the same for each run in either mode. Its arguments are the instance, the seed, and those of
    /// its command. What ends it ends a server.
    pub(crate) fn program(&self, mode: &str, name: &str, text: &str) {
        if mode == "process" {
            return self.script(name, text);
        }
        let server = format!(
            r#"answer() {{
{text}
}}
while read -r run; do
    instance=${{run#*'"instance":"'}}
    seed=${{run#*'"seed":'}}
    answer "${{instance%%'"'*}}" "${{seed%%,*}}" "$@" || exit
done"#
        );
        self.script(name, &server);
    }

    /// Runs the experiment, which has failed runs or not, and returns the record of every algorithm.
    pub(crate) fn records(&self) -> BTreeMap<String, Record> {
        self.report(&["run", "test.toml"]);
        let records = self.journal().into_iter().map(|record| (record.key.algorithm.clone(), record));
        records.collect()
    }

    /// All records in the journal.
    pub(crate) fn journal(&self) -> Vec<Record> {
        let texts: Vec<String> = self.journals("results/test").iter().map(|path| self.read(path)).collect();
        let lines = texts.iter().flat_map(|text| text.lines());
        lines.map(|line| serde_json::from_str(line).expect("a record")).collect()
    }

    /// Waits until the process whose number is in a file is dead. A signal that ends it takes some time to do so.
    pub(crate) fn expect_dead(&self, name: &str) {
        let number = self.read(name);
        for _ in 0..6000 {
            if !is_alive(number.trim()) {
                return;
            }
            sleep(Duration::from_millis(10));
        }
        panic!("the process in `{name}` is alive");
    }
}

/// An algorithm that is such a program, with more arguments in its command, each after a space.
pub(crate) fn algorithm(mode: &str, name: &str, more: &str) -> String {
    let run = if mode == "process" { " {instance} {seed}" } else { "" };
    format!("[algorithms.{name}]\nkind = \"external\"\nmode = \"{mode}\"\ncommand = \"./{name}{run}{more}\"\n")
}

/// Tests that are given a mode and hold in both. Servers need Linux.
macro_rules! in_both_modes {
    ($($test:ident),* $(,)?) => {$(
        mod $test {
            #[test]
            fn process() {
                super::$test("process");
            }

            #[cfg(target_os = "linux")]
            #[test]
            fn server() {
                super::$test("server");
            }
        }
    )*};
}
pub(crate) use in_both_modes;

fn is_alive(number: &str) -> bool {
    match fs::read_to_string(format!("/proc/{number}/stat")) {
        // A dead process that was not waited for yet is a zombie.
        Ok(state) => !state.rsplit_once(") ").is_some_and(|(_, state)| state.starts_with(['Z', 'X'])),
        Err(_) if fs::exists("/proc/self").unwrap_or(false) => false,
        Err(_) => Command::new("kill").args(["-0", number]).status().is_ok_and(|status| status.success()),
    }
}
