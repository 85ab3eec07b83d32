//! The page of `runner reproduce`: its lead, and the chapters with their findings.

use std::path::{Path, PathBuf};

use evogrid_analysis::samples::Samples;
use evogrid_claims::judge::page::{Chapter, Confirmation, Entry, ExperimentLink};
use evogrid_claims::judge::{ClaimKind, Finding, Verdict};
use evogrid_core::example::WorkedExample;

use crate::arguments::ReproduceArgs;
use evogrid_claims::document::{ClaimExperiment, Claims};
use evogrid_runner::experiment::diagnostic::Diagnostics;
use evogrid_runner::system::machine::Machine;
use evogrid_runner::system::numbers::grouped;

/// How verdicts are reached, for every page.
const VERDICTS: &str = "\
How a verdict is reached. Rates have a 95 % interval for instances like these, medians that of their order statistics. A run that was
never solved is part of every figure: it counts as longer than any, and no mean is taken over solved runs alone.

- A *printed rate* is held against what our runs allow for as many runs as it rests on (beta-binomial prediction, 95 %); where the paper
  does not say on how many, against our interval. It *cannot be told* where more than half of all figures would have passed, or
  where our interval is wider than 20 points. *Shares* printed together are judged as one distribution.
- A *printed table* is judged cell by cell (Holm's correction) and as a whole: of tables drawn from our instances and their runs, how
  many lie as far from what is expected? Times are of a machine and a language: of a table of times the ratios are judged, and a single
  time is shown.
- *One setting does better than another*: runs are paired by instance and repetition, which share their random stream. The differences are
  tested by instance (a permutation test; where there are few instances, by the runs on them alone), with Holm's correction where a
  claim makes several comparisons and Bonferroni's for those that it was chosen from. It *holds* if every comparison speaks for
  it (p < 0.05), and does *not hold* if one speaks against it, or if its interval shows that there is no difference worth the name.
  Else it *cannot be told* from so many runs, and how many would tell is said.
- *One printed run* is held against the middle 95 of 100 of ours.
- A *finding of ours* is looked for again on seeds that it was not found with. It holds where both say so, and does not where the
  confirmation says so.
- *Ours alone*: nothing was printed that could be judged.";

/// What stands below the title.
pub(super) fn lead(args: &ReproduceArgs, runs: u64) -> String {
    let form = if args.quick {
        "This is the quick form: the same claims from fewer runs, so that more of them cannot be told."
    } else {
        "This is the full form."
    };
    let machine = Machine::present();
    let machine = machine.processor().map_or_else(String::new, |processor| format!(", on {processor}"));
    format!(
        "What the papers claim, and what our runs say of it. {form} Every figure of ours comes from {} runs by `runner reproduce` \
         (version {}){machine}; none is typed by hand. The published ones stand in the files of claims and in `datasets/published`.\n\n\
         {VERDICTS}",
        grouped(runs),
        env!("CARGO_PKG_VERSION"),
    )
}

/// The chapters: the worked examples of each document, then every claim with its finding.
pub(super) fn chapters(
    files: &[Claims],
    places: &[Vec<Option<usize>>],
    samples: &[Samples],
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
                Some(at) => kind.judge(&samples[at]),
                None => Ok(not_judged(&claims.experiments[experiment])),
            };
            finding.map(|mut finding| {
                if let (Some(by), Some(at)) = (by, places[experiment]) {
                    finding.published += &format!(" ({by})");
                    let time = kind.processor_time(&samples[at]);
                    finding.ours += &time.map_or_else(String::new, |time| format!(", in {time}"));
                }
                (link, finding)
            })
        };
        for claim in &claims.claims {
            let by = claim.by.as_deref();
            let again = claim.confirmation.map(|again| judge(&claim.kind.for_confirmation(), by, again)).transpose();
            match judge(&claim.kind, by, claim.experiment).and_then(|found| Ok((found, again?))) {
                Ok(((experiment, finding), again)) => entries.push(Entry {
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

/// The finding of a claim whose instances are not here.
fn not_judged(experiment: &ClaimExperiment) -> Finding {
    let file = experiment.absent.as_deref().unwrap_or_default();
    Finding {
        verdict: Verdict::NotJudged,
        published: String::new(),
        ours: String::new(),
        published_runs: None,
        runs: 0,
        reasons: vec![format!("Its instances ({file}) are not here, and may not be shipped.")],
        grids: Vec::new(),
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
            published: example.published.clone(),
            ours: example.ours.clone(),
            published_runs: None,
            runs: 0,
            reasons: Vec::new(),
            grids: Vec::new(),
        },
        confirmation: None,
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
        let relative = |folder: &str, file: &str| relative(Path::new(folder), Path::new(file)).display().to_string();
        assert_eq!(relative("/a/docs", "/a/experiments/x.toml"), "../experiments/x.toml");
        assert_eq!(relative("/a/results/quick", "/a/experiments/x.toml"), "../../experiments/x.toml");
        assert_eq!(relative("/a", "/a/x.toml"), "x.toml");
    }
}
