//! The chapters of the page of a reproduction: every claim with its finding.

use std::path::{Path, PathBuf};

use crate::judge::page::{Chapter, Confirmation, Entry, ExperimentLink};
use crate::judge::{ClaimKind, Finding, Verdict};
use evogrid_analysis::compare::Criteria;
use evogrid_analysis::samples::Samples;
use evogrid_core::example::WorkedExample;

use crate::document::{ClaimExperiment, Claims};
use evogrid_runner::experiment::diagnostic::Diagnostics;

/// The chapters: the worked examples of each document, then every claim with its finding. An experiment is given as its runs and what they are
/// judged by.
pub(crate) fn chapters(
    files: &[Claims],
    places: &[Vec<Option<usize>>],
    experiments: &[(&Samples, Criteria)],
    examples: &[WorkedExample],
    page: Option<&Path>,
) -> Result<Vec<Chapter>, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut chapters = Vec::new();
    for (claims, places) in files.iter().zip(places) {
        let own = examples.iter().filter(|example| Some(example.document) == claims.examples.as_deref());
        let mut entries: Vec<Entry> = own.map(entry_of_example).collect();
        let judge = |kind: &ClaimKind, by: Option<&str>, experiment: usize| {
            let ClaimExperiment { path, sets, .. } = &claims.experiments[experiment];
            // Of its name, which is that of its folder, a reader learns nothing.
            let sets = sets.iter().filter(|set| !set.starts_with("experiment.name=")).cloned().collect();
            let link = ExperimentLink { path: from_page(page, path), sets };
            let finding = match places[experiment] {
                Some(at) => {
                    let (samples, criteria) = experiments[at];
                    kind.judged_by(criteria).judge(samples)
                }
                None => Ok(not_judged(&claims.experiments[experiment])),
            };
            finding.map(|mut finding| {
                if let (Some(by), Some(at)) = (by, places[experiment]) {
                    finding.published += &format!(" ({by})");
                    let time = kind.processor_time(experiments[at].0);
                    finding.ours += &time.map_or_else(String::new, |time| format!(", in {time}"));
                }
                (link, finding)
            })
        };
        for claim in &claims.claims {
            let by = claim.by.as_deref();
            let again = claim.confirmation.map(|again| judge(&claim.kind.for_confirmation(), by, again)).transpose();
            match judge(&claim.kind, by, claim.experiment).and_then(|found| Ok((found, again?))) {
                Ok(((experiment, mut finding), again)) => entries.push(Entry {
                    threshold: claim
                        .has_own_threshold
                        .then(|| std::mem::replace(&mut finding.published, "no figure".to_owned())),
                    role: claim.role.clone(),
                    caveat: claim.caveat.clone(),
                    id: claim.id.clone(),
                    place: claim.place.clone(),
                    says: claim.says.clone(),
                    experiment: Some(experiment),
                    note: claim.note.clone(),
                    finding,
                    confirmation: again.map(|(experiment, finding)| Confirmation { experiment, finding }),
                }),
                Err(wrong) => {
                    let message = format!("claim `{}`: {wrong}", claim.id);
                    diagnostics.push(claims.document.diagnostic(&claim.span, message, wrong.help()));
                }
            }
        }
        chapters.push(Chapter {
            title: claims.title.clone(),
            source: claims.source.clone(),
            text: claims.text.clone(),
            entries,
        });
    }
    diagnostics.or(Some(chapters))
}

/// The finding of a claim whose instances are missing here.
fn not_judged(experiment: &ClaimExperiment) -> Finding {
    let file = experiment.absent.as_deref().unwrap_or_default();
    Finding {
        reasons: vec![format!("Its instances ({file}) are missing, because they may not be distributed.")],
        ..Finding::default()
    }
}

/// A worked example as an entry of the page: it needs no runs.
fn entry_of_example(example: &WorkedExample) -> Entry {
    let verdict = if example.agrees { Verdict::Holds } else { Verdict::DoesNotHold };
    Entry {
        id: example.id.to_owned(),
        place: example.place.to_owned(),
        says: example.says.to_owned(),
        experiment: None,
        note: example.note.map(str::to_owned),
        finding: Finding {
            verdict,
            published: example.published.to_owned(),
            ours: example.ours.clone(),
            ..Finding::default()
        },
        ..Entry::default()
    }
}

/// The path of a file as a link on the page, with `/` between names.
fn from_page(page: Option<&Path>, file: &Path) -> String {
    let folder = page.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let path = match (folder.canonicalize(), file.canonicalize()) {
        (Ok(folder), Ok(file)) => relative(&folder, &file),
        _ => file.to_owned(),
    };
    path.iter().map(|name| name.to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The way from a folder to a file; both are absolute.
fn relative(folder: &Path, file: &Path) -> PathBuf {
    let shared = folder.iter().zip(file.iter()).take_while(|(a, b)| a == b).count();
    let up = folder.iter().skip(shared).map(|_| std::ffi::OsStr::new(".."));
    up.chain(file.iter().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_from_the_page_to_the_file() {
        let relative = |folder: &str, file: &str| {
            let path = relative(Path::new(folder), Path::new(file));
            path.iter().map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
        };
        assert_eq!(relative("/a/docs", "/a/experiments/x.toml"), "../experiments/x.toml");
        assert_eq!(relative("/a/results/quick", "/a/experiments/x.toml"), "../../experiments/x.toml");
        assert_eq!(relative("/a", "/a/x.toml"), "x.toml");
    }
}
