//! Samples: the runs of an experiment.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use super::roster::{Configuration, Key, Roster, RosterInstance};
use super::selection::Selection;
use evogrid_results::files::{FileError, open_regular};
use evogrid_results::names::NameTable;
use evogrid_results::runs::{Reader, Row, RunOutcome};
use evogrid_results::sheet::{NUMBER, ReadError, Sheet, WHOLE};
use flate2::read::MultiGzDecoder;

/// The maximum number of runs that are kept in memory. This number of runs needs about 310 MB of memory.
pub const MAX_SAMPLES: usize = 2_000_000;

/// All runs of an experiment. A run needs 152 bytes of memory.
///
/// ```
/// use evogrid_analysis::samples::{Key, Samples, Selector};
/// use evogrid_results::runs::Reader;
///
/// let csv = "algorithm,population,instance,solved\nga,10,a,true\nga,10,b,false\nga,20,a,true\nga,20,b,true\n";
/// let samples = Samples::read(Reader::new("runs.csv", csv.as_bytes())?)?;
/// assert_eq!(samples.roster.varied, ["population"]);
///
/// let everything = samples.roster.select(&Selector::default())?;
/// let groups = samples.grouped(&[samples.roster.key("population")?], &everything);
/// let solved = groups.iter().map(|(values, runs)| (values[0], runs.iter().filter(|run| run.outcome.is_solved()).count()));
/// assert_eq!(solved.collect::<Vec<_>>(), [("10", 1), ("20", 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// The configurations and instances of the runs.
    pub roster: Roster,
    /// The runs in the order of the file.
    pub runs: Vec<Sample>,
    /// The names of the fitness functions. If a function is maximised, its name has a [mark](evogrid_core::family::Direction::marked). If
    /// the file does not contain the name of a fitness function, the list contains an empty text instead of the name.
    pub fitnesses: Vec<String>,
    /// The names of the units of work, such as `evaluations`. If the file does not contain the unit of work of a run, the list contains an
    /// empty text instead of the name of the unit.
    pub units: Vec<String>,
    /// The best known value of each instance of the roster. The entry is `None` if the instance has no best known value.
    pub best_known: Vec<Option<f64>>,
    /// The first [size](evogrid_core::family::Instance::sizes) of each instance of the roster. An unknown size is `None`. The list is empty
    /// at first, because files of runs do not contain sizes.
    pub sizes: Vec<Option<f64>>,
    /// The columns of a complete `runs.csv` that this file lacks.
    pub missing: Vec<&'static str>,
    /// For each generation that was read from the trace: the gene diversity of each run at the end of this generation. The map is empty
    /// until [`read_diversity`](Self::read_diversity) is called.
    pub diversity: BTreeMap<u64, BTreeMap<u64, f64>>,
}

/// A run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The number of the run in the plan.
    pub run: u64,
    configuration: u32,
    instance: u32,
    /// The number of the run among the runs that differ only in the random stream. The first number is 0.
    pub repetition: u64,
    /// The seed of the run's random stream.
    pub seed: u64,
    fitness: u32,
    unit: u32,
    /// Its outcome.
    pub outcome: RunOutcome,
    /// The gap: the objective's distance from the best known value, in per cent. The gap is `None` if the objective or the best known value
    /// is unknown.
    pub gap: Option<f64>,
}

impl Sample {
    /// The index of the run's configuration in the roster.
    pub fn configuration(&self) -> usize {
        self.configuration as usize
    }

    /// The index of the run's instance in the roster.
    pub fn instance(&self) -> usize {
        self.instance as usize
    }

    /// The index of the run's fitness function in [`Samples::fitnesses`].
    pub fn fitness(&self) -> usize {
        self.fitness as usize
    }

    /// The index of the run's unit of work in [`Samples::units`].
    pub fn unit(&self) -> usize {
        self.unit as usize
    }
}

impl Samples {
    /// The gap of a run. If the run has no solution, but the instance has a best known value, the gap is infinite.
    pub fn gap(&self, sample: &Sample) -> Option<f64> {
        let has_gap = || self.roster.instances[sample.instance()].has_gap;
        sample.gap.or_else(|| (sample.outcome.objective.is_none() && has_gap()).then_some(f64::INFINITY))
    }

