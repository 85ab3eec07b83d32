//! Diagnostics: describes faults in files. A diagnostic says what to do. A diagnostic also shows the faulty line, with a mark below the
//! fault.

use std::fmt;

use evogrid_results::format::{visible, wrapped};

use crate::system::terminal::error_width;

/// The maximum number of errors that are reported at once.
const DIAGNOSTIC_LIMIT: usize = 20;

/// The maximum width of the lines of an advice, in characters.
const HELP_WIDTH: usize = 80;

/// The maximum length of a message or an advice, in characters: a name in a file may be as long as the file.
const MESSAGE_LIMIT: usize = 1200;

/// The list of all faults that were found in an input. All faults are reported together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
    /// The number of faults that are not listed, because the limit was reached.
    more: usize,
    /// The number of misfits: settings that are valid by themselves, but do not fit each other or these instances.
    n_misfits: usize,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The place of the fault. The place is `None` if the fault concerns a whole file or option.
    pub place: Option<Excerpt>,
    /// The description of the fault.
    pub message: String,
    /// The advice: the expected value, or an action; may be empty.
    pub help: String,
}

/// A place in a text, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The file, or the option on the command line.
    pub source: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// The text of the line.
    pub text: String,
    /// The number of characters to mark, at least 1.
    pub width: usize,
}

impl Diagnostics {
    /// An empty list of faults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a fault unless it is already in the list. If the list is full, the fault is counted but not stored.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.push_with(|| diagnostic);
    }

    /// Like [`push`](Self::push), but creates the fault only if it will be reported: finding its place takes time in a large file.
    pub(crate) fn push_with(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        if self.found.len() >= DIAGNOSTIC_LIMIT {
            self.more += 1;
            return;
        }
        let diagnostic = diagnostic();
        if !self.found.contains(&diagnostic) {
            self.found.push(diagnostic);
        }
    }

    /// Adds all faults of another list.
    pub fn extend(&mut self, others: Diagnostics) {
        others.found.into_iter().for_each(|diagnostic| self.push(diagnostic));
        self.more += others.more;
        self.n_misfits += others.n_misfits;
    }

    /// Counts all faults after the first `n_before` faults as misfits.
    pub(crate) fn count_misfits_since(&mut self, n_before: usize) {
        self.n_misfits += self.len() - n_before;
    }

    /// Whether all faults are misfits: valid settings that do not fit another setting or these instances.
    pub fn are_misfits(&self) -> bool {
        self.n_misfits > 0 && self.n_misfits == self.len()
    }

    /// The number of faults.
    pub fn len(&self) -> usize {
        self.found.len() + self.more
    }

    /// Whether there are no faults.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Sorts the faults by their places in the text, and returns the list.
    pub fn sorted(mut self) -> Self {
        let key = |diagnostic: &Diagnostic| {
            diagnostic.place.as_ref().map(|place| (place.source.clone(), place.line, place.column))
        };
        self.found.sort_by_key(key);
        self
    }

    /// All faults, sorted by their places; faults of the text `source` come first.
    pub(crate) fn led_by(self, source: &str) -> Self {
        let mut all = self.sorted();
        all.found.sort_by_key(|diagnostic| diagnostic.place.as_ref().is_none_or(|place| place.source != source));
        all
    }

    /// Returns `value` if there are no faults.
    ///
    /// # Errors
    /// All faults.
    pub fn or<T>(self, value: Option<T>) -> Result<T, Diagnostics> {
        match value {
            Some(value) if self.is_empty() => Ok(value),
            _ => Err(self.sorted()),
        }
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { found: vec![diagnostic], ..Self::default() }
    }
}

impl std::error::Error for Diagnostics {}

impl fmt::Display for Diagnostics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, diagnostic) in self.found.iter().enumerate() {
            if at > 0 {
                writeln!(formatter)?;
            }
            diagnostic.fmt(formatter)?;
        }
        match (self.len(), self.more) {
            (0 | 1, _) => Ok(()),
            (all, 0) => write!(formatter, "\n{all} errors"),
            (all, _) => write!(formatter, "\n{all} errors; only the first {DIAGNOSTIC_LIMIT} are shown"),
        }
    }
}

impl Diagnostic {
    /// An error that does not belong to a certain place in a text.
    pub fn general(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { place: None, message: message.into(), help: help.into() }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = in_one_line(&self.message);
        match &self.place {
            Some(place) => {
                let Excerpt { source, line, column, .. } = place;
                writeln!(formatter, "error: {}:{line}:{column}: {message}", in_one_line(source))?;
                formatter.write_str(&place.shown(error_width()))?;
            }
            None => writeln!(formatter, "error: {message}")?,
        }
        let width = error_width().unwrap_or(HELP_WIDTH).min(HELP_WIDTH) - 2;
        wrapped(&in_one_line(&self.help), width).iter().try_for_each(|line| writeln!(formatter, "  {line}"))
    }
}

