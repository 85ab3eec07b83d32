//! Neighbourhoods of any problem. To evaluate a move, these neighbourhoods make the move, compute the fitness, and undo the move.

use std::collections::TryReserveError;

use super::pairs::Pairs;
use super::{Attributes, Move, Neighbourhood, NeighbourhoodKind, Pick, Rearrangement, Scan, Scope};
use crate::fitness::Fitness;
use crate::layout::{Allele, Layout};
use crate::memory::{blocks, room};
use crate::random::RandomStream;

/// The length of the longest inserted segment.
const MAX_SEGMENT: usize = 3;

/// The first number of a move also contains the length of the segment, from this bit on. A higher bit says whether the segment is reversed.
const SEGMENT_SHIFT: u32 = 28;
const REVERSED_SHIFT: u32 = 30;

/// The move that inserts a segment.
fn insertion_of(segment: usize, is_reversed: bool, Move(from, to): Move) -> Move {
    Move(from | (segment as u32) << SEGMENT_SHIFT | u32::from(is_reversed) << REVERSED_SHIFT, to)
}

/// The methods of a problem that a [`Scratch`] neighbourhood calls. This neighbourhood evaluates every solution completely. Every
/// [`Problem`](crate::problem::Problem) implements the trait `SolutionSpace`.
pub trait SolutionSpace {
    /// The genes, their length and the locked positions.
    fn layout(&self) -> &Layout;

    /// The fitness of a valid genome. Smaller values are better.
    fn fitness(&self, genome: &[Allele]) -> Fitness;

    /// Writes a random valid genome.
    fn randomise(&self, genome: &mut [Allele], random: &mut RandomStream);
}

/// A neighbourhood of any kind on any problem. This neighbourhood evaluates every solution completely. The moves form groups. There is one
/// group for each free position of each movable gene. A gene is movable if it has at least two free positions.
///
/// A move has two numbers, which stand for two positions. A swap exchanges the alleles at the two positions. An inversion reverses the
/// alleles from one position to the other. An insertion takes the segment that begins at the first of these two positions. The insertion
/// moves this segment to the second position. For [`OrTwoOpt`](NeighbourhoodKind::OrTwoOpt), the upper bits of the first number are the
/// segment's length. If the move is an inversion, the upper bits of the first number are 0.
pub struct Scratch<'p, P: ?Sized> {
    problem: &'p P,
    kind: NeighbourhoodKind,
    pairs: Pairs,
    /// The free position that belongs to each group.
    positions: Vec<u32>,
    genomes: Vec<Allele>,
    marks: Vec<Allele>,
    /// A copy of the solution during the evaluation of a move.
    before: Vec<Allele>,
    /// The moves of the scanned group.
    steps: Vec<Move>,
}

/// The free positions of one gene, and the rank of one free position.
#[derive(Clone, Copy)]
struct Ranked<'l> {
    free: &'l [usize],
    rank: usize,
}

impl<'p, P: SolutionSpace + ?Sized> Scratch<'p, P> {
    /// Creates a neighbourhood that can store `places` solutions.
    ///
    /// # Errors
    /// Returns an error if the operating system does not provide the memory.
    ///
    /// # Panics
    /// Panics if the kind is not [basic](NeighbourhoodKind::BASIC).
    pub fn new(problem: &'p P, kind: NeighbourhoodKind, places: usize) -> Result<Self, TryReserveError> {
        if let NeighbourhoodKind::Added(name) = kind {
            panic!("the problem declares the neighbourhood `{name}`, but `visit_neighbourhood` does not create it");
        }
        let layout = problem.layout();
        let copies = || {
            let mut genomes = room(layout.genome_len().saturating_mul(places))?;
            (0..places).for_each(|_| genomes.extend_from_slice(layout.template()));
            Ok::<_, TryReserveError>(genomes)
        };
        let genes = layout.movable_genes().iter();
        Ok(Self {
            problem,
            kind,
            pairs: Pairs::new(layout),
            positions: genes.flat_map(|&gene| layout.free(gene)).map(|&position| position as u32).collect(),
            genomes: copies()?,
            marks: Vec::new(),
            before: layout.template().to_vec(),
            steps: Vec::new(),
        })
    }

    /// The approximate number of bytes that a neighbourhood needs if it stores `places` solutions.
    pub fn memory(problem: &P, places: usize) -> u64 {
        let layout = problem.layout();
        blocks(places.saturating_mul(2).saturating_add(3), layout.genome_len() * size_of::<Allele>())
            .saturating_add(Pairs::memory(layout))
    }

    fn genome(&mut self, place: usize) -> &mut [Allele] {
        let len = self.before.len();
        &mut self.genomes[place * len..][..len]
    }