    /// Returns samples that have the same roster as `self`, but contain only these runs. The runs of `self` are not copied.
    pub fn with_runs(&self, runs: Vec<Sample>) -> Self {
        Self {
            roster: self.roster.clone(),
            runs,
            fitnesses: self.fitnesses.clone(),
            units: self.units.clone(),
            best_known: self.best_known.clone(),
            sizes: self.sizes.clone(),
            missing: self.missing.clone(),
            diversity: self.diversity.clone(),
        }
    }

    /// Creates samples that contain a single run. The metrics of the run can be computed from these samples.
    pub fn of_run(row: &Row) -> Self {
        let mut builder = SamplesBuilder { limit: 1, ..SamplesBuilder::default() };
        builder.add(row).expect("there is room for one run");
        builder.finish()
    }

    /// Reads the rows of a `runs.csv`, or of another CSV. The CSV needs the columns `algorithm` and `instance`, and one of `solved`,
    /// `objective` and `gap`.
    ///
    /// # Errors
    /// Returns the first error of the file. Returns an error if the file has more than [`MAX_SAMPLES`] runs.
    pub fn read<R: Read>(reader: Reader<R>) -> Result<Self, ReadError> {
        Self::read_at_most(reader, MAX_SAMPLES)
    }

    fn read_at_most<R: Read>(reader: Reader<R>, limit: usize) -> Result<Self, ReadError> {
        let mut builder = SamplesBuilder::new(&reader, limit);
        let (mut reader, mut row) = (reader.without_numbering(), Row::default());
        while reader.read_over(&mut row)? {
            builder.add(&row)?;
        }
        Ok(builder.finish())
    }

    /// Gives numbers to the repetitions: the runs of each configuration on each instance id are numbered in the order of the file.
    fn number(&mut self) {
        let mut names = NameTable::default();
        let ids: Vec<usize> = self.roster.instances.iter().map(|instance| names.number(&instance.id)).collect();
        let mut counts: BTreeMap<(u32, usize), u64> = BTreeMap::new();
        for run in &mut self.runs {
            let count = counts.entry((run.configuration, ids[run.instance()])).or_default();
            run.repetition = *count;
            *count += 1;
        }
    }

    /// Reads each run's gene diversity at these generations from a `trace.csv.gz`. If a diversity was not recorded, it is skipped.
    ///
    /// # Errors
    /// Returns an error if the trace cannot be read or has no column of diversities.
    pub fn read_diversity(&mut self, trace: &Path, generations: &[u64]) -> Result<(), ReadError> {
        let mut diversity: BTreeMap<u64, BTreeMap<u64, f64>> =
            generations.iter().map(|&generation| (generation, BTreeMap::new())).collect();
        let file = open_regular(trace).map_err(FileError::from_io("read", trace))?;
        let mut sheet = Sheet::open(&trace.to_string_lossy(), MultiGzDecoder::new(file))?;
        let [run, at, value] = sheet.columns_named(["run", "generation", "diversity"])?;
        while sheet.advance()? {
            if let Some(value) = sheet.optional(value, &NUMBER)?
                && let Some(runs) = diversity.get_mut(&sheet.value(at, &WHOLE)?)
            {
                runs.insert(sheet.value(run, &WHOLE)?, value);
            }
        }
        self.diversity.extend(diversity);
        Ok(())
    }

    /// The smallest and the largest number of runs on an instance, over the configurations whose numbers of runs differ between instances.
    /// `None` if there is no such configuration.
    pub(crate) fn runs_of_instances(&self) -> Option<[usize; 2]> {
        let mut places: Vec<(u32, u32)> = self.runs.iter().map(|run| (run.configuration, run.instance)).collect();
        places.sort_unstable();
        let ends = places.chunk_by(|one, other| one.0 == other.0).map(|of_configuration| {
            let counts = of_configuration.chunk_by(|one, other| one == other).map(<[_]>::len);
            counts.fold([usize::MAX, 0], |[fewest, most], count| [fewest.min(count), most.max(count)])
        });
        let wider = |one: [usize; 2], other: [usize; 2]| [one[0].min(other[0]), one[1].max(other[1])];
        ends.filter(|[fewest, most]| fewest < most).reduce(wider)
    }

