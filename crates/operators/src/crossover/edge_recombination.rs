//! `edge-recombination`: edge recombination crossover (ERX) inside each gene.

use evogrid_core::prelude::*;

use super::inside_genes::{GeneCrossover, GenePair, InsideGenes};

/// In each gene, a child follows the edges of its parents from allele to allele. An edge connects two alleles that are neighbours in a
/// parent. The last allele and the first allele are neighbours, too. The first child begins with the first allele of the first parent. The
/// second child begins with the first allele of the second parent. The next allele is an unused neighbour of the latest allele. If there
/// are several unused neighbours, the child takes the neighbour that itself has the fewest unused neighbours. Ties are broken at random. If
/// all neighbours are used, the child takes a random unused allele.
///
/// The crossover treats a gene as the closed list of its free positions. If both parents have the same gene, the children keep this gene.
/// Without this exception, the rule could reverse the direction of the gene.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EdgeRecombination;

/// The catalogue entry of `edge-recombination`.
pub const MEMBER: Member<dyn Crossover> = InsideGenes::<EdgeRecombination>::member(
    "edge-recombination",
    "edge recombination inside each gene: neighbours in a child are, if possible, neighbours in a parent",
    "Whitley, Starkweather and Fuquay, Scheduling Problems and Traveling Salesmen: The Genetic Edge Recombination Operator, ICGA \
     1989, pp. 133-140",
);

/// The maximum number of neighbours that an allele has in two parents.
const MAX_DEGREE: usize = 4;

/// The number of entries of working memory for each allele: its neighbours, the number of its unused neighbours, its place among the unused
/// alleles, and one entry of the list of unused alleles.
const ENTRIES: usize = MAX_DEGREE + 3;

impl GeneCrossover for EdgeRecombination {
    const TABLE_ENTRIES: usize = ENTRIES;

    #[inline]
    fn cross_gene(&self, gene: GenePair<'_>, random: &mut RandomStream) {
        let GenePair { free, parents, children, table } = gene;
        if free.iter().all(|&position| parents[0][position] == parents[1][position]) {
            return;
        }
        for (parent, child) in parents.into_iter().zip(children) {
            let mut edges = EdgeTable::new(free, parents, table);
            let mut allele = parent[free[0]];
            for (visited, &position) in free.iter().enumerate() {
                child[position] = allele;
                edges.take(allele);
                if visited + 1 < free.len() {
                    allele = edges.next(allele, random);
                }
            }
        }
    }
}

/// The edges of two parents between unused alleles.
struct EdgeTable<'t> {
    /// The unused neighbours of each allele. Only the first `degrees` entries are valid.
    beside: &'t mut [usize],
    degrees: &'t mut [usize],
    /// The unused alleles in any order.
    unused: &'t mut [usize],
    /// The place of each allele among the unused alleles.
    places: &'t mut [usize],
    n_unused: usize,
}

impl<'t> EdgeTable<'t> {
    fn new(free: &[usize], parents: [&[Allele]; 2], table: &'t mut [usize]) -> Self {
        let n_alleles = table.len() / ENTRIES;
        let (beside, rest) = table.split_at_mut(MAX_DEGREE * n_alleles);
        let (degrees, rest) = rest.split_at_mut(n_alleles);
        let (unused, places) = rest.split_at_mut(n_alleles);
        let mut edges = Self { beside, degrees, unused, places, n_unused: free.len() };
        for (at, &position) in free.iter().enumerate() {
            let allele = usize::from(parents[0][position]);
            (edges.unused[at], edges.places[allele], edges.degrees[allele]) = (allele, at, 0);
        }
        for parent in parents {
            let mut before = parent[free[free.len() - 1]];
            for &position in free {
                let allele = parent[position];
                edges.add(before, allele);
                edges.add(allele, before);
                before = allele;
            }
        }
        edges
    }

    /// Adds the edge from one allele to another, unless it already exists.
    #[inline]
    fn add(&mut self, from: Allele, to: Allele) {
        let (from, to) = (usize::from(from), usize::from(to));
        let degree = self.degrees[from];
        if from != to && !self.beside[MAX_DEGREE * from..][..degree].contains(&to) {
            self.beside[MAX_DEGREE * from + degree] = to;
            self.degrees[from] += 1;
        }
    }

