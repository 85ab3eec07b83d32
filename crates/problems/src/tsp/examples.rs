//! Worked examples: what the sources print of edge recombination and of two published tours, recomputed.

use evogrid_core::prelude::*;

use super::independent_check::tour_length;

/// Number of random streams that are tried before an operator counts as unable to make something.
const N_STREAMS: u64 = 10_000;

/// All examples.
pub(super) fn all(operators: &Operators) -> Vec<WorkedExample> {
    vec![edge_recombination(operators), degrees()]
}

/// The example of this name, of which this comes out here.
fn example(id: &str, ours: String) -> WorkedExample {
    WorkedExample::printed(include_str!("examples/printed.txt"), id, ours)
}

/// The parents A B C D E F and B D C A E F, of which the paper makes B C D E A F.
fn edge_recombination(operators: &Operators) -> WorkedExample {
    let (published, [one, other]) = ("B C D E A F", [[0, 1, 2, 3, 4, 5], [1, 3, 2, 0, 4, 5]]);
    let mut settings = Settings::new();
    settings.set("kind", Value::Text("edge-recombination".to_owned()));
    let member = operators.crossovers.find("edge-recombination");
    let child = member.and_then(|member| {
        let crossover = (member.build)(&settings, operators).ok()?;
        let layout = Layout::new(6, &[None; 6]).ok()?;
        let population = Population::from_individuals(6, [(one, 0.into()), (other, 0.into())]);
        (0..N_STREAMS).find_map(|seed| {
            let mut children = [0; 12];
            let parents = Parents::new(&population, &[0, 1]);
            crossover.cross(&layout, parents, &mut children, &mut Vec::new(), &mut RandomStream::from_seed(seed));
            let letter = |&allele: &u16| char::from(b'A' + allele as u8).to_string();
            let text = |child: &[u16]| child.iter().map(letter).collect::<Vec<_>>().join(" ");
            children.chunks_exact(6).map(text).find(|child| child == published)
        })
    });
    example("edge-recombination", child.unwrap_or_else(|| "edge-recombination does not make it".to_owned()))
}

/// Distances on the sphere, where the document and the published optima disagree.
fn degrees() -> WorkedExample {
    // ulysses16 of TSPLIB with its optimal tour.
    const ULYSSES16: &str = "GEO 38.24 20.42 39.57 26.15 40.56 25.32 36.26 23.12 33.48 10.54 37.56 12.19 38.42 13.11 37.52 20.44 \
                             41.23 9.1 41.17 13.05 36.08 -5.21 38.47 15.13 38.15 15.35 37.51 15.17 35.49 14.32 39.36 19.56";
    let length = tour_length(ULYSSES16, "1 14 13 12 7 6 15 5 11 9 10 16 3 2 4 8");
    example("ulysses16", length.map_or_else(|error| error, |length| length.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tour_of_ulysses_is_as_long_as_published() {
        let example = degrees();
        assert!(example.agrees, "{example:?}");
    }
}
