//! Initialisations make the genomes of the first population.
//!
//! ```
//! use evogrid_core::operator::Initialisation;
//! use evogrid_core::problem::Problem;
//! use evogrid_core::random::RandomStream;
//! use evogrid_operators::initialisation::smart::SmartInitialisation;
//! # use evogrid_core::fitness::Fitness;
//! # use evogrid_core::layout::{Allele, Layout};
//! # struct Latin(Layout);
//! # impl Problem for Latin {
//! #     fn layout(&self) -> &Layout { &self.0 }
//! #     fn fitness(&self, _: &[Allele]) -> Fitness { 0.into() }
//! #     fn target(&self) -> Option<Fitness> { None }
//! #     fn lines(&self) -> &[u16] { &[0, 1, 0, 1] }
//! # }
//!
//! // `Latin` is a Latin square of side 2: its genes are the rows, its lines the columns.
//! let problem = Latin(Layout::new(2, &[None; 4])?);
//! let mut genome = [0; 4];
//! SmartInitialisation.initialise(&problem, &mut genome, &mut RandomStream::from_seed(1));
//! assert!(genome[0] != genome[2] && genome[1] != genome[3], "no allele twice in a column");
//! # Ok::<(), evogrid_core::layout::LayoutError>(())
//! ```

pub mod constructed;
pub mod random;
pub mod smart;
