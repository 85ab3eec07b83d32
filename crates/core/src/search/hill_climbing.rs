//! Hill climbing: the search makes improving moves until no improving move is left. (Iterative improvement: Hoos and Stuetzle, 2004,
//! section 1.5.)

use super::*;
crate::parameters! {
    /// Hill climbing with its settings.
    ///
    /// A trial examines the groups of moves one by one, in random order. If a group contains improving moves, the trial makes one of these
    /// moves. The trial ends at a local optimum (`stagnation`), where no move improves the solution. A trial counts as one generation. Each
    /// restart begins a further trial.
    #[derive(Clone, Debug)]
    pub struct HillClimbing {
        /// the solution at which a trial starts
        pub start: Start = Parameter::construction("start", "random", DOC),
        /// the moves; `family` chooses the moves that suit the problem best
        pub neighbourhood: NeighbourhoodName = local::neighbourhood("family", DOC),
        /// which move of each group is made: the best move, or the first move that improves the solution
        pub pick: Pick = local::pick(DOC),
    }
}

/// The declaration of `hill-climbing` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "hill-climbing",
    "makes improving moves until no move improves the solution. A trial ends at this local optimum",
    "Hoos and Stuetzle, Stochastic Local Search, 2004, section 1.5; don't-look bits: Bentley, ORSA Journal on \
     Computing 4(4), 1992",
)
.with(HillClimbing::PARAMETERS);

impl LocalSearch for HillClimbing {
    type State<'p, C> = Descent;

    fn frame<P: Problem>(&self, problem: &P) -> (&Start, NeighbourhoodKind) {
        (&self.start, local::kind(problem, &self.neighbourhood))
    }

    fn state<P: Problem, N: Neighbourhood>(&self, _: &P, _: &N) -> Result<Descent, String> {
        Ok(Descent::default())
    }

    fn improve<P: Problem, N: Neighbourhood>(
        &self,
        trial: &mut Trial<'_, '_, P, N>,
        descent: &mut Descent,
    ) -> Result<Infallible, Stop> {
        descent.fill(trial.moves.n_groups(), trial.random);
        descent.run(trial, self.pick)?;
        trial.evaluator.end_iteration()?;
        // A trial no longer improves at a local optimum.
        Err(Stop::Stagnation)
    }
}
