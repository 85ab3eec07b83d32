//! Forecasts the remaining time of a plan, as a range. The commands `run`, `plan` and `live` use this forecast.
//!
//! The expected time of a run is the effect of its configuration times the effect of its instance. The effects of configurations and
//! instances are fitted to the mean times of finished runs. So the forecast takes into account that larger instances may come later in the
//! plan. If a configuration has no finished run, the expected time of its runs is its time limit.

#[cfg(test)]
mod tests;

use evogrid_core::budget::Budget;
use evogrid_core::settings::Settings;

use crate::engine::moments::Moments;
use crate::experiment::plan::{Plan, Run};
use crate::system::numbers::{counted_are, duration};

/// The maximum number of cells (pairs of a configuration and an instance) whose times are kept. If there are more pairs, neighbouring pairs
/// share a cell.
const MOST_CELLS: u64 = 16_384;

/// The maximum number of configurations whose limits of time are used.
const LIMITS_KNOWN: u64 = 4096;

/// The number of rounds in which the effects of configurations and instances are fitted alternately.
const FITTING_ROUNDS: usize = 20;

/// The normal quantile of 0.95: 90 % of the values lie between this number and its negative.
const QUANTILE: f64 = 1.644_853_626_951_472_2;

/// The squared coefficient of variation that is assumed before any run is known. It is the value of an exponential distribution. The times
/// of searches with restarts are approximately exponential.
const UNKNOWN_VARIATION: f64 = 1.0;

/// The minimum coefficient of variation of the machine's speed between now and the end.
const DRIFT: f64 = 0.2;

/// The seconds that a process needs after its last run to write its tables.
const END_SECONDS: f64 = 0.5;

/// The ratio of the weights of two consecutive runs in the estimate of the present speed. So mainly the last fifty runs determine the
/// present speed.
const RECENCY: f64 = 0.98;

/// The number of recent runs from which the present speed is estimated.
const RECENT_RUNS_THAT_TELL: f64 = 20.0;

/// The minimum of a time, in seconds, by which a number is divided.
const LEAST_TIME: f64 = 1e-9;

/// The standard deviation of a uniform number between 0 and 1. It describes how much of the runs in progress is finished, and how far apart
/// the ends of the threads are.
const UNIFORM: f64 = 0.288_675_134_594_812_9;

/// The number of configurations with finished runs from which the times of other configurations can be bounded.
const CONFIGURATIONS_THAT_TELL: usize = 3;

/// The share of time that goes into runs can be estimated after this number of finished runs for each thread, and this number of seconds
/// since the start. The start is known to a second.
const RUNS_THAT_TELL: f64 = 10.0;
const TIME_THAT_TELLS: f64 = 20.0;

/// The times of a plan's finished runs, by configuration and instance. The memory of this object does not grow with the number of runs.
#[derive(Debug, Default)]
pub struct RunTimes {
    n_configurations: u64,
    n_instances: u64,
    n_columns: usize,
    /// The mean number of planned runs of a cell.
    planned: f64,
    n_rows: usize,
    /// For each cell, the number of runs that have ended, and the known times in seconds. Cells are stored row by row.
    cells: Vec<(u64, Moments)>,
    /// The limits of time by row; empty if there are too many configurations.
    limits: Vec<TimeLimit>,
    /// Three weighted sums over the recent runs: the times of the runs, the earlier mean times of the runs' cells, and the number of runs.
    recent: [f64; 3],
    longest: f64,
    is_cut: bool,
}

/// The limits of a run's time in seconds: first the limit of wall time; then this limit again, or the limit of processor time if wall time
/// is not limited.
#[derive(Clone, Copy, Debug, Default)]
struct TimeLimit {
    wall: Option<f64>,
    any: Option<f64>,
}

