//! Restarting search: depth-first searches with random choices, one after the other. Each search tree ends after a limited number of
//! failures. Later trees use the results of earlier trees.

use super::exact::{Structure, ones};
use super::propagation::{Assignment, Failure, Mark, Propagation, complete};
use super::*;

crate::parameters! {
    /// Restarting search with its settings.
    ///
    /// A depth-first tree counts as a generation. The root already contains the values that follow from the givens.
    ///
    /// At each node, the search divides the number of possible values of each open cell by the weight of the cell. The search chooses the
    /// cell for which the result of this division is smallest. If several cells have the smallest result, the search chooses one of them at
    /// random. The weight of a cell is 1 plus the number of failures that the cell caused. A cell causes a failure if it is the first cell
    /// that has no possible value left. This rule is called dom/wdeg (Boussemart, Hemery, Lecoutre and Sais, ECAI 2004).
    ///
    /// The chosen cell gets the value that it has in the fullest assignment of the trial. If several assignments are equally full, the
    /// search uses the latest of these assignments. If this value is not possible, the cell gets a random possible value. This rule for the
    /// value comes from solution-guided search (Beck, JAIR 29, 2007). But here the set of elite solutions consists of one incomplete
    /// solution. Then [singles](Propagation) are filled. A failure proves that the latest choice of a value was wrong.
    ///
    /// Each tree may have only a limited number of failures. For the k-th tree, this limit is `conflicts` times the k-th number of Luby's
    /// sequence 1, 1, 2, 1, 1, 2, 4, ... (Luby, Sinclair and Zuckerman, Information Processing Letters 47(4), 1993). Until the trial ends,
    /// the search keeps the weights, the fullest assignment, and the choices at the root that were proven wrong.
    ///
    /// The unit of work is a *placement*: a cell gets a chosen or forced value. In the results, each placement counts as an evaluation. The
    /// random start solution of a trial counts as one placement. Placements are not comparable with the evaluations of other searches. The
    /// time for a placement does not grow with the instance. The time for an evaluation, however, grows with the number of cells. The
    /// fullest assignment of each tree becomes a genome. Cells without a value get random alleles. The genome's fitness is reported, but
    /// its evaluation is not counted.
    ///
    /// Luby's sequence contains larger and larger numbers. So later trees can have a larger limit of failures than all earlier trees. After
    /// enough trees, the limit of a tree is large enough for a search of the whole space. Therefore the run ends even if the instance has
    /// no solution (`exhausted`).
    #[derive(Clone, Copy, Debug)]
    pub struct RestartingSearch {
        /// the k-th tree ends after this number of failures, multiplied by the k-th number of Luby's sequence
        pub conflicts: u64 = Parameter::integer("conflicts", 1, 1_000_000_000, 30, DOC),
        /// whether the search chooses a cell earlier if the cell often had no possible value
        pub weights: bool = Parameter::flag("weights", true, DOC),
        /// whether the search first tries the value that a cell has in the fullest assignment so far
        pub memory: bool = Parameter::flag("memory", true, DOC),
    }
}

/// The declaration of `restarting-search` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "restarting-search",
    "makes depth-first searches with random choices and propagation. Each search ends after a number of failures, and \
     guides later searches. Each placement of a value counts as one evaluation",
    "restarts: Luby, Sinclair and Zuckerman, Information Processing Letters 47(4), 1993; weights: Boussemart, Hemery, Lecoutre \
     and Sais, ECAI 2004; values: Beck, Solution-guided multi-point constructive search, JAIR 29, 2007",
)
.needing(&[Capability::AllDifferent])
.with(RestartingSearch::PARAMETERS);

impl RestartingSearch {
    /// One trial.
    fn trial(&self, dive: &mut Dive<'_>, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Result<Stop, Stop> {
        dive.begin_trial(evaluator)?;
        for tree in 1.. {
            let end = dive.tree(evaluator, self.conflicts.saturating_mul(luby(tree)));
            // The assignment at the end of the budget may be the fullest one.
            if end.is_err() {
                dive.learn();
            }
            dive.tell(evaluator)?;
            // The fitness of a solution need not be a target, but nothing better remains to be found.
            if end? {
                return Ok(Stop::Exhausted);
            }
            evaluator.end_iteration()?;
        }
        unreachable!("a trial ends only if there is a reason to stop");
    }
}

