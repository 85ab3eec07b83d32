//! Small flow shops against full search: fitness, every move, the best of every group, mark and rollback, partial sequences and NEH.

use proptest::prelude::*;

use super::independent_check::objective;
use super::{Criterion, FlowShop, ProcessingTimes};
use evogrid_core::construction::Ties;
use evogrid_core::fitness::Fitness;
use evogrid_core::layout::Allele;
use evogrid_core::neighbourhood::{Move, Neighbourhood, NeighbourhoodKind, NeighbourhoodVisitor, Pick, Scope};
use evogrid_core::problem::Problem;
use evogrid_core::random::RandomStream;

/// Calls a function with every sequence of the first `n` jobs.
fn for_each_sequence(n: usize, mut visit: impl FnMut(&[Allele])) {
    fn permute(sequence: &mut [Allele], at: usize, visit: &mut impl FnMut(&[Allele])) {
        if at == sequence.len() {
            return visit(sequence);
        }
        for other in at..sequence.len() {
            sequence.swap(at, other);
            permute(sequence, at + 1, visit);
            sequence.swap(at, other);
        }
    }
    permute(&mut (0..n as Allele).collect::<Vec<_>>(), 0, &mut visit);
}

/// The value of a sequence by the independent check.
fn checked(problem: &FlowShop, sequence: &[Allele]) -> Fitness {
    let content = problem.content().expect("it has one");
    Fitness::new(objective(&content, &problem.describe(sequence)).expect("a sequence") as f64)
}

/// Problems of up to seven jobs and six machines, with few different times (many ties), two digits, or too long for narrow numbers.
fn problems() -> impl Strategy<Value = FlowShop> {
    let longest = prop_oneof![Just(3_u32), Just(100), Just(100_000_000)];
    let criterion = prop_oneof![Just(Criterion::Makespan), Just(Criterion::FlowTime)];
    (1..=7_usize, 1..=6_usize, longest, criterion).prop_flat_map(|(n_jobs, n_machines, longest, criterion)| {
        prop::collection::vec(0..longest, n_jobs * n_machines).prop_map(move |times| {
            FlowShop::new(ProcessingTimes::new(n_jobs, n_machines, times).expect("a small one"), criterion)
        })
    })
}

/// The sequence after a move of an insertion neighbourhood.
fn moved(sequence: &[Allele], Move(from, to): Move) -> Vec<Allele> {
    let mut sequence = sequence.to_vec();
    let job = sequence.remove(from as usize);
    sequence.insert(to as usize, job);
    sequence
}

/// Looks at every group of the insertion neighbourhood of three solutions; `evogrid::laws` look at what scans take.
struct Insertions<'p> {
    problem: &'p FlowShop,
    random: RandomStream,
}

