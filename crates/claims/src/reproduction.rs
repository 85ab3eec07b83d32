//! Reproductions: the experiments of several files of claims, each planned once and checked against every claim before anything runs; and
//! the chapters of the page, when they are done.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use evogrid_analysis::samples::{MAX_SAMPLES, Samples};
use evogrid_core::catalogue::Catalogue;
use evogrid_results::ReadError;
use evogrid_results::runs::Reader;
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::spec::{AnalysisPlan, Spec};
use evogrid_runner::system::numbers::{counted, grouped};

use crate::chapters::chapters;
use crate::document::{Claims, examples};
use crate::judge::page::Chapter;

/// Claims with the experiments that they need.
pub struct Reproduction {
    files: Vec<Claims>,
    /// The experiments to run, from all files of claims.
    pub experiments: Vec<PlannedExperiment>,
    /// For every file, where each of its experiments stands among those that are planned; `None` if it cannot be run here.
    places: Vec<Vec<Option<usize>>>,
}

/// An experiment to run.
pub struct PlannedExperiment {
    /// Its file.
    pub path: PathBuf,
    /// The settings laid over it.
    pub sets: Vec<String>,
    /// Its plan.
    pub plan: Arc<Plan>,
    /// Its results folder.
    pub folder: Folder,
    /// Generations whose diversity some claim asks for.
    generations: Vec<u64>,
}

/// The error for experiments of claims that cannot be run together, or are too large.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum PlanError {
    #[error("`{name}` has two quick forms, or two experiments have this name")]
    Twice { name: String },
    #[error("`{name}` has {}, but claims can be judged by at most {}", counted(*.runs, "run"), grouped(MAX_SAMPLES as u64))]
    TooMany { name: String, runs: u64 },
}

/// An experiment whose claims are not judged, because a required file is missing.
pub struct Skipped {
    /// The name of the experiment in the file of claims.
    pub experiment: String,
    /// The missing file.
    pub lacks: String,
}

impl Reproduction {
    /// Plans the experiments of files of claims, each once, with results in subfolders of `results`; in the quick form if requested. The
    /// second value lists what is skipped.
    ///
    /// # Errors
    /// [`Diagnostics`] of experiments and claims, or a [`PlanError`].
    pub fn plan(
        files: Vec<Claims>,
        results: &Path,
        is_quick: bool,
        catalogue: &Arc<Catalogue>,
    ) -> Result<(Self, Vec<Skipped>)> {
        let (mut reproduction, mut skipped) =
            (Self { files: Vec::new(), experiments: Vec::new(), places: Vec::new() }, Vec::new());
        for claims in files {
            let places = reproduction.plan_file(&claims, results, is_quick, catalogue, &mut skipped)?;
            reproduction.places.push(places);
            reproduction.files.push(claims);
        }
        reproduction.check()?;
        Ok((reproduction, skipped))
    }

    fn plan_file(
        &mut self,
        claims: &Claims,
        results: &Path,
        is_quick: bool,
        catalogue: &Arc<Catalogue>,
        skipped: &mut Vec<Skipped>,
    ) -> Result<Vec<Option<usize>>> {
        let mut places = Vec::new();
        for asked in &claims.experiments {
            if let Some(file) = &asked.absent {
                skipped.push(Skipped { experiment: asked.name.clone(), lacks: file.clone() });
                places.push(None);
                continue;
            }
            let quick: &[String] = if is_quick { &asked.quick } else { &[] };
            let sets = [&asked.sets, quick].concat();
            let plan = Plan::new(Spec::load(&asked.path, &sets, catalogue)?, Arc::clone(catalogue));
            let name = plan.spec().name.clone();
            let folder = if is_quick { results.join("quick") } else { results.to_owned() }.join(&name);
            if let Some(at) = self.experiments.iter().position(|one| one.folder.path() == folder) {
                if self.experiments[at].plan.n_runs() != plan.n_runs() {
                    return Err(PlanError::Twice { name }.into());
                }
                places.push(Some(at));
                continue;
            }
            // Claims are judged by all runs at once: that they are too many is said before they are done.
            if plan.n_runs() > MAX_SAMPLES as u64 {
                return Err(PlanError::TooMany { name, runs: plan.n_runs() }.into());
            }
            let (path, folder, plan) = (asked.path.clone(), Folder::new(folder), Arc::new(plan));
            self.experiments.push(PlannedExperiment { path, sets, plan, folder, generations: Vec::new() });
            places.push(Some(self.experiments.len() - 1));
        }
        Ok(places)
    }

