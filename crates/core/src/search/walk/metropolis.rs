//! The criterion of Metropolis et al. The worse a solution is, the smaller is the probability that it is accepted.

use super::schedule::LevelCriterion;

/// The number of intervals in the table of logarithms. Each uniform number lies in one of the intervals.
const INTERVALS: usize = 1 << INTERVAL_BITS;
const INTERVAL_BITS: u32 = 8;

/// The number of values that 32 bits can have: 2^32.
const ALL_BITS: f64 = 4_294_967_296.0;

/// The relative tolerance of a logarithm from the table. Within this tolerance the exponential decides. The tolerance is far above the
/// rounding errors.
const MARGIN: f64 = 1e-9;

/// Accepts a solution that is worse by `d` with probability `exp(-d / temperature)` (Metropolis et al., Journal of Chemical Physics 21,
/// 1953, p. 1088). Any other solution is always accepted.
///
/// For a uniform number `u`, the solution is accepted if `u < exp(-d / temperature)`. This is equivalent to `d / temperature < -ln u`. A
/// table contains the logarithms of the ends of the interval in which `u` lies. The table is the same for all temperatures. The exponential
/// is computed only if `d / temperature` lies between these two logarithms, which happens about once in 256 decisions. The table never
/// changes the decision.
pub(crate) struct Metropolis {
    /// 1 / temperature.
    inverse: f64,
    /// Two values of `-ln` for each interval. The value at the upper end is slightly reduced, and the value at the lower end is slightly
    /// increased.
    logarithms: Box<[[f64; 2]]>,
}

impl Default for Metropolis {
    fn default() -> Self {
        let logarithm = |k: usize| -libm::log(k as f64 / INTERVALS as f64);
        let interval = |k| [logarithm(k + 1) * (1.0 - MARGIN), logarithm(k) * (1.0 + MARGIN)];
        Self { inverse: f64::INFINITY, logarithms: (0..INTERVALS).map(interval).collect() }
    }
}

impl LevelCriterion for Metropolis {
    /// At temperature 0 no worse solution is accepted.
    fn set_level(&mut self, temperature: f64) {
        self.inverse = 1.0 / temperature;
    }

    #[inline]
    fn accepts(&self, now: f64, after: f64, bits: u32) -> bool {
        let worse = (after - now) * self.inverse;
        let [below, above] = self.logarithms[(bits >> (u32::BITS - INTERVAL_BITS)) as usize];
        if worse > above {
            return false;
        }
        worse < below || is_chosen(worse, after - now, bits)
    }
}

/// Makes the decision if the table is not sufficient.
#[cold]
fn is_chosen(worse: f64, difference: f64, bits: u32) -> bool {
    // At temperature 0, `worse` is not a number for equal solutions.
    difference <= 0.0 || f64::from(bits) < libm::exp(-worse) * ALL_BITS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::RandomStream;

    #[test]
    fn what_is_worse_by_the_temperature_is_accepted_with_probability_one_in_e() {
        // 2^32 / e = 1580030168.7
        let mut metropolis = Metropolis::default();
        metropolis.set_level(2.5);
        assert!(metropolis.accepts(10.0, 12.5, 1_580_030_168) && !metropolis.accepts(10.0, 12.5, 1_580_030_169));
        // Half as hot: 2^32 / e^2 = 581260615.4
        metropolis.set_level(1.25);
        assert!(metropolis.accepts(10.0, 12.5, 581_260_615) && !metropolis.accepts(10.0, 12.5, 581_260_616));
    }

    #[test]
    fn nothing_worse_is_accepted_at_temperature_zero_and_all_that_is_not_at_any() {
        let mut metropolis = Metropolis::default();
        let bits = [0, 1, 1 << 22, 1 << 31, u32::MAX];
        for (temperature, accepted) in [(0.0, 0), (1e-300, 0), (0.3, 3), (1e300, 5)] {
            metropolis.set_level(temperature);
            let accepts = |after| bits.iter().filter(|&&bits| metropolis.accepts(3.0, after, bits)).count();
            // exp(-1 / 0.3) is 0.0357.
            assert_eq!([2.0, 3.0, 4.0].map(accepts), [5, 5, accepted], "{temperature}");
        }
    }

    #[test]
    fn the_table_decides_as_the_exponential_does() {
        let (mut random, mut metropolis) = (RandomStream::from_seed(1), Metropolis::default());
        let mut n_accepted = 0;
        for number in 0..200_000 {
            let (temperature, worse) = (0.1 + 3.0 * random.unit(), f64::from(1 + number % 7));
            metropolis.set_level(temperature);
            let bits = (random.bits() >> 32) as u32;
            let is_accepted = f64::from(bits) < libm::exp(-worse * (1.0 / temperature)) * ALL_BITS;
            assert_eq!(metropolis.accepts(5.0, 5.0 + worse, bits), is_accepted, "{temperature} {worse} {bits}");
            n_accepted += usize::from(is_accepted);
        }
        assert!((20_000..180_000).contains(&n_accepted), "{n_accepted}");
    }
}
