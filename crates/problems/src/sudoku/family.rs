//! Sudoku as a family: how boards are read, drawn, rated and checked, and the settings that an experiment can choose.

use std::borrow::Cow;

use evogrid_core::prelude::*;

use super::equivalence::Equivalences;
use super::generate::GENERATOR;
use super::independent_check::OBJECTIVES;
use super::shape::BOX;
use super::{Board, FitnessKind, Representation, Shape, Sudoku, drawing, examples, logic, parse, rating};

const PARAMETERS: &[Parameter] = &[
    Parameter::choice("representation", Representation::NAMES, "boxes", "the part of the board that a gene represents"),
    Parameter::choice(
        "fitness",
        FitnessKind::NAMES,
        "missing",
        "the function to minimise; its value is 0 if the board is solved",
    ),
    Parameter::choice(
        "propagate",
        &names(&PROPAGATE),
        "none",
        "cells that are filled before the search: none, or all cells whose digits follow from naked and hidden singles",
    ),
    Parameter::choice(
        "equivalence",
        Equivalences::NAMES,
        "none",
        "pairs of regions that contain the same digits on every solved board. The differences between the two \
         regions of each pair are added to the fitness. `none` adds nothing. `ring` compares the digits in the ring around the \
         inner boxes with the digits in the corners of the board. `lines` compares the digits of each row and column \
         with the digits of each box that it crosses",
    ),
    Parameter::real(
        "equivalence_weight",
        0.0,
        1e6,
        1.0,
        "the weight of the differences that `equivalence` adds to the fitness",
    )
    .only_where(&IS_ADDED),
    Parameter::flag(
        "equivalence_conflicts",
        false,
        "whether a position is in conflict if its digit occurs too often in a region; mutations such as \
         `collision-swap` choose positions in conflict",
    )
    .added_later()
    .only_where(&IS_ADDED),
];

/// The condition that equivalences are added.
const IS_ADDED: [Condition; 1] = [Condition::IsNot("equivalence", "none")];

/// Whether forced cells are filled before the search.
const PROPAGATE: [(&str, bool); 2] = [("none", false), ("singles", true)];

/// The declaration of `sudoku` in the catalogue.
const DECLARATION: Declaration = Declaration::new(
    "sudoku",
    "fill a board so that every row, column and box contains every digit once",
    "fitness functions: `missing` (McCaffrey, 2016; Cervigon), `collisions` (Huke), `sum-product` (Mantere and Koljonen, \
     2007)",
)
.with(PARAMETERS);

/// The presets. A new preset needs a file and a line in this list.
const PRESETS: &[(&str, &str)] = &[
    ("mccaffrey", include_str!("presets/mccaffrey.toml")),
    ("huke", include_str!("presets/huke.toml")),
    ("cervigon", include_str!("presets/cervigon.toml")),
    ("mantere-koljonen", include_str!("presets/mantere-koljonen.toml")),
    ("arkieva", include_str!("presets/arkieva.toml")),
    ("lewis", include_str!("presets/lewis.toml")),
    ("annealing-constant", include_str!("presets/annealing-constant.toml")),
    ("sato-inoue", include_str!("presets/sato-inoue.toml")),
    ("musliu-winter", include_str!("presets/musliu-winter.toml")),
    ("lloyd-amos", include_str!("presets/lloyd-amos.toml")),
    ("best-sudoku", include_str!("presets/best-sudoku.toml")),
];

/// The family of Sudoku boards.
pub struct SudokuFamily;

