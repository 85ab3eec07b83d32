//! Random numbers of the distributions that the simulations need.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    pub(crate) fn from_seed(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub(crate) fn solved(&mut self, rate: f64, runs: u64) -> u64 {
        (0..runs).filter(|_| self.unit() < rate).count() as u64
    }

    /// The rate of an instance: beta-distributed around the mean, with the correlation of runs on one instance.
    pub(crate) fn rate(&mut self, mean: f64, correlation: f64) -> f64 {
        if correlation == 0.0 {
            return mean;
        }
        let size = (1.0 - correlation) / correlation;
        let [one, other] = [mean, 1.0 - mean].map(|share| self.gamma(share * size));
        if one + other > 0.0 { one / (one + other) } else { f64::from(u8::from(self.unit() < mean)) }
    }

    /// Of the standard normal distribution (Box and Muller, 1958).
    pub(crate) fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// Gamma-distributed (Marsaglia and Tsang, ACM TOMS 26(3), 2000).
    pub(crate) fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            let power = self.unit().powf(1.0 / shape);
            return self.gamma(shape + 1.0) * power;
        }
        let (d, c) = (shape - 1.0 / 3.0, 1.0 / (9.0 * shape - 3.0).sqrt());
        loop {
            let normal = self.normal();
            let v = (1.0 + c * normal).powi(3);
            if v > 0.0 && (1.0 - self.unit()).ln() < normal * normal / 2.0 + d - d * v + d * v.ln() {
                return d * v;
            }
        }
    }
}