    /// The value of a key for a run.
    pub fn value(&self, key: Key, sample: &Sample) -> &str {
        self.roster.value(key, sample.configuration(), sample.instance())
    }

    /// The chosen runs.
    pub fn chosen<'a, 's>(&'a self, selection: &'s Selection) -> impl Iterator<Item = &'a Sample> + use<'a, 's> {
        self.runs.iter().filter(|sample| selection.has(sample.configuration(), sample.instance()))
    }

    /// The selected runs in groups. The runs of a group have equal values of all these keys. Groups are in the order of their first runs.
    /// The result has two lists for each group: the values of these keys, and the runs of the group.
    pub fn grouped<'a>(&'a self, keys: &[Key], selection: &Selection) -> Vec<(Vec<&'a str>, Vec<&'a Sample>)> {
        self.grouped_by(keys, self.chosen(selection).map(|run| (run, run)))
    }

    /// Divides runs into groups with equal values of all these keys. Each run comes with an item, and the groups contain the items.
    pub(crate) fn grouped_by<'a, T>(
        &'a self,
        keys: &[Key],
        runs: impl IntoIterator<Item = (T, &'a Sample)>,
    ) -> Vec<(Vec<&'a str>, Vec<T>)> {
        let mut places: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        let mut groups: Vec<(Vec<&str>, Vec<T>)> = Vec::new();
        let is_of_configurations = keys.iter().all(|key| key.is_of_configurations());
        let mut of_configuration: Vec<Option<usize>> = vec![None; self.roster.configurations.len()];
        for (item, sample) in runs {
            let known = of_configuration[sample.configuration()].filter(|_| is_of_configurations);
            let group = known.unwrap_or_else(|| {
                let values: Vec<&str> = keys.iter().map(|&key| self.value(key, sample)).collect();
                *places.entry(values).or_insert_with_key(|values| {
                    groups.push((values.clone(), Vec::new()));
                    groups.len() - 1
                })
            });
            of_configuration[sample.configuration()] = Some(group);
            groups[group].1.push(item);
        }
        groups
    }
}

/// Builds samples from runs that are added one by one.
#[derive(Default)]
pub struct SamplesBuilder {
    samples: Samples,
    /// The name of the file. Messages contain this name.
    file: String,
    /// The maximum number of runs.
    limit: usize,
    configurations: NameTable,
    instances: NameTable,
    fitnesses: NameTable,
    units: NameTable,
}

impl SamplesBuilder {
    /// Creates an empty builder for the rows of a file. At most `limit` runs can be added.
    pub fn new<R: Read>(reader: &Reader<R>, limit: usize) -> Self {
        Self {
            file: reader.file().to_owned(),
            ..Self::of_columns(reader.varied.clone(), reader.missing.clone(), limit)
        }
    }

    /// Creates an empty builder for rows with these varied settings. `missing` lists the columns of `runs.csv` that the rows do not have.
    pub fn of_columns(varied: Vec<String>, missing: Vec<&'static str>, limit: usize) -> Self {
        let samples = Samples { roster: Roster { varied, ..Roster::default() }, missing, ..Samples::default() };
        Self { samples, file: "the file".to_owned(), limit, ..Self::default() }
    }

