use proptest::prelude::*;

use super::*;

const NO_LIMIT: TimeLimit = TimeLimit { wall: None, any: None };
const A_SECOND: TimeLimit = TimeLimit { wall: Some(1.0), any: Some(1.0) };

/// Ten runs of each configuration on each of two instances, if these have finished.
fn times(limits: &[TimeLimit], finished: &[((u64, usize), &[f64])]) -> RunTimes {
    let n_runs = 20.0 * limits.len() as f64;
    let mut times = RunTimes::with_limits(limits.len() as u64, 2, n_runs, limits.to_vec());
    for (place, seconds) in finished {
        for &seconds in *seconds {
            times.count(*place);
            times.add(*place, seconds);
        }
    }
    times
}

fn rounded(forecast: Option<Forecast>) -> (f64, f64, Option<f64>) {
    let Forecast { seconds, low, high, .. } = forecast.expect("something is known");
    let round = |time: f64| (time * 1e3).round() / 1e3;
    (round(seconds), round(low), high.map(round))
}

#[test]
fn what_an_instance_costs_in_one_configuration_counts_for_the_others() {
    // The first configuration takes 1 s on one instance and 5 s on the other, the second 2 s on the first: so 10 s on the other.
    let times = times(&[NO_LIMIT; 2], &[((0, 0), &[1.0; 10]), ((0, 1), &[5.0; 10]), ((1, 0), &[2.0; 10])]);
    assert_eq!(rounded(times.forecast(2.0, 0.0)).0, 50.0);
    assert_eq!(rounded(times.forecast(2.0, 7.0)).0, 43.0, "each thread has been at its run for 7 s");
}

#[test]
fn the_range_is_that_of_the_sum_of_the_runs_that_are_left() {
    // Of one configuration on two instances five runs each took 80 to 120: what is fitted is 100 for both, with squares of 0.08 each.
    // All together they vary by (0.16 + 1) / (10 - 3 + 1) = 0.145, the configuration by (0.16 + 0.145) / (10 * 0.7 + 1) = 0.038125.
    // Of each five runs are left, 1000 s together: the variance is 0.038125 (2 (5 + 25 / 6) 100^2 + 1000^2 / 10) = 10802.1. The
    // longest takes 100 (1 + 1.6448536 * 0.1952562) = 132.117, so that what is done of the runs in flight adds
    // (0.2886751 * 132.117)^2 = 1454.57, and the drift (0.2 * 1000)^2 = 40000. The factor is 1 + 1.6448536 * sqrt(52256.65) / 1000 =
    // 1.3760088, and half a second is for the tables.
    let seconds: &[f64] = &[80.0, 100.0, 100.0, 100.0, 120.0];
    let times = times(&[NO_LIMIT], &[((0, 0), seconds), ((0, 1), seconds)]);
    assert_eq!(rounded(times.forecast(1.0, 0.0)), (1000.0, 726.74, Some(1376.509)));
}

#[test]
fn a_machine_that_has_become_slower_widens_the_range() {
    let width = |later: f64| {
        let mut times = RunTimes::with_limits(1, 1, 100.0, vec![NO_LIMIT]);
        [[1.0; 20], [later; 20]].as_flattened().iter().for_each(|&seconds| times.add((0, 0), seconds));
        let found = times.forecast(1.0, 0.0).expect("something is known");
        found.high.expect("all is known") / found.low
    };
    assert!(width(1.05) < 0.8 * width(2.0));
}

#[test]
fn limits_of_time_tell_before_a_run_has_finished() {
    // 40 runs of a second on two threads; a limit that not all have says nothing.
    let at_first = times(&[A_SECOND; 2], &[]).forecast(2.0, 0.0);
    assert_eq!(Forecast::text(at_first.as_ref()), "at most 20 s, computed from the time limits of the runs");
    assert_eq!(times(&[A_SECOND, NO_LIMIT], &[]).forecast(2.0, 0.0), None);
    // The runs of the first take half of their limit, so those of the second are expected to.
    let then = times(&[A_SECOND; 2], &[((0, 0), &[0.5; 10]), ((0, 1), &[0.5; 10])]);
    assert_eq!(rounded(then.forecast(1.0, 0.0)).0, 10.0);
    assert!(rounded(then.forecast(1.0, 0.0)).2.is_some_and(|high| (20.0..22.0).contains(&high)));
}