impl Family for SudokuFamily {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn noun(&self) -> &'static str {
        "board"
    }

    fn text_column(&self) -> &'static str {
        "puzzle"
    }

    fn options(&self) -> &'static [OptionDeclaration] {
        &[BOX]
    }

    fn read(&self, text: &str, options: &Options) -> Result<Box<dyn Instance>, InstanceError> {
        Ok(Box::new(Board::parse(text, box_shape(options)?)?))
    }

    fn restore(&self, content: &str) -> Result<Box<dyn Instance>, InstanceError> {
        let (shape, board) = content.split_once(' ').ok_or_else(|| {
            InstanceError::new("the content does not begin with the shape of a box")
                .expecting("the shape of a box, followed by a board")
        })?;
        self.read(board, &Options::from([(BOX.name.to_owned(), shape.to_owned())]))
    }

    fn fitness(&self, settings: &Settings, _: Option<&Objective>) -> String {
        let fitness = settings.name("fitness");
        match settings.name("equivalence") {
            "none" => fitness.to_owned(),
            added => format!("{fitness} + {} x {added}", settings.real("equivalence_weight")),
        }
    }

    fn preparation(&self, settings: &Settings) -> Option<&'static str> {
        settings.choice("propagate", &PROPAGATE).then_some("propagation")
    }

    fn sizes(&self) -> &'static [Size] {
        &[
            Size {
                name: "n",
                doc: "number of different digits, which equals the number of cells in a row of the board",
            },
            Size { name: "free", doc: "cells without a given digit" },
        ]
    }

    fn file_forms(&self) -> &'static [FileForm] {
        &[FileForm { extension: "txt", doc: "a board as a grid of rows, or one board per line" }]
    }

    fn read_file(&self, text: &str, options: &Options, each: &mut dyn FnMut(Result<FileInstance, InstanceError>)) {
        for (line, bytes) in parse::split(text, box_shape(options).ok().flatten()) {
            let board = self.read(&text[bytes.clone()], options);
            // If the whole text is one board, a place in the text does not help.
            let bytes = (bytes != (0..text.len())).then_some(bytes);
            each(match board {
                Ok(instance) => Ok(FileInstance { id: None, line, best_known: None, instance }),
                Err(mut error) => {
                    error.bytes = bytes;
                    Err(error)
                }
            });
        }
    }

    fn objectives(&self) -> &'static [Objective] {
        &OBJECTIVES
    }

    fn sample(&self) -> Option<Box<dyn Instance>> {
        self.read("1...............", &Options::new()).ok()
    }

    fn presets(&self) -> &'static [(&'static str, &'static str)] {
        PRESETS
    }

    fn first_experiment(&self) -> Option<FirstExperiment> {
        Some(FirstExperiment {
            experiment: include_str!("first/experiment.toml"),
            files: &[("instances/sudoku.csv", include_str!("first/instances.csv"))],
        })
    }

    fn first_tuning(&self) -> Option<FirstExperiment> {
        Some(FirstExperiment { experiment: include_str!("first/tuning.toml"), files: &[] })
    }

    fn generator(&self) -> Option<&'static Generator> {
        Some(&GENERATOR)
    }

    fn measures(&self) -> Option<Measures> {
        Some(rating::MEASURES)
    }

    fn examples(&self, operators: &Operators) -> Vec<WorkedExample> {
        examples::all(operators)
    }

    fn drawing(&self) -> Option<&'static str> {
        Some(include_str!("drawing.js"))
    }
}

fn box_shape(options: &Options) -> Result<Option<Shape>, InstanceError> {
    let Some(text) = options.get(BOX.name) else { return Ok(None) };
    let refused = |error: InstanceError| error.in_part(InstancePart::Option(BOX.name));
    text.parse().map(Some).map_err(refused)
}

impl Instance for Board {
    fn content(&self) -> String {
        format!("{} {self}", self.shape())
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn options(&self) -> Options {
        match Shape::square_for(self.shape().side()) {
            Some(square) if square == self.shape() => Options::new(),
            _ => Options::from([(BOX.name.to_owned(), self.shape().to_string())]),
        }
    }

    fn size(&self) -> String {
        match self.n_givens() {
            1 => "1 given".to_owned(),
            n => format!("{n} givens"),
        }
    }

    fn sizes(&self) -> Vec<(&str, f64)> {
        let (side, n_free) = (self.shape().side(), self.shape().n_cells() - self.n_givens());
        vec![("n", side as f64), ("free", n_free as f64)]
    }

    fn prepare(&self, settings: &Settings) -> Box<dyn Solve> {
        let representation = settings.choice("representation", Representation::CHOICES);
        // If logic shows that the board has no solution, the search gets the original board.
        let filled = settings.choice("propagate", &PROPAGATE).then(|| logic::propagate(self).ok()).flatten();
        let board = filled.map_or(Cow::Borrowed(self), Cow::Owned);
        let sudoku = Sudoku::new(&board, representation, settings.choice("fitness", FitnessKind::CHOICES));
        match settings.choice("equivalence", Equivalences::CHOICES) {
            Equivalences::None => Box::new(sudoku),
            added => {
                let weight = settings.real("equivalence_weight");
                Box::new(sudoku.with_equivalences(added, weight, settings.flag("equivalence_conflicts")))
            }
        }
    }

    fn remark(&self) -> Option<String> {
        Some(rating::remark(self))
    }

    fn defect(&self) -> Option<&'static str> {
        match rating::n_solutions(self) {
            Ok(0) => Some("no solution"),
            Ok(1) | Err(_) => None,
            Ok(_) => Some("several solutions"),
        }
    }

