//! The travelling salesman problem as a family: how instances are read, made, checked and drawn.

use evogrid_core::prelude::*;

use super::forms::tsplib;
use super::independent_check::OBJECTIVES;
use super::request::{DIMACS_SET, GENERATOR};
use super::{TspInstance, TspProblem, drawing, examples};

/// `tsp` in the catalogue.
const DECLARATION: Declaration = Declaration::new(
    "tsp",
    "the shortest closed tour through all cities; distances are the same in both directions",
    "instances: Reinelt, TSPLIB, ORSA Journal on Computing 3(4), 1991; Johnson and McGeoch, 8th DIMACS challenge, 2000",
);

/// The presets. A new one is a file and a line here.
const PRESETS: &[(&str, &str)] = &[("iterated-2opt", include_str!("presets/iterated-2opt.toml"))];

/// The family of symmetric travelling salesman problems.
pub struct TspFamily;

impl Family for TspFamily {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn noun(&self) -> &'static str {
        "tour"
    }

    fn text_column(&self) -> &'static str {
        "cities"
    }

    /// A file of TSPLIB95, or the one line of [`TspInstance::content`].
    fn read(&self, text: &str, _: &Options) -> Result<Box<dyn Instance>, InstanceError> {
        let read = if TspInstance::is_content(text) { TspInstance::from_content } else { tsplib::parse_instance };
        Ok(Box::new(read(text)?))
    }

    fn restore(&self, content: &str) -> Result<Box<dyn Instance>, InstanceError> {
        Ok(Box::new(TspInstance::from_content(content)?))
    }

    fn sizes(&self) -> &'static [Size] {
        &[Size { name: "n", doc: "cities" }]
    }

    fn file_forms(&self) -> &'static [FileForm] {
        &[FileForm { extension: "tsp", doc: "an instance of TSPLIB95, TYPE TSP" }]
    }

    /// One instance, whose id is its `NAME`.
    fn read_file(&self, text: &str, options: &Options, each: &mut dyn FnMut(Result<FileInstance, InstanceError>)) {
        let file = |id, instance| FileInstance { id, line: 1, best_known: None, instance };
        each(if TspInstance::is_content(text) {
            self.read(text, options).map(|instance| file(None, instance))
        } else {
            let named = tsplib::parse_named_instance(text).map_err(|fault| fault.in_text(text));
            named.map(|(name, instance)| file(name, Box::new(instance)))
        });
    }

    fn objectives(&self) -> &'static [Objective] {
        &OBJECTIVES
    }

    fn sample(&self) -> Option<Box<dyn Instance>> {
        self.read("EUC_2D 0 0 0 1 1 0", &Options::new()).ok()
    }

    fn presets(&self) -> &'static [(&'static str, &'static str)] {
        PRESETS
    }

    fn first_experiment(&self) -> Option<FirstExperiment> {
        Some(FirstExperiment {
            experiment: include_str!("first/experiment.toml"),
            files: &[("instances/tsp.csv", include_str!("first/instances.csv"))],
        })
    }

    fn first_tuning(&self) -> Option<FirstExperiment> {
        Some(FirstExperiment { experiment: include_str!("first/tuning.toml"), files: &[] })
    }

    fn generator(&self) -> Option<&'static Generator> {
        Some(&GENERATOR)
    }

    fn published_sets(&self) -> &'static [PublishedSet] {
        &[DIMACS_SET]
    }

    fn examples(&self, operators: &Operators) -> Vec<WorkedExample> {
        examples::all(operators)
    }

    fn drawing(&self) -> Option<&'static str> {
        Some(include_str!("drawing.js"))
    }
}

impl Instance for TspInstance {
    fn content(&self) -> String {
        TspInstance::content(self)
    }

    fn size(&self) -> String {
        format!("{} cities", self.n_cities())
    }

    fn sizes(&self) -> Vec<(&str, f64)> {
        vec![("n", self.n_cities() as f64)]
    }

    fn prepare(&self, _: &Settings) -> Box<dyn Solve> {
        Box::new(TspProblem::new(self.clone()))
    }

    fn draw(&self, solution: Option<&str>, _: Marks, room: Room) -> Vec<String> {
        drawing::map(self, solution, room)
    }

    /// Always false: the map does not show the order of the cities.
    fn draws_whole_solution(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::instances;
    use super::*;

    #[test]
    fn an_instance_is_restored_from_its_content_and_read_from_its_text() {
        for instance in instances(12, 4) {
            let content = instance.content();
            assert_eq!(TspFamily.restore(&content).unwrap().content(), content);
            assert_eq!(TspFamily.read(&Instance::text(&instance), &Options::new()).unwrap().content(), content);
        }
    }

    #[test]
    fn errors_have_their_place_in_the_text() {
        let text =
            "NAME : x\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 0 Z\n3 1 1\n";
        let mut errors = Vec::new();
        TspFamily.read_file(text, &Options::new(), &mut |read| errors.extend(read.err()));
        let bytes = errors[0].bytes.clone().expect("a place");
        assert_eq!((&text[bytes.clone()], bytes.start), ("Z", text.find('Z').unwrap()));
        assert!(TspFamily.restore("EUC_2D 1 2 3").is_err() && TspFamily.restore("EXPLICIT 3 1 2").is_err());
        assert!(TspFamily.restore("").is_err() && TspFamily.restore("EUC_9D 1 2").is_err());
    }
}
