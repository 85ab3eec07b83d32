//! The view of a single search: an observer records the progress of the run, and a display on another thread shows it. The observer reads
//! the clock only for printed improvements.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use console::Term;
use evogrid_core::algorithm::Solve;
use evogrid_core::family::{Direction, Instance, Marks, Room};
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::Allele;
use evogrid_core::observer::{Observer, Progress, Step};
use evogrid_core::population::Population;

use super::screen::Screen;
use evogrid_runner::engine::progress::line;
use evogrid_runner::system::numbers::{counted, grouped};

/// The progress of a run. The thread of the run and the display share the progress.
#[derive(Debug, Default)]
pub(crate) struct RunProgress {
    /// The numbers of evaluations, generations and restarts.
    counts: [u64; 3],
    /// The last improvement with its genome; `None` before the first evaluation.
    pub(crate) best: Option<(Progress, Vec<Allele>)>,
    /// Improvements that were not printed yet, with their times.
    unprinted: Vec<(Progress, Duration)>,
}

/// Locks the progress of a run.
pub(crate) fn locked(progress: &Mutex<RunProgress>) -> MutexGuard<'_, RunProgress> {
    // The progress is complete after each statement, so it is still valid if the run panicked.
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An observer that records the progress of a run, and passes the steps of the run to the recorder of steps.
pub(crate) struct Watcher<'s> {
    /// The progress of the run.
    pub(crate) shared: Arc<Mutex<RunProgress>>,
    /// The start of the run.
    pub(crate) started: Instant,
    /// Whether improvements are printed one by one.
    pub(crate) keeps_improvements: bool,
    /// The pause after each generation.
    pub(crate) pause: Option<Duration>,
    /// The recorder of the steps.
    pub(crate) steps: &'s mut StepRecorder,
}

impl Watcher<'_> {
    fn note(&self, progress: &Progress) -> MutexGuard<'_, RunProgress> {
        let mut shared = locked(&self.shared);
        shared.counts = [progress.evaluations, progress.generations, progress.restarts];
        shared
    }
}

impl Observer for Watcher<'_> {
    fn improved(&mut self, progress: &Progress, genome: &[Allele]) {
        let mut shared = self.note(progress);
        shared.best = Some((*progress, genome.to_vec()));
        if self.keeps_improvements {
            shared.unprinted.push((*progress, self.started.elapsed()));
        }
    }

    fn generation(&mut self, progress: &Progress, _population: Option<&Population>) {
        drop(self.note(progress));
        if let Some(pause) = self.pause {
            std::thread::sleep(pause);
        }
    }

    fn wants_steps(&self) -> bool {
        self.steps.history.is_some() || self.steps.is_printed
    }

    fn step(&mut self, step: &Step) {
        self.steps.record(step);
    }
}

/// Writes every step of a backtracking search to a CSV with the columns `counter,options,cell,value` (Arkieva's TRACKHIST), to standard
/// error, or to both.
pub(crate) struct StepRecorder {
    history: Option<(csv::Writer<BufWriter<File>>, PathBuf)>,
    is_printed: bool,
    count: u64,
    failure: Option<csv::Error>,
}

impl StepRecorder {
    /// Makes a recorder of steps. It writes to the file `history` if this argument is not `None`, and to standard error if `is_printed` is
    /// true.
    pub(crate) fn new(history: Option<&Path>, is_printed: bool) -> Result<Self> {
        let open = |path: &Path| -> Result<_> {
            let cannot = || format!("{} cannot be written", path.display());
            let mut writer = csv::Writer::from_writer(BufWriter::new(File::create(path).with_context(cannot)?));
            writer.write_record(Step::COLUMNS).with_context(cannot)?;
            Ok((writer, path.to_owned()))
        };
        Ok(Self { history: history.map(open).transpose()?, is_printed, count: 0, failure: None })
    }