/// A forecast of the remaining time in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The expected time.
    pub seconds: f64,
    /// The lower end of the range. The forecast assumes that the remaining runs resemble the finished runs. If the remaining runs do
    /// resemble the finished runs, the true time is above the lower end in 95 of 100 cases, and below the upper end in 95 of 100 cases.
    /// `docs/live.md` shows how often forecasts were correct.
    pub low: f64,
    /// The upper end of the range. The upper end is `None` if too few configurations have finished runs. The upper end is also `None` if a
    /// run in progress already takes longer than all other runs.
    pub high: Option<f64>,
    /// The number of remaining runs whose configuration does not have a finished run yet.
    pub n_unknown: u64,
    /// Whether the forecast uses only the time limits of runs, because no run has finished.
    pub is_by_limits: bool,
}

impl RunTimes {
    /// Makes an object without times, for the runs of a plan on `n_instances` instances. `share` is the fraction of these runs that this
    /// process does.
    pub fn new(plan: &Plan, n_instances: u64, share: f64) -> Self {
        let limit = |settings: &Settings| {
            let limits = settings.table("budget");
            let budget = if Budget::grows(limits) { Budget::default() } else { Budget::from_settings(limits) };
            TimeLimit { wall: budget.seconds, any: budget.seconds.or(budget.cpu_seconds) }
        };
        let n_runs = n_instances as f64 / plan.spec().instances.len().max(1) as f64 * plan.n_runs() as f64 * share;
        let n_limits = if plan.n_configurations() > LIMITS_KNOWN { 0 } else { usize::MAX };
        let limits = plan.configurations().take(n_limits).map(|configuration| limit(&configuration.settings));
        Self::with_limits(plan.n_configurations(), n_instances, n_runs, limits.collect())
    }

    /// Makes an object without times, for `n_runs` runs of a race. All configurations of a race share one row.
    pub(crate) fn of_race(plan: &Plan, n_runs: u64) -> Self {
        Self::with_limits(1, plan.spec().instances.len() as u64, n_runs as f64, Vec::new())
    }

    /// Returns the number of the run's configuration in the plan, and the index of the run's instance.
    pub fn place(&self, run: &Run) -> (u64, usize) {
        (run.configuration_number, run.instance)
    }

    fn with_limits(n_configurations: u64, n_instances: u64, n_runs: f64, limits: Vec<TimeLimit>) -> Self {
        let n_rows = n_configurations.clamp(1, MOST_CELLS);
        let n_columns = n_instances.clamp(1, MOST_CELLS / n_rows);
        let n_cells = (n_rows * n_columns) as usize;
        Self {
            n_configurations,
            n_instances,
            n_columns: n_columns as usize,
            planned: n_runs / n_cells as f64,
            n_rows: n_rows as usize,
            cells: vec![(0, Moments::default()); n_cells],
            limits,
            ..Self::default()
        }
    }

    /// The cell of a configuration and an instance, given by their numbers in the plan.
    fn cell(&mut self, (configuration, instance): (u64, usize)) -> &mut (u64, Moments) {
        let among = |number: u64, n: u64, n_places: usize| {
            (u128::from(number.min(n.saturating_sub(1))) * n_places as u128 / u128::from(n.max(1))) as usize
        };
        let row = among(configuration, self.n_configurations, self.n_rows);
        let column = among(instance as u64, self.n_instances, self.n_columns);
        &mut self.cells[row * self.n_columns + column]
    }

    /// Adds 1 to the number of ended runs at `place` (a configuration and an instance).
    pub fn count(&mut self, place: (u64, usize)) {
        self.cell(place).0 += 1;
    }

    /// Adds the time of a finished run, in seconds.
    pub fn add(&mut self, place: (u64, usize), seconds: f64) {
        let times = &mut self.cell(place).1;
        let before = times.mean();
        times.add(seconds);
        for (sum, time) in self.recent.iter_mut().zip(before.map(|before| [seconds, before, 1.0]).into_iter().flatten())
        {
            *sum = *sum * RECENCY + time;
        }
        self.longest = self.longest.max(seconds);
    }

    /// Adds the time of a run that was stopped before its end, after `seconds` seconds. If the run has no time limit, the forecast has no
    /// upper end.
    pub fn add_cut(&mut self, place: (u64, usize), seconds: f64) {
        if self.limits.get(place.0 as usize).is_none_or(|limit| limit.any.is_none()) {
            self.is_cut = true;
            self.add(place, seconds);
        }
    }

