//! Command lines: words with placeholders, without any shell.

use evogrid_core::settings::Settings;

use super::declaration::{ALL_PARAMETERS, argument};

/// A program and its arguments, with placeholders.
///
/// Words are separated by white space. Text in `'...'` or `"..."` belongs to one word, and is not changed. Placeholders are replaced
/// afterwards, so a value with any characters is always exactly one argument. The word `{parameters}` stands for any number of arguments.
/// `{{` and `}}` are braces.
#[derive(Debug, PartialEq)]
pub(super) struct CommandLine(Vec<Vec<Piece>>);

/// A part of a word.
#[derive(Debug, PartialEq)]
enum Piece {
    Text(String),
    Placeholder(String),
}

impl CommandLine {
    /// Reads a command line of at least one word.
    ///
    /// # Errors
    /// The reason why the command is not valid.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let words = split(text)?;
        if words.first().is_none_or(String::is_empty) {
            return Err("`command` does not name a program".to_owned());
        }
        let words = words.iter().map(|word| pieces(word)).collect::<Result<Vec<_>, _>>()?;
        let is_all = |piece: &Piece| matches!(piece, Piece::Placeholder(name) if name == ALL_PARAMETERS);
        if words.iter().any(|word| word.len() > 1 && word.iter().any(is_all)) {
            return Err(format!(
                "in `command`, `{{{ALL_PARAMETERS}}}` is only a part of a word, but it becomes several words: put \
                 spaces around the placeholder"
            ));
        }
        Ok(Self(words))
    }

    /// The names of all placeholders.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().filter_map(|piece| match piece {
            Piece::Placeholder(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// The name or path of the program, if it contains no placeholder.
    pub(super) fn program(&self) -> Option<&str> {
        match self.0.first()?.as_slice() {
            [Piece::Text(program)] => Some(program),
            _ => None,
        }
    }

    /// The words, with placeholders replaced by values. `{parameters}` is replaced by one argument for each of the `parameters` that no
    /// other placeholder names.
    pub(super) fn words(&self, value: impl Fn(&str) -> String, parameters: &Settings) -> Vec<String> {
        let others = || parameters.iter().filter(|(name, _)| self.names().all(|named| named != *name));
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Placeholder(name) => value(name),
        };
        let word = |pieces: &Vec<Piece>| match pieces.as_slice() {
            [Piece::Placeholder(name)] if name == ALL_PARAMETERS => {
                others().map(|(name, value)| format!("--{name}={}", argument(value))).collect()
            }
            pieces => vec![pieces.iter().map(piece).collect()],
        };
        self.0.iter().flat_map(word).collect()
    }
}

fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            quote @ ('\'' | '"') => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        Some(end) if end == quote => break,
                        Some(inside) => word.push(inside),
                        None => return Err(format!("`command` opens a {quote} and does not close it")),
                    }
                }
            }
            '\0' => return Err("`command` contains a null character, which arguments cannot contain".to_owned()),
            space if space.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