impl<'p> NeighbourhoodVisitor<'p> for Insertions<'p> {
    type Output = ();

    fn visit<N: Neighbourhood + 'p>(mut self, mut moves: N) {
        let n = self.problem.layout().gene_len();
        let (mut before, mut after, mut groups) = (vec![0; n], vec![0; n], Vec::new());
        assert_eq!(moves.is_empty(), n == 1);
        for place in [0, 2, 1, 0, 2] {
            self.problem.randomise(&mut before, &mut self.random);
            let now = moves.load(place, &before);
            assert_eq!(now.into(), checked(self.problem, &before));
            moves.mark(place);
            for group in 0..moves.n_groups() {
                let mut told = Vec::new();
                moves.best_in(Scope { place, group, now, limit: u64::MAX }, Pick::Best, |step, cost| {
                    told.push((step, cost));
                    false
                });
                assert_eq!(told.len(), n - 1, "all positions but its own");
                for (step, cost) in told {
                    moves.apply(place, step);
                    moves.write(place, &mut after);
                    assert_eq!((&after, cost.into()), (&moved(&before, step), checked(self.problem, &after)));
                    moves.touched(place, step, &mut groups);
                    assert_eq!(groups, (0..n as u32).collect::<Vec<_>>(), "every job may have a better position now");
                    groups.clear();
                    moves.rollback(place);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_sequence_has_the_fitness_of_the_independent_check_and_none_is_below_the_optimum(problem in problems()) {
        let mut optimum = Fitness::WORST;
        for_each_sequence(problem.times.n_jobs(), |sequence| {
            let fitness = problem.fitness(sequence);
            assert_eq!(fitness, checked(&problem, sequence));
            let value = value(problem.criterion, &problem.times, sequence);
            assert_eq!(fitness.value() as u64, value);
            optimum = optimum.min(fitness);
        });
        for takes_last in [false, true] {
            let sequence = problem.neh(takes_last);
            prop_assert!(problem.layout().is_valid(&sequence) && problem.fitness(&sequence) >= optimum);
        }
        // One machine, or two jobs: NEH tries all that matters.
        if problem.criterion == Criterion::Makespan && (problem.times.n_machines() == 1 || problem.times.n_jobs() <= 2) {
            prop_assert_eq!(problem.fitness(&problem.neh(false)), optimum);
        }
    }

    #[test]
    fn every_insertion_is_told_with_the_value_of_the_independent_check(problem in problems(), seed: u64) {
        let visitor = Insertions { problem: &problem, random: RandomStream::from_seed(seed) };
        prop_assert!(problem.visit_neighbourhood(NeighbourhoodKind::Insertion, 3, visitor).is_ok());
    }

    #[test]
    fn a_job_comes_back_to_its_best_position(problem in problems(), seed: u64, takes_last: bool) {
        let ties = if takes_last { Ties::Last } else { Ties::First };
        let mut random = RandomStream::from_seed(seed);
        let n = problem.times.n_jobs();
        let mut sequence = problem.layout().template().to_vec();
        problem.randomise(&mut sequence, &mut random);
        let mut partial = problem.partial().unwrap();
        prop_assert_eq!(partial.load(&sequence), problem.fitness(&sequence));
        for _ in 0..6 {
            let removed: Vec<Allele> = (0..1 + random.below(n)).map(|_| sequence.remove(random.below(sequence.len()))).collect();
            removed.iter().for_each(|&job| partial.remove(job));
            for job in removed {
                let values: Vec<u64> = (0..=sequence.len()).map(|position| {
                    let mut sequence = sequence.clone();
                    sequence.insert(position, job);
                    value(problem.criterion, &problem.times, &sequence)
                }).collect();
                let limit = 1 + random.below(n + 1);
                let judged = &values[..values.len().min(limit)];
                let best = *judged.iter().min().unwrap();
                let is_best = |&&value: &&u64| value == best;
                let expected = if takes_last {
                    judged.len() - 1 - judged.iter().rev().take_while(|value| !is_best(value)).count()
                } else {
                    judged.iter().take_while(|value| !is_best(value)).count()
                };
                let found = partial.best_position(job, limit as u64, ties);
                prop_assert_eq!((found.position, found.fitness.value() as u64, found.examined), (expected, best, judged.len() as u64));
                partial.insert(job, found.position);
                sequence.insert(found.position, job);
            }
            let mut written = vec![0; n];
            partial.write(&mut written);
            prop_assert_eq!(&written, &sequence);
        }
        partial.clear();
        prop_assert_eq!(partial.best_position(0, u64::MAX, ties).position, 0);
    }
}

/// When each machine begins and ends each job of a sequence.
fn begins_and_ends(times: &ProcessingTimes, sequence: &[Allele]) -> Vec<Vec<[i64; 2]>> {
    let mut free_from = vec![0; times.n_machines()];
    let schedule = sequence.iter().map(|&job| {
        let mut done = 0;
        let machines = free_from.iter_mut().zip(times.machines());
        machines
            .map(|(free_from, times)| {
                let begin = done.max(*free_from);
                done = begin + i64::from(times[usize::from(job)]);
                *free_from = done;
                [begin, done]
            })
            .collect()
    });
    schedule.collect()
}

/// The value of a sequence that may lack jobs, from when each job ends on each machine.
pub(super) fn value(criterion: Criterion, times: &ProcessingTimes, sequence: &[Allele]) -> u64 {
    let ends = begins_and_ends(times, sequence).into_iter().map(|machines| machines[machines.len() - 1][1] as u64);
    match criterion {
        Criterion::Makespan => ends.max().unwrap_or(0),
        Criterion::FlowTime => ends.sum(),
    }
}

/// How much longer machines other than the first wait in front of a job at a position, and of the one behind it, than they waited for that
/// one without it.
fn idle_time(times: &ProcessingTimes, sequence: &[Allele], job: Allele, position: usize) -> i64 {
    let mut with = sequence.to_vec();
    with.insert(position, job);
    let waiting = |sequence: &[Allele], at: usize| -> i64 {
        let schedule = begins_and_ends(times, sequence);
        let Some(job) = schedule.get(at) else { return 0 };
        let free_from = |machine: usize| if at == 0 { 0 } else { schedule[at - 1][machine][1] };
        (1..times.n_machines()).map(|machine| job[machine][0] - free_from(machine)).sum()
    };
    waiting(&with, position) + waiting(&with, position + 1) - waiting(sequence, position)
}

proptest! {
    #[test]
    fn equally_good_positions_are_told_apart_by_idle_times(problem in problems(), seed: u64) {
        let (times, mut random) = (&problem.times, RandomStream::from_seed(seed));
        let mut sequence = problem.layout().template().to_vec();
        problem.randomise(&mut sequence, &mut random);
        let mut partial = problem.partial().unwrap();
        partial.load(&sequence);
        for _ in 0..4 {
            let job = sequence.remove(random.below(sequence.len()));
            partial.remove(job);
            let value = |position: usize| {
                let mut sequence = sequence.clone();
                sequence.insert(position, job);
                value(problem.criterion, times, &sequence)
            };
            let rule = |position: usize| match problem.criterion {
                Criterion::Makespan => idle_time(times, &sequence, job, position),
                Criterion::FlowTime => 0,
            };
            let position = (0..=sequence.len()).min_by_key(|&position| (value(position), rule(position), position));
            let best = partial.best_position(job, u64::MAX, Ties::Family).position;
            prop_assert_eq!(Some(best), position);
            let any = partial.best_position(job, u64::MAX, Ties::Random(seed as u32)).position;
            prop_assert_eq!(value(any), value(best));
            partial.insert(job, any);
            sequence.insert(any, job);
        }
    }
}

#[test]
fn solutions_are_read_as_they_are_described() {
    let problem = FlowShop::new(ProcessingTimes::new(4, 1, vec![1, 2, 3, 4]).unwrap(), Criterion::Makespan);
    for_each_sequence(4, |sequence| assert_eq!(problem.read(&problem.describe(sequence)), Ok(sequence.to_vec())));
    let wrong = |text: &str| problem.read(text).unwrap_err();
    assert_eq!(wrong("1 2 3"), "job 4 is missing");
    assert_eq!(wrong("1 2 3 3"), "job 3 occurs twice");
    assert_eq!(wrong("0 1 2 3"), "`0` is not a job: expected 1 to 4");
    assert_eq!(problem.scale(), 2.5);
}

#[test]
fn moves_are_drawn_about_equally_often() {
    struct Draws(RandomStream);
    impl<'p> NeighbourhoodVisitor<'p> for Draws {
        type Output = [[u32; 4]; 4];

        fn visit<N: Neighbourhood + 'p>(mut self, moves: N) -> [[u32; 4]; 4] {
            let mut counts = [[0; 4]; 4];
            for _ in 0..12_000 {
                let Move(from, to) = moves.draw(0, (self.0.bits() >> 32) as u32, &mut self.0);
                counts[from as usize][to as usize] += 1;
            }
            counts
        }
    }
    let problem = FlowShop::new(ProcessingTimes::new(4, 1, vec![1, 2, 3, 4]).unwrap(), Criterion::Makespan);
    let drawn = problem.visit_neighbourhood(NeighbourhoodKind::Insertion, 1, Draws(RandomStream::from_seed(1)));
    let Ok(counts) = drawn else { panic!("there is memory for one") };
    for (from, counts) in counts.iter().enumerate() {
        for (to, &count) in counts.iter().enumerate() {
            // Six standard deviations of a binomial(12000, 1/12).
            assert!(if from == to { count == 0 } else { count.abs_diff(1000) < 182 }, "{from} to {to}: {count}");
        }
    }
}
