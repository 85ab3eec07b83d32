//! temp
use super::*;
use evogrid_core::random::RandomStream;
pub struct Ls<'i> { pub scan: MoveScan<'i>, pub tour: Tour, pub queue: std::collections::VecDeque<u16>, pub queued: Vec<bool>, pub length: i64, pub evals: u64, pub first: bool, pub moves: u64 }
impl<'i> Ls<'i> {
    pub fn new(i: &'i TspInstance, order: &[u16]) -> Self { let mut tour = Tour::new(order.len()); tour.load(order); let length = tour.length(i.weights()); Self { scan: MoveScan { weights: i.weights(), neighbours: i.neighbours() }, tour, queue: order.iter().copied().collect(), queued: vec![true; order.len()], length, evals: 0, first: false, moves: 0 } }
    pub fn push(&mut self, c: u16) { if !self.queued[c as usize] { self.queued[c as usize] = true; self.queue.push_back(c); } }
    pub fn run(&mut self) {
        let first = self.first;
        while let Some(c) = self.queue.pop_front() {
            self.queued[c as usize] = false;
            loop {
                let mut best = (0i64, None); let mut evals = 0;
                let mut visit = |m: TourMove, d: i64| { evals += 1; if d < best.0 { best = (d, Some(m)); !first } else { true } };
                let _ = self.scan.two_opt(&self.tour, c, &mut visit) && self.scan.or_opt(&self.tour, c, &mut visit);
                self.evals += evals;
                let Some(m) = best.1 else { break };
                let mut ends = [0u16; 6]; let mut n = 0;
                m.visit_ends(&self.tour, |e| { ends[n] = e; n += 1; });
                m.apply(&mut self.tour);
                self.length += best.0; self.moves += 1;
                for &e in &ends[..n] { if e != c { self.push(e); } }
            }
        }
    }
    pub fn kick(&mut self, random: &mut RandomStream, l: usize) {
        let n = self.tour.order().len();
        let l = l.min((n - 2) / 2);
        let start = random.below(n); let a = 1 + random.below(l); let b = 1 + random.below(l);
        let at = |k: usize| self.tour.order()[(start + k) % n];
        let (p, f, la, nb, lb, nx) = (at(0), at(1), at(a), at(a + 1), at(a + b), at(a + b + 1));
        let w = self.scan.weights; let d = |x: u16, y: u16| w.between(x as usize, y as usize);
        self.length += d(p, nb) + d(lb, f) + d(la, nx) - d(p, f) - d(la, nb) - d(lb, nx);
        self.tour.move_path(f, la, lb, false);
        for c in [p, f, la, nb, lb, nx] { self.push(c); }
    }
}
