//! Reproductions. A reproduction consists of all experiments that the claims of the given files need. If several claims need the same
//! experiment, this experiment is planned once. Every claim is checked against its experiment's plan before any run starts. After all runs
//! are finished, this module makes the chapters of the page.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use evogrid_analysis::samples::{MAX_SAMPLES, Samples, SelectionError};
use evogrid_core::catalogue::Catalogue;
use evogrid_core::example::WorkedExample;
use evogrid_results::ReadError;
use evogrid_results::runs::Reader;
use evogrid_runner::engine::folder::outputs::Folder;
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::experiment::plan::Plan;
use evogrid_runner::experiment::spec::{AnalysisPlan, Spec};
use evogrid_runner::system::numbers::{counted, grouped};

use crate::document::{Claim, Claims, examples};
use crate::judge::page::{Chapter, Entry, Statement};
use crate::judge::{ExperimentLink, Finding, Verdict};

/// Claims, and the experiments that the claims need.
pub struct Reproduction {
    files: Vec<Claims>,
    /// The experiments that must be run for all files of claims together. Skipped experiments are left out. If several files need the same
    /// experiment, the list contains it once.
    pub experiments: Vec<PlannedExperiment>,
}

/// An experiment to run.
pub struct PlannedExperiment {
    /// Its file.
    pub path: PathBuf,
    /// The settings that override the experiment's settings.
    pub sets: Vec<String>,
    /// Its plan.
    pub plan: Arc<Plan>,
    /// Its results folder.
    pub folder: Folder,
    /// The generations whose diversity is needed for a claim.
    generations: Vec<u64>,
}

/// The error for experiments that cannot be run together, or for an experiment with too many runs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlanError(String);

/// A skipped experiment. The claims of this experiment are not judged, because a required file is missing.
pub struct Skipped {
    /// The name of the experiment in the file of claims.
    pub experiment: String,
    /// The missing file.
    pub lacks: String,
}

impl Reproduction {
    /// Makes a plan of each experiment that is named in files of claims. If several files name the same experiment, the experiment is
    /// planned once. Each experiment has its own subfolder of `results`. If `is_quick` is `true`, the quick form of each experiment is
    /// planned. Returns the reproduction and the skipped experiments.
    ///
    /// # Errors
    /// Returns the [`Diagnostics`] of experiments and claims, or a [`PlanError`].
    pub fn plan(
        files: Vec<Claims>,
        results: &Path,
        is_quick: bool,
        catalogue: &Arc<Catalogue>,
    ) -> Result<(Self, Vec<Skipped>)> {
        let mut reproduction = Self { files, experiments: Vec::new() };
        let (Self { files, experiments }, mut skipped) = (&mut reproduction, Vec::new());
        for asked in files.iter_mut().flat_map(|claims| &mut claims.experiments) {
            if let Some(lacks) = asked.absent.clone() {
                skipped.push(Skipped { experiment: asked.name.clone(), lacks });
                continue;
            }
            let quick: &[String] = if is_quick { &asked.quick } else { &[] };
            let sets = [&asked.sets, quick].concat();
            let plan = Plan::new(Spec::load(&asked.path, &sets, catalogue)?, Arc::clone(catalogue));
            let (name, runs) = (plan.spec().name.clone(), plan.n_runs());
            let folder = if is_quick { results.join("quick") } else { results.to_owned() }.join(&name);
            let known = experiments.iter().position(|one: &PlannedExperiment| one.folder.path() == folder);
            if known.is_some_and(|at| experiments[at].plan.n_runs() != runs) {
                return Err(PlanError(format!(
                    "the experiment `{name}` is planned twice, with different numbers of runs. This has two \
                     possible causes: two entries of this experiment differ in `set` or in `quick`, or two experiments have this name"
                ))
                .into());
            }
            // All runs are in memory when claims are judged. Too many runs are refused before they are done.
            if runs > MAX_SAMPLES as u64 {
                let (runs, most) = (counted(runs, "run"), grouped(MAX_SAMPLES as u64));
                return Err(PlanError(format!(
                    "the experiment `{name}` has {runs}; claims can be judged with at most {most} runs"
                ))
                .into());
            }
            asked.place = known.or(Some(experiments.len()));
            if known.is_none() {
                let (path, folder, plan) = (asked.path.clone(), Folder::new(folder), Arc::new(plan));
                experiments.push(PlannedExperiment { path, sets, plan, folder, generations: Vec::new() });
            }
        }
        reproduction.check()?;
        Ok((reproduction, skipped))
    }