    /// Adds a run.
    ///
    /// # Errors
    /// Returns an error if there are too many runs.
    pub fn add(&mut self, row: &Row) -> Result<(), ReadError> {
        let (samples, limit) = (&mut self.samples, self.limit);
        if samples.runs.len() == limit {
            let file = &self.file;
            return Err(ReadError::Content(format!(
                "{file} has more than {limit} runs, the limit of this command: use fewer runs, or the command `table`, \
                 which needs less memory"
            )));
        }
        let Row { key, varied, fitness, unit, outcome, best_known, gap, .. } = row;
        let roster = &mut samples.roster;
        let configuration = place(&mut self.configurations, std::iter::once(&key.algorithm).chain(varied), || {
            let configuration = Configuration { algorithm: key.algorithm.clone(), varied: varied.clone() };
            roster.configurations.push(configuration);
        });
        let instance = place(&mut self.instances, [&key.instance, &key.bucket, &key.problem], || {
            let (id, bucket, problem) = (key.instance.clone(), key.bucket.clone(), key.problem.clone());
            roster.instances.push(RosterInstance { id, bucket, problem, has_gap: false });
            samples.best_known.push(None);
        });
        let known = &mut samples.best_known[instance as usize];
        *known = known.or(*best_known);
        roster.instances[instance as usize].has_gap |= gap.is_some() || best_known.is_some_and(|best| best != 0.0);
        samples.runs.push(Sample {
            run: row.run,
            configuration,
            instance,
            repetition: key.repetition,
            seed: key.seed,
            fitness: place(&mut self.fitnesses, [fitness], || samples.fitnesses.push(fitness.clone())),
            unit: place(&mut self.units, [unit], || samples.units.push(unit.clone())),
            outcome: *outcome,
            gap: *gap,
        });
        Ok(())
    }

    /// The samples of all added runs.
    pub fn finish(self) -> Samples {
        let mut samples = self.samples;
        samples.roster.separate_families();
        if samples.missing.contains(&"repetition") {
            samples.number();
        }
        samples
    }
}

/// The number of solved runs.
pub fn n_solved(runs: &[&Sample]) -> u64 {
    runs.iter().filter(|run| run.outcome.is_solved()).count() as u64
}

/// The number of failed runs.
pub fn n_failed(runs: &[&Sample]) -> u64 {
    runs.iter().filter(|run| run.outcome.has_failed()).count() as u64
}

/// The index of the list entry with these names. If the entry is new, `add` appends it to the list.
fn place<'t>(known: &mut NameTable, names: impl IntoIterator<Item = &'t String>, add: impl FnOnce()) -> u32 {
    let n_known = known.names().len();
    let place = known.number_of_list(names);
    if place == n_known {
        add();
    }
    place as u32
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_held_of_a_run_is_what_its_row_says(
            rows in proptest::collection::vec(("[ab:1]{0,2}", "[xy\u{e4}]{0,2}", "[en]?", "[0-2:]{0,2}", 0u64..5, any::<bool>()), 0..60),
            is_numbered: bool,
        ) {
            let mut text = format!("algorithm,instance,bucket,size,evaluations,solved{}\n", if is_numbered { ",repetition" } else { "" });
            for (at, (algorithm, instance, bucket, size, count, solved)) in rows.iter().enumerate() {
                // No run stands twice.
                let number = if is_numbered { format!(",{}", 5 * at as u64 + count) } else { String::new() };
                let _ = writeln!(text, "{algorithm},{instance},{bucket},{size},{count},{solved}{number}");
            }
            let reader = || Reader::new("x.csv", text.as_bytes()).expect("columns");
            let samples = Samples::read(reader()).expect("rows");
            let keys = [Key::Algorithm, Key::Instance, Key::Bucket, Key::Setting(0)];
            prop_assert_eq!(samples.runs.len(), rows.len());
            for (sample, row) in samples.runs.iter().zip(reader()) {
                let row = row.expect("a row");
                let values = keys.map(|key| samples.value(key, sample).to_owned());
                prop_assert_eq!(values, [row.key.algorithm, row.key.instance, row.key.bucket, row.varied[0].clone()]);
                prop_assert_eq!((sample.run, sample.repetition, sample.outcome), (row.run, row.key.repetition, row.outcome));
            }
        }
    }

    #[test]
    fn more_runs_than_can_be_held_are_refused() {
        let text = "algorithm,instance,solved\na,x,true\na,x,true\na,x,true\n";
        let read = |limit| Samples::read_at_most(Reader::new("x.csv", text.as_bytes()).expect("columns"), limit);
        assert_eq!(read(3).expect("three").runs.len(), 3);
        insta::assert_snapshot!(read(2).expect_err("one too many"), @"x.csv has more than 2 runs, the limit of this command: use fewer runs, or the command `table`, which needs less memory");
    }
}
