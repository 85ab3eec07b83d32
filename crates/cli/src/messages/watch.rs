//! Watching one run: an observer that records the progress and never reads the clock, and a display that draws it, on a thread of its own.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use console::Term;
use evogrid_core::algorithm::Solve;
use evogrid_core::family::{Direction, Instance, Marks, Room};
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::Allele;
use evogrid_core::observer::{Observer, Progress, Step};
use evogrid_core::population::Population;

use crate::messages::screen::Screen;
use crate::messages::steps::StepRecorder;
use evogrid_runner::engine::progress::line;
use evogrid_runner::system::numbers::{counted, grouped};

/// The progress of a run, shared between its thread and the display.
#[derive(Debug, Default)]
pub(crate) struct SharedProgress {
    evaluations: AtomicU64,
    generations: AtomicU64,
    restarts: AtomicU64,
    best: Mutex<Best>,
}

#[derive(Debug, Default)]
struct Best {
    /// The last improvement with its genome; `None` before the first evaluation.
    last: Option<(Progress, Vec<Allele>)>,
    /// Improvements that were not told yet, with their times.
    untold: Vec<(Progress, Duration)>,
}

impl SharedProgress {
    /// The best genome so far, with the progress of the run when it was found.
    pub(crate) fn best(&self) -> Option<(Progress, Vec<Allele>)> {
        self.lock().last.clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Best> {
        // What is shared is whole after each statement, so a panic of the run leaves it good.
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Watches a run, records its progress, and passes on its steps.
pub(crate) struct Watcher<'s> {
    shared: Arc<SharedProgress>,
    started: Instant,
    keeps_improvements: bool,
    pause: Option<Duration>,
    steps: &'s mut StepRecorder,
}

impl<'s> Watcher<'s> {
    /// A watcher of a run that begins now. It keeps improvements if they are printed one by one, and pauses so that at most `pace`
    /// generations pass per second.
    pub(crate) fn new(
        shared: Arc<SharedProgress>,
        keeps_improvements: bool,
        pace: Option<u32>,
        steps: &'s mut StepRecorder,
    ) -> Self {
        let pause = pace.map(|pace| Duration::from_secs(1) / pace);
        Self { shared, started: Instant::now(), keeps_improvements, pause, steps }
    }

    fn note(&self, progress: &Progress) {
        self.shared.evaluations.store(progress.evaluations, Ordering::Relaxed);
        self.shared.generations.store(progress.generations, Ordering::Relaxed);
        self.shared.restarts.store(progress.restarts, Ordering::Relaxed);
    }
}

impl Observer for Watcher<'_> {
    fn improved(&mut self, progress: &Progress, genome: &[Allele]) {
        self.note(progress);
        let mut best = self.shared.lock();
        best.last = Some((*progress, genome.to_vec()));
        if self.keeps_improvements {
            best.untold.push((*progress, self.started.elapsed()));
        }
    }

    fn generation(&mut self, progress: &Progress, _population: Option<&Population>) {
        self.note(progress);
        if let Some(pause) = self.pause {
            std::thread::sleep(pause);
        }
    }

    fn wants_steps(&self) -> bool {
        self.steps.is_wanted()
    }

    fn step(&mut self, step: &Step) {
        self.steps.record(step);
    }
}

/// Shows a run on standard error: on a terminal the best solution, redrawn in place, otherwise a line for each improvement.
pub(crate) struct Display {
    shared: Arc<SharedProgress>,
    started: Instant,
    mode: DisplayMode,
    measure: FitnessMeasure,
}

/// What the values of the fitness are called, and whether smaller or larger ones are better.
#[derive(Clone, Debug)]
pub(crate) struct FitnessMeasure {
    pub(crate) name: String,
    pub(crate) direction: Direction,
}

impl FitnessMeasure {
    /// A fitness by name and value.
    pub(crate) fn text(&self, fitness: Fitness) -> String {
        format!("{} {}", self.name, self.direction.value(fitness))
    }
}

enum DisplayMode {
    Drawn { screen: Screen, instance: Arc<dyn Instance>, title: String },
    Lines,
}

impl Display {
    /// A display of a run that begins now.
    pub(crate) fn new(
        shared: Arc<SharedProgress>,
        instance: &Arc<dyn Instance>,
        title: &str,
        measure: FitnessMeasure,
    ) -> Self {
        let term = Term::stderr();
        let mode = if term.features().is_attended() && !console::is_dumb() {
            DisplayMode::Drawn { screen: Screen::open(term), instance: Arc::clone(instance), title: title.to_owned() }
        } else {
            DisplayMode::Lines
        };
        Self { shared, started: Instant::now(), mode, measure }
    }

    /// Whether it prints improvements one by one.
    pub(crate) fn tells_improvements(&self) -> bool {
        matches!(self.mode, DisplayMode::Lines)
    }

    /// Shows the progress of the run.
    pub(crate) fn show(&mut self, problem: &dyn Solve) {
        let time = self.started.elapsed();
        match &mut self.mode {
            DisplayMode::Drawn { screen, instance, title } => {
                let (texts, room) = ((title.as_str(), &self.measure), screen.room());
                let lines = frame(&self.shared, problem, instance.as_ref(), texts, time, screen.marks(), room);
                screen.draw(&lines);
            }
            DisplayMode::Lines => {
                for (progress, time) in self.shared.lock().untold.drain(..) {
                    line(&told(&progress, &self.measure, time));
                }
            }
        }
    }

