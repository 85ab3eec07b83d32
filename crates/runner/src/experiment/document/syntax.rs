//! Syntax errors of the TOML parser, with advice.

use super::MAX_DEPTH;

const VALUE: &str = "expected a value, for example 1, 0.5, true or \"text\" in quotes";

/// The message and the advice for an error that the parser reports at this byte of a text.
pub(super) fn explained(message: &str, text: &str, at: usize) -> (String, String) {
    let message = message.trim_end().replace('\n', ", ");
    let (wrong, expected) = match message.split_once(", expected ") {
        Some((wrong, expected)) => (wrong, format!("expected {expected}")),
        None => (message.as_str(), "see https://toml.io".to_owned()),
    };
    let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
    let before = before.rsplit('\n').next().unwrap_or_default();
    let rest = rest.lines().next().unwrap_or_default();
    let begins = |with: fn(char) -> bool| rest.starts_with(with);
    let (wrong, help) = match wrong {
        // The parser reports `invalid float` for `inf` and `nan`.
        "invalid float" if begins(char::is_alphabetic) => ("no value", VALUE.to_owned()),
        "string values must be quoted" => {
            let is_number = begins(|first| first.is_ascii_digit());
            let unit = if is_number { "; a number must be written without a unit" } else { "" };
            let is_curly = begins(|first| "“”„‘’`".contains(first));
            let help = if is_curly { "expected text in straight quotes, for example \"text\"" } else { VALUE };
            ("no value", format!("{help}{unit}"))
        }
        _ if wrong.contains("escape") => {
            (wrong, "write `/` between folders: `\\` has a special meaning in double quotes".to_owned())
        }
        "duplicate key" => ("this key is given twice", "remove one of the two keys".to_owned()),
        "recursion limit" => ("nested too deeply", format!("expected at most {MAX_DEPTH} nested tables")),
        "unexpected key or value" if rest.starts_with(',') => {
            let is_digit = |character: Option<char>| character.is_some_and(|character| character.is_ascii_digit());
            let is_in_number = is_digit(before.chars().last()) && is_digit(rest.chars().nth(1));
            let help = if is_in_number {
                "use a point for decimals, as in 0.5; separate thousands only by `_`, as in 1_000_000"
            } else {
                "expected one value; an operator with settings is a table in braces, for example { kind = \
                 \"tournament\", size = 3 }"
            };
            ("unexpected comma after the value", help.to_owned())
        }
        "invalid unquoted key" if rest.starts_with(':') => {
            (wrong, "expected `=` between a key and its value".to_owned())
        }
        "invalid unquoted key" if rest.starts_with("//") => (wrong, "a comment begins with `#`".to_owned()),
        "unclosed table" | "unclosed array of tables" | "invalid unquoted key" | "key with no value"
            if rest.contains(']') || rest.contains('=') =>
        {
            let help = "names may contain letters, digits, `-` and `_`; other names need quotes, for example \
                [algorithms.\"my name\"]";
            (wrong, help.to_owned())
        }
        _ if wrong.starts_with("cannot extend value of type string") => (
            wrong,
            "write an operator and its settings in one table, for example { kind = \"swap-random\", gene_rate = 0.1 }"
                .to_owned(),
        ),
        _ => (wrong, expected),
    };
    (format!("not valid TOML: {wrong}"), help)
}
