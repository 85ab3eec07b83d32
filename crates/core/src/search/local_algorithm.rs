//! The searches by neighbourhood, as one type: what the catalogue builds by name, and what runs on a problem of any type.

use super::hill_climbing::{self, HillClimbing};
use super::iterated_greedy::{self, IteratedGreedy};
use super::iterated_local_search::{self, IteratedLocalSearch};
use super::local::{self, LocalSearch};
use super::min_conflicts::{self, MinConflicts};
use super::tabu::{self, TabuSearch};
use super::variable_neighbourhood::{self, VariableNeighbourhood};
use super::walk::annealing::{self, Annealing};
use super::walk::late_acceptance::{self, LateAcceptance};
use super::walk::threshold_accepting::{self, ThresholdAccepting};
use crate::budget::Budget;
use crate::evaluator::Outcome;
use crate::observer::Observer;
use crate::problem::Problem;
use crate::random::RandomStream;
use crate::settings::fault::Fault;
use crate::settings::parameter::{Declaration, Domain};
use crate::settings::registry::Operators;
use crate::settings::{Settings, Value};

/// A search of one solution by moves, with its settings.
pub enum LocalAlgorithm {
    /// Hill climbing.
    HillClimbing(HillClimbing),
    /// Iterated local search.
    IteratedLocalSearch(IteratedLocalSearch),
    /// Iterated greedy.
    IteratedGreedy(IteratedGreedy),
    /// Tabu search.
    Tabu(TabuSearch),
    /// Variable neighbourhood search.
    VariableNeighbourhood(VariableNeighbourhood),
    /// Min-conflicts with tabu.
    MinConflicts(MinConflicts),
    /// Simulated annealing.
    Annealing(Annealing),
    /// Threshold accepting.
    ThresholdAccepting(ThresholdAccepting),
    /// Late acceptance hill climbing.
    LateAcceptance(LateAcceptance),
}

type Build = fn(&Settings, &Operators) -> Result<LocalAlgorithm, Fault>;

/// The declaration of each, and how it is built from resolved settings.
pub(crate) const MEMBERS: &[(Declaration, Build)] = &[
    (hill_climbing::DECLARATION, |settings, _| Ok(LocalAlgorithm::HillClimbing(HillClimbing::from_settings(settings)))),
    (iterated_local_search::DECLARATION, |settings, operators| {
        Ok(LocalAlgorithm::IteratedLocalSearch(IteratedLocalSearch::from_settings(settings, operators)?))
    }),
    (iterated_greedy::DECLARATION, |settings, _| {
        Ok(LocalAlgorithm::IteratedGreedy(IteratedGreedy::from_settings(settings)))
    }),
    (tabu::DECLARATION, |settings, _| Ok(LocalAlgorithm::Tabu(TabuSearch::from_settings(settings)))),
    (variable_neighbourhood::DECLARATION, |settings, operators| {
        Ok(LocalAlgorithm::VariableNeighbourhood(VariableNeighbourhood::from_settings(settings, operators)?))
    }),
    (min_conflicts::DECLARATION, |settings, operators| {
        Ok(LocalAlgorithm::MinConflicts(MinConflicts::from_settings(settings, operators)?))
    }),
    (annealing::DECLARATION, |settings, _| Ok(LocalAlgorithm::Annealing(Annealing::from_settings(settings)))),
    (threshold_accepting::DECLARATION, |settings, _| {
        Ok(LocalAlgorithm::ThresholdAccepting(ThresholdAccepting::from_settings(settings)))
    }),
    (late_acceptance::DECLARATION, |settings, _| {
        Ok(LocalAlgorithm::LateAcceptance(LateAcceptance::from_settings(settings)))
    }),
];

/// The names of those that end by themselves.
pub(crate) const SELF_TERMINATING: &[&str] = &[hill_climbing::DECLARATION.name];

/// The category of a search by neighbourhood that is a part of another search.
pub(crate) const CATEGORY: &str = "local search";