    fn ranked(&self, position: u32) -> Ranked<'p> {
        let (layout, position) = (self.problem.layout(), position as usize);
        let free = layout.free(position / layout.gene_len());
        Ranked { free, rank: free.partition_point(|&other| other < position) }
    }

    /// The number of alleles that a move inserts, and the two positions of the move. The number is 0 if the move is not an insertion.
    fn parts(&self, step: Move) -> (usize, u32, u32) {
        let segment = if self.kind == NeighbourhoodKind::Insertion { 1 } else { step.0 >> SEGMENT_SHIFT & 3 };
        (segment as usize, step.0 & ((1 << SEGMENT_SHIFT) - 1), step.1)
    }

    /// Makes a move on the solution that is stored at place number `place`.
    fn change(&mut self, place: usize, step: Move) {
        let kind = self.kind;
        let (segment, first, second) = self.parts(step);
        let (one, other) = (self.ranked(first), self.ranked(second));
        let genome = self.genome(place);
        match kind {
            NeighbourhoodKind::Swap => genome.swap(first as usize, second as usize),
            _ if segment > 0 => {
                insert(genome, one.free, one.rank, segment, step.0 >> REVERSED_SHIFT == 1, other.rank);
            }
            _ => reverse(genome, one.free, one.rank.min(other.rank), one.rank.max(other.rank) + 1),
        }
    }

    /// Lists at most `limit` moves of a group.
    fn list(&mut self, group: usize, limit: usize) {
        let position = self.positions[group];
        let Ranked { free, rank } = self.ranked(position);
        let steps = &mut self.steps;
        steps.clear();
        for (at, &other) in free.iter().enumerate().filter(|&(at, _)| at != rank) {
            let step = Move(position, other as u32);
            // An insertion at the adjacent position is listed only from the left. From the right it is the same move.
            if self.kind != NeighbourhoodKind::Insertion || at + 1 != rank {
                steps.push(step);
            }
            if self.kind == NeighbourhoodKind::OrTwoOpt {
                let fitting = (1..=MAX_SEGMENT).filter(|segment| rank.max(at) + segment <= free.len());
                steps.extend(fitting.flat_map(|segment| {
                    let ways = if segment == 1 { 1 } else { 2 };
                    (0..ways).map(move |way| insertion_of(segment, way == 1, step))
                }));
            }
            if steps.len() >= limit {
                return steps.truncate(limit);
            }
        }
    }

    fn judge(&mut self, place: usize, step: Move) -> Fitness {
        let len = self.before.len();
        self.before.copy_from_slice(&self.genomes[place * len..][..len]);
        self.change(place, step);
        let genome = &mut self.genomes[place * len..][..len];
        let fitness = self.problem.fitness(genome);
        genome.copy_from_slice(&self.before);
        fitness
    }
}

