//! Experiments: reads an experiment file, checks it, and plans numbered runs. This module does not do any runs.

pub mod data_set;
pub mod design;
pub mod diagnostic;
pub mod document;
pub mod instance_file;
pub mod instance_list;
pub mod limits;
pub mod manifest_form;
pub mod plan;
mod recorded_best_known;
pub mod schedule;
pub mod settings_json;
pub mod settings_on_instance;
pub mod shard;
pub mod space;
pub mod spec;
