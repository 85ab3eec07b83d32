//! `runner answer`: a sentence for people, and numbers for the text of a paper.

use crate::test_folder::TestFolder;

/// Gaps of three sizes by two rates on eight instances, twice each; size 2 is the best.
fn grid() -> TestFolder {
    let folder = TestFolder::empty();
    let mut text = "algorithm,size,a_rate,instance,repetition,gap,cpu_ms\n".to_owned();
    for instance in 0..8 {
        for (size, gap) in [(1, 20), (2, 10), (3, 30)] {
            for rate in [1, 5] {
                for repetition in 0..2 {
                    let gap = gap + instance % 3 + repetition;
                    text += &format!("ga,{size},0.{rate},i{instance},{repetition},{gap},900000\n");
                }
            }
        }
    }
    folder.write("runs.csv", text);
    folder
}

#[test]
fn an_answer_is_a_sentence_with_its_caveats() {
    insta::assert_snapshot!(grid().outputs(0, &["answer", "runs.csv"]).0, @"size = 2, a_rate = 0.1 is first in these runs: mean gap 11.38 % (10.69 to 12.10); next is size = 2, a_rate = 0.5, equal: mean gap 11.38 % (10.69 to 12.10). But 2 of the 6 configurations may be the best on instances like these (95 % confidence). If the best configuration is chosen on one half of the instances and measured on the other half, the result is: mean gap 11.38 %.");
}

#[test]
fn every_number_is_a_latex_command() {
    let text = grid().outputs(0, &["answer", "runs.csv", "--format", "latex"]).0;
    insta::assert_snapshot!(text.split_once("named #1}\\fi}\n").expect("after the preamble").1, @r"
    \evogridset{answer}{size = 2, a\_rate = 0.1 is first in these runs: mean gap 11.38 \% (10.69 to 12.10); next is size = 2, a\_rate = 0.5, equal: mean gap 11.38 \% (10.69 to 12.10). But 2 of the 6 configurations may be the best on instances like these (95 \% confidence). If the best configuration is chosen on one half of the instances and measured on the other half, the result is: mean gap 11.38 \%.}
    \evogridset{runs}{96}
    \evogridset{failed}{0}
    \evogridset{configurations}{6}
    \evogridset{instances}{8}
    \evogridset{metric}{mean gap \%}
    \evogridset{may-be-best}{2}
    \evogridset{processor-hours}{24}
    \evogridset{1}{size = 2, a\_rate = 0.1}
    \evogridset{1.figure}{11.38 (10.69 to 12.10)}
    \evogridset{2}{size = 2, a\_rate = 0.5}
    \evogridset{2.figure}{11.38 (10.69 to 12.10)}
    \evogridset{3}{size = 1, a\_rate = 0.1}
    \evogridset{3.figure}{21.38 (20.68 to 22.09)}
    \evogridset{4}{size = 1, a\_rate = 0.5}
    \evogridset{4.figure}{21.38 (20.68 to 22.09)}
    \evogridset{5}{size = 3, a\_rate = 0.1}
    \evogridset{5.figure}{31.38 (30.68 to 32.09)}
    \evogridset{6}{size = 3, a\_rate = 0.5}
    \evogridset{6.figure}{31.38 (30.68 to 32.09)}
    \evogridset{size.explains}{100}
    \evogridset{size.explains-in-all}{100}
    \evogridset{size.p}{p = 0.018}
    \evogridset{size.1}{21.38}
    \evogridset{size.2}{11.38}
    \evogridset{size.3}{31.38}
    \evogridset{a-rate.explains}{0}
    \evogridset{a-rate.explains-in-all}{0}
    \evogridset{a-rate.p}{p = 1}
    \evogridset{a-rate.0.1}{21.38}
    \evogridset{a-rate.0.5}{21.38}
    \evogridset{size.with.a-rate.explains}{0}
    \evogridset{size.with.a-rate.p}{p = 1}
    \evogridset{warnings}{}
    ");
}

#[test]
fn numbers_have_no_other_form() {
    insta::assert_snapshot!(grid().refused(2, &["answer", "runs.csv", "--format", "csv"]), @"
note: runs.csv has no column `solved`: the success rates are unknown
note: runs.csv has no column `bucket`: buckets are not distinguished
note: runs.csv has no column `best_fitness`: the best fitness is unknown
note: runs.csv has no column `evaluations`: the evaluations and the expected running time are unknown
note: runs.csv has no column `generations`: the generations are unknown
note: runs.csv has no column `wall_ms`: the times and PAR10 are unknown
error: `runner answer` prints either plain text or LaTeX commands with numbers for a paper
  expected `--format text` or `--format latex`
");
}