    /// Checks every claim against its experiments, before anything runs.
    fn check(&mut self) -> Result<(), Diagnostics> {
        let Self { files, experiments: planned } = self;
        let rosters: Vec<_> = planned.iter().map(|one| one.plan.roster()).collect();
        let mut diagnostics = Diagnostics::new();
        for claims in files {
            for claim in &claims.claims {
                let id = &claim.statement.id;
                let mut refuse = |message: String, help: &str| {
                    diagnostics.push(claims.document.diagnostic(&claim.span, message, help));
                };
                let asked = [Some(claim.experiment), claim.confirmation].map(|at| at.map(|at| &claims.experiments[at]));
                for (at, name) in asked.iter().flatten().filter_map(|asked| Some((asked.place?, &asked.name))) {
                    if let Err(wrong) = claim.kind.check(&rosters[at]) {
                        refuse(
                            format!("claim `{id}` cannot be judged with the experiment `{name}`: {wrong}"),
                            wrong.help(),
                        );
                    }
                    let Some(generation) = claim.kind.diversity_at() else { continue };
                    planned[at].generations.push(generation);
                    if !planned[at].plan.spec().records_generation(generation) {
                        let help = "expected `[record] trace = { every = N }` in the experiment; the generation of the claim must be a multiple of N";
                        refuse(
                            format!(
                                "claim `{id}`: the experiment `{name}` records no diversity at generation {generation}"
                            ),
                            help,
                        );
                    }
                }
                let [seed, other] = asked.map(|asked| Some(planned[asked?.place?].plan.spec().seed));
                if seed.is_some() && seed == other {
                    let help = "expected an experiment with another seed, for example `set = [\"experiment.seed=7\"]`";
                    refuse(format!("claim `{id}` uses the same seed for its confirmation and its finding"), help);
                }
            }
        }
        diagnostics.or(Some(()))
    }

    /// Reads the runs of all experiments. All experiments must be finished.
    ///
    /// # Errors
    /// Returns a [`ReadError`] if a file cannot be read.
    pub fn read(&self) -> Result<Vec<Samples>> {
        self.experiments.iter().map(PlannedExperiment::read).collect()
    }

    /// Makes the chapters of the page. Links in the chapters are relative to `page`. A chapter begins with the worked examples of its
    /// paper. After the examples come the claims, each with its finding.
    ///
    /// # Errors
    /// Returns an error if an experiment lacks the runs of a claim.
    pub fn chapters(
        &self,
        samples: &[Samples],
        catalogue: &Catalogue,
        page: Option<&Path>,
    ) -> Result<Vec<Chapter>, Diagnostics> {
        let (examples, mut diagnostics, mut chapters) = (examples(catalogue), Diagnostics::new(), Vec::new());
        for claims in &self.files {
            let own = examples.iter().filter(|example| Some(example.document) == claims.examples.as_deref());
            let mut entries: Vec<Entry> = own.map(entry_of_example).collect();
            for claim in &claims.claims {
                match self.entry(claims, claim, samples, page) {
                    Ok(entry) => entries.push(entry),
                    Err(wrong) => {
                        let message = format!("claim `{}`: {wrong}", claim.statement.id);
                        diagnostics.push(claims.document.diagnostic(&claim.span, message, wrong.help()));
                    }
                }
            }
            let (title, source, text) = (claims.title.clone(), claims.source.clone(), claims.text.clone());
            chapters.push(Chapter { title, source, text, entries });
        }
        diagnostics.or(Some(chapters))
    }

