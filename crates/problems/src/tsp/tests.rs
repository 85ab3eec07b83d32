//! Small instances against exhaustive search, and every move against the length.

use proptest::prelude::*;

use evogrid_core::construction::Ties;
use evogrid_core::layout::Allele;
use evogrid_core::neighbourhood::{Neighbourhood, NeighbourhoodKind, NeighbourhoodVisitor, Pick, Rearrangement, Scope};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;
use evogrid_core::search::Start;

use super::moves::MAX_SEGMENT;
use super::*;

/// An instance of every kind of weights, the coordinates on a coarse grid, so that distances tie.
pub(super) fn instances(n_cities: usize, seed: u64) -> Vec<TspInstance> {
    let mut random = RandomStream::from_seed(seed);
    let kinds = WeightKind::CHOICES.iter();
    kinds
        .map(|&(_, kind)| {
            let mut draw = || random.below(180) as f64 / 2.0 - 45.0;
            if kind == WeightKind::Explicit {
                let mut matrix = vec![0; n_cities * n_cities];
                for (row, column) in (0..n_cities).flat_map(|row| (0..row).map(move |column| (row, column))) {
                    let weight = random.below(60) as i32 - 5;
                    (matrix[row * n_cities + column], matrix[column * n_cities + row]) = (weight, weight);
                }
                return TspInstance::from_matrix(n_cities, matrix);
            }
            let coordinates = (0..n_cities * kind.n_coordinates()).map(|_| draw()).collect();
            TspInstance::from_coordinates(kind, coordinates)
        })
        .collect()
}

/// The instance's 2-opt and Or-opt moves that give this city a nearer neighbour, from their definition: by edges, not by a scan. Of each
/// the tour that comes of it.
fn moves_of(instance: &TspInstance, tour: &[u16], city: u16, has_transfers: bool) -> Vec<Vec<u16>> {
    let (n, mut results) = (tour.len(), Vec::new());
    for turned in [false, true] {
        // In a rotation that begins with the city, and in its mirror image.
        let at = tour.iter().position(|&one| one == city).expect("it is there");
        let mut way: Vec<u16> = (0..n).map(|step| tour[(at + if turned { n - step } else { step }) % n]).collect();
        let weight = |one: u16, other: u16| instance.weights().between(one.into(), other.into());
        for near in instance.neighbours().of_city(usize::from(city)) {
            let there = way.iter().position(|&one| one == near.city).expect("it is there");
            if i64::from(near.weight) < weight(city, way[1]) {
                let mut result = way.clone();
                result[1..=there].reverse();
                results.push(result);
            }
        }
        // The path begins with the city, and the one before it is the last.
        let removed = weight(way[n - 1], city);
        for length in 1..=MAX_SEGMENT.min(n - 2) {
            for near in instance.neighbours().of_city(usize::from(city)) {
                let there = way.iter().position(|&one| one == near.city).expect("it is there");
                if !has_transfers || i64::from(near.weight) >= removed || there < length {
                    continue;
                }
                let mut rest: Vec<u16> = way.split_off(length);
                let path = way.clone();
                way.extend_from_slice(&rest);
                // Behind the near one as it stands, in front of it turned; where it was it stays.
                if there + 1 < n {
                    let mut result = rest.clone();
                    result.splice(there - length + 1..there - length + 1, path.iter().copied());
                    results.push(result);
                }
                if there > length {
                    rest.splice(there - length..there - length, path.iter().rev().copied());
                    results.push(rest);
                }
            }
        }
    }
    results
}

/// A closed tour in one form whatever its start and direction.
fn normal(tour: &[u16]) -> Vec<u16> {
    let n = tour.len();
    let start = tour.iter().position(|&city| city == 0).expect("city 0 is there");
    let way = |turned: bool| -> Vec<u16> {
        (0..n).map(|step| tour[(start + if turned { n - step } else { step }) % n]).collect()
    };
    way(false).min(way(true))
}

struct Checks<'p> {
    problem: &'p TspProblem,
    has_transfers: bool,
    random: RandomStream,
}

impl<'p> NeighbourhoodVisitor<'p> for Checks<'_> {
    type Output = ();

    fn visit<N: Neighbourhood + 'p>(mut self, mut moves: N) {
        let n = self.problem.layout().gene_len();
        let (mut genome, mut after) = (vec![0; n], vec![0; n]);
        self.problem.randomise(&mut genome, &mut self.random);
        let mut now = moves.load(1, &genome);
        for round in 0..12 {
            assert_eq!(now.into(), self.problem.fitness(&genome));
            let step = moves.draw(1, 0, &mut self.random);
            now = moves.after(1, step, now);
            moves.apply(1, step);
            moves.write(1, &mut genome);
            assert_eq!(now.into(), self.problem.fitness(&genome), "a drawn move");
            let group = self.random.below(n);
            self.check_group(&mut moves, group, now, &genome);
            // Everything since the mark is taken back, twice over.
            moves.mark(1);
            for _ in 0..2 {
                let mut groups = Vec::new();
                let changes = [self.swap(n), self.exchange(n), self.swap(n), self.exchange(n)];
                let cost = moves.rearrange(1, &changes[..round % 5], now, &mut groups);
                moves.write(1, &mut after);
                assert_eq!(cost.into(), self.problem.fitness(&after), "{changes:?}");
                assert!(groups.iter().all(|&group| (group as usize) < n));
                let step = moves.draw(1, 0, &mut self.random);
                moves.apply(1, step);
                moves.rollback(1);
                moves.write(1, &mut after);
                assert_eq!(after, genome);
            }
        }
    }
}

