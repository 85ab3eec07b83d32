//! An instance of an external problem, and the problem of the instance. The instance is a text with the options of the experiment.

use std::collections::BTreeMap;

use evogrid_core::algorithm::{Algorithm, Solve};
use evogrid_core::budget::Budget;
use evogrid_core::evaluator::{Evaluator, Outcome};
use evogrid_core::family::{Direction, Instance, Marks, Options, Room};
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::observer::Observer;
use evogrid_core::problem::{DynProblem, Problem};
use evogrid_core::random::RandomStream;
use evogrid_core::settings::Settings;
use evogrid_results::format::printable;
use serde::{Deserialize, Serialize};

/// The sizes of an instance by name.
pub(super) type Sizes = BTreeMap<String, f64>;

/// An instance of an external problem. Its JSON is the content of the instance.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExternalInstance {
    /// The command that computes the objective of a solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) check: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_maximised: bool,
    /// The name of the objective.
    pub(super) objective: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) sizes: Sizes,
    /// The objective of a solved instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<f64>,
    /// The text that programs get.
    pub(super) text: String,
}

impl ExternalInstance {
    pub(super) fn from_content(content: &str) -> Option<Self> {
        serde_json::from_str(content).ok()
    }

    pub(super) fn direction(&self) -> Direction {
        if self.is_maximised { Direction::Maximise } else { Direction::Minimise }
    }
}

impl Instance for ExternalInstance {
    fn content(&self) -> String {
        serde_json::to_string(self).expect("the keys are text, and the numbers are finite")
    }

    fn text(&self) -> String {
        self.text.clone()
    }

    fn options(&self) -> Options {
        let named = [
            ("objective", Some(self.objective.clone())),
            ("direction", self.is_maximised.then(|| Direction::Maximise.to_string())),
            ("target", self.target.map(|target| target.to_string())),
            ("check", self.check.clone()),
        ];
        named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    fn size(&self) -> String {
        let size = |(name, value): (&String, &f64)| format!("{} = {value}", printable(name));
        let sizes: Vec<String> = self.sizes.iter().map(size).collect();
        if sizes.is_empty() { format!("{} bytes", self.text.len()) } else { sizes.join(", ") }
    }

    fn sizes(&self) -> Vec<(&str, f64)> {
        self.sizes.iter().map(|(name, &value)| (name.as_str(), value)).collect()
    }

    fn draw(&self, solution: Option<&str>, _: Marks, room: Room) -> Vec<String> {
        let lines = solution.unwrap_or(&self.text).lines().take(room.rows);
        lines.map(|line| printable(line).chars().take(room.columns).collect()).collect()
    }

    fn prepare(&self, _: &Settings) -> Box<dyn Solve> {
        let layout = Layout::new(1, &[None]).expect("a layout can have a single gene with a single position");
        Box::new(TextSolve(TextProblem { instance: self.clone(), layout }))
    }
}

/// A problem whose solutions are texts. Every problem needs a layout; this layout is not used.
struct TextProblem {
    instance: ExternalInstance,
    layout: Layout,
}

impl Problem for TextProblem {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn fitness(&self, _: &[Allele]) -> Fitness {
        Fitness::WORST
    }

    fn target(&self) -> Option<Fitness> {
        self.instance.target.map(|target| self.direction().fitness(target))
    }

    fn direction(&self) -> Direction {
        self.instance.direction()
    }

    fn has_genomes(&self) -> bool {
        false
    }

    fn content(&self) -> Option<String> {
        Some(self.instance.text.clone())
    }

    fn size(&self, name: &str) -> Option<f64> {
        self.instance.sizes.get(name).copied()
    }
}

/// Runs programs on a problem whose solutions are texts. The loops of the core are not compiled for this problem.
struct TextSolve(TextProblem);

impl Solve for TextSolve {
    fn solve(
        &self,
        algorithm: &Algorithm,
        budget: &Budget,
        random: &mut RandomStream,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let evaluator = Evaluator::new(&self.0 as &dyn DynProblem, budget, observer);
        match algorithm {
            Algorithm::Custom(search) => search.search(evaluator, random),
            _ => evaluator.fail("only external programs solve external problems".to_owned()),
        }
    }

    fn describe(&self, _: &[Allele]) -> String {
        String::new()
    }
}
