//! Suggests the valid name for a misspelt name. The module also writes the part of a message that lists the expected values.

/// Returns the candidates that have `found` as a synonym.
pub fn synonyms<'a>(found: &str, candidates: &[&'a str]) -> Vec<&'a str> {
    let found = found.to_lowercase().replace(['-', '_', ' '], "");
    let ours = named().filter(|(_, others)| others.split(' ').any(|other| other == found));
    ours.filter_map(|(name, _)| candidates.iter().find(|candidate| **candidate == name).copied()).collect()
}

/// The names of this program, with their synonyms in the literature and in other programs. Synonyms are in lower case, without `-`, `_` and
/// spaces. A synonym may have several meanings.
fn named() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("synonyms.txt").lines().filter_map(|line| line.split_once(": "))
}

/// Returns the candidate that is most similar to `found`. Returns `None` if all candidates are too different.
///
/// The comparison ignores case, and treats `_` and `-` as equal. If `found` is a synonym of a candidate, the function returns this
/// candidate. If `found` has three or more letters and is a prefix of exactly one candidate, the function returns this candidate.
///
/// ```
/// use evogrid_core::suggestion::nearest;
///
/// let names = ["truncation", "tournament"];
/// assert_eq!(nearest("truncatoin", names), Some("truncation"));
/// assert_eq!(nearest("tour", names), Some("tournament"));
/// assert_eq!(nearest("tabu_size", ["start", "tenure"]), Some("tenure"));
/// assert_eq!(nearest("banana", names), None);
/// ```
pub fn nearest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    synonyms(found, &candidates).first().copied().or_else(|| nearest_spelling(found, candidates))
}

/// Returns the candidate whose spelling is most similar to `found`. Use this function for names that users chose themselves. The function
/// does not consider synonyms. Returns `None` if no candidate is almost equal to `found`.
pub fn nearest_spelling<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = folded(found);
    let n_letters = found.chars().count();
    let mut best: Option<(usize, &str)> = None;
    let mut with_prefix = Vec::new();
    for name in candidates {
        let own = folded(name);
        // A third of the letters may be wrong, but at least one letter.
        let max_distance = (own.chars().count() / 3).max(1);
        // A name of a very different length is not compared, since a name from a file may be very long.
        if n_letters.abs_diff(own.chars().count()) <= max_distance {
            let distance = strsim::damerau_levenshtein(&found, &own);
            if distance <= max_distance && distance < n_letters.max(1) && best.is_none_or(|(least, _)| distance < least)
            {
                best = Some((distance, name));
            }
        }
        if n_letters >= 3 && own.starts_with(&found) {
            with_prefix.push(name);
        }
    }
    match (best, with_prefix.as_slice()) {
        (Some((_, name)), _) => Some(name),
        (None, [only]) => Some(only),
        _ => None,
    }
}

/// Returns the text `expected a, b or c`, and then the names that the user probably meant.
pub fn one_of(found: &str, names: &[&str]) -> String {
    let mut meant = synonyms(found, names);
    if meant.is_empty() {
        meant.extend(nearest(found, names.iter().copied()));
    }
    match (meant.len(), names.len()) {
        (0, _) => format!("expected {}", list(names)),
        // A single name needs no list.
        (_, 1) => format!("did you mean {}?", list(&meant)),
        _ => format!("expected {}; did you mean {}?", list(names), list(&meant)),
    }
}

/// Joins the names to a list: `a`, `b` or `c`.
pub fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The user may have written a whole number with a decimal point or an exponent, such as `1e6`. If the number `real` is whole, this
/// function returns the advice to write the number with digits only: `; write 1000000`. If the number is a fraction, the advice is empty.
pub fn written_whole(real: f64) -> String {
    if real.fract() == 0.0 && real.abs() < 1e15 { format!("; write {real:.0}") } else { String::new() }
}

/// If the text is a number, `true` or `false`, returns the advice to write the text without quotes: `; write 0.5 without quotes`. For all
/// other texts, the advice is empty.
pub fn written_unquoted(text: &str) -> String {
    let plain = text.trim();
    let is_value = plain.parse::<f64>().is_ok_and(f64::is_finite) || plain.parse::<bool>().is_ok();
    if is_value { format!("; write {plain} without quotes") } else { String::new() }
}

fn folded(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_its_name_and_nonsense_finds_none() {
        let names = ["truncation", "sus", "two-point", "diagonal"];
        assert_eq!(nearest("truncatoin", names), Some("truncation"));
        assert_eq!(nearest("ssu", names), Some("sus"));
        assert_eq!(nearest("diagnal", names), Some("diagonal"));
        assert_eq!(nearest("Two_Point", names), Some("two-point"));
        assert_eq!(nearest("trunc", names), Some("truncation"));
        assert_eq!(nearest("mutat", ["mutated", "mutation", "mutation_rate"]), Some("mutated"));
        assert_eq!(nearest("muta", ["mutation", "mutation_rate"]), None);
        assert_eq!(nearest(&"sus".repeat(1_000_000), names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest("banana", names), None);
        assert_eq!(nearest("anything", []), None);
    }

    #[test]
    fn a_name_that_the_field_uses_means_ours_and_each_is_one_word_without_separators() {
        assert_eq!(nearest("d", ["start", "removed"]), Some("removed"));
        assert_eq!(nearest("Pop-Size", ["population", "selection"]), Some("population"));
        assert_eq!(nearest("iterations", ["evaluations", "generations"]), Some("generations"));
        assert_eq!(nearest("popsize", ["start"]), None, "where there is no population");
        assert_eq!(
            one_of("tabu tenure", &["tenure_min", "start", "tenure_max"]),
            "expected `tenure_min`, `start` or `tenure_max`; did you mean `tenure_min` or `tenure_max`?"
        );
        for (name, others) in named() {
            let is_plain = |other: &str| {
                !other.is_empty() && other.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
            };
            assert!(others.split(' ').all(is_plain), "{name}: {others}");
        }
    }
}
