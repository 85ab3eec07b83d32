//! Hill climbing: better moves until there is none (iterative improvement: Hoos and Stuetzle, 2004, section 1.5).

use super::*;
crate::parameters! {
    /// Hill climbing with its settings.
    ///
    /// A trial starts at a solution, looks at one group of moves after the other, in random order, and makes the better move that it picks;
    /// it ends at a local optimum, where no group has a better move (`stagnation`), and is one generation. Restarts begin another.
    #[derive(Clone, Debug)]
    pub struct HillClimbing {
        /// Where a trial starts.
        pub start: Start = Parameter::construction("start", "random", "the solution at which a trial starts"),
        /// The moves; `None` for those that suit the problem best.
        pub neighbourhood: Option<NeighbourhoodKind> = local::NEIGHBOURHOOD,
        /// Which better move of a group is made.
        pub pick: Pick = local::PICK,
    }
}

/// `hill-climbing` in the catalogue.
pub const DECLARATION: Declaration = Declaration::new(
    "hill-climbing",
    "better moves until no group of moves has one: a local optimum, which ends the trial",
    "Hoos and Stuetzle, Stochastic Local Search, 2004, section 1.5; don't-look bits: Bentley, ORSA Journal on \
     Computing 4(4), 1992",
)
.with(HillClimbing::PARAMETERS);

impl LocalSearch for HillClimbing {
    type State<'p, C> = Descent;

    fn frame(&self) -> (&Start, Option<NeighbourhoodKind>) {
        (&self.start, self.neighbourhood)
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
        // A local optimum is where a trial no longer improves.
        Err(Stop::Stagnation)
    }
}