impl<P: SolutionSpace + ?Sized> Neighbourhood for Scratch<'_, P> {
    type Cost = Fitness;

    fn load(&mut self, place: usize, genome: &[Allele]) -> Fitness {
        self.genome(place).copy_from_slice(genome);
        self.problem.fitness(genome)
    }

    fn write(&self, place: usize, genome: &mut [Allele]) {
        genome.copy_from_slice(&self.genomes[place * genome.len()..][..genome.len()]);
    }

    fn n_groups(&self) -> usize {
        self.positions.len()
    }

    fn draw(&self, _: usize, bits: u32, random: &mut RandomStream) -> Move {
        let (one, other) = self.pairs.draw(bits, random);
        match self.kind {
            NeighbourhoodKind::Swap | NeighbourhoodKind::Inversion => Move(one, other),
            NeighbourhoodKind::Insertion => {
                let (from, to) = if random.below(2) == 0 { (one, other) } else { (other, one) };
                Move(from, to)
            }
            NeighbourhoodKind::OrTwoOpt | NeighbourhoodKind::Added(_) => {
                // An inversion, or an insertion of one, two or three alleles. All are equally likely, as far as the segment fits.
                let [segment, turned] = random.batch([1 + MAX_SEGMENT, 2]);
                let (from, to) = if turned == 0 { (one, other) } else { (other, one) };
                let (Ranked { free, rank }, Ranked { rank: at, .. }) = (self.ranked(from), self.ranked(to));
                let step = Move(from, to);
                if segment == 0 || rank.max(at) + segment > free.len() {
                    return step;
                }
                insertion_of(segment, segment > 1 && random.below(2) == 1, step)
            }
        }
    }

    fn after(&mut self, place: usize, step: Move, _: Fitness) -> Fitness {
        self.judge(place, step)
    }

    fn best_in(
        &mut self,
        Scope { place, group, limit, .. }: Scope<Fitness>,
        pick: Pick,
        mut allowed: impl FnMut(Move, Fitness) -> bool,
    ) -> Scan<Fitness> {
        self.list(group, usize::try_from(limit).unwrap_or(usize::MAX));
        let mut scan = Scan::EMPTY;
        for number in 0..self.steps.len() {
            let step = self.steps[number];
            let fitness = self.judge(place, step);
            if scan.judge(step, fitness, pick, &mut allowed) {
                break;
            }
        }
        scan
    }

    /// A move that belongs to two groups, such as a swap, is listed only in the group of its left position.
    fn list_below(
        &mut self,
        Scope { place, group, limit, .. }: Scope<Fitness>,
        bound: Option<Fitness>,
        list: &mut Vec<(Move, Fitness)>,
    ) -> u64 {
        self.list(group, usize::MAX);
        let has_one_group = |&Move(one, other): &Move| {
            self.kind == NeighbourhoodKind::Insertion || one < other || one >> SEGMENT_SHIFT > 0
        };
        self.steps.retain(has_one_group);
        self.steps.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        for number in 0..self.steps.len() {
            let step = self.steps[number];
            let fitness = self.judge(place, step);
            list.extend(bound.is_none_or(|bound| fitness < bound).then_some((step, fitness)));
        }
        self.steps.len() as u64
    }

    /// The attributes are the alleles at the two ends of the changed part.
    fn attributes(&self, place: usize, step: Move) -> Attributes {
        let (segment, first, second) = self.parts(step);
        let (one, other) = (self.ranked(first), self.ranked(second));
        let len = self.before.len();
        let genome = &self.genomes[place * len..][..len];
        match segment {
            0 => Attributes::of_exchange(genome, first as usize, second as usize),
            _ => {
                let is_reversed = step.0 >> REVERSED_SHIFT == 1;
                of_insertion(genome, one.free, one.rank, segment, is_reversed, other.rank)
            }
        }
    }

    fn apply(&mut self, place: usize, step: Move) {
        self.change(place, step);
    }

    fn mark(&mut self, place: usize) {
        let len = self.before.len();
        if self.marks.is_empty() {
            self.marks.clone_from(&self.genomes);
        }
        self.marks[place * len..][..len].copy_from_slice(&self.genomes[place * len..][..len]);
    }

    fn rollback(&mut self, place: usize) {
        let len = self.before.len();
        self.genomes[place * len..][..len].copy_from_slice(&self.marks[place * len..][..len]);
    }

    fn rearrange(&mut self, place: usize, changes: &[Rearrangement], _: Fitness, groups: &mut Vec<u32>) -> Fitness {
        let layout = self.problem.layout();
        let problem = self.problem;
        let n_groups = self.positions.len() as u32;
        let genome = self.genome(place);
        changes.iter().for_each(|change| change.make(layout, genome));
        groups.extend(0..n_groups);
        problem.fitness(genome)
    }
}

/// Moves `segment` alleles of a gene, which begin at `rank`, to the rank `at`. If `is_reversed` is true, their order is reversed.
fn insert(genome: &mut [Allele], free: &[usize], rank: usize, segment: usize, is_reversed: bool, at: usize) {
    if is_reversed {
        reverse(genome, free, rank, rank + segment);
    }
    if at < rank {
        exchange(genome, free, at, rank, rank + segment);
    } else {
        exchange(genome, free, rank, rank + segment, at + segment);
    }
}

/// The changes that [`insert`] makes at the two ends of the changed range of ranks.
fn of_insertion(
    genome: &[Allele],
    free: &[usize],
    rank: usize,
    segment: usize,
    is_reversed: bool,
    at: usize,
) -> Attributes {
    let (mut head, mut tail) = (rank, rank + segment - 1);
    if is_reversed {
        std::mem::swap(&mut head, &mut tail);
    }
    let ends = if at < rank {
        [(at, head), (rank + segment - 1, rank - 1)]
    } else {
        [(rank, rank + segment), (at + segment - 1, tail)]
    };
    Attributes::of_positions(ends.map(|(to, from)| (free[to], genome[free[to]], genome[free[from]])))
}

/// Reverses the alleles between two ranks.
fn reverse(genome: &mut [Allele], free: &[usize], start: usize, end: usize) {
    let segment = &free[start..end];
    let n = segment.len();
    (0..n / 2).for_each(|at| genome.swap(segment[at], segment[n - 1 - at]));
}

/// Exchanges two adjacent segments.
fn exchange(genome: &mut [Allele], free: &[usize], start: usize, middle: usize, end: usize) {
    reverse(genome, free, start, middle);
    reverse(genome, free, middle, end);
    reverse(genome, free, start, end);
}

impl Rearrangement {
    /// Applies this rearrangement to a genome.
    pub fn make(&self, layout: &Layout, genome: &mut [Allele]) {
        match *self {
            Self::Swap { gene, one, other } => genome.swap(layout.free(gene)[one], layout.free(gene)[other]),
            Self::Exchange { gene, start, middle, end } => exchange(genome, layout.free(gene), start, middle, end),
        }
    }
}
