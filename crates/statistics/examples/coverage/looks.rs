//! Looks at results while repetitions are added: how often at least one of them finds a difference, by comparing every p-value with 0.05, and
//! with the levels of planned looks.

use std::fmt::Write;

use evogrid_statistics::{Confidence, instance_differences, look_levels, stratified_test, vargha_delaney};

use crate::random::Random;

const LEVEL: f64 = 0.05;
const N_EXPERIMENTS: usize = 4000;

/// Instances, the repetitions of each look, and the standard deviation of the interaction of configuration and instance.
const DESIGNS: [(usize, &[usize], f64); 7] = [
    (10, &[2, 5, 10], 0.0),
    (10, &[2, 5, 10], 1.0),
    (10, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.0),
    (10, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 1.0),
    (40, &[1, 2, 3, 4, 5], 0.0),
    (3, &[2, 5, 10], 1.0),
    (1, &[5, 10, 15, 20], 0.0),
];

/// The answers to both questions, of a difference that is none and of one.
type Answers = [f64; 2];

/// The table of gaps, which have ties with probability 0.
pub(crate) fn looks(seed: u64) -> String {
    let mut table = "| instances, repetitions of each look | interaction | at 0.05: these | like these | planned: these | like these | power at one look: \
                     these | like these | planned: these | like these |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (at, &(instances, looks, interaction)) in (0..).zip(&DESIGNS) {
        let last = looks[looks.len() - 1];
        let mut random = Random::from_seed(seed + at);
        let fractions: Vec<f64> = looks.iter().map(|&look| look as f64 / last as f64).collect();
        let (fixed, planned) = (vec![LEVEL; looks.len()], look_levels(LEVEL, &fractions));
        // Found at the last look alone by some 8 of 10.
        let shift = 2.9 * ((2.2 / last as f64 + interaction * interaction) / instances as f64).sqrt();
        let [mut at_all, mut at_planned, mut power_at_one, mut power] = [Answers::default(); 4];
        for _ in 0..N_EXPERIMENTS {
            let found = p_values((instances, looks, interaction), 0.0, &mut random);
            count(&mut at_all, &found, &fixed);
            count(&mut at_planned, &found, &planned);
            let found = p_values((instances, looks, interaction), shift, &mut random);
            count(&mut power_at_one, &found[looks.len() - 1..], &[LEVEL]);
            count(&mut power, &found, &planned);
        }
        let named = looks.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let _ = write!(table, "| {instances}, {named} | {interaction} |");
        // With an interaction the first question has no null, and one instance has no answer to the second.
        let is_asked = [interaction == 0.0, instances > 1];
        for answers in [at_all, at_planned, power_at_one, power] {
            for (share, is_asked) in answers.iter().zip(is_asked) {
                let percent = format!("{:.1}", 100.0 * share / N_EXPERIMENTS as f64);
                let _ = write!(table, " {} |", if is_asked { &percent } else { "" });
            }
        }
        table.push('\n');
    }
    table
}

/// Counts for both answers whether any look finds a difference.
fn count(answers: &mut Answers, looks: &[[f64; 2]], levels: &[f64]) {
    for (question, answer) in answers.iter_mut().enumerate() {
        let is_found = looks.iter().zip(levels).any(|(p_values, &level)| p_values[question] < level);
        *answer += f64::from(u8::from(is_found));
    }
}

/// The p-values of both answers at each look at one experiment, in which the second configuration is worse by the shift.
fn p_values((instances, looks, interaction): (usize, &[usize], f64), shift: f64, random: &mut Random) -> Vec<[f64; 2]> {
    let last = looks[looks.len() - 1];
    let costs: Vec<[Vec<f64>; 2]> = (0..instances)
        .map(|_| {
            [0.0, shift].map(|shift| {
                let own = shift + interaction / 2.0_f64.sqrt() * random.normal();
                (0..last).map(|_| own + random.normal()).collect()
            })
        })
        .collect();
    let at_look = |&runs: &usize| {
        let strata: Vec<[&[f64]; 2]> = costs.iter().map(|[one, other]| [&other[..runs], &one[..runs]]).collect();
        let test = stratified_test(&strata, Confidence::PERCENT_95);
        let differences: Vec<f64> =
            strata.iter().map(|[one, other]| 2.0 * vargha_delaney(one, other).a12 - 1.0).collect();
        let like = instance_differences(&differences, test.least_variance, test.half_step, Confidence::PERCENT_95);
        // As `compare` does: what these runs do not show, they do not show of other instances.
        [test.p_value, like.map_or(1.0, |like| like.p_value.max(test.p_value))]
    };
    looks.iter().map(at_look).collect()
}
