//! How long the remaining runs will take, as a range, from the times of finished runs of the same configurations.

use super::moments::Moments;

/// The normal quantile of 0.95: 90 % of the values lie between it and its negative.
const QUANTILE: f64 = 1.644_853_626_951_472_2;

/// The coefficient of variation of run times that is assumed if no configuration has two runs: that of an exponential distribution, which
/// restarts approach.
const UNKNOWN_VARIATION: f64 = 1.0;

/// A shorter silence may be due to the journal, which is written only from time to time.
const SILENCE_THAT_TELLS_MS: f64 = 10_000.0;

/// From this number of configurations with finished runs on, their costs bound those of the others.
const CELLS_THAT_TELL: u32 = 3;

/// The remaining runs of a configuration, and the times of its finished runs in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConfigurationCost {
    pub(crate) left: u64,
    pub(crate) wall_ms: Moments,
}

/// The number of simultaneous runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RunsAtATime {
    /// The expected number.
    pub(crate) expected: f64,
    /// The number of threads.
    pub(crate) most: f64,
}

/// A forecast of the remaining time in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Forecast {
    /// The expected time.
    pub(crate) seconds: f64,
    /// It will take as long or longer in 95 of 100 cases, and as long or shorter in 95 of 100, if the runs that are left are like those
    /// of their configurations that were done, and no configuration without a run costs less than the cheapest or more than the dearest of the others.
    /// No upper end where too few configurations are known to say that, or a run of another takes longer than the dearest already: the lower end then
    /// has the configurations with runs alone, as many at a time as there are threads.
    pub(crate) low: f64,
    pub(crate) high: Option<f64>,
    /// The number of remaining runs in configurations without a finished run.
    pub(crate) n_unknown: u64,
}

impl Forecast {
    /// The forecast for these configurations, with this number of simultaneous runs, if no run has finished for `silent_ms`; `None` if no
    /// finished run is known.
    ///
    /// The work that is left of a configuration is its runs times their mean time. Its variance has two parts: that of the sum of the runs, and that
    /// of the mean, which few runs tell badly. The upper end is the normal quantile of the
    /// sum over configurations; the lower one lies below the middle by the same factor, since times cannot be negative and exceed their mean by more than they fall
    /// short of it.
    pub(crate) fn new(
        configurations: impl Iterator<Item = ConfigurationCost> + Clone,
        at_a_time: RunsAtATime,
        silent_ms: f64,
    ) -> Option<Self> {
        let known =
            || configurations.clone().filter_map(|configuration| Some((configuration, configuration.wall_ms.mean()?)));
        let (n_known, sum, least, most) = known()
            .fold((0, 0.0, f64::INFINITY, 0.0_f64), |(n, sum, least, most), (_, mean)| {
                (n + 1, sum + mean, least.min(mean), most.max(mean))
            });
        if n_known == 0 {
            return None;
        }
        let variation = pooled_variation(known());
        let (mut work, mut variance, mut n_unknown, mut longest) = (0.0, 0.0, 0, 0.0_f64);
        for ConfigurationCost { left, wall_ms } in configurations.filter(|configuration| configuration.left > 0) {
            let Some(mean) = wall_ms.mean() else {
                n_unknown += left;
                continue;
            };
            let of_runs = wall_ms.variance().unwrap_or((variation * mean) * (variation * mean));
            let left = left as f64;
            work += left * mean;
            variance += left * of_runs + left * left * of_runs / wall_ms.n() as f64;
            longest = longest.max(mean);
        }
        let factor = if work > 0.0 { 1.0 + QUANTILE * variance.sqrt() / work } else { 1.0 };
        let unknown = n_unknown as f64;
        if n_unknown > 0 {
            longest = longest.max(most);
        }
        // Of a run that is left nothing is known but that it is not over.
        let seconds = |work: f64, least: f64| (work / at_a_time.expected).max(least) / 1e3;
        let is_open = n_unknown > 0 && (n_known < CELLS_THAT_TELL || silent_ms > most.max(SILENCE_THAT_TELLS_MS));
        Some(Self {
            seconds: seconds(work + unknown * sum / f64::from(n_known), 0.0),
            low: if is_open {
                work / factor / at_a_time.most / 1e3
            } else {
                seconds(work / factor + unknown * least, 0.0)
            },
            high: (!is_open).then(|| seconds(work * factor + unknown * most, longest)),
            n_unknown,
        })
    }
}