impl Checks<'_> {
    fn swap(&mut self, n: usize) -> Rearrangement {
        let (one, other) = self.random.pair(n);
        Rearrangement::Swap { gene: 0, one, other }
    }

    fn exchange(&mut self, n: usize) -> Rearrangement {
        let mut cuts = [self.random.below(n + 1), self.random.below(n + 1), self.random.below(n + 1)];
        cuts.sort_unstable();
        Rearrangement::Exchange { gene: 0, start: cuts[0], middle: cuts[1], end: cuts[2] }
    }

    /// The moves of a group are those of the definition, each with its cost; the best is the best of them.
    fn check_group<N: Neighbourhood>(&mut self, moves: &mut N, group: usize, now: N::Cost, genome: &[Allele]) {
        let mut steps = Vec::new();
        let scan = moves.best_in(Scope { place: 1, group, now, limit: u64::MAX }, Pick::Best, |step, cost| {
            steps.push((step, cost.into()));
            false
        });
        assert_eq!((scan.examined, scan.best.is_none()), (steps.len() as u64, true));
        let mut expected = moves_of(self.problem.instance(), genome, group as u16, self.has_transfers);
        expected.iter_mut().for_each(|tour| *tour = normal(tour));
        expected.sort_unstable();
        expected.dedup();
        let (mut found, mut result) = (Vec::new(), genome.to_vec());
        moves.mark(1);
        let scan = moves.best_in(Scope { place: 1, group, now, limit: u64::MAX }, Pick::Best, |_, _| true);
        assert_eq!(scan.best.map(|(_, cost)| cost.into()), steps.iter().map(|(_, cost)| *cost).min());
        for (at, (step, cost)) in steps.into_iter().enumerate() {
            let limited = moves.best_in(Scope { place: 1, group, now, limit: at as u64 }, Pick::First, |_, _| false);
            assert_eq!(limited.examined, at as u64);
            assert_eq!(moves.after(1, step, now).into(), cost);
            moves.apply(1, step);
            moves.write(1, &mut result);
            assert_eq!(cost, self.problem.fitness(&result));
            let mut touched = Vec::new();
            moves.touched(1, step, &mut touched);
            let edges = |tour: &[Allele]| -> Vec<(u16, u16)> {
                let n = tour.len();
                (0..n).map(|at| (tour[at].min(tour[(at + 1) % n]), tour[at].max(tour[(at + 1) % n]))).collect()
            };
            let (before, after) = (edges(genome), edges(&result));
            for (one, other) in before
                .iter()
                .filter(|edge| !after.contains(edge))
                .chain(after.iter().filter(|edge| !before.contains(edge)))
            {
                assert!(touched.contains(&(*one).into()) && touched.contains(&(*other).into()));
            }
            found.push(normal(&result));
            moves.rollback(1);
        }
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, expected);
    }
}

