//! Unequal numbers of runs and unequal work are said.

use super::*;

/// The sentence on two algorithms, of runs (algorithm, instance, how many, how many solved).
fn compared(counts: &[(&str, &str, u32, u32)], column: &str) -> String {
    let rows = counts.iter().flat_map(|&(algorithm, instance, runs, solved)| {
        (0..runs).map(move |run| format!("{algorithm},{instance},{run},{}\n", run < solved))
    });
    let csv = format!("algorithm,instance,{column},solved\n{}", rows.collect::<String>());
    let comparison =
        compare(&test_runs::samples(&csv), Metric::Solved, CompareOptions::default()).expect("two configurations");
    comparison.sentences().remove(0)
}

#[test]
fn more_runs_on_easy_instances_are_no_merit() {
    // On either instance `b` is better; `a` has most of its runs on the easy one.
    let counts = [("a", "x", 400, 320), ("a", "y", 100, 5), ("b", "x", 100, 98), ("b", "y", 400, 80)];
    let sentence = compared(&counts, "repetition");
    assert!(sentence.starts_with("On these 2 instances b solves more than a: 16.5 points (95 % "), "{sentence}");
}

#[test]
fn work_that_a_program_does_not_say_is_not_none() {
    let csv = "algorithm,instance,solved,unit,evaluations\na,x,true,evaluations,0\nb,x,true,evaluations,100\n";
    let samples = test_runs::samples(csv);
    let figures: Vec<_> = samples.runs.iter().map(|run| Metric::Evaluations.figure(&samples, run)).collect();
    assert_eq!(figures, [None, Some(100.0)]);
    let error =
        compare(&samples, Metric::Evaluations, CompareOptions::default()).expect_err("nothing to compare").to_string();
    assert_eq!(error, "no run of a reports its work");
    let decisions = test_runs::samples(&csv.replace(",evaluations,0", ",decisions,0"));
    assert_eq!(Metric::Evaluations.figure(&decisions, &decisions.runs[0]), Some(0.0), "a solver may need none");
}

#[test]
fn unequal_work_behind_a_rate_is_said() {
    let csv = |more: u64| {
        let rows: String =
            (0..8).map(|run| format!("a,x{run},false,{}\nb,x{run},{},{}\n", 1000, run % 2 == 0, 1000 * more)).collect();
        format!("algorithm,instance,solved,evaluations\n{rows}")
    };
    let told = |csv: &str| {
        let comparison =
            compare(&test_runs::samples(csv), Metric::Solved, CompareOptions::default()).expect("two configurations");
        comparison.sentences().pop().expect("the method")
    };
    let said = |more| told(&csv(more));
    assert!(
        said(5).ends_with("Unsolved runs stopped after unequal work: on average 1000 in a and 5000 in b."),
        "{}",
        said(5)
    );
    assert!(!said(1).contains("unequal work"), "{}", said(1));
    // Nodes and evaluations are not more or less than one another.
    let units = csv(5)
        .replace("evaluations", "evaluations,unit")
        .replace(",1000\n", ",1000,nodes\n")
        .replace(",5000\n", ",5000,evaluations\n");
    assert!(!told(&units).contains("unequal work"), "{}", told(&units));
}

#[test]
fn processor_time_stands_beside_wall_time() {
    let lines: String =
        (0..20).map(|run| format!("a,x,{run},true,{},1\nb,x,{run},true,{},2\n", 10 + run, 40 + run)).collect();
    let samples = test_runs::samples(&format!("algorithm,instance,repetition,solved,wall_ms,cpu_ms\n{lines}"));
    let figures = |metric| {
        let comparison = compare(&samples, metric, CompareOptions::default()).expect("two configurations");
        comparison.groups.into_iter().map(|group| (group.figure, group.cpu_figure)).collect::<Vec<_>>()
    };
    let of_cpu = figures(Metric::CpuMs);
    assert!(of_cpu.iter().all(|(_, beside)| beside.is_none()));
    let beside: Vec<_> = figures(Metric::WallMs).into_iter().map(|(_, beside)| beside.expect("it is told")).collect();
    assert_eq!(beside, of_cpu.into_iter().map(|(figure, _)| figure).collect::<Vec<_>>());
    let text = render(
        &compare(&samples, Metric::WallMs, CompareOptions::default()).expect("two configurations"),
        Format::Csv,
        &[],
    );
    assert!(!text.contains("cpu"), "the data frame is of what is compared: {text}");
}

#[test]
fn unequal_times_of_equal_evaluations_are_said() {
    // The work of each configuration, and a twelfth of its median processor and wall time; 0 is an empty field.
    let told = |sides: [(&str, u32, f64, f64); 3], metric| {
        let rows = sides.iter().flat_map(|(name, work, cpu, wall)| {
            (0..5).map(move |run| {
                let [cpu, wall] = [*cpu, *wall]
                    .map(|ms| if ms > 0.0 { (ms * f64::from(10 + run)).to_string() } else { String::new() });
                format!("{name},x,{run},false,{work},{cpu},{wall}\n")
            })
        });
        let csv =
            format!("algorithm,instance,repetition,solved,evaluations,cpu_ms,wall_ms\n{}", rows.collect::<String>());
        let comparison = compare(&test_runs::samples(&csv), metric, CompareOptions::default()).expect("configurations");
        let method = comparison.sentences().pop().expect("the method");
        method.find("Unsolved runs with equal").map(|at| method[at..].to_owned()).unwrap_or_default()
    };
    let sides = [("plain", 1000, 0.4, 1.0), ("hasty", 1000, 0.225, 1.0), ("careful", 1000, 20.0, 30.0)];
    insta::assert_snapshot!(told(sides, Metric::Solved), @"Unsolved runs with equal numbers of evaluations took unequal processor time. The median times are 2.700 ms in hasty and 240.0 ms in careful.");
    assert_eq!(told(sides, Metric::WallMs), "", "the times are compared themselves");
    let (mut alike, mut longer) = (sides, sides);
    alike[2].2 = 0.6;
    assert_eq!(told(alike, Metric::Solved), "", "less than three times");
    longer[2].1 = 2000;
    assert_eq!(told(longer, Metric::Solved), "", "unequal work is said instead");
    let unmeasured = sides.map(|(name, work, _, wall)| (name, work, 0.0, wall));
    insta::assert_snapshot!(told(unmeasured, Metric::Solved), @"Unsolved runs with equal numbers of evaluations took unequal wall time. The median times are 12.00 ms in hasty and 360.0 ms in careful.");
}
