//! What the source documents print of single boards and operators: which of it comes out here, and which is a slip of theirs.

#[test]
fn every_printed_example_comes_out_but_for_the_known_slips() {
    let catalogue = evogrid::catalogue();
    let examples = catalogue.families().flat_map(|family| family.examples(&catalogue.operators));
    let told: Vec<String> = examples
        .map(|example| {
            let sign = if example.agrees { "=" } else { "is printed," };
            format!("{}: {} {sign} {}", example.id, example.published, example.ours)
        })
        .collect();
    assert_eq!(
        told,
        [
            "mccaffrey-blocks: box 5, corner (6, 6) = box 5, corner (6, 6)",
            "mccaffrey-candidates-0-1: 1 3 9 = 1 3 9",
            "mccaffrey-candidates-0-0: 1 3 5 9 is printed, 1 3 5 7 9",
            "mccaffrey-candidates-0-4: 3 = 3",
            "mccaffrey-forced: 9 = 9",
            "arkieva-duplicates: infeasible start = infeasible start: value 2 more than once in unit 1, in the cells 1, 2; \
             value 2 more than once in unit 19, in the cells 1, 2",
            "arkieva-candidates: no candidate is left for the cells 1 = no solution: no candidate is left for the cells 1",
            "arkieva-conflicts: the cells 1, 2 both need value 1 = no solution: the cells 1, 2 both need value 1",
            "arkieva-box: 6 = 6",
            "arkieva-candidates-1-3: 1 4 = 1 4",
            "arkieva-candidates-4-1: 4 8 = 4 8",
            "arkieva-candidates-8-7: 7 = 7",
            "arkieva-first-step: 70 = 70",
            "arkieva-second-step: cell 30 is printed, cell 3 or before, since cell 3 has the candidates 1 4",
            "huke-fitness: 86 = 86",
            "huke-collisions: 2 1 1 1 1 1 0 2 1 = 2 1 1 1 1 1 0 2 1",
            "huke-mutation: 3 boxes = collision-swap makes all 3",
            "huke-two-point: 2 children = three-segment makes all 2",
            "huke-diagonal: 3 children = diagonal makes all 3",
            "cervigon-solution: 966174258 is printed, 963174258",
            "cervigon-combined-positional: 2 children is printed, combined-positional makes 1 of 2 (number 1)",
            "cervigon-combined-alternating: 2 children is printed, combined-alternating makes 1 of 2 (number 2)",
        ]
    );
}