/// All tours of few cities, city 0 first.
fn all_tours(n: usize) -> Vec<Vec<u16>> {
    let mut tours = vec![vec![0]];
    for _ in 1..n {
        let longer = |tour: Vec<u16>| {
            let missing = (1..n as u16).filter(|city| !tour.contains(city)).collect::<Vec<_>>();
            missing.into_iter().map(move |city| [&tour[..], &[city]].concat())
        };
        tours = tours.into_iter().flat_map(longer).collect();
    }
    tours
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_move_group_mark_and_rearrangement_agrees_with_the_length(n_cities in 3..15usize, seed: u64) {
        for instance in instances(n_cities, seed) {
            let problem = TspProblem::new(instance);
            for (kind, has_transfers) in [(NeighbourhoodKind::Inversion, false), (NeighbourhoodKind::OrTwoOpt, true)] {
                let checks = Checks { problem: &problem, has_transfers, random: RandomStream::from_seed(seed) };
                prop_assert!(problem.visit_neighbourhood(kind, 2, checks).is_ok());
            }
        }
    }

    #[test]
    fn a_city_goes_to_its_best_position(n_cities in 3..9usize, seed: u64) {
        let mut random = RandomStream::from_seed(seed);
        for instance in instances(n_cities, seed) {
            let problem = TspProblem::new(instance);
            let mut partial = problem.partial().expect("tours can be parts");
            let mut tour: Vec<u16> = (0..n_cities as u16).collect();
            random.shuffle(&mut tour);
            prop_assert_eq!(partial.load(&tour), problem.fitness(&tour));
            for _ in 0..random.below(n_cities + 1) {
                partial.remove(tour.pop().expect("one is left"));
            }
            for city in (0..n_cities as u16).filter(|city| !tour.contains(city)).collect::<Vec<_>>() {
                let ties = if random.below(2) == 1 { Ties::Last } else { Ties::First };
                let length = |place: usize| {
                    let mut longer = tour.clone();
                    longer.insert(place, city);
                    if longer.len() == 1 { 0 } else { problem.instance().weights().tour_length(&longer) }
                };
                let lengths: Vec<i64> = (0..tour.len().max(1)).map(length).collect();
                let least = *lengths.iter().min().expect("there is a place");
                let is_least = |&place: &usize| lengths[place] == least;
                let places = 0..lengths.len();
                let place = if ties == Ties::Last { places.rev().find(is_least) } else { places.into_iter().find(is_least) };
                let best = partial.best_position(city, u64::MAX, ties);
                prop_assert_eq!(Some(best.position), place);
                prop_assert_eq!((best.fitness.value(), best.examined), (least as f64, lengths.len() as u64));
                prop_assert_eq!(partial.best_position(city, 1, Ties::Family).examined, 1);
                partial.insert(city, best.position);
                tour.insert(best.position, city);
            }
            let mut written = vec![0; n_cities];
            partial.write(&mut written);
            prop_assert_eq!(&written, &tour);
            partial.clear();
            prop_assert_eq!(partial.best_position(0, 5, Ties::First).fitness.value(), 0.0);
        }
    }

    #[test]
    fn constructions_follow_their_rules(n_cities in 3..40usize, seed: u64) {
        for instance in instances(n_cities, seed) {
            let problem = TspProblem::new(instance);
            let weights = problem.instance().weights();
            let weight = |one: u16, other: u16| weights.between(one.into(), other.into());
            let mut tour = vec![0; n_cities];
            Start::from_name("nearest-neighbour").write(&problem, &mut tour, &mut RandomStream::from_seed(seed));
            prop_assert!(problem.layout().is_valid(&tour));
            for at in 1..n_cities {
                let nearest = tour[at..].iter().map(|&city| (weight(tour[at - 1], city), city)).min();
                prop_assert_eq!(nearest, Some((weight(tour[at - 1], tour[at]), tour[at])));
            }
            Start::from_name("greedy").write(&problem, &mut tour, &mut RandomStream::from_seed(seed));
            prop_assert!(problem.layout().is_valid(&tour));
            prop_assert_eq!(normal(&tour), normal(&greedy_by_all_edges(problem.instance())));
        }
    }

    #[test]
    fn local_optima_of_few_cities_are_near_the_shortest_tour(n_cities in 3..9usize, seed: u64) {
        for instance in instances(n_cities, seed) {
            let weights = instance.weights();
            let optimum = all_tours(n_cities).iter().map(|tour| weights.tour_length(tour)).min().expect("there is one");
            let problem = TspProblem::new(instance.clone());
            let lengths = problem.constructions().into_iter().map(|construction| {
                let mut tour = vec![0; n_cities];
                (construction.build)(&mut tour, &mut RandomStream::from_seed(seed));
                weights.tour_length(&tour)
            });
            prop_assert!(lengths.into_iter().all(|length| length >= optimum));
        }
    }
}

/// Greedy edge from its definition: all edges by weight and then by places.
fn greedy_by_all_edges(instance: &TspInstance) -> Vec<u16> {
    let n = instance.n_cities();
    let pairs = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
    let tree = super::k_d_tree::KdTree::new(instance.weights());
    let key = |one: usize, other: usize| {
        let (first, second) = (tree.place(one as u16), tree.place(other as u16));
        (instance.weights().between(one, other), first.min(second), first.max(second))
    };
    let mut edges: Vec<_> = pairs.map(|(one, other)| (key(one, other), one, other)).collect();
    edges.sort_unstable();
    let (mut beside, mut paths) = (vec![Vec::new(); n], (0..n).collect::<Vec<usize>>());
    for (_, one, other) in edges {
        if beside[one].len() < 2 && beside[other].len() < 2 && paths[one] != paths[other] {
            beside[one].push(other);
            beside[other].push(one);
            let (from, to) = (paths[one], paths[other]);
            paths.iter_mut().filter(|path| **path == from).for_each(|path| *path = to);
        }
    }
    let mut city = (0..n).find(|&city| beside[city].len() == 1).expect("the path has ends");
    let (mut tour, mut before) = (Vec::new(), n);
    loop {
        tour.push(city as u16);
        let Some(&next) = beside[city].iter().find(|&&next| next != before) else { return tour };
        (before, city) = (city, next);
    }
}
