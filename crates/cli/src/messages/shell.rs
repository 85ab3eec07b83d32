//! Words of shell commands, for commands in messages and scripts.

use std::path::Path;

use evogrid_runner::system::program;

/// A command of this program with its arguments, which are words of a shell.
pub(crate) fn command_line(command: &str, arguments: impl IntoIterator<Item = String>) -> String {
    let words = [program::name().to_owned(), command.to_owned()];
    words.into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
}

/// The command that continues an experiment.
pub(crate) fn going_on(command: &str, file: &Path, sets: &[String], out: Option<&Path>) -> String {
    let sets = sets.iter().map(|set| format!("--set {}", shell_text(set)));
    let out = out.map(|out| format!("--out {}", shell_word(out)));
    command_line(command, [shell_word(file)].into_iter().chain(sets).chain(out))
}

/// Returns a path as one word of a shell command, quoted if necessary.
pub(crate) fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    // A word that begins with `-` would be read as an option.
    shell_text(&if text.len() > 1 && text.starts_with('-') { format!("./{text}") } else { text })
}

/// Returns a text that is not a path as one word of a shell command, quoted if necessary.
pub(crate) fn shell_text(text: &str) -> String {
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Returns a text as one word of a shell command without double quotes, for files that give double quotes another meaning.
pub(super) fn escaped_word(text: &str) -> String {
    text.chars().flat_map(|character| (!is_plain(character)).then_some('\\').into_iter().chain([character])).collect()
}

fn is_plain(character: char) -> bool {
    character.is_alphanumeric() || "/._-+=:,".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_spaces_is_quoted_for_the_shell() {
        assert_eq!(shell_word(Path::new("experiments/popsize.toml")), "experiments/popsize.toml");
        assert_eq!(shell_word(Path::new("my file's.toml")), r"'my file'\''s.toml'");
        assert_eq!(["-x.toml", "-", "- x"].map(|path| shell_word(Path::new(path))), ["./-x.toml", "-", "'./- x'"]);
    }
}
