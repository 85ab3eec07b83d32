//! Every neighbourhood of every family obeys the laws, and tabu search goes the same way by a fast one as by one from scratch.

use evogrid::prelude::*;
use evogrid::problems::flowshop::{Criterion, FlowShop, ProcessingTimes};
use evogrid::problems::qap::{Qap, taillard};
use evogrid::problems::tsp::{TspProblem, uniform};

const KINDS: [NeighbourhoodKind; 4] =
    [NeighbourhoodKind::Swap, NeighbourhoodKind::Insertion, NeighbourhoodKind::Inversion, NeighbourhoodKind::OrTwoOpt];

#[test]
fn every_neighbourhood_obeys_the_laws() {
    for kind in KINDS {
        evogrid::laws::neighbourhood(&qap(6), kind);
        evogrid::laws::neighbourhood(&TspProblem::new(uniform(9, 3)), kind);
        evogrid::laws::neighbourhood(&flow_shop(), kind);
    }
}

fn qap(n: usize) -> Qap {
    Qap::new(taillard::uniform(n, [5, 7]))
}

fn flow_shop() -> FlowShop {
    let times = (0..18).map(|number| number * 7 % 11 + 1).collect();
    FlowShop::new(ProcessingTimes::new(6, 3, times).unwrap(), Criterion::Makespan)
}