    /// Checks every claim against its experiment, before anything runs.
    fn check(&mut self) -> Result<(), Diagnostics> {
        let Self { files, experiments: planned, places } = self;
        let rosters: Vec<_> = planned.iter().map(|one| one.plan.roster()).collect();
        let mut diagnostics = Diagnostics::new();
        for (claims, places) in files.iter().zip(places.iter()) {
            let on = |experiment: &usize| Some((places[*experiment]?, &claims.experiments[*experiment].name));
            for claim in &claims.claims {
                let experiments = [Some(&claim.experiment), claim.confirmation.as_ref()].into_iter().flatten();
                for (at, name) in experiments.filter_map(on) {
                    if let Err(wrong) = claim.kind.check(&rosters[at]) {
                        let message = format!("claim `{}` does not fit `{name}`: {wrong}", claim.id);
                        diagnostics.push(claims.document.diagnostic(&claim.span, message, wrong.help()));
                    }
                    let Some(generation) = claim.kind.diversity_at() else { continue };
                    planned[at].generations.push(generation);
                    if !planned[at].plan.spec().records_generation(generation) {
                        let message =
                            format!("claim `{}`: `{name}` records no diversity at generation {generation}", claim.id);
                        let help = "expected `[record] trace = { every = N }` in it, N a divisor of the generation";
                        diagnostics.push(claims.document.diagnostic(&claim.span, message, help));
                    }
                }
                let seed = |experiment: usize| places[experiment].map(|at| planned[at].plan.spec().seed);
                if claim
                    .confirmation
                    .is_some_and(|again| seed(again).is_some() && seed(again) == seed(claim.experiment))
                {
                    let message =
                        format!("claim `{}` uses the same seed for its confirmation and its finding", claim.id);
                    let help = "expected an experiment with another seed, for example `set = [\"experiment.seed=7\"]`";
                    diagnostics.push(claims.document.diagnostic(&claim.span, message, help));
                }
            }
        }
        diagnostics.or(Some(()))
    }

    /// Reads the runs of all experiments after they are finished.
    ///
    /// # Errors
    /// If a file cannot be read: a [`ReadError`].
    pub fn read(&self) -> Result<Vec<Samples>> {
        self.experiments.iter().map(PlannedExperiment::read).collect()
    }

    /// The chapters of the page; their links are relative to `page`.
    ///
    /// # Errors
    /// The parts of claims that the experiments lack.
    pub fn chapters(
        &self,
        samples: &[Samples],
        catalogue: &Catalogue,
        page: Option<&Path>,
    ) -> Result<Vec<Chapter>, Diagnostics> {
        let criteria =
            |one: &PlannedExperiment| one.plan.spec().analysis.as_ref().map(AnalysisPlan::criteria).unwrap_or_default();
        let experiments: Vec<_> = samples.iter().zip(self.experiments.iter().map(criteria)).collect();
        chapters(&self.files, &self.places, &experiments, &examples(catalogue), page)
    }

    /// The title of the page.
    pub fn title(&self) -> &str {
        self.files.iter().find_map(|claims| claims.page.as_deref()).unwrap_or("Reproduction")
    }
}

impl PlannedExperiment {
    fn read(&self) -> Result<Samples> {
        let file = |name: &str| self.folder.path().join(name);
        let read = || -> Result<Samples, ReadError> { Samples::read(Reader::open(&file("runs.csv"))?) };
        let mut samples = read()?;
        if !self.generations.is_empty() {
            samples
                .read_diversity(&file("trace.csv.gz"), &self.generations)
                .context("the trace is needed for a claim")?;
        }
        Ok(samples)
    }
}
