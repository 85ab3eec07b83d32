//! A family of problems with long solutions.

use evogrid_core::algorithm::Solve;
use evogrid_core::family::{Direction, Family, Instance, InstanceError, Objective, Options};
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::{Allele, Layout};
use evogrid_core::parameter::Declaration;
use evogrid_core::problem::Problem;
use evogrid_core::settings::Settings;

/// Permutations, of which every place should hold its own number; the first may be locked. An instance is `LENGTH LOCKED`. Numbers out of
/// place are minimised, or numbers in place maximised.
pub(crate) struct Wide {
    /// The fitness is too small by this number, which is 0 for a family without a fault.
    pub(crate) fault: u32,
    pub(crate) direction: Direction,
}

struct WideInstance {
    text: String,
    layout: Layout,
    fault: u32,
    direction: Direction,
}

struct Sorting(Layout, u32, Direction);

impl Family for Wide {
    fn declaration(&self) -> &'static Declaration {
        const {
            &Declaration {
                name: "wide",
                doc: "permutations to be sorted",
                source: "",
                version: 1,
                parameters: &[],
                needs: &[],
            }
        }
    }

    fn noun(&self) -> &'static str {
        "list"
    }

    fn text_column(&self) -> &'static str {
        "list"
    }

    fn read(&self, text: &str, _: &Options) -> Result<Box<dyn Instance>, InstanceError> {
        let wrong = || InstanceError::new("no list");
        let (length, locked) = text.split_once(' ').ok_or_else(wrong)?;
        let (length, locked): (usize, usize) =
            (length.parse().map_err(|_| wrong())?, locked.parse().map_err(|_| wrong())?);
        let locked: Vec<Option<Allele>> =
            (0..length).map(|at| (at < locked).then(|| Allele::try_from(at).expect("it is short"))).collect();
        let layout = Layout::new(length, &locked).map_err(|_| wrong())?;
        Ok(Box::new(WideInstance { text: text.to_owned(), layout, fault: self.fault, direction: self.direction }))
    }

    fn restore(&self, content: &str) -> Result<Box<dyn Instance>, InstanceError> {
        self.read(content, &Options::new())
    }

    fn objectives(&self) -> &'static [Objective] {
        const { &[Objective::minimised("numbers out of place", measure).solved_at(0.0)] }
    }

    fn objective(&self, _: &str) -> Option<Objective> {
        let maximised = Objective {
            direction: Direction::Maximise,
            solved: None,
            ..Objective::minimised("numbers in place", measure_in_place)
        };
        if self.direction == Direction::Maximise { Some(maximised) } else { self.objectives().first().cloned() }
    }
}

fn measure(content: &str, solution: &str) -> Result<f64, String> {
    let genome = parse(solution)?;
    let length = content.split_once(' ').and_then(|(length, _)| length.parse().ok());
    let mut sorted = genome.clone();
    sorted.sort_unstable();
    if Some(genome.len()) != length || sorted.iter().enumerate().any(|(at, &number)| at != usize::from(number)) {
        return Err("it is not a permutation of that length".to_owned());
    }
    Ok(out_of_place(&genome) as f64)
}

fn measure_in_place(content: &str, solution: &str) -> Result<f64, String> {
    Ok(parse(solution)?.len() as f64 - measure(content, solution)?)
}

fn out_of_place(genome: &[Allele]) -> usize {
    genome.iter().enumerate().filter(|&(at, &number)| at != usize::from(number)).count()
}

fn parse(solution: &str) -> Result<Vec<Allele>, String> {
    let numbers = solution.trim_matches(['[', ']']).split(", ").map(str::parse::<Allele>);
    numbers.collect::<Result<_, _>>().map_err(|_| "it is not a list of numbers".to_owned())
}

impl Instance for WideInstance {
    fn content(&self) -> String {
        self.text.clone()
    }

    fn text(&self) -> String {
        self.text.clone()
    }

    fn size(&self) -> String {
        format!("{} numbers", self.layout.genome_len())
    }

    fn prepare(&self, _: &Settings) -> Box<dyn Solve> {
        Box::new(Sorting(self.layout.clone(), self.fault, self.direction))
    }
}

impl Problem for Sorting {
    fn layout(&self) -> &Layout {
        &self.0
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        match self.2 {
            Direction::Minimise => Fitness::from((out_of_place(genome) as u32).saturating_sub(self.1)),
            Direction::Maximise => self.2.fitness((genome.len() - out_of_place(genome)) as f64),
        }
    }

    fn target(&self) -> Option<Fitness> {
        (self.2 == Direction::Minimise).then(|| Fitness::from(0))
    }

    fn read(&self, description: &str) -> Result<Vec<Allele>, String> {
        parse(description)
    }
}
