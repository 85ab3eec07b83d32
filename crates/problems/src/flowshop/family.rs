//! Flow shops as a family: how instances are read, made, drawn and checked.

use std::sync::Arc;

use evogrid_core::prelude::*;

use super::independent_check::OBJECTIVES;
use super::taillard::{self, GENERATOR};
use super::times::{Criterion, ProcessingTimes};
use super::{FlowShop, drawing, parse};
use crate::published::Published;

/// The declaration of `flowshop` in the catalogue.
const DECLARATION: Declaration = Declaration::new(
    "flowshop",
    "find an order of the jobs that finishes all jobs early. Every job passes through all machines, in the same order \
     of machines",
    "Johnson, Naval Research Logistics Quarterly 1, 1954; insertions: Taillard, EJOR 47, 1990; instances: Taillard, EJOR 64, 1993",
);

/// The option that chooses the criterion.
const OBJECTIVE: OptionDeclaration = OptionDeclaration::choice(
    "objective",
    "NAME",
    "for flow shops, which value of a schedule is minimised: the end of the last job (`makespan`) or the sum \
     of the ends of all jobs (`flow-time`)",
    Criterion::NAMES,
);

/// The published instances with two lists of best known makespans. One list is from 2025. The other list is from 2021, and published
/// results refer to it.
const SETS: [PublishedSet; 2] = [
    PublishedSet {
        name: "taillard",
        doc: "flow shops ta001 to ta120, with the best makespans known in 2025 and the best total flow times known in 2021",
        source: "Taillard, Benchmarks for basic scheduling problems, EJOR 64, 1993; makespans: Zenodo 17028980; flow times: \
                 Libralesso, Focke, Secardin and Jost, EJOR, 2022",
        ids: || Published::ids(taillard::TABLE),
        make: |id, options| make(id, options, "best_known_cmax_2025"),
    },
    PublishedSet {
        name: "taillard-2021",
        doc: "flow shops ta001 to ta120, with the best makespans that were known in 2021. Published deviations refer to these makespans",
        source: "Taillard, Benchmarks for basic scheduling problems, EJOR 64, 1993; best values: Libralesso, Focke, Secardin and Jost, \
                 EJOR, 2022",
        ids: || Published::ids(taillard::TABLE),
        make: |id, options| make(id, options, "best_known_cmax_2021"),
    },
];

/// The presets. A new preset needs a file and a line in this list.
const PRESETS: &[(&str, &str)] = &[
    ("iterated-greedy-partial", include_str!("presets/iterated-greedy-partial.toml")),
    ("ruiz-stuetzle", include_str!("presets/ruiz-stuetzle.toml")),
];

/// Returns the published instance with this id. If the criterion is the makespan, the argument `makespan` names the column of the best
/// known value.
fn make(id: &str, options: &Options, makespan: &str) -> Result<PublishedInstance, InstanceError> {
    let (criterion, times, published) =
        (criterion(options)?, taillard::times(id), Published::find(taillard::TABLE, id));
    let column = match criterion {
        Criterion::Makespan => makespan,
        Criterion::FlowTime => "best_known_flowtime_2021",
    };
    Ok(PublishedInstance {
        bucket: format!("{}x{}", times.n_jobs(), times.n_machines()),
        best_known: published.best_known(column),
        instance: Box::new(FlowShopInstance { criterion, times: Arc::new(times) }),
    })
}

/// The criterion that the options name.
fn criterion(options: &Options) -> Result<Criterion, InstanceError> {
    let Some(name) = options.get(OBJECTIVE.name) else { return Ok(Criterion::Makespan) };
    Criterion::named(name).ok_or_else(|| {
        let error = InstanceError::option(OBJECTIVE.name, format!("unknown objective `{name}`"));
        error.expecting(OBJECTIVE.choices.join(" or "))
    })
}

/// The family of permutation flow shops.
pub struct FlowShopFamily;

