//! A summary of a million runs, from the text of their `runs.csv`.

use std::fmt::Write;

use divan::{Bencher, black_box};
use evogrid_analysis::summary::Summary;
use evogrid_results::runs::Reader;

fn main() {
    divan::main();
}

/// The text of so many runs: 3 settings, 40 instances in 4 buckets.
fn runs_csv(n_runs: u64) -> String {
    let mut text =
        "run,run_id,algorithm,population,problem,instance,bucket,repetition,seed,solved,best_fitness,evaluations,\
                    generations,restarts,evaluations_to_best,stop,wall_ms,cpu_ms\n"
            .to_owned();
    let buckets = ["easy", "medium", "hard", "expert"];
    for run in 0..n_runs {
        let (population, instance) = ([100, 500, 1000][(run / (n_runs / 3 + 1)) as usize], run % 40);
        let bucket = buckets[(instance / 10) as usize];
        let solved = run % 3 > 0;
        let (stop, fitness) = if solved { ("target", 0) } else { ("stagnation", 2) };
        let (seed, evaluations) = (8_019_042_476_458_226 - run, 10_000 + run % 7919);
        let _ = write!(text, "{run},r{run:016x},huke,{population},tour,{bucket}-{instance:02},{bucket},{},", run / 120);
        let _ = writeln!(text, "{seed},{solved},{fitness},{evaluations},{},0,9000,{stop},1.234,1.201", 10 + run % 50);
    }
    text
}

#[divan::bench(args = [10_000, 1_000_000], sample_count = 5)]
fn summary_of_runs(bencher: Bencher<'_, '_>, n_runs: u64) {
    let text = runs_csv(n_runs);
    bencher.bench_local(|| {
        let reader = Reader::new("runs.csv", black_box(text.as_bytes())).expect("columns");
        Summary::from_runs(reader).expect("rows")
    });
}