    /// Removes the drawing, or prints the remaining improvements.
    pub(crate) fn finish(&mut self, problem: &dyn Solve) {
        match &mut self.mode {
            DisplayMode::Drawn { screen, .. } => {
                if !screen.has_drawn() {
                    line(
                        "the search ended before it could be shown: slow it down with `--pace 100`, which shows 100 \
                        generations per second",
                    );
                }
                screen.close();
            }
            DisplayMode::Lines => self.show(problem),
        }
    }
}

/// The lines of one drawing: title, board, and three lines of figures.
fn frame(
    shared: &SharedProgress,
    problem: &dyn Solve,
    instance: &dyn Instance,
    (title, measure): (&str, &FitnessMeasure),
    time: Duration,
    marks: Marks,
    room: Room,
) -> Vec<String> {
    let count = |counter: &AtomicU64| grouped(counter.load(Ordering::Relaxed));
    let best = shared.best();
    let figures = [
        match &best {
            Some((progress, _)) => format!("best {}", measure.text(progress.best_fitness)),
            None => "no solution yet".to_owned(),
        } + &format!(", generation {}", count(&shared.generations)),
        format!("{} evaluations, restarts {}", count(&shared.evaluations), count(&shared.restarts)),
        format!("{:.1} s (Ctrl-C stops it)", time.as_secs_f64()),
    ];
    let solution = best.map(|(_, genome)| problem.describe(&genome));
    let draw =
        |rows: usize| instance.draw(solution.as_deref(), marks, Room { columns: room.columns, rows: rows.max(1) });
    let mut lines = draw(room.rows.saturating_sub(figures.len() + 1));
    // A title only where it takes no room from the drawing.
    let without_title = draw(room.rows.saturating_sub(figures.len()));
    let has_title = room.rows > figures.len() + 1 && without_title.len() <= lines.len();
    if !has_title {
        lines = without_title;
    }
    let cut = |text: &str| text.chars().take(room.columns).collect::<String>();
    if has_title {
        lines.insert(0, cut(title));
    }
    lines.extend(figures.iter().map(|text| cut(text)));
    lines
}

/// One improvement in a line.
fn told(progress: &Progress, measure: &FitnessMeasure, time: Duration) -> String {
    let Progress { evaluations, generations, restarts, best_fitness } = *progress;
    format!(
        "{} after {}, generation {}, restarts {restarts}, {:.3} s",
        measure.text(best_fitness),
        counted(evaluations, "evaluation"),
        grouped(generations),
        time.as_secs_f64()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use evogrid_core::algorithm::Algorithm;
    use evogrid_core::budget::Budget;
    use evogrid_core::evaluator::Outcome;
    use evogrid_core::random::RandomStream;
    use evogrid_core::settings::Settings;

    fn measure(name: &str, direction: Direction) -> FitnessMeasure {
        FitnessMeasure { name: name.to_owned(), direction }
    }

    /// An instance and problem whose solution is drawn as so many lines of so many characters.
    #[derive(Clone, Copy)]
    struct Square(usize);

    impl Instance for Square {
        fn content(&self) -> String {
            self.text()
        }

        fn text(&self) -> String {
            format!("{}\n", ".".repeat(self.0)).repeat(self.0)
        }

        fn size(&self) -> String {
            String::new()
        }

        fn prepare(&self, _: &Settings) -> Box<dyn Solve> {
            Box::new(*self)
        }
    }

    impl Solve for Square {
        fn solve(&self, _: &Algorithm, _: &Budget, _: &mut RandomStream, _: &mut dyn Observer) -> Outcome {
            unreachable!("nothing is solved here")
        }

        fn describe(&self, _: &[Allele]) -> String {
            self.text().replace('.', "x")
        }
    }

    fn drawn(side: usize, columns: usize, rows: usize) -> Vec<String> {
        let square = Square(side);
        let shared = Arc::new(SharedProgress::default());
        let progress = Progress { evaluations: u64::MAX, generations: 1234, restarts: 20, best_fitness: 42.into() };
        let mut steps = StepRecorder::new(None, false).expect("nothing is opened");
        Watcher::new(Arc::clone(&shared), false, None, &mut steps).improved(&progress, &[]);
        let title = "a title that is much too long for a terminal of forty columns";
        frame(
            &shared,
            &square,
            &square,
            (title, &measure("error", Direction::Minimise)),
            Duration::from_millis(1250),
            Marks::Beside,
            Room { columns, rows },
        )
    }

    #[test]
    fn every_drawing_fits_into_a_small_terminal() {
        for side in [4, 9, 16, 25] {
            for (columns, rows) in [(39, 19), (10, 5), (1, 1), (200, 60)] {
                let lines = drawn(side, columns, rows);
                assert!(lines.iter().all(|line| line.chars().count() <= columns.max(1)), "{side}: {lines:#?}");
                assert!(lines.len() <= rows.max(4), "{side} in {rows}: {lines:#?}");
            }
        }
    }

    #[test]
    fn a_drawing_has_a_title_the_solution_and_how_far_the_run_is() {
        let lines = drawn(4, 79, 24);
        assert!(lines[0].starts_with("a title"));
        assert_eq!(lines[1], "xxxx");
        assert_eq!(lines[5], "best error 42, generation 1,234");
        assert_eq!(lines[7], "1.2 s (Ctrl-C stops it)");
    }

    #[test]
    fn an_improvement_is_told_in_a_line() {
        let progress = Progress { evaluations: 12345, generations: 61, restarts: 2, best_fitness: 6.into() };
        let text = told(&progress, &measure("length", Direction::Minimise), Duration::from_millis(20));
        assert_eq!(text, "length 6 after 12,345 evaluations, generation 61, restarts 2, 0.020 s");
    }
}
