//! The diversity of populations, read from a `trace.csv.gz`.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::Samples;
use evogrid_results::files::FileError;
use evogrid_results::sheet::{NUMBER, ReadError, Sheet, WHOLE};

impl Samples {
    /// Reads from a trace the gene diversity of every run at the end of these generations, where it was recorded.
    ///
    /// # Errors
    /// If the file cannot be read, or has no column of diversities.
    pub fn read_diversity(&mut self, trace: &Path, generations: &[u64]) -> Result<(), ReadError> {
        let file = File::open(trace).map_err(FileError::from_io("read", trace))?;
        let mut sheet = Sheet::open(&trace.to_string_lossy(), MultiGzDecoder::new(file))?;
        let (run, generation) = (sheet.column("run")?, sheet.column("generation")?);
        let diversity = sheet.column("diversity")?;
        let mut found: BTreeMap<u64, BTreeMap<u64, f64>> =
            generations.iter().map(|&generation| (generation, BTreeMap::new())).collect();
        while sheet.advance()? {
            let Some(of_runs) = found.get_mut(&sheet.value(generation, &WHOLE)?) else { continue };
            if let Some(diversity) = sheet.optional(diversity, &NUMBER)? {
                of_runs.insert(sheet.value(run, &WHOLE)?, diversity);
            }
        }
        self.diversity.extend(found);
        Ok(())
    }
}