fn pieces(word: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = word;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        if let Some(after) = from.strip_prefix("{{").or_else(|| from.strip_prefix("}}")) {
            text.push_str(&from[..1]);
            rest = after;
            continue;
        }
        let named = from.strip_prefix('{').and_then(|from| from.split_once('}'));
        let Some((name, after)) = named.filter(|(name, _)| !name.contains('{')) else {
            return Err(format!(
                "`command` contains a single `{0}`: if this is not a placeholder, write `{0}{0}`",
                &from[..1]
            ));
        };
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(Piece::Placeholder(name.to_owned()));
        rest = after;
    }
    text.push_str(rest);
    if !text.is_empty() || pieces.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use evogrid_core::settings::Value;
    use proptest::prelude::*;

    use super::*;

    /// The words of a command, each placeholder as its name in angle brackets.
    fn words(text: &str) -> Vec<String> {
        CommandLine::parse(text)
            .unwrap_or_else(|wrong| panic!("{wrong}"))
            .words(|name| format!("<{name}>"), &Settings::new())
    }

    #[test]
    fn words_are_separated_by_white_space_outside_quotes() {
        assert_eq!(words("  a\tb \n c  "), ["a", "b", "c"]);
        assert_eq!(words("a 'b c' \"d  e\" ''"), ["a", "b c", "d  e", ""]);
        assert_eq!(words("a'b c'\"d\"e"), ["ab cde"]);
        assert_eq!(words(r#"'"' "'" \ $HOME *"#), ["\"", "'", "\\", "$HOME", "*"]);
    }

    #[test]
    fn a_placeholder_is_part_of_its_word_whatever_stands_for_it() {
        assert_eq!(words("p --seed={seed} '{instance} {a}'"), ["p", "--seed=<seed>", "<instance> <a>"]);
        assert_eq!(words("p {{seed}} {{{seed}}} }}{{"), ["p", "{seed}", "{<seed>}", "}{"]);
        let line = CommandLine::parse("p {a} x").unwrap();
        assert_eq!(line.words(|_| "' \"; $(b) {c}\n".to_owned(), &Settings::new()), ["p", "' \"; $(b) {c}\n", "x"]);
        assert_eq!(line.words(|_| String::new(), &Settings::new()), ["p", "", "x"]);
    }

    #[test]
    fn all_parameters_are_one_argument_each_without_those_that_are_named() {
        let mut parameters = Settings::new();
        parameters.set("rate", Value::Real(0.5));
        parameters.set("mode", Value::Text("a b".to_owned()));
        parameters.set("level", Value::Integer(3));
        let words = |text: &str| CommandLine::parse(text).unwrap().words(str::to_owned, &parameters);
        assert_eq!(words("p {parameters} x"), ["p", "--level=3", "--mode=a b", "--rate=0.5", "x"]);
        assert_eq!(words("p -l {level} {parameters}"), ["p", "-l", "level", "--mode=a b", "--rate=0.5"]);
        let none = CommandLine::parse("p {parameters} x").unwrap().words(str::to_owned, &Settings::new());
        assert_eq!(none, ["p", "x"]);
        let wrong = CommandLine::parse("p -{parameters}").expect_err("it is part of a word");
        assert_eq!(
            wrong,
            "in `command`, `{parameters}` is only a part of a word, but it becomes several words: put spaces around the \
             placeholder"
        );
    }

    #[test]
    fn the_program_is_known_unless_it_depends_on_a_placeholder() {
        assert_eq!(CommandLine::parse("python3 {seed}").unwrap().program(), Some("python3"));
        assert_eq!(CommandLine::parse("py{version} {seed}").unwrap().program(), None);
    }

    proptest! {
        #[test]
        fn reading_never_panics_and_quoted_words_come_back(text in "[a '\"{}\\n]{0,12}|\\PC{0,30}", plain in "[^'{}\0]{1,20}") {
            let _ = CommandLine::parse(&text);
            prop_assert_eq!(words(&format!("p '{plain}' x")), ["p", &plain, "x"]);
        }
    }

    #[test]
    fn what_is_no_command_line_is_refused() {
        let wrong = |text: &str| CommandLine::parse(text).expect_err("it is wrong");
        assert_eq!([wrong(""), wrong(" \n"), wrong("'' a")], ["`command` does not name a program"; 3]);
        assert_eq!(wrong("a 'b"), "`command` opens a ' and does not close it");
        assert_eq!(wrong("a {seed"), "`command` contains a single `{`: if this is not a placeholder, write `{{`");
        assert_eq!(wrong("a {se{d}"), "`command` contains a single `{`: if this is not a placeholder, write `{{`");
        assert_eq!(wrong("a seed}"), "`command` contains a single `}`: if this is not a placeholder, write `}}`");
        assert!(wrong("a\0").contains("null character"));
    }
}
