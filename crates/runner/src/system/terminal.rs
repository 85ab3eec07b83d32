//! Finds the width of the terminal, and wraps text to this width.

use console::Term;
use evogrid_results::format::wrapped;

/// The minimum width of wrapped text, in characters.
const MIN_WIDTH: usize = 20;

/// The number of columns of the terminal on standard error; `None` if it is not a terminal.
pub(crate) fn error_width() -> Option<usize> {
    width(&Term::stderr())
}

/// Returns the number of columns of the terminal. Returns `None` if standard output is not a terminal.
pub fn output_width() -> Option<usize> {
    width(&Term::stdout())
}

fn width(term: &Term) -> Option<usize> {
    let (_, columns) = term.is_term().then(|| term.size_checked()).flatten()?;
    Some(usize::from(columns).max(MIN_WIDTH))
}

/// Wraps lines between words if the lines are longer than `width`. The continuation of a line is indented by two more spaces. Lines with
/// commands are never wrapped, because users copy commands. Lines that quote a file are never wrapped. The line of marks (`^`) below a
/// quoted line is also never wrapped.
pub fn fitted(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_owned() };
    let fit = |line: &str| {
        let content = line.trim_start();
        let is_excerpt = content
            .trim_start_matches(|character: char| character.is_ascii_digit() || character == ' ')
            .starts_with('|');
        if line.chars().count() <= width || is_excerpt || content.starts_with("runner ") {
            return line.to_owned();
        }
        let indent = " ".repeat(line.len() - content.len());
        // The width is reduced by the two additional spaces of continuations.
        let lines = wrapped(content, width.saturating_sub(indent.len() + 2).max(MIN_WIDTH / 2));
        indent.clone() + &lines.join(&format!("\n{indent}  "))
    };
    text.split('\n').map(fit).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words_and_commands_and_excerpts_are_not() {
        let text = "error: one two three four five\n  six seven eight nine ten\n 1 | abcdefghij klmnopqrstuv\n   |            ^^^^^^^^^^^^\n  runner run experiments/popsize.toml\n";
        let expected = "error: one two\n  three four five\n  six seven eight\n    nine ten\n 1 | abcdefghij klmnopqrstuv\n   |            ^^^^^^^^^^^^\n  runner run experiments/popsize.toml\n";
        assert_eq!(fitted(text, Some(20)), expected);
        assert_eq!(fitted(text, None), text);
    }
}
