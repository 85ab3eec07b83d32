//! Every neighbourhood of every family obeys the laws, and tabu search goes the same way by a fast one as by one from scratch.

use evogrid::prelude::*;
use evogrid::problems::flowshop::{Criterion, FlowShop, ProcessingTimes};
use evogrid::problems::qap::{Qap, taillard};
use evogrid::problems::tsp::{TspProblem, uniform};

const KINDS: [NeighbourhoodKind; 4] =
    [NeighbourhoodKind::Swap, NeighbourhoodKind::Insertion, NeighbourhoodKind::Inversion, NeighbourhoodKind::OrTwoOpt];

#[test]
fn every_neighbourhood_obeys_the_laws() {
    let times = (0..18).map(|number| number * 7 % 11 + 1).collect();
    let flow_shop = FlowShop::new(ProcessingTimes::new(6, 3, times).expect("a small one"), Criterion::Makespan);
    for kind in KINDS {
        evogrid::laws::neighbourhood(&Qap::new(taillard::uniform(6, [5, 7])), kind);
        evogrid::laws::neighbourhood(&TspProblem::new(uniform(9, 3)), kind);
        evogrid::laws::neighbourhood(&flow_shop, kind);
    }
}

/// An assignment problem without fast neighbourhoods.
struct FromScratch(Qap);

impl Problem for FromScratch {
    fn layout(&self) -> &Layout {
        self.0.layout()
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        self.0.fitness(genome)
    }
}

#[test]
fn tabu_search_by_the_delta_matrix_goes_the_way_of_one_from_scratch() {
    let catalogue = evogrid::catalogue();
    for (n, forced_after) in [(5, 1.0), (12, 0.5), (23, 1e9)] {
        let problem = Qap::new(taillard::uniform(n, [11, 13]));
        let mut given = Settings::new();
        given.set("kind", Value::Text("tabu".to_owned()));
        given.set("forced_after", Value::Real(forced_after));
        given.set_at("budget.generations", Value::Integer(1));
        let algorithm = catalogue.algorithm(&catalogue.resolve(&given, &[]).expect("right settings"));
        let budget = Budget { generations: Some(400), ..Budget::default() };
        let fast = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(3), &mut ());
        let slow = FromScratch(problem).solve(&algorithm, &budget, &mut RandomStream::from_seed(3), &mut ());
        assert_eq!(fast, slow, "{n}");
    }
}
