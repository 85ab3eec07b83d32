//! Diagnostics: what is wrong with a file, where, what was expected, and the line itself with a mark under it.

use std::fmt;

/// Everything found wrong, reported together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where; `None` where it is the whole of something that the message names.
    pub place: Option<Excerpt>,
    /// What happened.
    pub message: String,
    /// What was expected and what to do; may be empty.
    pub help: String,
}

/// A place in a text, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The file, or the option on the command line.
    pub source: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The line's text.
    pub text: String,
    /// Characters to mark, at least 1.
    pub width: usize,
}

impl Diagnostics {
    /// Nothing wrong so far.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one, unless it is already there.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if !self.0.contains(&diagnostic) {
            self.0.push(diagnostic);
        }
    }

    /// Adds all of another list.
    pub fn extend(&mut self, others: Diagnostics) {
        others.0.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All, in the order of their places in the text.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        let key = |diagnostic: &Diagnostic| {
            diagnostic.place.as_ref().map(|place| (place.source.clone(), place.line, place.column))
        };
        self.0.sort_by_key(key);
        self
    }

    /// The value if nothing is wrong.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn or<T>(self, value: Option<T>) -> Result<T, Diagnostics> {
        match value {
            Some(value) if self.is_empty() => Ok(value),
            _ => Err(self.sorted()),
        }
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}

impl std::error::Error for Diagnostics {}

impl fmt::Display for Diagnostics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, diagnostic) in self.0.iter().enumerate() {
            if at > 0 {
                writeln!(formatter)?;
            }
            diagnostic.fmt(formatter)?;
        }
        if self.0.len() > 1 {
            write!(formatter, "\n{} errors", self.0.len())?;
        }
        Ok(())
    }
}

impl Diagnostic {
    /// A diagnostic about no place in a text.
    #[must_use]
    pub fn general(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { place: None, message: message.into(), help: help.into() }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => {
                writeln!(
                    formatter,
                    "error: {}:{}:{}: {}",
                    printable(&place.source),
                    place.line,
                    place.column,
                    printable(&self.message)
                )?;
                place.fmt(formatter)?;
            }
            None => writeln!(formatter, "error: {}", printable(&self.message))?,
        }
        if self.help.is_empty() { Ok(()) } else { writeln!(formatter, "  {}", printable(&self.help)) }
    }
}

/// Characters of a line shown before and after the marked place.
const SHOWN: usize = 60;

impl fmt::Display for Excerpt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.line.to_string();
        let start = (self.column - 1).saturating_sub(SHOWN);
        let line: String = self.text.chars().skip(start).take(2 * SHOWN).map(visible).collect();
        let margin = " ".repeat(number.len());
        let indent = " ".repeat(self.column - 1 - start);
        let mark = "^".repeat(self.width.min(2 * SHOWN - indent.len()).max(1));
        writeln!(formatter, " {margin} |\n {number} | {line}\n {margin} | {indent}{mark}")
    }
}

/// Text from a file, made safe for a terminal: control characters show as `�`.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|character| if character == '\n' { '\n' } else { visible(character) }).collect()
}

fn visible(character: char) -> char {
    match character {
        '\t' => ' ',
        character if character.is_control() => char::REPLACEMENT_CHARACTER,
        character => character,
    }
}
