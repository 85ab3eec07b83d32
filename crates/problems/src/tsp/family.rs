//! The travelling salesman problem as a family: how instances are read, made, checked and drawn.

use evogrid_core::prelude::*;

use super::dimacs::{DIMACS_SET, GENERATOR};
use super::independent_check::{OBJECTIVES, tour_length};
use super::instance::TspInstance;
use super::problem::TspProblem;
use super::{drawing, tsplib};

/// The declaration of `tsp` in the catalogue.
const DECLARATION: Declaration = Declaration::new(
    "tsp",
    "find the shortest closed tour through all cities. The distance of two cities is the same in both directions",
    "instances: Reinelt, TSPLIB, ORSA Journal on Computing 3(4), 1991; Johnson and McGeoch, 8th DIMACS challenge, 2000",
);

/// The presets. A new preset needs a file and a line in this list.
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

    /// Reads a file of TSPLIB95, or the line that [`TspInstance::content`] writes.
    fn read(&self, text: &str, _: &Options) -> Result<Box<dyn Instance>, InstanceError> {
        Ok(Box::new(named_instance(text)?.1))
    }

    fn restore(&self, content: &str) -> Result<Box<dyn Instance>, InstanceError> {
        Ok(Box::new(TspInstance::from_content(content)?))
    }

    fn sizes(&self) -> &'static [Size] {
        &[Size { name: "n", doc: "cities" }]
    }

    fn file_forms(&self) -> &'static [FileForm] {
        &[FileForm { extension: "tsp", doc: "an instance in the format of TSPLIB95, with TYPE TSP" }]
    }

    /// Reads a file with one instance. The `NAME` in the file becomes the id of the instance.
    fn read_file(&self, text: &str, _: &Options, each: &mut dyn FnMut(Result<FileInstance, InstanceError>)) {
        let read = named_instance(text);
        each(read.map(|(id, instance)| FileInstance { id, line: 1, best_known: None, instance: Box::new(instance) }));
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
        vec![edge_recombination(operators), degrees()]
    }

    fn drawing(&self) -> Option<&'static str> {
        Some(include_str!("drawing.js"))
    }
}

fn named_instance(text: &str) -> Result<(Option<String>, TspInstance), InstanceError> {
    if TspInstance::is_content(text) {
        return Ok((None, TspInstance::from_content(text)?));
    }
    tsplib::parse_named_instance(text).map_err(|fault| fault.in_text(text))
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

    /// Returns false, because the drawn map does not show the order of the cities in the tour.
    fn draws_whole_solution(&self) -> bool {
        false
    }
}

/// The number of random streams that are tried before an operator counts as unable to make a result.
const N_STREAMS: u64 = 10_000;

/// The worked example with this name, compared with our result.
fn example(id: &str, ours: String) -> WorkedExample {
    WorkedExample::printed(include_str!("examples/printed.txt"), id, ours)
}

/// The worked example of edge recombination: the paper makes B C D E A F from the parents A B C D E F and B D C A E F.
fn edge_recombination(operators: &Operators) -> WorkedExample {
    let (published, [one, other]) = ("B C D E A F", [[0, 1, 2, 3, 4, 5], [1, 3, 2, 0, 4, 5]]);
    let settings = Settings::of("kind", Value::Text("edge-recombination".to_owned()));
    let member = operators.crossovers.find("edge-recombination");
    let child = member.and_then(|member| {
        let crossover = (member.build)(&settings, operators).ok()?;
        let layout = Layout::new(6, &[None; 6]).ok()?;
        let population = Population::from_individuals(6, [(one, 0.into()), (other, 0.into())]);
        (0..N_STREAMS).find_map(|seed| {
            let mut children = [0; 12];
            let parents = Parents::new(&population, &[0, 1]);
            crossover.cross(&layout, parents, &mut children, &mut Vec::new(), &mut RandomStream::from_seed(seed));
            let letter = |&allele: &u16| char::from(b'A' + allele as u8).to_string();
            let text = |child: &[u16]| child.iter().map(letter).collect::<Vec<_>>().join(" ");
            children.chunks_exact(6).map(text).find(|child| child == published)
        })
    });
    example(
        "edge-recombination",
        child.unwrap_or_else(|| "edge-recombination does not produce the published child".to_owned()),
    )
}

/// The worked example of distances on the sphere, for which the document and the published optima disagree.
fn degrees() -> WorkedExample {
    // ulysses16 of TSPLIB with its optimal tour.
    const ULYSSES16: &str = "GEO 38.24 20.42 39.57 26.15 40.56 25.32 36.26 23.12 33.48 10.54 37.56 12.19 38.42 13.11 37.52 20.44 \
                             41.23 9.1 41.17 13.05 36.08 -5.21 38.47 15.13 38.15 15.35 37.51 15.17 35.49 14.32 39.36 19.56";
    let length = tour_length(ULYSSES16, "1 14 13 12 7 6 15 5 11 9 10 16 3 2 4 8");
    example("ulysses16", length.map_or_else(|error| error, |length| length.to_string()))
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

    #[test]
    fn the_tour_of_ulysses_is_as_long_as_published() {
        let example = degrees();
        assert!(example.agrees, "{example:?}");
    }
}
