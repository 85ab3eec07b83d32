//! The default metric: the one by which runs are judged if none is asked for.

use super::Metric;
use crate::samples::Samples;

impl Samples {
    /// The default metric: [`Metric::Solved`] if any run reports whether it was solved; otherwise [`Metric::Gap`] if all instances have a
    /// best known value; otherwise [`Metric::Objective`].
    pub fn default_metric(&self) -> Metric {
        let is_judged = self.runs.iter().any(|run| run.outcome.solved.is_some());
        let has_gaps = self.runs.iter().any(|run| run.gap.is_some());
        let lacks_best_known = self.runs.iter().any(|run| run.outcome.objective.is_some() && run.gap.is_none());
        Metric::by_default(is_judged, has_gaps, lacks_best_known)
    }
}

impl Metric {
    /// The default metric from three facts: whether any run reports whether it was solved, whether any has a gap, and whether any has an
    /// objective but no gap.
    pub fn by_default(is_judged: bool, has_gaps: bool, lacks_best_known: bool) -> Self {
        match (is_judged, has_gaps && !lacks_best_known) {
            (true, _) => Self::Solved,
            (false, true) => Self::Gap,
            (false, false) => Self::Objective,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Summary;
    use crate::test_runs::samples;
    use evogrid_results::runs::Reader;

    #[test]
    fn runs_and_their_summary_have_one_default() {
        for (csv, expected) in [
            ("algorithm,instance,solved\na,x,true\n", Metric::Solved),
            ("algorithm,instance,solved,gap\na,x,,1\na,y,false,2\n", Metric::Solved),
            ("algorithm,instance,solved,objective,best_known\na,x,,5,4\na,y,,6,6\n", Metric::Gap),
            ("algorithm,instance,gap\na,x,5\n", Metric::Gap),
            ("algorithm,instance,objective,best_known\na,x,5,4\na,y,6,\n", Metric::Objective),
            ("algorithm,instance,objective,best_known\na,x,5,4\na,y,6,0\n", Metric::Objective),
            ("algorithm,instance,objective,best_known\na,x,5,4\na,x,,4\n", Metric::Gap),
            ("algorithm,instance,objective\na,x,5\n", Metric::Objective),
        ] {
            let summary = Summary::from_runs(Reader::new("x.csv", csv.as_bytes()).expect("columns")).expect("rows");
            assert_eq!((samples(csv).default_metric(), summary.default_metric()), (expected, expected), "{csv}");
        }
    }
}