    /// Marks an allele as used, and removes all edges to it.
    #[inline]
    fn take(&mut self, allele: Allele) {
        let allele = usize::from(allele);
        for at in MAX_DEGREE * allele..MAX_DEGREE * allele + self.degrees[allele] {
            let other = self.beside[at];
            let degree = self.degrees[other] - 1;
            let others = &mut self.beside[MAX_DEGREE * other..][..=degree];
            let place = others.iter().position(|&one| one == allele).expect("an edge has two ends");
            others[place] = others[degree];
            self.degrees[other] = degree;
        }
        let (place, last) = (self.places[allele], self.unused[self.n_unused - 1]);
        (self.unused[place], self.places[last]) = (last, place);
        self.n_unused -= 1;
    }

    /// The allele that follows the latest allele.
    #[inline]
    fn next(&self, allele: Allele, random: &mut RandomStream) -> Allele {
        let allele = usize::from(allele);
        let mut nearest = [0; MAX_DEGREE];
        let (mut n_nearest, mut fewest) = (0, usize::MAX);
        for &other in &self.beside[MAX_DEGREE * allele..][..self.degrees[allele]] {
            let degree = self.degrees[other];
            if degree < fewest {
                (n_nearest, fewest) = (0, degree);
            }
            if degree == fewest {
                nearest[n_nearest] = other;
                n_nearest += 1;
            }
        }
        let chosen = match n_nearest {
            0 => self.unused[random.below(self.n_unused)],
            1 => nearest[0],
            _ => nearest[random.below(n_nearest)],
        };
        chosen as Allele
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{alleles, gene};
    use super::*;

    /// Both children of two parents.
    fn children(parents: [&[Allele]; 2], seed: u64) -> [Vec<Allele>; 2] {
        let free: Vec<usize> = (0..parents[0].len()).collect();
        let [mut first, mut second] = parents.map(<[Allele]>::to_vec);
        let mut table = vec![77; ENTRIES * free.len()];
        let pair = GenePair { free: &free, parents, children: [&mut first, &mut second], table: &mut table };
        EdgeRecombination.cross_gene(pair, &mut RandomStream::from_seed(seed));
        [first, second]
    }

    #[test]
    fn the_printed_example_of_whitley_starkweather_and_fuquay_is_among_the_children() {
        // Parents A B C D E F and B D C A E F; the paper draws its way to B C D E A F when the walk begins with B.
        let (one, other) = (gene("1 2 3 4 5 6"), gene("2 4 3 1 5 6"));
        let seen: Vec<String> = (0..200).map(|seed| alleles(&children([&one, &other], seed)[1])).collect();
        assert!(seen.iter().any(|child| child == "2 3 4 5 1 6"), "{seen:?}");
        let first = |child: &String| child.starts_with("2 ");
        assert!(seen.iter().all(first), "a child begins as its own parent");
    }

    #[test]
    fn children_of_the_same_tour_are_that_tour_in_either_direction() {
        let (tour, mut back) = (gene("4 1 6 2 5 3 8 7"), gene("4 1 6 2 5 3 8 7"));
        back[1..].reverse();
        for seed in 0..20 {
            for child in children([&tour, &back], seed) {
                assert!(child == tour || child == back, "{}", alleles(&child));
            }
            assert_eq!(children([&tour, &tour], seed), [tour.clone(), tour.clone()]);
        }
    }

    #[test]
    fn hardly_an_edge_is_new() {
        let mut random = RandomStream::from_seed(1);
        let (mut n_new, mut n_edges) = (0, 0);
        for seed in 0..100 {
            let mut parents = [(0..30).collect::<Vec<Allele>>(), (0..30).collect()];
            parents.iter_mut().for_each(|parent| random.shuffle(parent));
            let has = |tour: &[Allele], one: Allele, other: Allele| {
                let closed = tour.iter().zip(tour.iter().cycle().skip(1));
                closed.into_iter().any(|(&from, &to)| (from, to) == (one, other) || (to, from) == (one, other))
            };
            for child in children([&parents[0], &parents[1]], seed) {
                let edges = child.windows(2).map(|pair| (pair[0], pair[1]));
                let new = edges.filter(|&(one, other)| !parents.iter().any(|parent| has(parent, one, other)));
                n_new += new.count();
                n_edges += 29;
            }
        }
        // The paper reports 1 to 1.5 per cent on 30 cities.
        assert!(n_new * 100 < 5 * n_edges && n_new > 0, "{n_new} of {n_edges}");
    }
}
