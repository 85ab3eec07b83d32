//! Commands of the book: taken out of shell scripts, and read by the command line's own parser.

use clap::FromArgMatches;
use clap::error::ErrorKind;
use evogrid_cli::arguments::Cli;

use super::blocks::repository;

/// Programs that the book calls beside `runner` and those in `scripts`.
const OTHERS: [&str; 13] =
    ["cargo", "cd", "echo", "hq", "make", "my-solver", "pip", "printf", "python3", "read", "sbatch", "squeue", "tail"];

/// Words of the shell before a command.
const BEFORE: [&str; 5] = ["if", "then", "else", "do", "exec"];

/// Every command of a script, as words without quotes. What the shell would put in is a 1.
pub(crate) fn commands(script: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let (mut words, mut word): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut characters = script.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                let next = characters.next();
                next.filter(|next| *next != '\n').into_iter().for_each(|next| word.get_or_insert_default().push(next));
            }
            '\'' | '"' => {
                let text = characters.by_ref().take_while(|next| *next != character);
                word.get_or_insert_default().extend(text);
            }
            '$' if characters.peek() == Some(&'(') => {
                let inner = in_parentheses(&mut characters);
                found.extend(if inner.starts_with('(') { Vec::new() } else { commands(&inner) });
                word.get_or_insert_default().push('1');
            }
            '#' if word.is_none() => while characters.next_if(|next| *next != '\n').is_some() {},
            '\n' | ';' | '|' | '&' => {
                words.extend(word.take());
                found.push(std::mem::take(&mut words));
            }
            '>' | '<' => {
                // A file, or a second descriptor, is not a word of the command.
                while characters.next_if(|next| " >&".contains(*next)).is_some() {}
                while characters.next_if(|next| !next.is_whitespace() && *next != ';').is_some() {}
            }
            ' ' | '\t' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    found.push(words);
    found
        .iter()
        .map(|words| words.iter().map(|word| filled_in(word)).collect())
        .map(without_what_precedes)
        .filter(|words| !words.is_empty())
        .collect()
}

/// What stands between a parenthesis that comes next and its other one.
fn in_parentheses(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let mut depth = 0;
    let mut inner = String::new();
    for character in characters.by_ref() {
        depth += i32::from(character == '(') - i32::from(character == ')');
        inner.push(character);
        if depth == 0 {
            break;
        }
    }
    inner[1..inner.len().max(2) - 1].to_owned()
}

/// A word with a 1 for each variable, and for the places that GNU parallel fills in.
fn filled_in(word: &str) -> String {
    let mut text = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('$') {
        let name = after
            .trim_start_matches('{')
            .trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
        text += &format!("{before}1");
        rest = name.strip_prefix('}').unwrap_or(name);
    }
    (text + rest).replace("{}", "1")
}

fn without_what_precedes(words: Vec<String>) -> Vec<String> {
    let precedes = |word: &String| {
        BEFORE.contains(&word.as_str())
            || word
                .split_once('=')
                .is_some_and(|(name, _)| name.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '_'))
    };
    words.into_iter().skip_while(precedes).filter(|word| word != "fi" && word != "done").collect()
}

/// What is wrong with a command, if anything. The arguments of `runner` are given to `each`.
pub(crate) fn fault(words: &[String], each: &mut dyn FnMut(&[String])) -> Option<String> {
    if let Some(inner) = words.iter().find(|word| word.contains("runner ")) {
        return commands(inner).iter().find_map(|words| fault(words, each));
    }
    let is_runner = |word: &String| word == "runner" || word.ends_with("/runner");
    let is_own = words[0] == "cargo" && words.get(1).is_some_and(|word| word == "run");
    let arguments = if is_own { words.iter().position(|word| word == "--") } else { words.iter().position(is_runner) };
    if let Some(at) = arguments {
        let arguments: Vec<String> = words[at + 1..].iter().take_while(|word| *word != ":::").cloned().collect();
        each(&arguments);
        return parsed(&arguments).err();
    }
    let name = words[0].as_str();
    if name == "make" {
        let makefile = super::blocks::text("Makefile");
        let missing = words[1..].iter().find(|target| !makefile.contains(&format!("\n{target}:")));
        return missing.map(|target| format!("the Makefile has no `{target}`"));
    }
    let scripts = words.iter().filter(|word| word.starts_with("scripts/"));
    if let Some(missing) = scripts.clone().find(|path| !repository().join(path).exists()) {
        return Some(format!("{missing} does not exist"));
    }
    let is_known = OTHERS.contains(&name) || scripts.count() > 0;
    (!is_known).then(|| {
        format!("`{name}` is none of the programs that the book calls (crates/cli/tests/suite/reference/book/shell.rs)")
    })
}

/// Reads the arguments of `runner`, and finds the files of the repository that they name.
fn parsed(arguments: &[String]) -> Result<(), String> {
    let after = |name: &str| arguments.iter().position(|word| word == name).and_then(|at| arguments.get(at + 1));
    let family = after("--problem").or_else(|| after("generate").filter(|_| arguments[0] == "generate"));
    let catalogue = evogrid_cli::catalogue();
    let command = Cli::with_families(&catalogue, family.map(String::as_str));
    let words = [&["runner".to_owned()], arguments].concat();
    match command.try_get_matches_from(words).map(|matches| Cli::from_arg_matches(&matches).map(drop)) {
        Ok(read) => read.map_err(|error| error.to_string())?,
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {}
        Err(error) => return Err(error.to_string()),
    }
    let is_here = |word: &&String| ["experiments/", "datasets/"].iter().any(|folder| word.starts_with(folder));
    let missing = arguments.iter().filter(is_here).find(|path| !repository().join(path).exists());
    missing.map_or(Ok(()), |path| Err(format!("{path} does not exist")))
}