/// The coefficient of variation of the times of configurations with several runs: the root of its mean square, weighted by runs.
fn pooled_variation(configurations: impl Iterator<Item = (ConfigurationCost, f64)>) -> f64 {
    let relative = |(configuration, mean): (ConfigurationCost, f64)| {
        let n = configuration.wall_ms.n() as f64;
        Some((n, n * configuration.wall_ms.variance()? / (mean * mean))).filter(|_| mean > 0.0)
    };
    let (runs, sum) =
        configurations.filter_map(relative).fold((0.0, 0.0), |sums, one| (sums.0 + one.0, sums.1 + one.1));
    if runs > 0.0 { (sum / runs).sqrt() } else { UNKNOWN_VARIATION }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn configuration(left: u64, times: &[f64]) -> ConfigurationCost {
        let mut wall_ms = Moments::default();
        times.iter().for_each(|&time| wall_ms.add(time));
        ConfigurationCost { left, wall_ms }
    }

    fn forecast(configurations: &[ConfigurationCost], at_a_time: f64) -> Option<Forecast> {
        silent_forecast(configurations, at_a_time, 0.0)
    }

    fn silent_forecast(configurations: &[ConfigurationCost], at_a_time: f64, silent_ms: f64) -> Option<Forecast> {
        let at_a_time = RunsAtATime { expected: at_a_time, most: 2.0 * at_a_time };
        Forecast::new(configurations.iter().copied(), at_a_time, silent_ms)
    }

    #[test]
    fn each_configuration_counts_by_its_own_time() {
        // 10 runs of 1 s and 3 of 20 s: 70 s, on two threads 35; the mean of all runs done would say 13 * 2.9 / 2.
        let configurations =
            [configuration(10, &[1000.0; 9]), configuration(3, &[20_000.0; 1]), configuration(0, &[5.0; 4])];
        let Forecast { seconds, low, high, n_unknown } = forecast(&configurations, 2.0).expect("runs are known");
        assert_eq!((seconds, n_unknown), (35.0, 0));
        assert!(low <= seconds && high.is_some_and(|high| seconds <= high), "{low} to {high:?}");
    }

    #[test]
    fn the_range_is_that_of_the_sum_of_the_runs_that_are_left() {
        // Mean 100, variance 200: of 50 left the sum is 5000, its variance 50 * 200 + 2500 * 200 / 5 = 110000, so that its coefficient of
        // variation is 0.0663325; the factor is 1 + 1.6448536 * 0.0663325 = 1.1091074, and the range 4508.1 to 5545.5.
        let times = [80.0, 100.0, 100.0, 100.0, 120.0];
        let found = forecast(&[configuration(50, &times)], 1.0).expect("runs are known");
        let [low, high] =
            [found.low, found.high.expect("all configurations are known")].map(|end| (end * 1e4).round() / 1e4);
        assert_eq!((found.seconds, low, high), (5.0, 4.5081, 5.5455));
    }

    #[test]
    fn a_configuration_without_a_run_lies_between_the_cheapest_and_the_dearest_of_the_others() {
        let configurations = [
            configuration(0, &[1000.0]),
            configuration(0, &[9000.0]),
            configuration(0, &[2000.0]),
            configuration(4, &[]),
        ];
        let found = forecast(&configurations, 1.0).expect("runs are known");
        assert_eq!((found.low, found.seconds, found.high, found.n_unknown), (4.0, 16.0, Some(36.0), 4));
        let silent = silent_forecast(&configurations, 1.0, 10_001.0).expect("runs are known");
        assert_eq!(silent, Forecast { high: None, low: 0.0, ..found }, "a run in flight costs more than the dearest");
        assert_eq!(
            forecast(&configurations[2..], 1.0).map(|found| found.high),
            Some(None),
            "one configuration says nothing of another"
        );
    }

    #[test]
    fn without_an_upper_end_the_lower_one_has_what_is_known_only() {
        // The configuration with runs has 60 s left without variation, two at a time at most; the other may cost next to nothing.
        let found =
            forecast(&[configuration(6, &[10_000.0; 4]), configuration(100, &[])], 1.0).expect("runs are known");
        assert_eq!((found.low, found.high), (30.0, None));
    }

    #[test]
    fn nothing_is_said_before_a_run_is_done_and_nothing_is_left_at_the_end() {
        assert_eq!(forecast(&[configuration(4, &[])], 1.0), None);
        let at_end = Forecast { seconds: 0.0, low: 0.0, high: Some(0.0), n_unknown: 0 };
        assert_eq!(forecast(&[configuration(0, &[3.0, 4.0])], 1.0), Some(at_end));
        let last = forecast(&[configuration(1, &[8000.0, 8000.0])], 4.0).expect("runs are known");
        assert_eq!(last.high, Some(8.0), "one run is not divided among threads");
    }

    proptest! {
        #[test]
        fn the_middle_lies_in_the_range_and_more_threads_take_no_longer(
            configurations in proptest::collection::vec((0..1000u64, proptest::collection::vec(0.0..1e6, 0..6)), 1..20), jobs in 1..64u32,
        ) {
            let configurations: Vec<ConfigurationCost> = configurations.iter().map(|(left, times)| configuration(*left, times)).collect();
            if let (Some(one), Some(several)) = (forecast(&configurations, 1.0), forecast(&configurations, f64::from(jobs))) {
                let high = |forecast: &Forecast| forecast.high.unwrap_or(f64::INFINITY);
                prop_assert!(one.low <= one.seconds * (1.0 + 1e-9) && one.seconds <= high(&one) * (1.0 + 1e-9), "{one:?}");
                prop_assert!(several.seconds <= one.seconds && high(&several) <= high(&one) && several.low >= 0.0);
            }
        }
    }
}
