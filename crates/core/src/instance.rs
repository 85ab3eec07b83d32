//! Instances: how a kind of problem is read, and made ready to be solved.

use std::collections::BTreeMap;

use crate::search::Solve;
use crate::settings::Settings;

/// A kind of problem: it reads instances.
pub trait ProblemKind: Send + Sync {
    /// Reads an instance from its text. `options` are the other columns and keys that the data set gives for it (`box`, say).
    ///
    /// # Errors
    /// What is wrong with the text, for a person.
    fn read(&self, text: &str, options: &BTreeMap<String, String>) -> Result<Box<dyn Instance>, String>;

    /// Reads an instance from its [canonical text](Instance::content), which a results folder keeps. A kind that needs no
    /// options reads both alike.
    ///
    /// # Errors
    /// What is wrong with the text, for a person.
    fn restore(&self, content: &str) -> Result<Box<dyn Instance>, String> {
        self.read(content, &BTreeMap::new())
    }

    /// Whether a run's solution solves the instance of that content, by code that shares nothing with the search; `None` where
    /// the kind has no such check.
    ///
    /// # Errors
    /// The first thing that is wrong, for a person.
    fn verify(&self, _content: &str, _solution: &str) -> Option<Result<(), String>> {
        None
    }
}

/// One instance of a kind of problem, before the settings say how it is represented.
pub trait Instance: Send + Sync {
    /// The canonical text: the same for the same instance however it was written.
    fn content(&self) -> String;

    /// The problem to solve, under resolved settings.
    fn prepare(&self, settings: &Settings) -> Box<dyn Solve>;
}
