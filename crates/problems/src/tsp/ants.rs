//! Tours that ants build: an ant continues from a city to a near city that it has not visited (Dorigo and Gambardella, "Ant Colony System",
//! IEEE Transactions on Evolutionary Computation 1(1), 1997).

use evogrid_core::prelude::*;

use super::construction::nearest_neighbour;
use super::instance::{N_NEIGHBOURS, TspInstance};
use crate::solutions::Cost;

/// Tours under construction. An ant starts at a random city. The candidates are the unvisited cities of its neighbour list. If all cities
/// of the list are visited, the only candidate is the nearest unvisited city.
///
/// A trail is an edge between a city and a city of its list, in both directions. Other edges have no trail, so memory is linear in the
/// cities. The heuristic information is 1 divided by the weight, and 1 for weights below 1. The initial pheromone is 1 divided by the
/// number of cities and by the length of the nearest neighbour tour from the first city.
pub(super) struct Tours<'p> {
    instance: &'p TspInstance,
    /// For every entry of a neighbour list, the number of its trail.
    trails: Vec<u32>,
    initial_pheromone: f64,
    ants: Vec<TourAnt>,
    /// The cities of the candidates of the last decision.
    choices: Vec<Allele>,
}

struct TourAnt {
    tour: Vec<Allele>,
    /// The unvisited cities.
    left: Vec<Allele>,
    /// For each city, its index among the unvisited cities.
    places: Vec<u16>,
}

impl<'p> Tours<'p> {
    pub(super) fn new(instance: &'p TspInstance, places: usize) -> Self {
        let (n_cities, neighbours) = (instance.n_cities(), instance.neighbours());
        let each = neighbours.each();
        let trail = |entry: usize| {
            let (city, other) = (entry / each, neighbours.of_city(entry / each)[entry % each].city);
            let back = neighbours.of_city(usize::from(other)).iter().position(|near| usize::from(near.city) == city);
            let back = back.map(|slot| usize::from(other) * each + slot);
            back.map_or(entry, |back| back.min(entry)) as u32
        };
        let mut reference = vec![0; n_cities];
        nearest_neighbour(instance.weights(), neighbours, 0, &mut reference);
        let length = Cost(instance.weights().tour_length(&reference));
        let ant = || TourAnt {
            tour: Vec::with_capacity(n_cities),
            left: Vec::with_capacity(n_cities),
            places: vec![0; n_cities],
        };
        Self {
            instance,
            trails: (0..n_cities * each).map(trail).collect(),
            initial_pheromone: deposit_of_cost(length.into()) / n_cities as f64,
            ants: (0..places).map(|_| ant()).collect(),
            choices: Vec::with_capacity(N_NEIGHBOURS),
        }
    }

    /// The trail of the edge between two cities.
    fn trail(&self, one: Allele, other: Allele) -> Option<u32> {
        let neighbours = self.instance.neighbours();
        let entry = |from: Allele, to: Allele| {
            let slot = neighbours.of_city(usize::from(from)).iter().position(|near| near.city == to)?;
            Some(self.trails[usize::from(from) * neighbours.each() + slot])
        };
        entry(one, other).or_else(|| entry(other, one))
    }
}

/// The approximate size of this number of places for an instance, in bytes, including the pheromone of the trails.
pub(super) fn memory(n_cities: usize, places: usize) -> u64 {
    let lists = n_cities * N_NEIGHBOURS.min(n_cities - 1) * (size_of::<u32>() + size_of::<f64>());
    (lists + places * n_cities * (2 * size_of::<Allele>() + size_of::<u16>())) as u64
}

impl StepwiseSolutions for Tours<'_> {
    fn n_trails(&self) -> usize {
        self.trails.len()
    }

    fn initial_pheromone(&self) -> f64 {
        self.initial_pheromone
    }

    fn begin(&mut self, place: usize, random: &mut RandomStream) {
        let ant = &mut self.ants[place];
        let n_cities = ant.places.len();
        ant.tour.clear();
        ant.left.clear();
        ant.left.extend(0..n_cities as Allele);
        ant.places.iter_mut().zip(0..).for_each(|(place, city)| *place = city);
        ant.visit(random.below(n_cities) as Allele);
    }

    fn decide(&mut self, place: usize, candidates: &mut Vec<Candidate>) {
        candidates.clear();
        self.choices.clear();
        let (ant, instance) = (&self.ants[place], self.instance);
        if ant.left.is_empty() {
            return;
        }
        let (city, neighbours) = (usize::from(ant.tour[ant.tour.len() - 1]), instance.neighbours());
        for (entry, near) in (city * neighbours.each()..).zip(neighbours.of_city(city)) {
            if ant.is_left(near.city) {
                self.choices.push(near.city);
                let heuristic = 1.0 / f64::from(near.weight).max(1.0);
                candidates.push(Candidate { trail: self.trails[entry], heuristic });
            }
        }
        if candidates.is_empty() {
            let weight = |left: Allele| instance.weights().between(city, usize::from(left));
            let nearest = ant.left.iter().copied().min_by_key(|&left| (weight(left), left));
            self.choices.extend(nearest);
            candidates.push(Candidate { trail: Candidate::NO_TRAIL, heuristic: 1.0 });
        }
    }

    fn take(&mut self, place: usize, candidate: usize, _: u64) -> u64 {
        self.ants[place].visit(self.choices[candidate]);
        1
    }

    fn finish(&mut self, place: usize, genome: &mut [Allele], random: &mut RandomStream) -> FinishedSolution {
        let ant = &mut self.ants[place];
        while !ant.left.is_empty() {
            ant.visit(ant.left[random.below(ant.left.len())]);
        }
        genome.copy_from_slice(&ant.tour);
        let fitness = Cost(self.instance.weights().tour_length(genome)).into();
        FinishedSolution { fitness, deposit: deposit_of_cost(fitness) }
    }

    fn trails(&self, place: usize, trails: &mut Vec<u32>) {
        let tour = &self.ants[place].tour;
        let edges = tour.iter().zip(tour[1..].iter().chain(&tour[..1]));
        trails.extend(edges.filter_map(|(&one, &other)| self.trail(one, other)));
    }
}

impl TourAnt {
    fn is_left(&self, city: Allele) -> bool {
        self.left.get(usize::from(self.places[usize::from(city)])) == Some(&city)
    }

    fn visit(&mut self, city: Allele) {
        let place = self.places[usize::from(city)];
        self.left.swap_remove(usize::from(place));
        if let Some(&moved) = self.left.get(usize::from(place)) {
            self.places[usize::from(moved)] = place;
        }
        self.tour.push(city);
    }
}
