//! A family adds a neighbourhood to the basic ones: by its name, searches use it on problems of this family, and of no other.

use evogrid::prelude::*;

/// Permutations whose fitness is the number of inversions. Only swaps of adjacent positions are needed to sort them.
#[derive(Clone)]
struct Inversions(Layout);

impl Problem for Inversions {
    fn layout(&self) -> &Layout {
        &self.0
    }

    fn fitness(&self, genome: &[Allele]) -> Fitness {
        let after = |at: usize| genome[at + 1..].iter().filter(|&&allele| allele < genome[at]).count();
        Fitness::from((0..genome.len()).map(after).sum::<usize>() as u32)
    }

    fn target(&self) -> Option<Fitness> {
        Some(0.into())
    }

    fn added_neighbourhoods(&self) -> &'static [(&'static str, &'static str)] {
        &[("adjacent", "swaps of adjacent positions")]
    }

    fn visit_neighbourhood<'p, V: NeighbourhoodVisitor<'p>>(
        &'p self,
        kind: NeighbourhoodKind,
        places: usize,
        visitor: V,
    ) -> Result<V::Output, V> {
        match kind {
            NeighbourhoodKind::Added("adjacent") => {
                visitor.visit_if(Scratch::new(self, NeighbourhoodKind::Swap, places).map(Adjacent))
            }
            basic => visitor.visit_if(Scratch::new(self, basic, places)),
        }
    }
}

/// Swaps of adjacent positions. A group has the swap of its position with the next position.
struct Adjacent<'p>(Scratch<'p, Inversions>);

impl Neighbourhood for Adjacent<'_> {
    type Cost = Fitness;

    fn load(&mut self, place: usize, genome: &[Allele]) -> Fitness {
        self.0.load(place, genome)
    }
    fn write(&self, place: usize, genome: &mut [Allele]) {
        self.0.write(place, genome);
    }
    fn n_groups(&self) -> usize {
        self.0.n_groups().saturating_sub(1)
    }
    fn draw(&self, _: usize, _: u32, random: &mut RandomStream) -> Move {
        let left = random.below(self.n_groups()) as u32;
        Move(left, left + 1)
    }
    fn after(&mut self, place: usize, step: Move, now: Fitness) -> Fitness {
        self.0.after(place, step, now)
    }
    fn best_in(
        &mut self,
        scope: Scope<Fitness>,
        pick: Pick,
        mut allowed: impl FnMut(Move, Fitness) -> bool,
    ) -> Scan<Fitness> {
        let mut scan = Scan::EMPTY;
        if scope.limit > 0 {
            let step = Move(scope.group as u32, scope.group as u32 + 1);
            let cost = self.after(scope.place, step, scope.now);
            scan.judge(step, cost, pick, &mut allowed);
        }
        scan
    }
    fn apply(&mut self, place: usize, step: Move) {
        self.0.apply(place, step);
    }
    fn mark(&mut self, place: usize) {
        self.0.mark(place);
    }
    fn rollback(&mut self, place: usize) {
        self.0.rollback(place);
    }
    fn rearrange(&mut self, place: usize, changes: &[Rearrangement], now: Fitness, groups: &mut Vec<u32>) -> Fitness {
        let cost = self.0.rearrange(place, changes, now, &mut Vec::new());
        groups.extend(0..self.n_groups() as u32);
        cost
    }
}

impl Instance for Inversions {
    fn content(&self) -> String {
        self.0.gene_len().to_string()
    }

    fn size(&self) -> String {
        format!("{} positions", self.0.gene_len())
    }

    fn prepare(&self, _: &Settings) -> Box<dyn Solve> {
        Box::new(self.clone())
    }
}

struct Sorting;