/// The number of characters of a line that are shown before and after the start of the marked place.
const EXCERPT_REACH: usize = 60;

impl Excerpt {
    /// The line with a mark below it, cut to this width.
    fn shown(&self, width: Option<usize>) -> String {
        let number = self.line.to_string();
        let room = width.map_or(usize::MAX, |width| width.saturating_sub(number.len() + "  | ".len()));
        let reach = EXCERPT_REACH.min(room / 2).max(1);
        let start = (self.column - 1).saturating_sub(reach);
        let line: String = self.text.chars().skip(start).take(2 * reach).map(visible).collect();
        let line = line.trim_end();
        let margin = " ".repeat(number.len());
        let indent = " ".repeat(self.column - 1 - start);
        // The mark must not be longer than the shown text.
        let most = line.chars().count().saturating_sub(indent.len()).max(1);
        let mark = "^".repeat(self.width.clamp(1, most));
        let gap = if line.is_empty() { "" } else { " " };
        format!(" {margin} |\n {number} |{gap}{line}\n {margin} | {indent}{mark}\n")
    }
}

/// Replaces the characters of a text that are unsafe in a terminal. The text may come from a file. Control characters, and characters that
/// reverse or hide text, appear as `�`.
pub fn printable(text: &str) -> String {
    text.chars().map(|character| if character == '\n' { '\n' } else { visible(character) }).collect()
}

/// Returns the [printable] text in one line. If the text is very long, its middle is left out.
pub fn in_one_line(text: &str) -> String {
    let long = text.chars().nth(MESSAGE_LIMIT).is_some();
    let visibly = |text: &str| text.chars().map(visible).collect::<String>();
    if !long {
        return visibly(text);
    }
    let cut = |at: usize| text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte);
    let end = text.char_indices().rev().nth(MESSAGE_LIMIT / 4).map_or(0, |(byte, _)| byte);
    format!("{} ... {}", visibly(&text[..cut(MESSAGE_LIMIT / 4)]), visibly(&text[end..]))
}

/// Joins the lines of a text into one line, with semicolons between them. For example, failure messages are shown in one line.
pub fn joined_lines(text: &str) -> String {
    in_one_line(&text.lines().map(str::trim).collect::<Vec<_>>().join("; "))
}

/// Whether a text is already [printable], in one line.
pub(crate) fn is_printable(text: &str) -> bool {
    text.chars().all(|character| visible(character) == character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_wrapped_at_80_columns_and_a_quoted_name_is_never_broken() {
        let help = format!("expected {}", vec!["`a name`"; 20].join(", "));
        let lines = wrapped(&help, HELP_WIDTH - 2);
        assert_eq!(lines.join(" "), help);
        assert!(lines.iter().all(|line| line.chars().count() <= 78 && line.matches('`').count().is_multiple_of(2)));
        assert!(wrapped("", HELP_WIDTH - 2).is_empty());
    }

    #[test]
    fn an_excerpt_is_no_wider_than_the_terminal_and_its_mark_stays_below_what_is_meant() {
        let text = format!("{}here{}", "a".repeat(100), "b".repeat(100));
        let excerpt = Excerpt { source: String::new(), line: 12, column: 101, text, width: 4 };
        for width in [None, Some(60), Some(20)] {
            let shown = excerpt.shown(width);
            let lines: Vec<&str> = shown.lines().collect();
            assert!(lines.iter().all(|line| line.len() <= width.unwrap_or(126)), "{shown}");
            assert_eq!(lines[1].find("here"), lines[2].find("^^^^"), "{shown}");
        }
    }

    #[test]
    fn the_lines_of_a_message_are_joined() {
        assert_eq!(
            joined_lines("it failed\n  on standard error: one\r\n    two\x1b"),
            "it failed; on standard error: one; two\u{fffd}"
        );
    }

    #[test]
    fn a_text_from_a_file_moves_no_cursor_and_ends_no_line() {
        let shown = Diagnostic::general("`\u{1b}[31m\r\n\u{202e}x`", "a\nb").to_string();
        assert_eq!(shown, "error: `�[31m���x`\n  a�b\n");
    }

    #[test]
    fn a_very_long_message_keeps_its_beginning_and_its_end() {
        let shown = in_one_line(&format!("`{}` is out of range", "9".repeat(100_000)));
        assert!(shown.starts_with("`999") && shown.ends_with("999` is out of range") && shown.len() < MESSAGE_LIMIT);
    }
}
