//! Suggestions: the valid name that a misspelt one was probably meant to be.

/// The candidate nearest to `found`, unless all are too far from it to be what was meant.
#[must_use]
pub fn nearest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = candidates.into_iter().map(|name| (strsim::damerau_levenshtein(found, name), name));
    let (distance, name) = scored.min_by_key(|(distance, _)| *distance)?;
    // A third of the letters may be wrong, and in a short name one.
    (distance <= (name.chars().count() / 3).max(1) && distance < found.chars().count().max(1)).then_some(name)
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
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest("banana", names), None);
        assert_eq!(nearest("anything", []), None);
    }
}
