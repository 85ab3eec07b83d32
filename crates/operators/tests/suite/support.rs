//! What the tests of operators share: a small problem of any shape, and settings checked against the catalogue.

use std::sync::atomic::{AtomicU64, Ordering};

use evogrid_core::catalogue::Catalogue;
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::problem::{ConflictCount, Problem};
use evogrid_core::random::RandomStream;
use evogrid_core::settings::{Settings, Value};

/// The core's algorithms with every operator.
pub(crate) fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::new();
    evogrid_operators::register(&mut catalogue.operators);
    catalogue
}

/// Genes stand one below the other, and no column should hold an allele twice: a Latin square, were the layout square. It has no
/// target, so that only the budget ends a run.
#[derive(Debug)]
pub(crate) struct Columns {
    layout: Layout,
    lines: Vec<u16>,
    n_evaluations: AtomicU64,
}

impl Columns {
    /// The problem of that shape; about the given share of its positions is locked, as they stand in a random genome.
    pub(crate) fn new(n_genes: usize, gene_len: usize, locked: f64, seed: u64) -> Self {
        let mut random = RandomStream::from_seed(seed);
        let open = Layout::new(gene_len, &vec![None; n_genes * gene_len]).unwrap();
        let mut genome = open.template().to_vec();
        open.randomise(&mut genome, &mut random);
        let locked: Vec<_> = genome.into_iter().map(|allele| random.chance(locked).then_some(allele)).collect();
        Self {
            layout: Layout::new(gene_len, &locked).unwrap(),
            lines: (0..locked.len()).map(|position| (position % gene_len) as u16).collect(),
            n_evaluations: AtomicU64::new(0),
        }
    }

    /// The fitness of a genome, without counting it as an evaluation.
    pub(crate) fn appraise(&self, genome: &[Allele]) -> Fitness {
        (0..genome.len()).map(|position| self.conflicts_at(genome, position)).sum::<u32>().into()
    }

    /// How many evaluations there were since this was last asked.
    pub(crate) fn take_evaluations(&self) -> u64 {
        self.n_evaluations.swap(0, Ordering::Relaxed)
    }

    fn conflicts_at(&self, genome: &[Allele], position: usize) -> u32 {
        let column = genome[position % self.layout.gene_len()..].iter().step_by(self.layout.gene_len());
        column.filter(|&&allele| allele == genome[position]).count() as u32 - 1
    }
}

impl ConflictCount for Columns {
    fn count(&self, genome: &[Allele], conflicts: &mut [u32]) {
        for (position, count) in conflicts.iter_mut().enumerate() {
            *count = self.conflicts_at(genome, position);
        }
    }
}

impl Problem for Columns {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        self.n_evaluations.fetch_add(1, Ordering::Relaxed);
        self.appraise(genome)
    }

    fn conflicts(&self) -> Option<&dyn ConflictCount> {
        Some(self)
    }

    fn lines(&self) -> &[u16] {
        &self.lines
    }
}

/// The settings of a genetic algorithm with these, completed with the defaults; an operator that is not among them is the
/// first of its family. With a perturbation it is an iterated local search, unless there is a `kind`.
pub(crate) fn genetic(catalogue: &Catalogue, given: &Settings) -> Settings {
    let kind = if given.get("perturbation").is_some() { "iterated-local-search" } else { "genetic" };
    let mut settings = Settings::new();
    settings.set("kind", given.get("kind").cloned().unwrap_or(Value::Text(kind.to_owned())));
    let declaration = &catalogue.algorithms.find(settings.name("kind")).expect("it is there").declaration;
    for (family, members) in catalogue.operators.declarations() {
        if declaration.parameters.iter().any(|parameter| parameter.name == family) {
            settings.set(family, Value::Text(members[0].name.to_owned()));
        }
    }
    // No search goes without a limit; the one that counts is given where the search is run.
    settings.set_at("budget.generations", Value::Integer(1));
    settings.overlay(given);
    catalogue.resolve(&settings, &[]).unwrap_or_else(|faults| panic!("{faults:#?}"))
}