    /// Returns the mean time, in seconds, of finished runs with the configuration and instance of `run`. The time is infinite if no run
    /// with this configuration and instance has finished.
    pub fn expected(&mut self, run: &Run) -> f64 {
        self.cell(self.place(run)).1.mean().unwrap_or(f64::INFINITY)
    }

    /// Returns the forecast for `at_a_time` simultaneous runs. `silent` is the number of seconds since the last run finished. Returns
    /// `None` if no run has finished and there are no time limits.
    ///
    /// The remaining work is the work of all runs that have not ended. The forecast includes the whole work of runs in progress. A part of
    /// the work of runs in progress is already done. But some threads are idle at the end of the plan. On average, this idle time is as
    /// long as the time that the runs in progress have already taken when the forecast is made. The variance for a configuration is the sum
    /// of three variances. The first of these three variances comes from the random times of the remaining runs. The second variance comes
    /// from the error of the mean time on each instance. The third variance comes from the error of the configuration's overall mean time.
    /// The remaining work is assumed to be normally distributed, and the upper end of the range is a quantile of this distribution. The
    /// times of runs are skewed and cannot be negative. Therefore one factor determines both ends of the range: the upper end is the
    /// expected time times the factor, and the lower end is the expected time divided by the factor.
    pub fn forecast(&self, at_a_time: f64, silent: f64) -> Option<Forecast> {
        let (rows, seen) = self.effects();
        let n_seen = seen.iter().flatten().count();
        let usual = spread(seen.iter().flatten().copied()).map_or(1.0, |[mean, ..]| mean);
        let columns: Vec<f64> = seen.iter().map(|column| column.unwrap_or(usual)).collect();
        let mut unseen = vec![0.0; columns.len()];
        let limit = |row: usize| self.limits.get(row).copied().unwrap_or_default();
        let known: Vec<(usize, f64)> =
            rows.iter().enumerate().filter_map(|(row, effect)| Some((row, (*effect)?))).collect();
        let all = spread(known.iter().map(|&(_, effect)| effect));
        let of_limits = spread(known.iter().filter_map(|&(row, effect)| Some(effect / limit(row).any?)));
        let variations = self.variations(&rows, &columns, n_seen);
        let (mut work, mut variance, mut longest, mut most_work) = (0.0, 0.0, 0.0_f64, 0.0);
        let (mut unknown, mut n_unknown, mut is_open) = ([0.0; 3], 0.0, self.is_cut);
        for (row, effect) in rows.iter().enumerate() {
            let (mut left, mut sum, mut squares, mut largest) = (0.0, 0.0, 0.0, 0.0_f64);
            for (column, (gone, times)) in self.row(row).iter().enumerate() {
                let n_left = (self.planned - *gone as f64).max(0.0);
                let fitted = effect.unwrap_or(1.0) * columns[column];
                let n = times.n() as f64;
                // The mean time of a cell is combined with its fitted time, since few runs estimate the mean badly.
                let mean = times.mean().map_or(fitted, |mean| (n * mean + fitted) / (n + 1.0));
                (left, sum) = (left + n_left, sum + n_left * mean);
                squares += (n_left + n_left * n_left / (n + 1.0)) * mean * mean;
                largest = if n_left > 0.0 { largest.max(mean) } else { largest };
                unseen[column] += if seen[column].is_none() && effect.is_some() { n_left * mean } else { 0.0 };
            }
            let TimeLimit { wall, any } = limit(row);
            most_work += if left > 0.0 { left * wall.unwrap_or(f64::INFINITY) } else { 0.0 };
            if effect.is_some() {
                work += sum;
                variance += variations[row] * (squares + sum * sum / self.n_finished(row) as f64);
                longest = longest.max(largest * (1.0 + QUANTILE * variations[row].sqrt()));
            } else if left > 0.0 {
                n_unknown += left;
                let is_told = known.len() >= CONFIGURATIONS_THAT_TELL && silent <= self.longest;
                let (factor, [mean, least, most]) = match (any, of_limits) {
                    (Some(limit), Some([mean, least, _])) => (limit, [mean, least, f64::max(1.0, mean)]),
                    (Some(limit), None) => (limit, [1.0, 0.0, 1.0]),
                    (None, _) => (1.0, all.filter(|_| is_told).unwrap_or([all.map_or(0.0, |all| all[0]), 0.0, 0.0])),
                };
                is_open |= any.is_none() && !is_told;
                longest = longest.max(largest * factor * most);
                [mean, least, most]
                    .into_iter()
                    .zip(&mut unknown)
                    .for_each(|(share, part)| *part += sum * factor * share);
            }
        }
        if known.is_empty() && (is_open || n_unknown == 0.0) {
            return None;
        }
        let [mean, least, most] = unknown;
        // Instances without a run are assumed to vary as much as the other instances.
        let n_seen = n_seen.max(1) as f64;
        let spread = seen.iter().flatten().map(|factor| squared(factor / usual - 1.0)).sum::<f64>() + UNKNOWN_VARIATION;
        let sums = unseen.iter().fold((0.0, 0.0), |sums, work| (sums.0 + work, sums.1 + work * work));
        variance += spread / n_seen * (sums.1 + sums.0 * sums.0 / n_seen);
        // If the speed of the machine has changed, it may change again.
        let [now, before, n_recent] = self.recent;
        let is_judged = n_recent >= RECENT_RUNS_THAT_TELL && before > 0.0;
        let drift = if is_judged { (now / before - 1.0).abs().clamp(DRIFT, 1.0) } else { DRIFT };
        variance += squared(UNIFORM * at_a_time * longest) + squared(drift * work);
        let factor = if work > 0.0 { 1.0 + QUANTILE * variance.sqrt() / work } else { 1.0 };
        // Each run in progress has lasted at least since the last run ended.
        let after = |work: f64, least: f64| ((work / at_a_time).max(least) - silent).max(0.0);
        let seconds = after(work + mean, 0.0);
        let bound = (most_work / at_a_time + longest).max(seconds);
        let high = after(work * factor + most, longest);
        is_open |= high == 0.0 && silent > 0.0;
        let high = high + if work + most > 0.0 { END_SECONDS } else { 0.0 };
        Some(Forecast {
            seconds,
            low: if self.is_cut { seconds } else { after(work / factor + if is_open { 0.0 } else { least }, 0.0) },
            high: if is_open { Some(bound) } else { Some(high.min(bound)) }.filter(|high| high.is_finite()),
            n_unknown: n_unknown.round() as u64,
            is_by_limits: known.is_empty(),
        })
    }

