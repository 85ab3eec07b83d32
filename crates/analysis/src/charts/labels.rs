//! Labels of charts: names and values from data as short texts, and the values of keys.

use std::collections::BTreeSet;

use crate::samples::{Key, Roster, Sample, Samples, Selector};
use evogrid_results::format::{printable, shortest};

/// The maximum number of characters in a label.
const LONGEST_LABEL: usize = 48;

/// Converts a text from data to one line. A long text is shortened.
pub(super) fn text(text: &str) -> String {
    let shown = printable(text);
    match shown.char_indices().nth(LONGEST_LABEL) {
        None if shown.is_empty() => "-".to_owned(),
        None => shown.into_owned(),
        Some(_) => {
            let cut: String = shown.chars().take(LONGEST_LABEL - 1).collect();
            format!("{}…", cut.trim_end())
        }
    }
}

/// The label of a value of a setting. A long number is rounded to four digits.
pub(super) fn value(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(number) if number.is_finite() && value.len() > 6 => shortest(significant(number, 4)),
        _ => text(value),
    }
}

/// Distinct labels for values. If two shortened values are equal, all values are written in full, or labels get numbers.
pub(super) fn values(values: &[&str]) -> Vec<String> {
    let short: Vec<String> = values.iter().map(|text| value(text)).collect();
    if short.iter().collect::<BTreeSet<_>>().len() == short.len() {
        return short;
    }
    distinct(values.iter().map(|value| text(value)).collect())
}

/// The labels. Adds a number to each repeated label.
pub(super) fn distinct(labels: Vec<String>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let numbered = |label: String| {
        let (mut free, mut number) = (label.clone(), 2);
        while !taken.insert(free.clone()) {
            free = format!("{label} ({number})");
            number += 1;
        }
        free
    };
    labels.into_iter().map(numbered).collect()
}

/// The name for values of keys, for example `huke, population = 100`. Absent values are omitted.
pub(super) fn name(roster: &Roster, keys: &[Key], found: &[&str]) -> String {
    let part = |(&key, text): (&Key, &&str)| match key {
        _ if text.is_empty() => None,
        Key::Algorithm | Key::Instance | Key::Problem => Some(value(text)),
        Key::Bucket if text.parse::<f64>().is_err() => Some(value(text)),
        Key::Bucket | Key::Setting(_) => Some(format!("{} = {}", self::text(roster.name(key)), value(text))),
    };
    keys.iter().zip(found).filter_map(part).collect::<Vec<_>>().join(", ")
}

/// Breaks a name into lines that fit a panel. A line ends between the values of two keys. An empty name has no lines.
pub(super) fn lines(name: &str) -> Vec<String> {
    const WIDTH: usize = 48;
    let mut lines: Vec<String> = Vec::new();
    for part in name.split_inclusive(", ").filter(|part| !part.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + part.chars().count() <= WIDTH => line.push_str(part),
            _ => lines.push(part.to_owned()),
        }
    }
    lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
    lines
}

/// A number with a noun, for example `1 run` or `2 runs`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The first names of a list, followed by the number of other names.
pub(super) fn few(names: &[String]) -> String {
    const MOST_NAMES: usize = 5;
    let mut shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    if names.len() > MOST_NAMES {
        shown.push(format!("{} more", names.len() - MOST_NAMES));
    }
    shown.join(", ")
}

/// A finite number, rounded to this many significant digits.
fn significant(number: f64, digits: usize) -> Option<f64> {
    let rounded = format!("{number:.*e}", digits.saturating_sub(1));
    rounded.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A finite number, rounded to six significant digits. A drawing shows fewer digits, so this rounding is not visible, but it removes
/// rounding errors.
pub(super) fn rounded(value: f64) -> f64 {
    significant(value, 6).unwrap_or(value)
}

/// The number of distinct combinations of the keys' values.
pub(super) fn n_distinct(samples: &Samples, runs: &[&Sample], keys: &[Key]) -> usize {
    let values = |run: &&Sample| -> Vec<&str> { keys.iter().map(|&key| samples.value(key, run)).collect() };
    runs.iter().map(values).collect::<BTreeSet<_>>().len()
}

/// The names of series, made from the values of the keys, and the names of these keys.
pub(super) fn named(
    samples: &Samples,
    runs: &[&Sample],
    keys: &[Key],
    found: &[Vec<&str>],
) -> (Option<String>, Vec<String>) {
    let roster = &samples.roster;
    match keys {
        [] => {
            let algorithms: BTreeSet<&str> = runs.iter().map(|run| samples.value(Key::Algorithm, run)).collect();
            let only = algorithms.first().filter(|_| algorithms.len() == 1);
            (None, vec![only.map_or_else(|| Selector::default().label(), |name| text(name))])
        }
        [key] => {
            let legend = (*key != Key::Algorithm).then(|| text(roster.name(*key)));
            (legend, values(&found.iter().map(|values| values[0]).collect::<Vec<_>>()))
        }
        keys => {
            let legend = keys.iter().map(|&key| text(roster.name(key))).collect::<Vec<_>>().join(", ");
            let name = |values: &Vec<&str>| {
                let there = values.iter().filter(|value| !value.is_empty());
                there.map(|text| value(text)).collect::<Vec<_>>().join(", ")
            };
            (Some(legend), distinct(found.iter().map(name).collect()))
        }
    }
}

/// The distinct values of a key in order.
pub(super) fn ordered<'a>(samples: &'a Samples, runs: &[&'a Sample], key: Key) -> Vec<&'a str> {
    crate::effects::ordered(runs.iter().map(|run| samples.value(key, run)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_shortened_unless_they_would_look_alike() {
        assert_eq!(values(&["0.1111111111111111", "0.5", "100"]), ["0.1111", "0.5", "100"]);
        assert_eq!(values(&["0.11111111", "0.11112222"]), ["0.11111111", "0.11112222"]);
        assert_eq!(values(&["truncation(fraction=0.2)", ""]), ["truncation(fraction=0.2)", "-"]);
    }

    #[test]
    fn a_long_name_is_parted_between_its_values() {
        let long = "crossover = combined-alternating, mutation_rate = 0.1, survival.elite = 0";
        assert_eq!(lines(long), ["crossover = combined-alternating,", "mutation_rate = 0.1, survival.elite = 0"]);
        assert_eq!((lines("easy"), lines("")), (vec!["easy".to_owned()], vec![]));
    }

    #[test]
    fn names_that_are_cut_alike_stay_apart() {
        let long = ["x".repeat(100), "x".repeat(101)];
        let found = values(&[&long[0], &long[1]]);
        assert_eq!(found[0].chars().count(), LONGEST_LABEL);
        assert_eq!(found[1], format!("{} (2)", found[0]));
    }

    #[test]
    fn nothing_that_steers_a_terminal_or_breaks_a_line_is_left() {
        assert_eq!(text("a\nb\u{202e}"), "a\\nb\\u{202e}");
    }
}
