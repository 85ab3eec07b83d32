//! Stores many texts in little memory. One buffer contains all texts. A hash table contains the index of each text, so that a text is found
//! quickly.

use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

/// Texts that are stored one after the other in one buffer. Each text needs 4 additional bytes.
///
/// ```
/// use evogrid_results::names::TextList;
///
/// let mut texts = TextList::default();
/// texts.push("easy-01");
/// texts.push("");
/// assert_eq!(texts.iter().collect::<Vec<_>>(), ["easy-01", ""]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextList {
    text: String,
    /// The lower 32 bits of the position at which each text ends in the buffer.
    ends: Vec<u32>,
    /// For each multiple of 4 GiB, the number of the first text that ends beyond this position.
    crossings: Vec<usize>,
}

impl TextList {
    /// Adds a text.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        let end = self.text.len() as u64;
        self.crossings.resize((end >> 32) as usize, self.ends.len());
        self.ends.push(end as u32);
    }

    /// The text with this number. The first text has the number 0.
    ///
    /// # Panics
    /// If `number` is not smaller than the number of texts.
    pub fn get(&self, number: usize) -> &str {
        &self.text[number.checked_sub(1).map_or(0, |before| self.end(before))..self.end(number)]
    }

    fn end(&self, number: usize) -> usize {
        let crossed = self.crossings.partition_point(|&first| first <= number);
        ((crossed as u64) << 32 | u64::from(self.ends[number])) as usize
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The total number of bytes of the texts.
    pub fn n_bytes(&self) -> usize {
        self.text.len()
    }

    /// All texts, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.len()).map(|number| self.get(number))
    }
}

/// A table that stores each name once. Names are numbered in order of appearance.
///
/// A hash map would store each name separately. For millions of names, such a hash map would take four times the memory.
///
/// ```
/// use evogrid_results::names::NameTable;
///
/// let mut names = NameTable::default();
/// assert_eq!(["b", "a", "b"].map(|name| names.number(name)), [0, 1, 0]);
/// assert_eq!((names.find("a"), names.find("c")), (Some(1), None));
/// ```
#[derive(Clone, Debug, Default)]
pub struct NameTable {
    names: TextList,
    /// The numbers of the names, by their hashes.
    numbers: HashTable<u32>,
    /// The number of the last requested name: a row of a table often has the same name as the previous row.
    last: usize,
    hasher: RandomState,
    /// The text of the present list of names; the buffer is kept to reuse its memory.
    key: String,
}

impl NameTable {
    /// Returns the index of a name in this table. If the name is new, the table adds the name.
    ///
    /// # Panics
    /// If there are more than four thousand million names.
    pub fn number(&mut self, name: &str) -> usize {
        if !self.names.is_empty() && self.names.get(self.last) == name {
            return self.last;
        }
        self.last = self.find(name).unwrap_or_else(|| {
            let number = u32::try_from(self.names.len()).expect("the memory is too small for more than 2^32 names");
            self.names.push(name);
            let hash = |&number: &u32| self.hasher.hash_one(self.names.get(number as usize));
            self.numbers.insert_unique(hash(&number), number, hash);
            number as usize
        });
        self.last
    }

    /// Returns the index under which this table stores the given list of names. If the list is new, the table adds the list.
    pub fn number_of_list<'t>(&mut self, names: impl IntoIterator<Item = &'t String>) -> usize {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        for name in names {
            // Each name is preceded by its length, so that different lists have different texts.
            let _ = write!(key, "{}:{name}", name.len());
        }
        let number = self.number(&key);
        self.key = key;
        number
    }

    /// Returns the index of a name, or `None` if the table does not contain the name.
    pub fn find(&self, name: &str) -> Option<usize> {
        let is_it = |&number: &u32| self.names.get(number as usize) == name;
        self.numbers.find(self.hasher.hash_one(name), is_it).map(|&number| number as usize)
    }

    /// The names, in the order of their numbers.
    pub fn names(&self) -> &TextList {
        &self.names
    }
}

/// Counts how often each list of names occurs.
#[derive(Debug, Default)]
pub(crate) struct NameCounts {
    lists: NameTable,
    counts: Vec<u64>,
}

impl NameCounts {
    /// Counts a list of names, and returns how often the list occurred before.
    pub(crate) fn next<'t>(&mut self, names: impl IntoIterator<Item = &'t String>) -> u64 {
        let list = self.lists.number_of_list(names);
        self.counts.resize(self.lists.names().len(), 0);
        self.counts[list] += 1;
        self.counts[list] - 1
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn names_are_numbered_as_a_map_numbers_them(names in proptest::collection::vec("[a-c\u{e4}]{0,3}", 0..200)) {
            let (mut table, mut map, mut list) = (NameTable::default(), BTreeMap::new(), TextList::default());
            for name in &names {
                prop_assert_eq!(table.find(name), map.get(name).copied());
                let next = map.len();
                prop_assert_eq!(table.number(name), *map.entry(name.clone()).or_insert(next));
                list.push(name);
            }
            prop_assert!(list.iter().eq(names.iter().map(String::as_str)), "what is pushed is read back");
            prop_assert_eq!(table.names().len(), map.len());
            prop_assert!(map.iter().all(|(name, &number)| table.names().get(number) == name));
            prop_assert_eq!(table.find("d"), None);
        }
    }
}