#[test]
fn a_configuration_without_a_run_lies_between_the_fastest_and_the_slowest_of_the_others() {
    let all: [((u64, usize), &[f64]); 6] = [
        ((0, 0), &[1.0; 10]),
        ((0, 1), &[1.0; 10]),
        ((1, 0), &[9.0; 10]),
        ((1, 1), &[9.0; 10]),
        ((2, 0), &[2.0; 10]),
        ((2, 1), &[2.0; 10]),
    ];
    let known = times(&[NO_LIMIT; 4], &all);
    assert_eq!(rounded(known.forecast(1.0, 0.0)), (80.0, 20.0, Some(180.5)));
    assert_eq!(rounded(known.forecast(1.0, 9.1)).2, None, "a run in flight takes longer than the slowest");
    let two = times(&[NO_LIMIT; 4], &all[..4]).forecast(1.0, 0.0);
    assert_eq!(two.and_then(|forecast| forecast.high), None, "two configurations say nothing of another");
    assert!(Forecast::text(two.as_ref()).starts_with("unknown: "), "{two:?}");
}

#[test]
fn a_run_that_was_stopped_leaves_no_upper_end() {
    let mut times = times(&[NO_LIMIT], &[]);
    times.add_cut((0, 0), 3.0);
    assert_eq!(rounded(times.forecast(1.0, 0.0)), (60.0, 60.0, None));
    assert_eq!(Forecast::text(times.forecast(1.0, 0.0).as_ref()), "likely at least 60 s");
    let mut limited = self::times(&[A_SECOND], &[]);
    limited.add_cut((0, 0), 0.5);
    assert_eq!(
        Forecast::text(limited.forecast(1.0, 0.0).as_ref()),
        "at most 20 s, computed from the time limits of the runs"
    );
}

#[test]
fn nothing_is_said_before_a_run_is_done_and_nothing_is_left_at_the_end() {
    assert_eq!(
        Forecast::text(times(&[NO_LIMIT], &[]).forecast(1.0, 0.0).as_ref()),
        "unknown until the first run finishes"
    );
    let mut all = times(&[NO_LIMIT], &[((0, 0), &[3.0; 10]), ((0, 1), &[3.0; 9])]);
    assert_eq!(rounded(all.forecast(4.0, 0.0)).0, 0.75);
    assert!(rounded(all.forecast(4.0, 0.0)).2 >= Some(3.0), "one run is not divided among threads");
    all.count((0, 1));
    assert_eq!(rounded(all.forecast(4.0, 0.0)), (0.0, 0.0, Some(0.0)));
}

#[test]
fn of_too_many_configurations_and_instances_neighbours_share_a_cell() {
    let mut times = RunTimes::with_limits(1_000_000, 1_000_000, 1e13, Vec::new());
    assert_eq!(times.cells.len() as u64, MOST_CELLS);
    for place in [(999_999, 999_999), (999_998, 7)] {
        times.count(place);
        times.add(place, 1.0);
    }
    assert_eq!(times.cells.last().map(|(gone, times)| (*gone, times.n())), Some((2, 2)));
}

#[test]
fn short_runs_keep_fewer_threads_busy() {
    assert_eq!(runs_at_a_time(4.0, 39, 1.0, 100.0), 4.0, "too few to tell");
    assert_eq!(runs_at_a_time(4.0, 40, 1.0, 10.0), 4.0, "too short to tell");
    assert_eq!(runs_at_a_time(4.0, 40, 200.0, 100.0), 2.0);
    assert_eq!(runs_at_a_time(4.0, 40, 500.0, 100.0), 4.0);
}

proptest! {
    #[test]
    fn the_middle_lies_in_the_range_and_more_threads_take_no_longer(
        finished in proptest::collection::vec((0..6u64, 0..2usize, 0.0..1e4), 0..40), jobs in 2..64u32, limited in 0..6usize,
    ) {
        let limits: Vec<TimeLimit> = (0..6).map(|at| if at < limited { TimeLimit { wall: Some(1e4), any: Some(1e4) } } else { NO_LIMIT }).collect();
        let mut times = times(&limits, &[]);
        finished.iter().for_each(|&(configuration, instance, seconds)| times.add((configuration, instance), seconds));
        let [one, several] = [1.0, f64::from(jobs)].map(|jobs| times.forecast(jobs, 0.0));
        if let (Some(one), Some(several)) = (one, several) {
            for Forecast { seconds, low, high, .. } in [one, several] {
                prop_assert!(0.0 <= low && low <= seconds * (1.0 + 1e-9) && high.is_none_or(|high| seconds <= high), "{one:?} {several:?}");
            }
            prop_assert!(several.seconds <= one.seconds);
        }
    }
}