/// The declaration of each as a part of another search. That decides where it starts: it has no `start`, which stands first of the
/// parameters of each.
pub(crate) const NESTED: &[Declaration] = &{
    let mut nested = [MEMBERS[0].0; MEMBERS.len()];
    let mut at = 0;
    while at < nested.len() {
        let declaration = MEMBERS[at].0;
        let Some((start, others)) = declaration.parameters.split_first() else { panic!("every search has a start") };
        assert!(matches!(start.domain, Domain::Construction), "`start` is the first parameter");
        nested[at] = Declaration { parameters: others, ..declaration };
        at += 1;
    }
    nested
};

impl LocalAlgorithm {
    /// The search that resolved settings of a [nested](NESTED) one describe: it starts where another search says.
    ///
    /// # Errors
    /// As [`from_settings`](Self::from_settings).
    ///
    /// # Panics
    /// As [`from_settings`](Self::from_settings).
    pub(crate) fn nested(settings: &Settings, operators: &Operators) -> Result<Self, Fault> {
        let mut settings = settings.clone();
        settings.set("start", Value::Text("random".to_owned()));
        Self::from_settings(&settings, operators)
    }

    /// The search that resolved settings describe.
    ///
    /// # Errors
    /// If it or one of its operators refuses the combination of its settings.
    ///
    /// # Panics
    /// If the settings name none of them.
    pub fn from_settings(settings: &Settings, operators: &Operators) -> Result<Self, Fault> {
        let kind = settings.name("kind");
        let member = MEMBERS.iter().find(|(declaration, _)| declaration.name == kind);
        let (_, build) = member.unwrap_or_else(|| panic!("`{kind}` is not a search by neighbourhood"));
        build(settings, operators)
    }

    /// Calls a visitor with the search.
    pub(crate) fn visit<V: LocalSearchVisitor>(&self, visitor: V) -> V::Output {
        match self {
            Self::HillClimbing(search) => visitor.visit(search),
            Self::IteratedLocalSearch(search) => visitor.visit(search),
            Self::IteratedGreedy(search) => visitor.visit(search),
            Self::Tabu(search) => visitor.visit(search),
            Self::VariableNeighbourhood(search) => visitor.visit(search),
            Self::MinConflicts(search) => visitor.visit(search),
            Self::Annealing(search) => visitor.visit(search),
            Self::ThresholdAccepting(search) => visitor.visit(search),
            Self::LateAcceptance(search) => visitor.visit(search),
        }
    }

    /// Does one run on the fastest neighbourhood that the problem has.
    pub(crate) fn search<P: Problem>(
        &self,
        problem: &P,
        budget: &Budget,
        random: &mut RandomStream,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.visit(Run { problem, budget, random, observer })
    }

    /// The bytes that a run needs, about.
    pub(crate) fn memory<P: Problem>(&self, problem: &P) -> u64 {
        self.visit(Memory { problem })
    }
}

/// A computation on a search, whichever it is: it is compiled for each of them.
pub(crate) trait LocalSearchVisitor {
    /// The result of the computation.
    type Output;

    /// Does the computation.
    fn visit<S: LocalSearch>(self, search: &S) -> Self::Output;
}

struct Run<'a, P> {
    problem: &'a P,
    budget: &'a Budget,
    random: &'a mut RandomStream,
    observer: &'a mut dyn Observer,
}

impl<P: Problem> LocalSearchVisitor for Run<'_, P> {
    type Output = Outcome;

    fn visit<S: LocalSearch>(self, search: &S) -> Outcome {
        local::search(search, self.problem, self.budget, self.random, self.observer)
    }
}

struct Memory<'a, P> {
    problem: &'a P,
}

impl<P: Problem> LocalSearchVisitor for Memory<'_, P> {
    type Output = u64;

    fn visit<S: LocalSearch>(self, search: &S) -> u64 {
        local::bytes(search, self.problem)
    }
}
