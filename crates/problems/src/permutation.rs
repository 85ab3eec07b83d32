//! Solutions that are one permutation, as text: its alleles counted from 1, with spaces between.

use evogrid_core::layout::Allele;

/// The text of a permutation.
pub(crate) fn describe(genome: &[Allele]) -> String {
    let mut line = String::with_capacity(6 * genome.len());
    for (place, &allele) in genome.iter().enumerate() {
        line.push_str(if place == 0 { "" } else { " " });
        line.push_str(&(u32::from(allele) + 1).to_string());
    }
    line
}

/// Reads a permutation of this many elements from the words of a text; `noun` is the word for an element in messages.
///
/// # Errors
/// The first word that is not an element or one again, or the first element that is missing, for a person.
pub(crate) fn read<'t>(words: impl Iterator<Item = &'t str>, n: usize, noun: &str) -> Result<Vec<Allele>, String> {
    let mut is_there = vec![false; n];
    let mut genome = Vec::with_capacity(n);
    for word in words {
        let number = word.parse().ok().filter(|number| (1..=n).contains(number));
        let number = number.ok_or_else(|| format!("`{word}` is not a {noun}: expected 1 to {n}"))?;
        if std::mem::replace(&mut is_there[number - 1], true) {
            return Err(format!("{noun} {number} occurs twice"));
        }
        genome.push((number - 1) as Allele);
    }
    match is_there.iter().position(|is_there| !is_there) {
        None => Ok(genome),
        Some(missing) => Err(format!("{noun} {} is missing", missing + 1)),
    }
}

/// The same for independent checks, which share no code with the search and its reader: elements are counted from 0.
///
/// # Errors
/// As [`read`].
pub(crate) fn check<'t>(words: impl Iterator<Item = &'t str>, n: usize, noun: &str) -> Result<Vec<usize>, String> {
    let mut order = Vec::new();
    for word in words {
        match word.parse::<usize>() {
            Ok(number) if number >= 1 && number <= n => order.push(number - 1),
            _ => return Err(format!("`{word}` is not a {noun}: expected 1 to {n}")),
        }
    }
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("{noun} {} occurs twice", pair[0] + 1));
    }
    match (0..n).find(|element| sorted.get(*element) != Some(element)) {
        None => Ok(order),
        Some(missing) => Err(format!("{noun} {} is missing", missing + 1)),
    }
}