    /// A claim with its finding, and with its confirmation if it has one.
    fn entry(
        &self,
        claims: &Claims,
        claim: &Claim,
        samples: &[Samples],
        page: Option<&Path>,
    ) -> Result<Entry, SelectionError> {
        let judge = |at: usize, is_confirmation: bool| -> Result<Finding, SelectionError> {
            let asked = &claims.experiments[at];
            // The name of the experiment on the page would repeat its name in the file of claims.
            let sets = asked.sets.iter().filter(|set| !set.starts_with("experiment.name=")).cloned().collect();
            let experiment = Some(ExperimentLink { path: from_page(page, &asked.path), sets });
            let Some(place) = asked.place else {
                let file = asked.absent.as_deref().unwrap_or_default();
                let reasons = vec![format!(
                    "The instances of this claim ({file}) are missing: the project has no permission to distribute these instances."
                )];
                return Ok(Finding { reasons, experiment, ..Finding::default() });
            };
            let analysis = self.experiments[place].plan.spec().analysis.as_ref();
            let criteria = analysis.map(AnalysisPlan::criteria).unwrap_or_default();
            let mut finding = claim.kind.judged_by(criteria, is_confirmation).judge(&samples[place])?;
            if let Some(by) = &claim.by {
                finding.published += &format!(" ({by})");
                let time = claim.kind.processor_time(&samples[place]);
                finding.ours += &time.map_or_else(String::new, |time| format!("; {time}"));
            }
            Ok(Finding { experiment, ..finding })
        };
        let mut finding = judge(claim.experiment, false)?;
        let confirmation = claim.confirmation.map(|again| judge(again, true)).transpose()?;
        let own_threshold = || std::mem::replace(&mut finding.published, "no value".to_owned());
        let threshold = claim.has_own_threshold.then(own_threshold);
        Ok(Entry { statement: claim.statement.clone(), threshold, finding, confirmation })
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

/// A worked example as an entry of the page. A worked example is computed without runs.
fn entry_of_example(example: &WorkedExample) -> Entry {
    let statement = Statement {
        id: example.id.to_owned(),
        place: example.place.to_owned(),
        says: example.says.to_owned(),
        note: example.note.map(str::to_owned),
        ..Statement::default()
    };
    let verdict = if example.agrees { Verdict::Holds } else { Verdict::DoesNotHold };
    let (published, ours) = (example.published.to_owned(), example.ours.clone());
    Entry { statement, finding: Finding { verdict, published, ours, ..Finding::default() }, ..Entry::default() }
}

/// The path of a file as a link on the page, with `/` between names.
fn from_page(page: Option<&Path>, file: &Path) -> String {
    let folder = page.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), file.canonicalize()) {
        (Ok(folder), Ok(file)) => relative(&folder, &file),
        _ => link(file.iter()),
    }
}

/// The relative path from a folder to a file. The two paths are absolute.
fn relative(folder: &Path, file: &Path) -> String {
    let shared = folder.iter().zip(file.iter()).take_while(|(a, b)| a == b).count();
    let up = folder.iter().skip(shared).map(|_| OsStr::new(".."));
    link(up.chain(file.iter().skip(shared)))
}

fn link<'a>(names: impl Iterator<Item = &'a OsStr>) -> String {
    names.map(OsStr::to_string_lossy).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_from_the_page_to_the_file() {
        let relative = |folder: &str, file: &str| relative(Path::new(folder), Path::new(file));
        assert_eq!(relative("/a/docs", "/a/experiments/x.toml"), "../experiments/x.toml");
        assert_eq!(relative("/a/results/quick", "/a/experiments/x.toml"), "../../experiments/x.toml");
        assert_eq!(relative("/a", "/a/x.toml"), "x.toml");
    }
}