impl Family for Sorting {
    fn declaration(&self) -> &'static Declaration {
        const { &Declaration::new("sorting", "sorts a permutation", "an example") }
    }

    fn text_column(&self) -> &'static str {
        "length"
    }

    fn read(&self, text: &str, _: &Options) -> Result<Box<dyn Instance>, InstanceError> {
        let length = text.parse().map_err(|_| InstanceError::new("no length"))?;
        Ok(Box::new(Inversions(Layout::new(length, &vec![None; length])?)))
    }

    fn sample(&self) -> Option<Box<dyn Instance>> {
        self.read("5", &Options::new()).ok()
    }
}

fn catalogue() -> Catalogue {
    let mut catalogue = evogrid::catalogue();
    catalogue.add_family(Box::new(Sorting));
    catalogue
}

fn settings(kind: &str, neighbourhood: &str) -> Settings {
    let mut settings = Settings::of("kind", Value::Text(kind.to_owned()));
    settings.set("neighbourhood", Value::Text(neighbourhood.to_owned()));
    settings.set_at("budget.evaluations", Value::Integer(2_000));
    settings
}

#[test]
fn an_added_neighbourhood_obeys_the_laws() {
    evogrid::laws::neighbourhood(
        &Inversions(Layout::new(7, &[None; 7]).unwrap()),
        NeighbourhoodKind::Added("adjacent"),
    );
    evogrid::laws::family(&catalogue(), "sorting", "6");
}

#[test]
fn searches_use_an_added_neighbourhood_by_its_name() {
    let catalogue = catalogue();
    let problem = Inversions(Layout::new(8, &[None; 8]).unwrap());
    let budget = Budget { evaluations: Some(2_000), ..Budget::default() };
    let searches = [
        "hill-climbing",
        "annealing",
        "iterated-local-search",
        "variable-neighbourhood",
        "combinatorial-evolution",
        "tabu",
    ];
    for kind in searches {
        let resolved =
            catalogue.resolve(&settings(kind, "adjacent"), &["sorting"]).expect("the family has this neighbourhood");
        let algorithm = catalogue.algorithm(&resolved);
        let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(1), &mut ());
        assert_eq!(outcome.best_fitness, 0.into(), "{kind}: {outcome:?}");
    }
    // A descent by adjacent swaps removes one inversion with each move, so that it needs at most one pass for each inversion.
    let mut second = settings("variable-neighbourhood", "swap");
    second.set("second_neighbourhood", Value::Text("adjacent".to_owned()));
    let algorithm =
        catalogue.algorithm(&catalogue.resolve(&second, &["sorting"]).expect("as a second neighbourhood, too"));
    let outcome = problem.solve(&algorithm, &budget, &mut RandomStream::from_seed(2), &mut ());
    assert_eq!(outcome.best_fitness, 0.into(), "{outcome:?}");
}

#[test]
fn an_added_neighbourhood_belongs_to_its_family() {
    let catalogue = catalogue();
    let fault = |families: &[&str]| catalogue.resolve(&settings("tabu", "adjacent"), families).unwrap_err().remove(0);
    for families in [&["tsp"][..], &["sorting", "tsp"]] {
        let fault = fault(families);
        assert_eq!(fault.message, "`neighbourhood` cannot be `adjacent`");
        assert_eq!(fault.expected, "expected `family`, `swap`, `insertion`, `inversion` or `or-2opt`");
    }
    let misspelt = catalogue.resolve(&settings("tabu", "adjacnet"), &["sorting"]).unwrap_err().remove(0);
    assert!(misspelt.expected.ends_with("did you mean `adjacent`?"), "{}", misspelt.expected);
}

#[test]
#[should_panic(
    expected = "the problem declares the neighbourhood `forgotten`, but `visit_neighbourhood` does not create it"
)]
fn a_neighbourhood_that_is_declared_but_not_created_is_reported() {
    let problem = Inversions(Layout::new(4, &[None; 4]).unwrap());
    evogrid::laws::neighbourhood(&problem, NeighbourhoodKind::Added("forgotten"));
}
