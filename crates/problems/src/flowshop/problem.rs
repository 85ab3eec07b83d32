//! The flow shop as a problem for the searches.

use std::collections::TryReserveError;
use std::sync::Arc;

use evogrid_core::prelude::*;
use evogrid_core::search::ant_colony::PositionByPosition;

use super::construction::insert_all;
use super::neighbourhood::{InsertionNeighbourhood, Insertions};
use super::{Criterion, Machines, ProcessingTimes, TimedInsertions, Value, Workspace};
use crate::permutation;

/// A permutation flow shop with one gene: the sequence of jobs.
///
/// ```
/// use evogrid_core::problem::{Construction, Problem};
/// use evogrid_problems::flowshop::{Criterion, FlowShop, ProcessingTimes};
///
/// let times = ProcessingTimes::new(3, 2, vec![3, 1, 4, 1, 5, 9])?;
/// let problem = FlowShop::new(times, Criterion::FlowTime);
/// // Job 1 leaves at 6, job 0 at 7, job 2 at 17.
/// assert_eq!(problem.fitness(&[1, 0, 2]).value(), 30.0);
/// assert_eq!(problem.describe(&[1, 0, 2]), "2 1 3");
/// # Ok::<(), evogrid_core::family::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FlowShop {
    pub(super) times: Arc<ProcessingTimes>,
    pub(super) criterion: Criterion,
    layout: Layout,
    machines: AnyMachines,
}

/// Processing times as numbers in which all makespans fit.
#[derive(Clone, Debug)]
enum AnyMachines {
    Narrow(Machines<u16>),
    Wide(Machines<u32>),
}

impl FlowShop {
    /// The problem of processing times and a criterion.
    pub fn new(times: impl Into<Arc<ProcessingTimes>>, criterion: Criterion) -> Self {
        let times = times.into();
        let is_narrow = u16::try_from(times.longest_makespan()).is_ok();
        let machines = if is_narrow {
            AnyMachines::Narrow(Machines::new(&times))
        } else {
            AnyMachines::Wide(Machines::new(&times))
        };
        let n = times.n_jobs();
        let layout = Layout::new(n, &vec![None; n]).expect("a number of jobs is the length of a gene");
        Self { times, criterion, layout, machines }
    }

    /// The sequence that NEH constructs: jobs in the order of descending total processing time (ascending for total flow time), each
    /// inserted at its best position; ties go to the first or the last position.
    ///
    /// Nawaz, Enscore and Ham, "A heuristic algorithm for the m-machine, n-job flow-shop sequencing problem", Omega 11(1), 1983, in
    /// `O(n²m)` by Taillard's acceleration if makespans are minimised.
    ///
    /// ```
    /// use evogrid_problems::flowshop::{Criterion, FlowShop, TaillardInstance};
    ///
    /// let times = TaillardInstance::find("ta001").expect("it is published").times();
    /// let sequence = FlowShop::new(times.clone(), Criterion::Makespan).neh(false);
    /// assert_eq!(times.makespan(&sequence), 1286);
    /// ```
    pub fn neh(&self, takes_last: bool) -> Vec<Allele> {
        let mut sequence = vec![0; self.times.n_jobs()];
        let mut partial = self.partial_sequence();
        insert_all(&self.times, self.criterion, &mut *partial, if takes_last { Ties::Last } else { Ties::First });
        partial.write(&mut sequence);
        sequence
    }

    fn insertions(&self, places: usize) -> Result<InsertionNeighbourhood<'_>, TryReserveError> {
        let insertions: Box<dyn Insertions> = match &self.machines {
            AnyMachines::Narrow(machines) => Box::new(TimedInsertions::new(machines, self.criterion)?),
            AnyMachines::Wide(machines) => Box::new(TimedInsertions::new(machines, self.criterion)?),
        };
        InsertionNeighbourhood::new(insertions, self.times.n_jobs(), places)
    }

    fn partial_sequence(&self) -> Box<dyn PartialSolution + '_> {
        let refused = "the memory of a few solutions";
        match &self.machines {
            AnyMachines::Narrow(machines) => Box::new(TimedInsertions::new(machines, self.criterion).expect(refused)),
            AnyMachines::Wide(machines) => Box::new(TimedInsertions::new(machines, self.criterion).expect(refused)),
        }
    }
}

