//! The quadratic assignment problem as a family: how instances are read, made and checked.

use std::sync::{Arc, OnceLock};

use evogrid_core::prelude::*;

use super::instance::{Matrices, read_dat};
use super::taillard::{self, GENERATOR};
use super::{Qap, independent_check};
use crate::published::Published;

/// The declaration of `qap` in the catalogue.
const DECLARATION: Declaration = Declaration::new(
    "qap",
    "assign the rows of one matrix to the rows of another matrix. The sum of the products of corresponding entries is \
     minimised",
    "Koopmans and Beckmann, Econometrica 25, 1957; instances: QAPLIB (Burkard, Karisch and Rendl, 1997)",
);

/// The only objective: the cost.
static OBJECTIVES: [Objective; 1] = [Objective::minimised("cost", |content, solution| {
    independent_check::cost(content, solution).map(|cost| cost as f64)
})];

const TAILLARD: PublishedSet = PublishedSet {
    name: "taillard",
    doc: "the 13 uniform instances of QAPLIB: tai10a to tai100a",
    source: "Taillard, Robust taboo search for the quadratic assignment problem, Parallel Computing 17, 1991; QAPLIB",
    ids: || Published::ids(taillard::TABLE),
    make: |id, _| {
        let published = Published::find(taillard::TABLE, id);
        Ok(PublishedInstance {
            bucket: published.text("rows").to_owned(),
            best_known: published.best_known("best_known_cost"),
            instance: Box::new(QapInstance::new(taillard::matrices(id)?)),
        })
    },
};

/// The presets. A new preset needs a file and a line in this list.
const PRESETS: &[(&str, &str)] = &[
    ("robust-tabu", include_str!("presets/robust-tabu.toml")),
    ("wide-tenure-tabu", include_str!("presets/wide-tenure-tabu.toml")),
];

/// The family of quadratic assignment problems.
pub struct QapFamily;

impl Family for QapFamily {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn noun(&self) -> &'static str {
        "assignment"
    }

    fn text_column(&self) -> &'static str {
        "matrices"
    }

    fn read(&self, text: &str, _: &Options) -> Result<Box<dyn Instance>, InstanceError> {
        Ok(Box::new(QapInstance::new(read_dat(text)?)))
    }

    fn sizes(&self) -> &'static [Size] {
        &[Size { name: "n", doc: "rows of a matrix" }]
    }

    fn file_forms(&self) -> &'static [FileForm] {
        &[FileForm {
            extension: "dat",
            doc: "QAPLIB: the size, then the numbers of the two matrices, separated by white space",
        }]
    }

    fn objectives(&self) -> &'static [Objective] {
        &OBJECTIVES
    }

    fn sample(&self) -> Option<Box<dyn Instance>> {
        self.read("2 0 1 1 0 0 1 1 0", &Options::new()).ok()
    }

    fn presets(&self) -> &'static [(&'static str, &'static str)] {
        PRESETS
    }

    fn first_experiment(&self) -> Option<FirstExperiment> {
        Some(FirstExperiment {
            experiment: include_str!("first/experiment.toml"),
            files: &[("instances/qap.csv", include_str!("first/instances.csv"))],
        })
    }

    fn first_tuning(&self) -> Option<FirstExperiment> {
        Some(FirstExperiment { experiment: include_str!("first/tuning.toml"), files: &[] })
    }

    fn generator(&self) -> Option<&'static Generator> {
        Some(&GENERATOR)
    }

    fn published_sets(&self) -> &'static [PublishedSet] {
        &[TAILLARD]
    }
}

/// Two matrices, and their problem after its first use.
struct QapInstance {
    matrices: Arc<Matrices>,
    problem: OnceLock<Qap>,
}

impl QapInstance {
    fn new(matrices: Matrices) -> Self {
        Self { matrices: Arc::new(matrices), problem: OnceLock::new() }
    }
}

impl Instance for QapInstance {
    fn content(&self) -> String {
        self.matrices.content()
    }

    fn size(&self) -> String {
        format!("{} rows", self.matrices.n())
    }

    fn sizes(&self) -> Vec<(&str, f64)> {
        vec![("n", self.matrices.n() as f64)]
    }

    fn prepare(&self, _: &Settings) -> Box<dyn Solve> {
        Box::new(self.problem.get_or_init(|| Qap::new(self.matrices.clone())).clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evogrid_core::budget::Budget;
    use evogrid_core::catalogue::Catalogue;
    use evogrid_core::random::RandomStream;
    use evogrid_core::settings::Value;

    fn settings(kind: &str) -> (Catalogue, Settings) {
        let mut catalogue = Catalogue::new();
        catalogue.add_family(Box::new(QapFamily));
        let mut raw = Settings::new();
        raw.set("kind", Value::Text(kind.to_owned()));
        raw.set_at("budget.evaluations", Value::Integer(20_000));
        let settings = catalogue.resolve(&raw, &["qap"]).unwrap();
        (catalogue, settings)
    }

    #[test]
    fn published_instances_are_restored_solved_and_checked() {
        assert_eq!((TAILLARD.ids)().len(), 13);
        for (kind, greatest_gap) in
            [("hill-climbing", 20.0), ("iterated-greedy", 8.0), ("combinatorial-evolution", 15.0)]
        {
            let (catalogue, settings) = settings(kind);
            let made = (TAILLARD.make)("tai12a", &Options::new()).unwrap();
            let content = made.instance.content();
            let instance = QapFamily.restore(&content).unwrap();
            assert_eq!((instance.content(), instance.sizes()), (content.clone(), vec![("n", 12.0)]));
            let problem = instance.prepare(&settings);
            assert_eq!(problem.offers(), QapFamily.offers(&settings));
            let budget = Budget::from_settings(settings.table("budget"));
            let algorithm = catalogue.algorithm(&settings);
            let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(1), &mut ());
            let cost = OBJECTIVES[0].measure(&content, &problem.describe(&outcome.best_genome)).unwrap().unwrap();
            assert_eq!(cost, outcome.best_fitness.value(), "{kind}");
            let known = made.best_known.unwrap();
            assert!(cost >= known.value && cost <= known.within(greatest_gap), "{kind}: {cost}");
        }
    }

    #[test]
    fn errors_have_their_place() {
        let error = QapFamily.read("2\n0 1 1 0\n0 5 x 0", &Options::new()).err().unwrap();
        assert_eq!((error.bytes, error.message.as_str()), (Some(14..15), "`x` is not a whole number"));
    }

    #[test]
    fn the_permutation_that_qaplib_publishes_with_tai12a_costs_what_it_says() {
        let content = (TAILLARD.make)("tai12a", &Options::new()).unwrap().instance.content();
        assert_eq!(independent_check::cost(&content, "8 1 6 2 11 10 3 5 9 7 12 4"), Ok(224_416));
    }
}
