//! Suggestions: the valid name that was probably meant by a misspelt one, and the text on what was expected.

/// The candidate nearest to `found`, unless none is near enough to be what was meant.
///
/// Upper and lower case count as equal, and so do `_` and `-`. Three letters or more with which only one candidate begins mean that
/// candidate.
///
/// ```
/// use evogrid_core::suggestion::nearest;
///
/// let names = ["truncation", "tournament"];
/// assert_eq!(nearest("truncatoin", names), Some("truncation"));
/// assert_eq!(nearest("tour", names), Some("tournament"));
/// assert_eq!(nearest("banana", names), None);
/// ```
#[must_use]
pub fn nearest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = folded(found);
    let n_letters = found.chars().count();
    let mut best: Option<(usize, &str)> = None;
    let mut with_prefix = Vec::new();
    for name in candidates {
        let own = folded(name);
        // A third of the letters may be wrong, and one in a short name.
        let max_distance = (own.chars().count() / 3).max(1);
        // A name that differs more than that in length is not compared: a name from a file may be as long as the file.
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

/// `expected a, b or c`, and the nearest of them to what was found.
#[must_use]
pub fn one_of(found: &str, names: &[&str]) -> String {
    match nearest(found, names.iter().copied()) {
        // A single name needs no list.
        Some(only) if names.len() == 1 => format!("did you mean `{only}`?"),
        Some(near) => format!("expected {}; did you mean `{near}`?", list(names)),
        None => format!("expected {}", list(names)),
    }
}

/// `a`, `b` or `c`.
#[must_use]
pub fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
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
}