impl Search for RestartingSearch {
    /// # Panics
    /// Panics if the problem does not consist of all-different sets.
    fn search(&self, evaluator: Evaluator<'_, dyn DynProblem>, random: &mut RandomStream) -> Outcome {
        let problem = evaluator.problem();
        let structure = Structure::from_problem(problem).unwrap_or_else(|unsuited| panic!("{unsuited}"));
        let propagation = Propagation::new(&structure);
        let mut dive = Dive::new(self, problem.layout(), &propagation, random);
        evaluator.run_trials(|evaluator| self.trial(&mut dive, evaluator).unwrap_or_else(|stop| stop))
    }

    fn memory(&self, problem: &dyn Problem) -> Option<u64> {
        let structure = Structure::from_problem(problem).ok()?;
        Some(structure.memory() + Propagation::memory(&structure, 2) + Dive::memory(&structure))
    }

    fn unit(&self) -> &'static str {
        "placements"
    }
}

/// The state of a run.
struct Dive<'a> {
    search: &'a RestartingSearch,
    layout: &'a Layout,
    propagation: &'a Propagation,
    /// The givens.
    start: Assignment,
    assignment: Assignment,
    /// The state of the assignment before the first choice.
    root: Mark,
    /// True if the singles of the givens were filled.
    is_rooted: bool,
    /// The choices in effect.
    choices: Vec<Choice>,
    /// The cells that are open at the root.
    open: Vec<u32>,
    weights: Vec<u64>,
    /// The fullest assignment of the trial. For each cell it contains the value, if the cell has a value.
    fullest: Vec<Option<Allele>>,
    n_fullest: usize,
    /// True if the fullest assignment has not yet been reported.
    is_news: bool,
    genome: Vec<Allele>,
    random: &'a mut RandomStream,
}

/// A choice: a cell with its value, and the state of the assignment before the choice.
#[derive(Clone, Copy)]
struct Choice {
    cell: u32,
    value: u8,
    before: Mark,
}

impl<'a> Dive<'a> {
    fn new(
        search: &'a RestartingSearch,
        layout: &'a Layout,
        propagation: &'a Propagation,
        random: &'a mut RandomStream,
    ) -> Self {
        let start = propagation.givens(layout);
        let n_cells = layout.genome_len();
        Self {
            search,
            layout,
            propagation,
            assignment: start.clone(),
            root: start.mark(),
            is_rooted: false,
            start,
            choices: Vec::with_capacity(n_cells),
            open: Vec::with_capacity(n_cells),
            weights: vec![1; n_cells],
            fullest: vec![None; n_cells],
            n_fullest: 0,
            is_news: false,
            genome: layout.template().to_vec(),
            random,
        }
    }

    /// The approximate number of bytes of the state, without its assignments.
    fn memory(structure: &Structure) -> u64 {
        let each = size_of::<Choice>() + 4 + size_of::<u64>() + size_of::<Option<Allele>>() + size_of::<Allele>();
        (structure.n_cells() * each) as u64
    }

