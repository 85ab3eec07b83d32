//! Where a search of one solution starts: at a random solution, or at one that the problem constructs.

use super::*;
/// The solution at which a trial starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// A random one.
    Random,
    /// The problem's best construction; a random solution if it has none.
    Family,
    /// A construction of this name.
    Construction(String),
}

impl Start {
    /// The start of this name: `random`, `family` or that of a construction.
    pub fn from_name(name: &str) -> Self {
        match name {
            "random" => Self::Random,
            "family" => Self::Family,
            name => Self::Construction(name.to_owned()),
        }
    }

    /// Writes the genome at which a trial starts.
    ///
    /// # Panics
    /// If the problem has no construction of that name.
    pub fn write<P: Problem + ?Sized>(&self, problem: &P, genome: &mut [Allele], random: &mut RandomStream) {
        let mut constructions = match self {
            Self::Random => Vec::new(),
            Self::Family | Self::Construction(_) => problem.constructions(),
        };
        if let Self::Construction(name) = self {
            constructions.retain(|construction| construction.name == name);
            assert!(!constructions.is_empty(), "the problem has no construction `{name}`");
        }
        match constructions.first() {
            Some(construction) => (construction.build)(genome, random),
            None => problem.randomise(genome, random),
        }
    }
}

impl Setting for Start {
    fn read(settings: &Settings, parameter: &Parameter, _: &Operators) -> Result<Self, Fault> {
        Ok(Self::from_name(settings.name(parameter.name)))
    }
}
