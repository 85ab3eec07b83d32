//! temp
use evogrid_core::random::RandomStream;
use evogrid_problems::tsp::*;
use std::time::Instant;
fn main() {
    let kicklen: usize = std::env::args().nth(1).map_or(50, |a| a.parse().unwrap());
    for id in ["E1k.0", "E1k.1", "E1k.2", "E10k.0", "E31k.0"] {
        let d = DimacsInstance::find(id).unwrap();
        let t = Instant::now(); let i = d.make(); let make = t.elapsed();
        let t = Instant::now(); i.neighbours(); let nb = t.elapsed();
        let best = d.best_known.unwrap().0 as f64;
        let gap = |l: i64| 100.0 * (l as f64 / best - 1.0);
        let mut order = vec![0; i.n_cities()];
        let t = Instant::now(); construction::greedy(i.weights(), i.neighbours(), &mut order); let gr = t.elapsed();
        let glen = gap(i.weights().tour_length(&order));
        let mut ls = local_search::Ls::new(&i, &order); ls.run(); let gls = gap(ls.length);
        let t = Instant::now(); construction::nearest_neighbour(i.weights(), i.neighbours(), 0, &mut order); let nn = t.elapsed();
        println!("{id} make {make:?} nb {nb:?} greedy {gr:?} {glen:.2}% +ls {gls:.2}% nn {nn:?} {:.2}%", gap(i.weights().tour_length(&order)));
        for first in [false, true] {
            let mut times = vec![];
            let mut g = 0.0; let mut e = 0; let mut mv = 0;
            for _ in 0..if i.n_cities() > 2000 { 5 } else { 50 } {
                let mut ls = local_search::Ls::new(&i, &order); ls.first = first;
                let t = Instant::now(); ls.run(); times.push(t.elapsed());
                assert_eq!(ls.length, ls.tour.length(i.weights()));
                g = gap(ls.length); e = ls.evals; mv = ls.moves;
            }
            times.sort();
            println!("  first {first}: {g:.2}% median {:?} evals {e} moves {mv}", times[times.len() / 2]);
            let mut ls = local_search::Ls::new(&i, &order); ls.first = first; ls.run();
            let mut random = RandomStream::from_seed(1);
            let t = Instant::now(); let mut kicks = 0u64; let mut marks = vec![0.1, 1.0, 3.0];
            while !marks.is_empty() {
                let before = ls.length;
                ls.tour.mark();
                ls.kick(&mut random, kicklen); ls.run(); kicks += 1;
                if ls.length > before { ls.tour.rollback(); ls.length = before; }
                if kicks % 256 == 0 && t.elapsed().as_secs_f64() > marks[0] { println!("    {}s {:.3}% {:.0} kicks/s", marks[0], gap(ls.length), kicks as f64 / marks[0]); marks.remove(0); }
            }
            assert_eq!(ls.length, ls.tour.length(i.weights()));
        }
    }
}