impl Family for FlowShopFamily {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn noun(&self) -> &'static str {
        "flow shop"
    }

    fn text_column(&self) -> &'static str {
        "times"
    }

    fn options(&self) -> &'static [OptionDeclaration] {
        &[OBJECTIVE]
    }

    fn read(&self, text: &str, options: &Options) -> Result<Box<dyn Instance>, InstanceError> {
        let criterion = criterion(options)?;
        Ok(Box::new(FlowShopInstance { criterion, times: Arc::new(parse::read_one(text)?) }))
    }

    fn restore(&self, content: &str) -> Result<Box<dyn Instance>, InstanceError> {
        let (criterion, times) = content.split_once(' ').ok_or_else(|| {
            InstanceError::new("no processing times")
                .expecting("the name of an objective, followed by the processing times")
        })?;
        self.read(times, &Options::from([(OBJECTIVE.name.to_owned(), criterion.to_owned())]))
    }

    fn sizes(&self) -> &'static [Size] {
        &[Size { name: "n", doc: "jobs" }, Size { name: "m", doc: "machines" }]
    }

    fn file_forms(&self) -> &'static [FileForm] {
        &[FileForm { extension: "txt", doc: "one or more instances in Taillard's format or the OR-Library format" }]
    }

    /// Reads a file. The bounds in a file are bounds of the makespan.
    fn read_file(&self, text: &str, options: &Options, each: &mut dyn FnMut(Result<FileInstance, InstanceError>)) {
        let criterion = match criterion(options) {
            Ok(criterion) => criterion,
            Err(error) => return each(Err(error)),
        };
        let best_known = |[upper, lower]: [u32; 2]| BestKnown::new(upper.into(), upper == lower);
        parse::read_all(text, |read| {
            each(read.map(|read| FileInstance {
                id: read.name.map(str::to_owned),
                line: read.line,
                best_known: read.bounds.map(best_known).filter(|_| criterion == Criterion::Makespan),
                instance: Box::new(FlowShopInstance { criterion, times: Arc::new(read.times) }),
            }));
        });
    }

    fn objectives(&self) -> &'static [Objective] {
        &OBJECTIVES
    }

    fn objective(&self, content: &str) -> Option<Objective> {
        let name = content.split(' ').next()?;
        OBJECTIVES.iter().find(|objective| objective.name == name).cloned()
    }

    fn sample(&self) -> Option<Box<dyn Instance>> {
        self.read("2x1 1 2", &Options::new()).ok()
    }

    fn drawing(&self) -> Option<&'static str> {
        Some(include_str!("drawing.js"))
    }

    fn first_experiment(&self) -> Option<FirstExperiment> {
        Some(FirstExperiment {
            experiment: include_str!("first/experiment.toml"),
            files: &[("instances/flowshop.csv", include_str!("first/instances.csv"))],
        })
    }

    fn first_tuning(&self) -> Option<FirstExperiment> {
        Some(FirstExperiment { experiment: include_str!("first/tuning.toml"), files: &[] })
    }

    fn generator(&self) -> Option<&'static Generator> {
        Some(&GENERATOR)
    }

    fn presets(&self) -> &'static [(&'static str, &'static str)] {
        PRESETS
    }

    fn published_sets(&self) -> &'static [PublishedSet] {
        &SETS
    }

    fn examples(&self, _: &Operators) -> Vec<WorkedExample> {
        let times = taillard::times("ta001");
        let first: Vec<String> = times.machines().flatten().take(5).map(ToString::to_string).collect();
        let problem = FlowShop::new(times, Criterion::Makespan);
        let example = |id, ours| WorkedExample::printed(include_str!("examples/printed.txt"), id, ours);
        vec![
            example("taillard-ta001", first.join(" ")),
            example("neh-ta001", problem.fitness(&problem.neh(false)).to_string()),
        ]
    }
}

/// Processing times and the criterion.
struct FlowShopInstance {
    criterion: Criterion,
    times: Arc<ProcessingTimes>,
}

impl FlowShopInstance {
    fn problem(&self) -> FlowShop {
        FlowShop::new(Arc::clone(&self.times), self.criterion)
    }
}

impl Instance for FlowShopInstance {
    fn content(&self) -> String {
        self.criterion.content(&self.times)
    }

    fn text(&self) -> String {
        self.times.to_line()
    }

    fn options(&self) -> Options {
        match self.criterion {
            Criterion::Makespan => Options::new(),
            other => Options::from([(OBJECTIVE.name.to_owned(), other.name().to_owned())]),
        }
    }

    fn size(&self) -> String {
        let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        format!("{} on {}", counted(self.times.n_jobs(), "job"), counted(self.times.n_machines(), "machine"))
    }