    /// Begins a trial: the results of earlier trees are forgotten, and a random solution is evaluated.
    fn begin_trial(&mut self, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Result<(), Stop> {
        self.assignment.copy_from(&self.start);
        self.is_rooted = false;
        self.choices.clear();
        self.weights.fill(1);
        self.fullest.fill(None);
        (self.n_fullest, self.is_news) = (0, false);
        evaluator.problem().randomise(&mut self.genome, self.random);
        evaluator.evaluate(&self.genome)?;
        Ok(())
    }

    /// Searches a tree from the root. The search ends at the end of the tree, or after this number of failures. Returns whether the search
    /// has found a solution, or has proven that no solution exists.
    fn tree(&mut self, evaluator: &mut Evaluator<'_, dyn DynProblem>, conflicts: u64) -> Result<bool, Stop> {
        if !self.is_rooted {
            self.propagate(evaluator)?;
            self.root = self.assignment.mark();
            self.is_rooted = true;
        }
        self.open.clear();
        let is_open = |cell: &u32| !self.assignment.is_filled[*cell as usize];
        self.open.extend((0..self.weights.len() as u32).filter(is_open));
        let mut n_conflicts = 0;
        loop {
            while self.assignment.failure() != Failure::None {
                self.learn();
                let Some(choice) = self.choices.pop() else { return Ok(true) };
                self.propagation.undo(&mut self.assignment, choice.before);
                n_conflicts += 1;
                if n_conflicts >= conflicts {
                    self.propagation.undo(&mut self.assignment, self.root);
                    self.choices.clear();
                    return Ok(false);
                }
                self.propagation.remove(&mut self.assignment, choice.cell as usize, usize::from(choice.value));
                self.propagate(evaluator)?;
                if self.choices.is_empty() && self.assignment.failure() == Failure::None {
                    self.root = self.assignment.mark();
                }
            }
            let Some(cell) = self.choose() else {
                self.learn();
                return Ok(true);
            };
            let value = self.value(cell);
            let before = self.assignment.mark();
            self.choices.push(Choice { cell: cell as u32, value: value as u8, before });
            evaluator.begin_batch()?;
            evaluator.count(1);
            self.propagation.fill(&mut self.assignment, cell, value);
            self.propagate(evaluator)?;
        }
    }

    /// Reports the fullest assignment, if it is new.
    fn tell(&mut self, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Result<(), Stop> {
        if !std::mem::take(&mut self.is_news) {
            return Ok(());
        }
        complete(self.layout, |position| self.fullest[position], &mut self.genome, self.random);
        let fitness = evaluator.problem().fitness(&self.genome);
        evaluator.end(fitness, |best| best.copy_from_slice(&self.genome))
    }

    /// Fills cells with naked and hidden singles until no single is left, or until a failure.
    fn propagate(&mut self, evaluator: &mut Evaluator<'_, dyn DynProblem>) -> Result<(), Stop> {
        let limit = evaluator.evaluations_left();
        let n_filled = self.propagation.propagate(&mut self.assignment, limit, true);
        evaluator.count(n_filled);
        // The limit may end the propagation although no single is left.
        if n_filled == limit { Err(Stop::Evaluations) } else { Ok(()) }
    }

    /// The next cell; `None` if all cells are filled.
    fn choose(&mut self) -> Option<usize> {
        let (mut best, mut best_size, mut best_weight, mut n_equal) = (None, 1, 0, 0);
        for &cell in &self.open {
            let cell = cell as usize;
            if self.assignment.is_filled[cell] {
                continue;
            }
            let size = u64::from(self.assignment.values(cell).count_ones());
            let weight = if self.search.weights { self.weights[cell] } else { 1 };
            // size / weight < best_size / best_weight, in whole numbers
            let (this, other) = (size * best_weight, best_size * weight);
            if best.is_none() || this < other {
                (best, best_size, best_weight, n_equal) = (Some(cell), size, weight, 1);
            } else if this == other {
                n_equal += 1;
                if self.random.below(n_equal) == 0 {
                    best = Some(cell);
                }
            }
        }
        best
    }

    fn value(&mut self, cell: usize) -> usize {
        let values = self.assignment.values(cell);
        match self.fullest[cell] {
            Some(value) if self.search.memory && values >> value & 1 == 1 => value.into(),
            _ => ones(values)
                .nth(self.random.below(values.count_ones() as usize))
                .expect("the cell has at least one possible value"),
        }
    }

    /// Updates the weights and the fullest assignment after a failure, or at a complete assignment.
    fn learn(&mut self) {
        if let Failure::Cell(cell) = self.assignment.failure() {
            self.weights[cell] += 1;
        }
        let filled = &self.assignment.filled;
        if filled.len() >= self.n_fullest {
            self.n_fullest = filled.len();
            self.is_news = true;
            self.fullest.fill(None);
            for &cell in filled {
                let cell = cell as usize;
                self.fullest[cell] = Some(self.assignment.values(cell).trailing_zeros() as Allele);
            }
        }
    }
}

/// The k-th number of Luby's sequence, from 1.
fn luby(k: u64) -> u64 {
    let mut rest = k;
    loop {
        let bits = u64::BITS - rest.leading_zeros();
        let power = 1 << (bits - 1);
        if rest == 2 * power - 1 {
            return power;
        }
        rest -= power - 1;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_sequence_is_lubys() {
        let first: Vec<u64> = (1..=15).map(super::luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