    fn row(&self, row: usize) -> &[(u64, Moments)] {
        &self.cells[row * self.n_columns..][..self.n_columns]
    }

    fn n_finished(&self, row: usize) -> u64 {
        self.row(row).iter().map(|(_, times)| times.n()).sum()
    }

    /// The effects of configurations in seconds, and the factors of instances, fitted alternately; `None` without a finished run.
    fn effects(&self) -> (Vec<Option<f64>>, Vec<Option<f64>>) {
        let (mut rows, mut columns) = (vec![Some(1.0); self.n_rows], vec![Some(1.0); self.n_columns]);
        for _ in 0..FITTING_ROUNDS {
            let of_row = |row: usize| ratio(self.row(row).iter().zip(&columns));
            rows = (0..rows.len()).map(of_row).collect();
            let cells = |column: usize| self.cells.iter().skip(column).step_by(self.n_columns);
            columns = (0..self.n_columns).map(|column| ratio(cells(column).zip(&rows))).collect();
        }
        (rows, columns)
    }

    /// The squared coefficient of variation of the times of each configuration around the fitted times. The variation of all configurations
    /// counts as one more run of each configuration. [`UNKNOWN_VARIATION`] counts as one more run in the variation of all configurations.
    fn variations(&self, rows: &[Option<f64>], columns: &[f64], n_seen: usize) -> Vec<f64> {
        let of_row = |(row, effect): (usize, &Option<f64>)| {
            let of_cell = |((_, times), column): (&(u64, Moments), &f64)| {
                let fitted = (effect.unwrap_or(0.0) * column).max(LEAST_TIME);
                times.squares_around(fitted) / (fitted * fitted)
            };
            self.row(row).iter().zip(columns).map(of_cell).sum::<f64>()
        };
        let squares: Vec<f64> = rows.iter().enumerate().map(of_row).collect();
        let n_runs: u64 = self.cells.iter().map(|(_, times)| times.n()).sum();
        let n_free = n_runs.saturating_sub((rows.iter().flatten().count() + n_seen) as u64);
        let all = (squares.iter().sum::<f64>() + UNKNOWN_VARIATION) / (n_free + 1) as f64;
        let share = n_free as f64 / n_runs.max(1) as f64;
        let of_row = |(row, squares): (usize, &f64)| (squares + all) / (self.n_finished(row) as f64 * share + 1.0);
        squares.iter().enumerate().map(of_row).collect()
    }
}