impl Problem for FlowShop {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        let value = match &self.machines {
            AnyMachines::Narrow(machines) => machines.value(self.criterion, genome),
            AnyMachines::Wide(machines) => machines.value(self.criterion, genome),
        };
        Value(value).into()
    }

    /// The jobs in their order, numbered from 1.
    fn describe(&self, genome: &[Allele]) -> String {
        permutation::describe(genome)
    }

    fn read(&self, description: &str) -> Result<Vec<Allele>, String> {
        permutation::read(description.split_whitespace(), self.times.n_jobs(), "job")
    }

    fn content(&self) -> Option<String> {
        Some(self.criterion.content(&self.times))
    }

    /// Uses Taillard's acceleration for insertions, and full evaluation for all other moves.
    fn visit_neighbourhood<'p, V: NeighbourhoodVisitor<'p>>(
        &'p self,
        kind: NeighbourhoodKind,
        places: usize,
        visitor: V,
    ) -> Result<V::Output, V> {
        match kind {
            NeighbourhoodKind::Insertion => visitor.visit_if(self.insertions(places)),
            _ => visitor.visit_if(Scratch::new(self, kind, places)),
        }
    }

    fn neighbourhood_memory(&self, kind: NeighbourhoodKind, places: usize) -> u64 {
        if kind != NeighbourhoodKind::Insertion {
            return Scratch::memory(self, places);
        }
        let tables = match &self.machines {
            AnyMachines::Narrow(machines) => Workspace::memory(machines),
            AnyMachines::Wide(machines) => Workspace::memory(machines),
        };
        let sequences = (places as u64).saturating_mul((2 * self.times.n_jobs() * size_of::<Allele>()) as u64);
        tables.saturating_add(sequences)
    }

    fn own_neighbourhood(&self) -> NeighbourhoodKind {
        NeighbourhoodKind::Insertion
    }

    fn size(&self, name: &str) -> Option<f64> {
        match name {
            "n" => Some(self.times.n_jobs() as f64),
            "m" => Some(self.times.n_machines() as f64),
            _ => None,
        }
    }

    /// The mean processing time.
    fn scale(&self) -> f64 {
        let sum: u64 = self.times.machines().flatten().map(|&time| u64::from(time)).sum();
        sum as f64 / (self.times.n_jobs() * self.times.n_machines()) as f64
    }

    fn partial(&self) -> Option<Box<dyn PartialSolution + '_>> {
        Some(self.partial_sequence())
    }

    fn stepwise(&self) -> Option<&dyn StepwiseConstruction> {
        Some(self)
    }

    fn constructions(&self) -> Vec<Construction<'_>> {
        let neh = |name, doc, takes_last: bool| {
            Construction::new(name, doc, move |genome, _| genome.copy_from_slice(&self.neh(takes_last)))
        };
        let doc = "inserts jobs in the order of descending total processing time (ascending for flow-time), each at \
            its best position; ties go to the first position (Nawaz, Enscore and Ham, 1983)";
        vec![neh("neh", doc, false), neh("neh-last", "the same, but ties go to the last position", true)]
    }
}

impl StepwiseConstruction for FlowShop {
    /// Places from the first to the last get one of the jobs that are left, without heuristic information (Stuetzle, "An ant approach to
    /// the flow shop problem", EUFIT 1998); the reference is the sequence of NEH.
    fn solutions(&self, places: usize) -> Box<dyn StepwiseSolutions + '_> {
        let n = self.times.n_jobs();
        let order = (0..n as u32).collect();
        Box::new(PositionByPosition::new(self, order, vec![1.0; n], &self.neh(false), places))
    }

    fn memory(&self, places: usize) -> Option<u64> {
        Some(PositionByPosition::<Self>::memory(self.times.n_jobs(), places))
    }
}
