//! Formats numbers, and text from unknown sources.

use std::borrow::Cow;
use std::fmt::{self, Write};

/// The shortest decimal text from which the same number can be read, such as `42` or `42.5`. If there is no finite number, the text is
/// empty.
pub fn shortest(value: Option<f64>) -> String {
    finite(value).map(|value| value.to_string()).unwrap_or_default()
}

/// Writes the shortest decimal text with a point from which the same number can be read, such as `42.0` or `42.5`. Files use this form. So
/// a data frame library that inspects only the first rows of a column recognises fractions. Writes nothing for a number that is not finite.
pub(crate) fn write_decimal(text: &mut String, value: Option<f64>) -> fmt::Result {
    let Some(value) = finite(value) else { return Ok(()) };
    let start = text.len();
    write!(text, "{value}")?;
    text.write_str(if text[start..].contains('.') { "" } else { ".0" })
}

/// Adds a decimal point to a whole number: `0` becomes `0.0`. Some varied settings may have fractions as values. Files contain the values
/// of such a setting with a decimal point, even if a value is a whole number.
pub fn with_point(value: &str) -> Cow<'_, str> {
    if is_whole(value) { Cow::Owned(format!("{value}.0")) } else { Cow::Borrowed(value) }
}

/// Adds a decimal point to each whole number of a column if at least one value of the column has a decimal point. Some programs read only
/// the first rows of a column. If these first rows had no decimal points, such a program would expect only integers in the column. A column
/// that contains texts other than numbers stays unchanged.
pub fn align_points<'c>(column: impl IntoIterator<Item = &'c mut String>) {
    let mut values: Vec<&mut String> = column.into_iter().filter(|value| !value.is_empty()).collect();
    let has_point =
        |value: &str| value.split_once('.').is_some_and(|(whole, decimals)| is_whole(whole) && is_whole(decimals));
    if values.iter().any(|value| has_point(value)) && values.iter().all(|value| has_point(value) || is_whole(value)) {
        values.iter_mut().filter(|value| is_whole(value)).for_each(|value| value.push_str(".0"));
    }
}

/// The value without a final `.0`: `0.0` becomes `0`.
pub fn without_point(value: &str) -> &str {
    value.strip_suffix(".0").filter(|whole| is_whole(whole)).unwrap_or(value)
}

fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number with `decimals` decimals. If there is no finite number, the text is empty.
pub fn fixed(value: Option<f64>, decimals: usize) -> String {
    finite(value).map(|value| format!("{value:.decimals$}")).unwrap_or_default()
}

/// Appends the number with this many decimals to a text; appends nothing if the number is not finite.
pub(crate) fn write_fixed(text: &mut String, value: Option<f64>, decimals: usize) -> fmt::Result {
    finite(value).map_or(Ok(()), |value| write!(text, "{value:.decimals$}"))
}

/// The number with about four significant digits, without an exponent. Examples are `0.123`, `1.234`, `12.34`, `123.4` and `123456`.
pub fn short(value: Option<f64>) -> String {
    let decimals = match finite(value).map(f64::abs) {
        Some(size) if size < 10.0 => 3,
        Some(size) if size < 100.0 => 2,
        Some(size) if size < 1000.0 => 1,
        _ => 0,
    };
    fixed(value, decimals)
}

/// The number rounded to a multiple of `1 / parts`. For example, with `parts = 100`, the text of 1.2468 is `1.25`, and the text of 3 is
/// `3`.
pub fn rounded_text(value: f64, parts: f64) -> String {
    shortest(Some((value * parts).round() / parts))
}

/// A p-value for a table: `0.0123`, `< 0.0001`.
pub fn p_value(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { rounded_text(p, 1e4) }
}

/// A p-value for a sentence: `p = 0.0123`, `p < 0.0001`.
pub fn p_text(p: f64) -> String {
    if p < 0.0001 { format!("p {}", p_value(p)) } else { format!("p = {}", p_value(p)) }
}

/// A fraction in per cent with at most one decimal: `100`, `87.5`.
pub fn percent(fraction: f64) -> String {
    shortest(Some((fraction * 1000.0).round() / 10.0))
}

/// Returns true if a character could change the display of a terminal. Examples are control characters, line separators, characters without
/// width, and marks that change the direction of writing.
pub fn is_steering(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
        )
}

/// Returns the character itself, with two exceptions. A character that could [control](is_steering) a terminal becomes `�`. A tab becomes a
/// space. The result is always one character, so the width of a text can be counted.
pub fn visible(character: char) -> char {
    match character {
        '\t' => ' ',
        character if is_steering(character) => char::REPLACEMENT_CHARACTER,
        character => character,
    }
}

/// Escapes all characters with which the text could [control](is_steering) a terminal. So these characters become visible.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_steering) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_steering(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// Prepares the text for an error message. The function makes all characters printable, and shortens a long text.
pub fn quoted(text: &str) -> String {
    const QUOTED_LENGTH: usize = 60;
    let cut: String = text.chars().take(QUOTED_LENGTH).collect();
    let mut shown = printable(&cut).into_owned();
    if cut.len() < text.len() {
        let _ = write!(shown, "... ({} bytes)", text.len());
    }
    shown
}

