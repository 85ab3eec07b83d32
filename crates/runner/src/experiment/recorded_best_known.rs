//! Best known values as a manifest has them.

use evogrid_core::family::{BestKnown, BestKnownStatus, Direction};
use serde::{Deserialize, Serialize, Serializer};

/// A best known value as a manifest has it.
#[derive(Serialize, Deserialize)]
pub(super) struct RecordedBestKnown {
    status: String,
    value: f64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_maximised: bool,
}

impl RecordedBestKnown {
    /// The value; `None` if it cannot be one.
    pub(super) fn read(self) -> Option<BestKnown> {
        let Self { status, value, is_maximised } = self;
        let direction = if is_maximised { Direction::Maximise } else { Direction::Minimise };
        let status = BestKnownStatus::named(&status).filter(|_| value.is_finite())?;
        Some(BestKnown { value, status, direction })
    }
}

#[expect(clippy::ref_option, reason = "serde hands a reference")]
pub(super) fn write<S: Serializer>(known: &Option<BestKnown>, serializer: S) -> Result<S::Ok, S::Error> {
    let recorded = |known: &BestKnown| RecordedBestKnown {
        status: known.status.name().to_owned(),
        value: known.value,
        is_maximised: known.direction == Direction::Maximise,
    };
    known.as_ref().map(recorded).serialize(serializer)
}
