//! Paths and options as words of a shell command, for commands in messages and scripts.

use std::path::Path;

/// A path as one word of a shell command, quoted if necessary.
pub(crate) fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    // What begins with `-` would be read as an option.
    shell_text(&if text.len() > 1 && text.starts_with('-') { format!("./{text}") } else { text })
}

/// A text that is not a path, as one word of a shell command.
pub(crate) fn shell_text(text: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "/._-+=:,".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// A text as one word of a shell command without double quotes, for files in which these have another meaning.
pub(crate) fn escaped_word(text: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "/._-+=:,".contains(character);
    text.chars().flat_map(|character| (!is_plain(character)).then_some('\\').into_iter().chain([character])).collect()
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