/// Breaks the text into lines of at most `width` characters. The function never breaks a text in backticks.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut is_quoted = false;
    let is_break = |character: char| {
        is_quoted ^= character == '`';
        character == ' ' && !is_quoted
    };
    let mut lines = wrapped_at(text, width, is_break);
    lines.retain(|line| !line.is_empty());
    lines
}

/// Breaks the text into lines of at most `width` characters. The text is broken only at characters for which `is_break` returns true.
pub fn wrapped_at(text: &str, width: usize, is_break: impl FnMut(char) -> bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(is_break) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Changes the first letter of the text to a capital letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Returns the year, month, day, hour, minute and second in UTC. `seconds` is the number of seconds since 1970. The source is Howard
/// Hinnant, "chrono-compatible low-level date algorithms", 2013, `civil_from_days`.
pub fn utc(seconds: u64) -> [u64; 6] {
    // Days since 1 March of the year 0, in eras of 400 years; years begin in March, so that leap days come last.
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    [era * 400 + year + u64::from(month <= 2), month, day, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
}

fn finite(value: Option<f64>) -> Option<f64> {
    // Adding zero turns -0 into 0.
    value.filter(|value| value.is_finite()).map(|value| value + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_never_in_powers_of_ten() {
        assert_eq!([Some(42.0), Some(42.5), Some(-0.0), None].map(shortest), ["42", "42.5", "0", ""]);
        assert_eq!(
            [0.1234, 9.9994, 12.345, 123.45, 1102.4, 1e7].map(|value| short(Some(value))),
            ["0.123", "9.999", "12.35", "123.5", "1102", "10000000"]
        );
        assert_eq!([0.0, 0.875, 1.0 / 3.0, 1.0].map(percent), ["0", "87.5", "33.3", "100"]);
        assert_eq!(fixed(Some(f64::NAN), 3), "");
        assert_eq!(["0", "-3", "0.5", "", "swap", "1e9"].map(with_point), ["0.0", "-3.0", "0.5", "", "swap", "1e9"]);
        assert_eq!(["0.0", "-3.0", "0.5", ".0", "v1.0"].map(without_point), ["0", "-3", "0.5", ".0", "v1.0"]);
        assert_eq!([0.5, 0.01234567, 0.0].map(p_value), ["0.5", "0.0123", "< 0.0001"]);
        assert_eq!([0.5, 0.0].map(p_text), ["p = 0.5", "p < 0.0001"]);
    }

    #[test]
    fn a_column_with_one_decimal_point_has_only_such() {
        let aligned = |values: [&str; 3]| {
            let mut values = values.map(str::to_owned);
            align_points(&mut values);
            values.join(" ")
        };
        assert_eq!(aligned(["0", "", "-0.5"]), "0.0  -0.5");
        assert_eq!(aligned(["0", "1", "-2"]), "0 1 -2");
        assert_eq!(aligned(["0", "v1.0", "0.5"]), "0 v1.0 0.5");
    }

    #[test]
    fn in_files_a_number_always_has_a_point_and_reads_back() {
        let mut text = String::new();
        for value in [Some(0.0), Some(-0.0), Some(42.0), Some(0.1 + 0.2), Some(-1e16), Some(1e-7), Some(f64::NAN), None]
        {
            write_decimal(&mut text, value).expect("memory");
            text.push(' ');
        }
        assert_eq!(text, "0.0 0.0 42.0 0.30000000000000004 -10000000000000000.0 0.0000001   ");
        for value in [f64::MAX, f64::MIN_POSITIVE, -5e-324] {
            text.clear();
            write_decimal(&mut text, Some(value)).expect("memory");
            assert_eq!(text.parse(), Ok(value));
            assert!(text.contains('.') && !text.contains(['e', 'E']), "{text}");
        }
    }

    #[test]
    fn lines_are_no_wider_than_asked_for_and_what_is_quoted_is_never_broken() {
        assert_eq!(wrapped("one two `three four` five", 8), ["one two", "`three four`", "five"]);
        assert!(wrapped("", 8).is_empty());
    }

    #[test]
    fn nothing_that_steers_a_terminal_is_shown_raw() {
        assert_eq!(printable("é ok"), "é ok");
        assert_eq!(printable("\u{1b}[2J\r\n\u{202e}x\u{9b}"), r"\u{1b}[2J\r\n\u{202e}x\u{9b}");
        let hidden = "a\u{ad}\u{61c}\u{200b}\u{2028}\u{2060}\u{feff}\n";
        assert_eq!(printable(hidden), r"a\u{ad}\u{61c}\u{200b}\u{2028}\u{2060}\u{feff}\n");
        assert_eq!(hidden.chars().map(visible).collect::<String>(), "a�������");
        assert_eq!(visible('\t'), ' ');
        assert_eq!(quoted(&"x".repeat(100)), format!("{}... (100 bytes)", "x".repeat(60)));
    }
}
