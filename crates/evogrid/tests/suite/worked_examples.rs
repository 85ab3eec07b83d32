//! What the source documents print of single boards and operators: which of it comes out here, and which is a slip of theirs.

#[test]
fn every_printed_example_comes_out_but_for_the_known_slips() {
    let catalogue = evogrid::catalogue();
    let examples = catalogue.families().flat_map(|family| family.examples(&catalogue.operators));
    let told: String = examples
        .map(|example| {
            let sign = if example.agrees { "=" } else { "is printed," };
            format!("{}: {} {sign} {}\n", example.id, example.published, example.ours)
        })
        .collect();
    assert_eq!(told, include_str!("worked_examples.txt"));
}