impl Forecast {
    /// Describes the remaining time in words: `12 min, likely 10 min to 15 min`.
    pub fn text(forecast: Option<&Self>) -> String {
        let Some(Self { seconds, low, high, is_by_limits, .. }) = forecast else {
            return "unknown until the first run finishes".to_owned();
        };
        match high {
            Some(_) if *is_by_limits => {
                format!("at most {}, computed from the time limits of the runs", duration(*seconds))
            }
            Some(high) => format!("{}, likely {} to {}", duration(*seconds), duration(*low), duration(*high)),
            None if *low < 1.0 => "unknown: some configurations have no finished run yet".to_owned(),
            None => format!("likely at least {}", duration(*low)),
        }
    }

    /// Explains to the user how the remaining time and its range are computed.
    pub fn method(&self, at_a_time: f64) -> String {
        let unknown = match (self.n_unknown, self.high) {
            (0, _) => String::new(),
            (n, high) => format!(
                " Some configurations do not have a finished run yet ({} left). For these configurations, {}.",
                counted_are(n, "run"),
                match high {
                    Some(_) =>
                        "the forecast uses the time limits. If a configuration has no time limit, the forecast uses \
                         the times of the fastest and the slowest of the other configurations",
                    None => "the time cannot be estimated",
                }
            ),
        };
        let range = match self.high {
            Some(_) => {
                "If the remaining runs resemble the finished runs, this range contains the true time in about 90 of \
                 100 cases."
            }
            None => "In 95 of 100 cases, the experiment takes longer than this minimum.",
        };
        format!(
            "For each remaining run, the forecast uses the mean time of its configuration on its instance. The \
             remaining time is the sum of these mean times, divided by the number of simultaneous runs, \
             {at_a_time:.1}. {range}{unknown}"
        )
    }
}

/// Returns the average number of runs that `jobs` threads do at the same time. When enough runs have finished, the result is `jobs` times
/// the share of time that threads spend on runs. If runs are very short, the share of time spent on runs is below 1, because threads must
/// also wait for the journal.
pub fn runs_at_a_time(jobs: f64, n_runs: u64, run_seconds: f64, elapsed: f64) -> f64 {
    let is_told = n_runs as f64 >= RUNS_THAT_TELL * jobs && elapsed >= TIME_THAT_TELLS;
    if is_told { (run_seconds / elapsed).clamp(1e-6, jobs) } else { jobs }
}

fn squared(number: f64) -> f64 {
    number * number
}

/// The mean, the minimum and the maximum of some numbers; `None` if there are no numbers.
fn spread(numbers: impl Iterator<Item = f64> + Clone) -> Option<[f64; 3]> {
    let n = numbers.clone().count();
    let least = numbers.clone().reduce(f64::min)?;
    Some([numbers.clone().sum::<f64>() / n as f64, least, numbers.fold(0.0, f64::max)])
}

/// The sum of the mean times of some cells, divided by the sum of the other effects on these cells; `None` without a finished run.
fn ratio<'c>(cells: impl Iterator<Item = (&'c (u64, Moments), &'c Option<f64>)>) -> Option<f64> {
    let known = cells.filter_map(|((_, times), other)| Some((times.mean()?, (*other)?)));
    let (n, times, others) = known.fold((0, 0.0, 0.0), |sums, one| (sums.0 + 1, sums.1 + one.0, sums.2 + one.1));
    (n > 0).then(|| times / f64::max(others, LEAST_TIME))
}
