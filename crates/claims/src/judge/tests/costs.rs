//! Claims about the cost of solving.

use super::*;

#[test]
fn costs_in_different_units_say_theirs() {
    let csv =
        "algorithm,instance,solved,unit,evaluations,wall_ms\nga,x,true,evaluations,100,2\nsat,x,true,decisions,7,3\n";
    let claim =
        ClaimKind { of: Selector::default(), rule: Rule::Cost(CostClaim { groups: vec!["algorithm".to_owned()] }) };
    let finding = claim.judge(&crate::judge::test_runs::samples(csv)).expect("two groups");
    let grid = &finding.grids[0];
    assert_eq!(grid.header[3..], ["expected work", "median work", "PAR10 ms"]);
    assert_eq!(grid.rows[0][3..], ["100 (100 to 100) evaluations", "100 evaluations", "2.000 (2.000 to 2.000)"]);
    assert_eq!(grid.rows[1][3..], ["7 (7 to 7) decisions", "7 decisions", "3.000 (3.000 to 3.000)"]);
}