    fn sizes(&self) -> Vec<(&str, f64)> {
        vec![("n", self.times.n_jobs() as f64), ("m", self.times.n_machines() as f64)]
    }

    fn prepare(&self, _: &Settings) -> Box<dyn Solve> {
        Box::new(self.problem())
    }

    /// Draws a solution as a Gantt chart, and an instance as its times.
    fn draw(&self, solution: Option<&str>, _: Marks, room: Room) -> Vec<String> {
        match solution.and_then(|solution| self.problem().read(solution).ok()) {
            Some(sequence) => drawing::gantt(&self.times, &sequence, room),
            None => drawing::times(&self.times, room),
        }
    }

    /// Returns false, because the chart does not show the order of the jobs.
    fn draws_whole_solution(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evogrid_core::family::BestKnownStatus;

    #[test]
    fn an_instance_is_restored_from_its_content() {
        for &(objective, _) in Criterion::CHOICES {
            let options = Options::from([("objective".to_owned(), objective.to_owned())]);
            let read = FlowShopFamily.read("3 2\n3 1 4\n1 5 9\n", &options).unwrap();
            assert_eq!(read.content(), format!("{objective} 3x2 3 1 4 / 1 5 9"));
            assert_eq!(FlowShopFamily.restore(&read.content()).unwrap().content(), read.content());
            let again = FlowShopFamily.read(&read.text(), &read.options()).unwrap();
            assert_eq!(again.content(), read.content());
            assert_eq!(FlowShopFamily.objective(&read.content()).unwrap().name, objective);
            assert_eq!((read.size().as_str(), read.sizes()), ("3 jobs on 2 machines", vec![("n", 3.0), ("m", 2.0)]));
            assert_eq!(read.prepare(&Settings::new()).offers(), FlowShopFamily.offers(&Settings::new()));
        }
        let options = Options::from([("objective".to_owned(), "lateness".to_owned())]);
        let error = FlowShopFamily.read("1x1 1", &options).err().unwrap();
        assert_eq!(
            (error.to_string(), error.expected.unwrap()),
            ("unknown objective `lateness`".to_owned(), "makespan or flow-time".to_owned())
        );
        assert!(FlowShopFamily.restore("makespan").is_err() && FlowShopFamily.restore("cost 1x1 1").is_err());
    }

    #[test]
    fn a_file_tells_names_and_bounds_of_makespans() {
        let text = "instance one\n3 2 7 17 15\n3 1 4\n1 5 9\ninstance two\n1 1 7 3 3\n3\n";
        let read = |objective: &str| {
            let options = Options::from([("objective".to_owned(), objective.to_owned())]);
            let mut told = Vec::new();
            FlowShopFamily.read_file(text, &options, &mut |read| {
                let read = read.unwrap();
                told.push((read.id.unwrap(), read.line, read.best_known.map(|best| (best.value, best.status))));
            });
            told
        };
        let (one, two) = ("one".to_owned(), "two".to_owned());
        let bounds = [(17.0, BestKnownStatus::Best), (3.0, BestKnownStatus::Optimal)].map(Some);
        assert_eq!(read("makespan"), [(one.clone(), 2, bounds[0]), (two.clone(), 6, bounds[1])]);
        assert_eq!(read("flow-time"), [(one, 2, None), (two, 6, None)]);
    }

    #[test]
    fn all_examples_agree() {
        let examples = FlowShopFamily.examples(&Operators::new());
        assert!(examples.len() >= 2 && examples.iter().all(|example| example.agrees), "{examples:#?}");
    }

    #[test]
    fn published_sets_make_their_instances_under_either_objective() {
        for (set, makespan) in SETS.iter().zip([6134.0, 6202.0]) {
            assert_eq!((set.ids)().len(), 120);
            let made = (set.make)("ta081", &Options::new()).unwrap();
            assert_eq!((made.bucket.as_str(), made.best_known.unwrap().value), ("100x20", makespan));
            let options = Options::from([("objective".to_owned(), "flow-time".to_owned())]);
            let made = (set.make)("ta081", &options).unwrap();
            assert_eq!(made.best_known.unwrap().value, 365_333.0);
            assert!(made.instance.content().starts_with("flow-time 100x20 "));
        }
    }
}