    fn rate(&self) -> Option<Rating> {
        Some(rating::rate(self))
    }

    fn draw(&self, solution: Option<&str>, marks: Marks, room: Room) -> Vec<String> {
        let cells: Vec<char> = solution.map_or_else(|| self.to_string(), str::to_owned).chars().collect();
        drawing::board(self, &cells, marks, room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evogrid_core::budget::{Budget, Stop};
    use evogrid_core::catalogue::Catalogue;
    use evogrid_core::random::RandomStream;
    use evogrid_core::settings::Value;

    /// Runs combinatorial evolution on a board with forced cells filled or not.
    fn run(board: &Board, propagate: &str, generations: i64) -> (Stop, u64, String) {
        let mut catalogue = Catalogue::new();
        catalogue.add_family(Box::new(SudokuFamily));
        let mut raw = Settings::new();
        raw.set("kind", Value::Text("combinatorial-evolution".to_owned()));
        raw.set("accept", Value::Text("better-or-equal".to_owned()));
        raw.set("propagate", Value::Text(propagate.to_owned()));
        raw.set_at("budget.generations", Value::Integer(generations));
        let settings = catalogue.resolve(&raw, &["sudoku"]).unwrap();
        let problem = board.prepare(&settings);
        let search = catalogue.algorithm(&settings);
        let budget = Budget::from_settings(settings.table("budget"));
        let outcome = problem.solve(&search, &budget, &mut RandomStream::from_seed(1), &mut ());
        (outcome.stop, outcome.evaluations, problem.describe(&outcome.best_genome))
    }

    #[test]
    fn an_instance_is_restored_from_its_content() {
        for shape in ["2x3", "3x2"] {
            let options = Options::from([("box".to_owned(), shape.to_owned())]);
            let read = SudokuFamily.read("1.......2..........................6", &options).unwrap();
            assert_eq!(SudokuFamily.restore(&read.content()).unwrap().content(), read.content());
        }
        assert!(SudokuFamily.restore("3x3").is_err() && SudokuFamily.restore("x 1...").is_err());
    }

    #[test]
    fn a_board_that_logic_solves_takes_one_evaluation() {
        let board: Board =
            ".6.1.4.5...83.56..2.......18..4.7..6..6...3..7..9.1..45.......2..72.69...4.5.8.7.".parse().unwrap();
        let (stop, evaluations, solution) = run(&board, "singles", 10);
        assert_eq!((stop, evaluations), (Stop::Target, 1));
        assert!(solution.parse::<Board>().unwrap().solves(&board));
        assert!(run(&board, "none", 10).1 > 1);
    }

    #[test]
    fn a_solution_found_from_forced_cells_solves_the_board_itself() {
        let board: Board =
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..".parse().unwrap();
        let (stop, _, solution) = run(&board, "singles", 20_000);
        assert_eq!(stop, Stop::Target);
        assert!(solution.parse::<Board>().unwrap().solves(&board));
    }

    #[test]
    fn a_board_that_logic_finds_impossible_is_searched_as_it_stands() {
        let board: Board = "123. .... ...4 ....".parse().unwrap();
        assert_eq!(run(&board, "singles", 3).0, Stop::Generations);
    }
}