    /// Completes the file, and returns the number of steps.
    pub(crate) fn finish(self) -> Result<u64> {
        if let Some((mut writer, path)) = self.history {
            let flushed = writer.flush().map_err(csv::Error::from);
            self.failure.map_or(flushed, Err).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        Ok(self.count)
    }

    fn record(&mut self, step: &Step) {
        self.count += 1;
        if self.is_printed {
            line(&step.to_string());
        }
        if let (Some((writer, _)), None) = (&mut self.history, &self.failure) {
            self.failure = writer.serialize(step.row()).err();
        }
    }
}

/// A display of a run on standard error. A terminal shows the best solution, redrawn in place. Without a terminal, a line is printed for
/// each improvement.
pub(crate) struct Display {
    shared: Arc<Mutex<RunProgress>>,
    started: Instant,
    /// The screen, the instance and the title; `None` if standard error is not a terminal. Without a terminal, improvements are printed one
    /// by one.
    pub(crate) drawing: Option<(Screen, Arc<dyn Instance>, String)>,
    measure: FitnessMeasure,
}

/// The name of the fitness, and whether smaller or larger values are better.
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

impl Display {
    /// Makes a display of a run that begins now.
    pub(crate) fn new(
        shared: Arc<Mutex<RunProgress>>,
        instance: &Arc<dyn Instance>,
        title: String,
        measure: FitnessMeasure,
    ) -> Self {
        let term = Term::stderr();
        let is_drawn = term.features().is_attended() && !console::is_dumb();
        let drawing = is_drawn.then(|| (Screen::open(term), Arc::clone(instance), title));
        Self { shared, started: Instant::now(), drawing, measure }
    }

    /// Shows the progress of the run.
    pub(crate) fn show(&mut self, problem: &dyn Solve) {
        let time = self.started.elapsed();
        if let Some((screen, instance, title)) = &mut self.drawing {
            let (texts, room) = ((title.as_str(), &self.measure), screen.room());
            let lines = frame(&locked(&self.shared), problem, instance.as_ref(), texts, time, screen.marks, room);
            screen.draw(&lines);
        } else {
            for (progress, time) in locked(&self.shared).unprinted.drain(..) {
                line(&improvement(&progress, &self.measure, time));
            }
        }
    }

    /// Removes the drawing, or prints the remaining improvements.
    pub(crate) fn finish(mut self, problem: &dyn Solve) {
        match &self.drawing {
            None => self.show(problem),
            Some((screen, ..)) if screen.drawn == 0 => {
                line("the search was too fast: `--pace 100` shows 100 generations per second");
            }
            Some(_) => {}
        }
    }
}

/// Returns the lines of one drawing: title, solution, and three lines of figures.
fn frame(
    progress: &RunProgress,
    problem: &dyn Solve,
    instance: &dyn Instance,
    (title, measure): (&str, &FitnessMeasure),
    time: Duration,
    marks: Marks,
    room: Room,
) -> Vec<String> {
    let RunProgress { counts: [evaluations, generations, restarts], best, .. } = progress;
    let figures = [
        match best {
            Some((progress, _)) => format!("best {}", measure.text(progress.best_fitness)),
            None => "no solution yet".to_owned(),
        } + &format!(", generation {}", grouped(*generations)),
        format!("{} evaluations, restarts {}", grouped(*evaluations), grouped(*restarts)),
        format!("{:.1} s (Ctrl-C stops it)", time.as_secs_f64()),
    ];
    let solution = best.as_ref().map(|(_, genome)| problem.describe(genome));
    let draw =
        |rows: usize| instance.draw(solution.as_deref(), marks, Room { columns: room.columns, rows: rows.max(1) });
    let mut lines = draw(room.rows.saturating_sub(figures.len() + 1));
    // The title is shown only if the drawing does not need its line.
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

/// Describes one improvement in a line.
fn improvement(progress: &Progress, measure: &FitnessMeasure, time: Duration) -> String {
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

    /// An instance and problem whose solution is drawn as a square with sides of this many characters.
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
        let shared = Arc::new(Mutex::default());
        let progress = Progress { evaluations: u64::MAX, generations: 1234, restarts: 20, best_fitness: 42.into() };
        let mut steps = StepRecorder::new(None, false).expect("nothing is opened");
        let (shared_with_run, started) = (Arc::clone(&shared), Instant::now());
        let (keeps_improvements, pause, steps) = (false, None, &mut steps);
        let mut watcher = Watcher { shared: shared_with_run, started, keeps_improvements, pause, steps };
        watcher.improved(&progress, &[]);
        let title = "a title that is much too long for a terminal of forty columns";
        frame(
            &locked(&shared),
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
        let text = improvement(&progress, &measure("length", Direction::Minimise), Duration::from_millis(20));
        assert_eq!(text, "length 6 after 12,345 evaluations, generation 61, restarts 2, 0.020 s");
    }
}
