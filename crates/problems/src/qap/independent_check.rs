//! The independent check: it computes the cost of an assignment. The check shares no code with the search, the matrices or the reader.

use evogrid_core::memory::room;

use crate::solutions;

/// Computes the cost of an assignment. Each entry of A is multiplied by the matching entry of B. The cost of the assignment is the sum of
/// these products. `content` lists `n`, A and B, separated by blanks. For each row of A, `solution` lists the row of B that is assigned to
/// it. `solution` is a permutation of the numbers from 1 to `n`. Blanks or commas separate these numbers.
///
/// # Errors
/// Returns a message if `content` or `solution` does not have the form described above. Returns a message if a row is missing from the
/// permutation. Rows are counted from 1.
pub fn cost(content: &str, solution: &str) -> Result<i64, String> {
    let mut fields = content.split_ascii_whitespace();
    let n: usize = fields.next().and_then(|n| n.parse().ok()).ok_or("the instance has no size")?;
    let number = |field: &str| field.parse::<i64>().map_err(|_| "the instance has an entry that is not a number");
    let n_entries = fields.clone().try_fold(0_usize, |count, field| number(field).map(|_| count + 1))?;
    if Some(n_entries) != n.checked_mul(n).and_then(|one| one.checked_mul(2)) {
        return Err(format!("the matrices of the instance have {n_entries} entries, but its size is {n}"));
    }
    let words = solution.split(|c: char| c == ',' || c.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let mut row_of_a = vec![0; n];
    for (row, target) in solutions::check(words, n, "row")?.into_iter().enumerate() {
        row_of_a[target] = row;
    }
    // The process may not get the memory for a second matrix of numbers, so only A is stored.
    let mut numbers = fields.flat_map(number);
    let mut a = room(n * n).map_err(|_| format!("not enough memory for a matrix of {n} rows"))?;
    a.extend(numbers.by_ref().take(n * n));
    // For each entry of B, in order, the matched entry of A.
    let mut total: i128 = 0;
    for from_row in &row_of_a {
        for (to_row, b) in row_of_a.iter().zip(numbers.by_ref()) {
            total += i128::from(a[from_row * n + to_row]) * i128::from(b);
        }
    }
    i64::try_from(total).map_err(|_| "the cost is too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_is_worked_by_hand() {
        // A: 1 to 2 has 1, 2 to 1 has 2, and 3 has a diagonal of 7; B: 10 times row plus column, rows from 0.
        let content = "3 0 1 0 2 0 0 0 0 7 0 1 2 10 11 12 20 21 22";
        assert_eq!(cost(content, "1 2 3"), Ok(1 + 2 * 10 + 7 * 22));
        assert_eq!(cost(content, "3,1,2"), Ok(20 + 2 * 2 + 7 * 11));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let content = "2 0 1 1 0 0 5 5 0";
        let wrong = |solution| cost(content, solution).expect_err("it is wrong");
        assert_eq!(wrong("1"), "row 2 is missing");
        assert_eq!(wrong("1 3"), "`3` is not a row: expected 1 to 2");
        assert_eq!(wrong("0 1"), "`0` is not a row: expected 1 to 2");
        assert_eq!(wrong("2 2"), "row 2 occurs twice");
        assert_eq!(cost("2 1 2", "1 2").unwrap_err(), "the matrices of the instance have 2 entries, but its size is 2");
        assert_eq!(cost("", "1 2").unwrap_err(), "the instance has no size");
        assert_eq!(cost("2 a", "1 2").unwrap_err(), "the instance has an entry that is not a number");
    }
}
