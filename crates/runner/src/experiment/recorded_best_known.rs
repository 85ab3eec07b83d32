//! The form of best known values in a manifest.

use evogrid_core::family::{BestKnown, BestKnownStatus, Direction};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
struct RecordedBestKnown {
    status: String,
    value: f64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_maximised: bool,
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<BestKnown>, D::Error> {
    let Some(RecordedBestKnown { status, value, is_maximised }) = Option::deserialize(deserializer)? else {
        return Ok(None);
    };
    let direction = if is_maximised { Direction::Maximise } else { Direction::Minimise };
    let status = BestKnownStatus::named(&status).filter(|_| value.is_finite());
    let status = status.ok_or_else(|| D::Error::custom("a best known value is not valid"))?;
    Ok(Some(BestKnown { value, status, direction }))
}

#[expect(clippy::ref_option, reason = "serde hands a reference")]
pub(super) fn serialize<S: Serializer>(known: &Option<BestKnown>, serializer: S) -> Result<S::Ok, S::Error> {
    let recorded = |known: &BestKnown| RecordedBestKnown {
        status: known.status.name().to_owned(),
        value: known.value,
        is_maximised: known.direction == Direction::Maximise,
    };
    known.as_ref().map(recorded).serialize(serializer)
}
