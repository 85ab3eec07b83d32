//! Words: numbers, paths and runs as messages say them.

use std::path::Path;

use evogrid_core::identity::RunId;

/// `1,200`: large numbers are read in groups.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A path as a word of a shell command.
pub(crate) fn word(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |character: char| character.is_alphanumeric() || "/._-+=:,".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// `1 run`, `2 runs`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// `1 run is`, `2 runs are`.
pub(crate) fn stand(number: u64, noun: &str) -> String {
    format!("{} {}", counted(number, noun), if number == 1 { "is" } else { "are" })
}

/// A failed run in words.
pub(crate) fn failure(run: RunId, instance: &str, message: &str) -> String {
    format!("{run} on {instance}: {message}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_path_with_spaces_is_quoted_for_the_shell() {
        assert_eq!(word(Path::new("experiments/popsize.toml")), "experiments/popsize.toml");
        assert_eq!(word(Path::new("my file's.toml")), r"'my file'\''s.toml'");
    }
}
