//! Tools for the solutions of all families: costs, genomes at places, the choice between positions, and permutations as text.

use std::collections::TryReserveError;

use evogrid_core::construction::{BestPosition, Ties};
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::Allele;
use evogrid_core::memory::room;

/// A cost that is a whole number below 2^53, such as a makespan or the length of a tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cost(pub(crate) i64);

impl From<Cost> for Fitness {
    #[inline]
    fn from(cost: Cost) -> Self {
        Self::new(cost.0 as f64)
    }
}

/// The genomes of a neighbourhood. Each place has one genome and one marked copy of a genome.
pub(crate) struct Places<A> {
    len: usize,
    genomes: Vec<A>,
    marks: Vec<A>,
}

impl<A: Copy> Places<A> {
    /// Creates `places` places, each with a copy of `genome`.
    ///
    /// # Errors
    /// Returns an error if the system cannot provide enough memory.
    pub(crate) fn new(genome: &[A], places: usize) -> Result<Self, TryReserveError> {
        let copies = || {
            let mut copies = room(genome.len().saturating_mul(places))?;
            (0..places).for_each(|_| copies.extend_from_slice(genome));
            Ok::<_, TryReserveError>(copies)
        };
        Ok(Self { len: genome.len(), genomes: copies()?, marks: copies()? })
    }

    /// The genome at a place.
    #[inline]
    pub(crate) fn at(&self, place: usize) -> &[A] {
        &self.genomes[place * self.len..][..self.len]
    }

    /// The genome at a place, which may be changed.
    #[inline]
    pub(crate) fn at_mut(&mut self, place: usize) -> &mut [A] {
        &mut self.genomes[place * self.len..][..self.len]
    }

    /// Copies the genome at a place to its mark.
    pub(crate) fn mark(&mut self, place: usize) {
        let range = place * self.len..(place + 1) * self.len;
        self.marks[range.clone()].copy_from_slice(&self.genomes[range]);
    }

    /// Restores the genome at a place from its mark.
    pub(crate) fn rollback(&mut self, place: usize) {
        let range = place * self.len..(place + 1) * self.len;
        self.genomes[range.clone()].copy_from_slice(&self.marks[range]);
    }
}

/// Chooses the position with the lowest cost; `ties` decides between equal costs. `costs` contains positions with their costs. At most
/// `limit` positions are examined.
///
/// # Panics
/// Panics if no position is examined.
#[inline]
pub(crate) fn best_position(costs: impl Iterator<Item = (usize, i64)>, limit: u64, mut ties: Ties) -> BestPosition {
    let (mut examined, mut n_equal, mut position, mut least) = (0, 0, None, i64::MAX);
    for (at, cost) in costs.take(usize::try_from(limit).unwrap_or(usize::MAX)) {
        examined += 1;
        n_equal = if cost < least { 1 } else { n_equal + u32::from(cost == least) };
        if cost < least || (cost == least && ties.replaces(n_equal)) {
            (position, least) = (Some(at), cost);
        }
    }
    BestPosition { position: position.expect("a position is examined"), fitness: Cost(least).into(), examined }
}

/// Writes a permutation as text: its alleles, counted from 1 and separated by spaces.
pub(crate) fn describe(genome: &[Allele]) -> String {
    let mut line = String::with_capacity(6 * genome.len());
    for (place, &allele) in genome.iter().enumerate() {
        line.push_str(if place == 0 { "" } else { " " });
        line.push_str(&(u32::from(allele) + 1).to_string());
    }
    line
}

/// Reads a permutation of `n` elements from the words of a text. Messages call an element `noun`.
///
/// # Errors
/// A message about the first word that is not an element or repeats an element, or about the first missing element.
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

/// Reads a permutation for an independent check, which shares no code with the search and its reader. Elements are counted from 0.
///
/// # Errors
/// A message about the first word that is not an element, or about an element that is repeated or missing.
pub(crate) fn check<'t>(words: impl Iterator<Item = &'t str>, n: usize, noun: &str) -> Result<Vec<usize>, String> {
    let element = |word: &str| match word.parse::<usize>() {
        Ok(number) if number >= 1 && number <= n => Ok(number - 1),
        _ => Err(format!("`{word}` is not a {noun}: expected 1 to {n}")),
    };
    let order: Vec<usize> = words.map(element).collect::<Result<_, _>>()?;
    let mut counts = vec![0_usize; n];
    order.iter().for_each(|&element| counts[element] += 1);
    if let Some(element) = counts.iter().position(|&count| count > 1) {
        return Err(format!("{noun} {} occurs twice", element + 1));
    }
    match counts.iter().position(|&count| count == 0) {
        None => Ok(order),
        Some(missing) => Err(format!("{noun} {} is missing", missing + 1)),
    }
}
